"""What every request passes before anything else looks at it.

The name under which the server is addressed, where a request comes from, how big it is and how many there are; and
the headers that keep a browser from doing what a page of ours never does.
"""

from __future__ import annotations

import socket
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from riverstones.server.errors import ServerError, ServerErrorCode, error_to_json
from riverstones.server.http.addresses import address_of, believe_proxy, number_of
from riverstones.server.http.languages import language_of
from riverstones.server.metrics import Metrics
from riverstones.server.protocol import encode
from riverstones.server.settings import Settings
from riverstones.table import Command
from riverstones.table.commands import Ask, Proposal

LARGEST_BODY = 128 * 1024
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
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

REQUESTS = parse("300/10 second")
ARRIVALS = parse("60/minute")
"""New people, tables, codes and sockets of one address."""
LONG_WORK = parse("30/minute")
"""What one address may have worked out that takes long: reviews, and records that are read."""
MESSAGES = parse("60/5 second")
"""Messages on one socket."""
MESSAGES_OF_ADDRESS = parse("1200/10 second")
"""Messages on all sockets of one address."""
MISTAKES = parse("30/minute")
"""Messages on one socket that cannot be read."""


MOST_AT_ONCE = 250
"""Requests, streams and sockets that one address may have open, so that nobody takes up every place there is."""


class Limits:
    """Counts what comes from where."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._on = settings.limits
        self._open: Counter[str] = Counter()
        self._metrics = metrics
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def check(self, limit: RateLimitItem, *who: str) -> None:
        """Count one more; refuse it if it is one too many."""
        if self._on and not await self._limiter.hit(limit, *who):
            self._metrics.limited.inc()
            raise ServerError(ServerErrorCode.TOO_MANY_REQUESTS)

    async def check_command(self, command: Command, scope: Scope) -> None:
        """Count a command that can make a table as an arrival, like any other way to make one."""
        if isinstance(command, Ask) and command.proposal is Proposal.REMATCH:
            await self.check(ARRIVALS, "arrival", address_of(scope))

    def enter(self, who: str) -> None:
        """Count one more that is open; refuse it if it is one too many."""
        if self._on and self._open[who] >= MOST_AT_ONCE:
            self._metrics.limited.inc()
            raise ServerError(ServerErrorCode.TOO_MANY_REQUESTS)
        self._open[who] += 1

    def leave(self, who: str) -> None:
        """One that was open has ended."""
        self._open[who] -= 1
        if not self._open[who]:
            del self._open[who]


class Addresses:
    """The names under which this server may be addressed, and the sites whose pages may talk to it."""

    def __init__(self, settings: Settings) -> None:
        self._origins = {origin.rstrip("/").lower() for origin in settings.origins}
        own = socket.gethostname().lower()
        self._hosts = {"localhost", settings.host.lower(), own, f"{own}.local"}
        self._hosts |= {urlsplit(origin).hostname or "" for origin in self._origins}

    def knows_host(self, host: str) -> bool:
        """Whether the server goes by this name. A number always will do: no stranger's page can borrow it."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._hosts:
            return True
        return number_of(name) is not None

    def knows_origin(self, origin: str, host: str) -> bool:
        """Whether a page from there is one of ours: the same site that the request is for, or one that is allowed."""
        origin = origin.lower()
        return origin in self._origins or origin in (f"http://{host.lower()}", f"https://{host.lower()}")


class Middleware:
    """The gate in front of the application."""

    def __init__(self, app: ASGIApp, settings: Settings, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._addresses = Addresses(settings)
        self._trust_proxy = settings.trust_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if self._trust_proxy:
            believe_proxy(scope)
        guarded = _with_headers(send)
        address = address_of(scope)
        try:
            await self._check(scope)
            self._limits.enter(address)
        except ServerError as error:
            await _turn_away(scope, receive, guarded, error)
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
        if not self._addresses.knows_host(host):
            raise ServerError(ServerErrorCode.WRONG_ORIGIN)
        await self._limits.check(REQUESTS, address_of(scope))
        origin = headers.get("origin")
        foreign = origin is not None and not self._addresses.knows_origin(origin, host)
        if scope["type"] == "websocket":
            if foreign or (origin is None and not has_token(headers)):
                raise ServerError(ServerErrorCode.WRONG_ORIGIN)
            return
        if scope["method"] in SAFE_METHODS:
            return
        if foreign:
            raise ServerError(ServerErrorCode.WRONG_ORIGIN)
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise ServerError(ServerErrorCode.WRONG_ORIGIN)
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > LARGEST_BODY:
            raise ServerError(ServerErrorCode.BODY_TOO_LARGE, largest=LARGEST_BODY)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if (length != "0" or "transfer-encoding" in headers) and kind != "application/json":
            raise ServerError(ServerErrorCode.NOT_JSON)


def has_token(headers: Headers) -> bool:
    """Whether a program's token comes along."""
    return headers.get("authorization", "").lower().startswith("bearer ")


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return guarded


def _bounded(receive: Receive) -> Receive:
    """Stop reading a body that is longer than it said, or than is allowed."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST_BODY:
            raise ServerError(ServerErrorCode.BODY_TOO_LARGE, largest=LARGEST_BODY)
        return message

    return bounded


async def _turn_away(scope: Scope, receive: Receive, send: Send, error: ServerError) -> None:
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
