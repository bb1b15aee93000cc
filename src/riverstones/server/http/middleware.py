"""Checks for every request before the application gets it.

Host, Origin, client address, size and rate are checked on the way in; security headers are set on the way out.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from riverstones.server.accounts.bans import Bans
from riverstones.server.errors import ServerError, ServerErrorCode, error_to_json
from riverstones.server.http.addresses import address_of, apply_proxy_headers, client_address, parse_address
from riverstones.server.http.languages import language_of
from riverstones.server.http.rate_limits import FILES, REQUESTS, RateLimits
from riverstones.server.http.security_log import SecurityLog
from riverstones.server.metrics import Metrics
from riverstones.server.protocol import encode
from riverstones.server.settings import Settings

API = "/api/"
"""The prefix of all paths that are not files."""
LARGEST_BODY = 128 * 1024
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


HSTS = "max-age=31536000"
"""Browsers use HTTPS only for a year. Other subdomains are not this server's to decide about."""

DEFAULT_PORTS = {"http": 80, "https": 443}


class AllowedHosts:
    """The host names of this server, and the origins whose pages may send requests to it."""

    def __init__(self, settings: Settings) -> None:
        self._origins = {origin.rstrip("/").lower() for origin in settings.origins}
        own = socket.gethostname().lower()
        self._hosts = {"localhost", settings.host.lower(), own, f"{own}.local"}
        self._hosts |= {urlsplit(origin).hostname or "" for origin in self._origins}
        self._secure = {_host_and_port(origin) for origin in self._origins if origin.startswith("https://")}

    def allows_host(self, host: str) -> bool:
        """Whether a Host header names this server. IP addresses always do: DNS rebinding needs a name."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._hosts:
            return True
        return parse_address(name) is not None

    def is_public_https(self, host: str) -> bool:
        """Whether a Host header is that of a public origin with HTTPS, wherever TLS ends."""
        return _host_and_port(f"https://{host}") in self._secure

    def allows_origin(self, origin: str, host: str) -> bool:
        """Whether an Origin header is the site that the request is for, or one in the settings."""
        origin = origin.lower()
        return origin in self._origins or origin in (f"http://{host.lower()}", f"https://{host.lower()}")


def _host_and_port(url: str) -> tuple[str | None, int | None] | None:
    """The host of a URL with its port, which may be the default one; None if it is malformed."""
    try:
        parts = urlsplit(url)
        return parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None


class Middleware:
    """The ASGI middleware in front of the application."""

    def __init__(
        self, app: ASGIApp, settings: Settings, limits: RateLimits, bans: Bans, metrics: Metrics, log: SecurityLog
    ) -> None:
        self._app = app
        self._log = log
        self._limits = limits
        self._bans = bans
        self._metrics = metrics
        self._allowed = AllowedHosts(settings)
        self._trust_proxy = settings.trust_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if self._trust_proxy:
            apply_proxy_headers(scope)
        public = self._allowed.is_public_https(Headers(scope=scope).get("host", ""))
        if public:
            scope["scheme"] = "wss" if scope["type"] == "websocket" else "https"
        guarded = _with_headers(send, {**HEADERS, "strict-transport-security": HSTS} if public else HEADERS)
        address = address_of(scope)
        try:
            await self._check(scope)
            self._limits.enter(address)
        except ServerError as error:
            self._metrics.refused.labels(str(error.code)).inc()
            await _refuse(scope, receive, guarded, error)
            return
        try:
            if scope["type"] == "http":
                await self._app(scope, _bounded(receive), guarded)
            else:
                await self._app(scope, receive, send)
        finally:
            self._limits.leave(address)

    async def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._allowed.allows_host(host):
            raise self._foreign(scope, "Refused host", host)
        self._bans.check_address(client_address(scope))
        await self._limits.check(REQUESTS if scope["path"].startswith(API) else FILES, address_of(scope))
        origin = headers.get("origin")
        foreign = origin is not None and not self._allowed.allows_origin(origin, host)
        if scope["type"] == "websocket":
            if foreign or (origin is None and not has_token(headers)):
                raise self._foreign(scope, "Refused origin", origin or "")
            return
        if scope["method"] in SAFE_METHODS:
            return
        if foreign:
            raise self._foreign(scope, "Refused origin", origin or "")
        site = headers.get("sec-fetch-site", "same-origin")
        if site not in ("same-origin", "none"):
            raise self._foreign(scope, "Refused site", site)
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > LARGEST_BODY:
            raise ServerError(ServerErrorCode.BODY_TOO_LARGE, largest=LARGEST_BODY)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if (length != "0" or "transfer-encoding" in headers) and kind != "application/json":
            raise ServerError(ServerErrorCode.NOT_JSON)

    def _foreign(self, scope: Scope, reason: str, detail: str) -> ServerError:
        """The refusal of a request from elsewhere, which is logged."""
        self._log.note(reason, address_of(scope), detail)
        return ServerError(ServerErrorCode.WRONG_ORIGIN)


def has_token(headers: Headers) -> bool:
    """Whether the request has a bearer token."""
    return headers.get("authorization", "").lower().startswith("bearer ")


def _with_headers(send: Send, more: Mapping[str, str]) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in more.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return guarded


def _bounded(receive: Receive) -> Receive:
    """`receive` that raises `BODY_TOO_LARGE` for a body over the limit, whatever its Content-Length."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST_BODY:
            raise ServerError(ServerErrorCode.BODY_TOO_LARGE, largest=LARGEST_BODY)
        return message

    return bounded


async def _refuse(scope: Scope, receive: Receive, send: Send, error: ServerError) -> None:
    language = language_of(Headers(scope=scope).get("accept-language"))
    body = encode({"error": error_to_json(error, language)}).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if error.status == 429:
        headers.append((b"retry-after", b"10"))
    prefix = "http"
    if scope["type"] == "websocket":
        await receive()
        prefix = "websocket.http"
    await send({"type": f"{prefix}.response.start", "status": error.status, "headers": headers})
    await send({"type": f"{prefix}.response.body", "body": body})
