"""Where a request comes from: the address of its connection, or the one that a trusted proxy names."""

from __future__ import annotations

import ipaddress

from starlette.datastructures import Headers
from starlette.types import Scope

Number = ipaddress.IPv4Address | ipaddress.IPv6Address
"""An IPv4 or IPv6 address."""


def number_of(text: str) -> Number | None:
    """Parse an address; None if it is not one. An IPv4 address mapped into IPv6 is the IPv4 address."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, ipaddress.IPv6Address) else address


def counted_as(address: Number | None) -> str:
    """The name under which an address is counted: an IPv4 address by itself, an IPv6 address by its /64 network."""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    return "unknown" if address is None else str(address)


def forwarded_for(scope: Scope) -> str | None:
    """The last address in X-Forwarded-For, without its port; None if the header is missing.

    The nearest proxy appends the address that it has seen. Everything before may be made up by the client. This is the
    only place that reads the header.
    """
    values = Headers(scope=scope).getlist("x-forwarded-for")
    if not values:
        return None
    last = values[-1].rpartition(",")[2].strip()
    if last.startswith("["):
        return last[1:].partition("]")[0]
    return last.partition(":")[0] if last.count(":") == 1 else last


def believe_proxy(scope: Scope) -> None:
    """Take a request's address and scheme from the headers of the proxy in front."""
    address = forwarded_for(scope)
    if address is not None:
        scope["client"] = (address, 0)
    named = Headers(scope=scope).getlist("x-forwarded-proto")
    scheme = named[-1].rpartition(",")[2].strip().lower() if named else ""
    if scheme in ("http", "https", "ws", "wss"):
        secure = scheme in ("https", "wss")
        plain = "ws" if scope["type"] == "websocket" else "http"
        scope["scheme"] = f"{plain}s" if secure else plain


def comes_through_a_proxy(scope: Scope) -> bool:
    """Whether a proxy, trusted or not, has passed the request on: its connection is then closer than its client."""
    return forwarded_for(scope) is not None


def visitor_of(scope: Scope) -> Number | None:
    """The address that a request comes from; None if it has none."""
    client = scope.get("client")
    return None if client is None else number_of(client[0])


def address_of(scope: Scope) -> str:
    """The name under which a request is counted."""
    return counted_as(visitor_of(scope))
