"""A request's client address: from its connection, or from the headers of a trusted proxy."""

from __future__ import annotations

import ipaddress

from starlette.datastructures import Headers
from starlette.types import Scope

PROXY_HEADERS = frozenset(
    (
        b"forwarded",
        b"via",
        b"x-real-ip",
        b"x-client-ip",
        b"x-cluster-client-ip",
        b"x-original-forwarded-for",
        b"true-client-ip",
        b"cf-connecting-ip",
        b"fly-client-ip",
        b"fastly-client-ip",
    )
)
"""Headers by which proxies make themselves known, besides those that begin with `X-Forwarded-`."""

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
"""An IPv4 or IPv6 address."""


def parse_address(text: str) -> IPAddress | None:
    """Parse an address; None if it is not one. An IPv4 address mapped into IPv6 is the IPv4 address."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, ipaddress.IPv6Address) else address


def limit_key(address: IPAddress | None) -> str:
    """The key of an address for limits: an IPv4 address itself, the /64 network of an IPv6 address."""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    return "unknown" if address is None else str(address)


def forwarded_for(scope: Scope) -> str | None:
    """The last address in X-Forwarded-For, without its port; None if the header is missing.

    The nearest proxy appends the address of its client. A client can forge everything before it. Only this function
    reads the header.
    """
    values = Headers(scope=scope).getlist("x-forwarded-for")
    if not values:
        return None
    last = values[-1].rpartition(",")[2].strip()
    if last.startswith("["):
        return last[1:].partition("]")[0]
    return last.partition(":")[0] if last.count(":") == 1 else last


def apply_proxy_headers(scope: Scope) -> None:
    """Set a request's client address and scheme from X-Forwarded-For and X-Forwarded-Proto."""
    address = forwarded_for(scope)
    if address is not None:
        scope["client"] = (address, 0)
    named = Headers(scope=scope).getlist("x-forwarded-proto")
    scheme = named[-1].rpartition(",")[2].strip().lower() if named else ""
    if scheme in ("http", "https", "ws", "wss"):
        secure = scheme in ("https", "wss")
        plain = "ws" if scope["type"] == "websocket" else "http"
        scope["scheme"] = f"{plain}s" if secure else plain


def is_proxied(scope: Scope) -> bool:
    """Whether a header says that the request came through a proxy, trusted or not: then it is not a local request."""
    return any(name in PROXY_HEADERS or name.startswith(b"x-forwarded-") for name, _ in scope["headers"])


def client_address(scope: Scope) -> IPAddress | None:
    """The client's address; None if it is missing or not an IP address."""
    client = scope.get("client")
    return None if client is None else parse_address(client[0])


def address_of(scope: Scope) -> str:
    """The client's key for limits."""
    return limit_key(client_address(scope))


def network_of(scope: Scope) -> str | None:
    """The client's network; None if it is unknown, or this computer: a proxy that is not trusted, or a local game."""
    address = client_address(scope)
    return None if address is None or address.is_loopback else limit_key(address)
