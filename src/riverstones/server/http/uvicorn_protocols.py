"""uvicorn's protocols with limits: connections per address, and the time and size of a request.

The rate limits count complete requests only. Without these limits a client could hold many connections open by sending
a byte now and then, or nothing (Slowloris).
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from websockets.frames import Frame

from riverstones.server.http.channel import Channel
from riverstones.server.http.connection_limits import ConnectionLimits

LONGEST_REQUEST_S = 15.0
"""The time for a whole request to arrive, from the opened connection or from its first byte."""

LARGEST_HEAD = 32 * 1024
"""The largest request line with headers, in bytes."""

LARGEST_REQUEST = 512 * 1024
"""The largest request, in bytes. The middleware has refused a large body long before."""

HEAD_PIECE = 1024
"""Bytes of a head that are parsed before its size is checked: a packet may hold far more than the limit."""

CHUNK = 512
"""Bytes of frames read per rate-limit check."""

MOST_FRAMES = 60
FRAMES_S = 5.0
"""Pings, pongs and continuation frames of a socket in this time. `rate_limits` counts whole messages."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits of connections, time and size."""

    limits: ConnectionLimits
    _deadline: asyncio.TimerHandle | None = None
    _in_head = False
    _bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start the deadline, or abort if the address has too many connections."""
        super().connection_made(transport)
        if self.limits.admit(transport, self.client[0] if self.client else None):
            self._begin()
        else:
            transport.abort()

    def on_message_begin(self) -> None:
        """Start the deadline and the byte count of a request."""
        super().on_message_begin()
        self._begin()

    def _begin(self) -> None:
        self._in_head, self._bytes = True, 0
        if self._deadline is None:
            self._deadline = self.loop.call_later(LONGEST_REQUEST_S, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Parse the bytes, a head piece by piece; abort if the request is too large."""
        start = 0
        while start < len(data) and not self.transport.is_closing() and self.transport.get_protocol() is self:
            size = HEAD_PIECE if self._in_head else len(data) - start
            piece = data[start : start + size]
            super().data_received(piece)
            start += len(piece)
            self._bytes += len(piece)
            if self._bytes > (LARGEST_HEAD if self._in_head else LARGEST_REQUEST):
                self._give_up()

    def on_headers_complete(self) -> None:
        """Apply the limit of whole requests from here on."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the deadline: the request has arrived."""
        self._stop()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Stop the deadline: the WebSocket protocol has its own limits."""
        self._stop()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection."""
        self._stop()
        self.limits.release(self.transport)
        super().connection_lost(exc)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._stop()
        self.transport.abort()


class LimitedSocketProtocol(Channel):
    """uvicorn's WebSocket protocol with a limit of control and continuation frames.

    It handles all frames of a packet at once, and thousands of empty ones fit into a packet: they would block the loop.
    """

    limits: ConnectionLimits
    _frames = 0
    _since_s = 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection, which was counted by the HTTP protocol."""
        self.limits.release(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the bytes in chunks until the limit of frames is reached."""
        if self.take_packet(data):
            return
        for start in range(0, len(data), CHUNK):
            if self._frames > MOST_FRAMES:
                return
            super().data_received(data[start : start + CHUNK])

    def handle_cont(self, event: Frame) -> None:
        """Handle a continuation frame within the limit."""
        if self._count_frame():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping within the limit."""
        if self._count_frame():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Handle a pong within the limit."""
        if self._count_frame():
            super().handle_pong(event)

    def _count_frame(self) -> bool:
        """Count a frame; abort the connection and return False if it is over the limit."""
        if self._frames > MOST_FRAMES:
            return False
        if self.loop.time() - self._since_s > FRAMES_S:
            self._frames, self._since_s = 0, self.loop.time()
        self._frames += 1
        if self._frames > MOST_FRAMES:
            self.transport.abort()
        return self._frames <= MOST_FRAMES


def limited_by(limits: ConnectionLimits) -> tuple[type[LimitedHttpProtocol], type[LimitedSocketProtocol]]:
    """The protocol classes of one server, which share its connection limits."""
    return (
        type("LimitedProtocol", (LimitedHttpProtocol,), {"limits": limits}),
        type("LimitedSocket", (LimitedSocketProtocol,), {"limits": limits}),
    )
