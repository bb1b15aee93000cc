"""uvicorn's protocols with limits: connections per address, and how long a request may take to arrive.

Otherwise whoever holds a thousand connections open, and sends a byte now and then or nothing at all, would take up
every place there is before a request is complete enough to be counted.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from riverstones.server.http.connection_limits import ConnectionLimits

LONGEST_REQUEST_S = 15.0
"""How long a whole request may take to arrive, from the opened connection or from its first byte on."""

LARGEST_HEAD = 32 * 1024
"""How much may be said before it is clear what is wanted, in bytes."""

LARGEST_REQUEST = 512 * 1024
"""How much may be said in a whole request, in bytes. Who says more was told long before that it is too much."""

SIP = 512
"""How much of what a socket says is listened to before it is asked whether that is enough, in bytes."""

MOST_ASIDES = 60
ASIDES_S = 5.0
"""How many pings, pongs and pieces of messages a socket may send in this time. Messages are counted elsewhere."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with an end to its patience."""

    limits: ConnectionLimits
    _deadline: asyncio.TimerHandle | None = None
    _in_head = False
    _bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin to listen, unless the address has too many connections."""
        super().connection_made(transport)
        if self.limits.admit(transport, self.client[0] if self.client else None):
            self._begin()
        else:
            transport.abort()

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        super().on_message_begin()
        self._begin()

    def _begin(self) -> None:
        self._in_head, self._bytes = True, 0
        if self._deadline is None:
            self._deadline = self.loop.call_later(LONGEST_REQUEST_S, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Listen, unless it goes on and on."""
        super().data_received(data)
        self._bytes += len(data)
        if self._bytes > (LARGEST_HEAD if self._in_head else LARGEST_REQUEST):
            self._give_up()

    def on_headers_complete(self) -> None:
        """Note that it is clear what is wanted."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that the request is here."""
        self._stop()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the socket, which has limits of its own."""
        self._stop()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop listening."""
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


class LimitedSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn speaks it, with an end to its patience.

    What is no message is dealt with at once, and thousands of empty pieces fit into one packet: everybody would wait.
    """

    limits: ConnectionLimits
    _asides = 0
    _since_s = 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop listening. The connection was counted before it became a socket."""
        self.limits.release(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Listen in sips, until it is too much."""
        for start in range(0, len(data), SIP):
            if self._asides > MOST_ASIDES:
                return
            super().data_received(data[start : start + SIP])

    def handle_cont(self, event: Frame) -> None:
        """Take a piece of a message."""
        if self._bears_it():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self._bears_it():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take an answer to a ping."""
        if self._bears_it():
            super().handle_pong(event)

    def _bears_it(self) -> bool:
        """Count one more aside, and hang up if it is one too many."""
        if self._asides > MOST_ASIDES:
            return False
        if self.loop.time() - self._since_s > ASIDES_S:
            self._asides, self._since_s = 0, self.loop.time()
        self._asides += 1
        if self._asides > MOST_ASIDES:
            self.transport.abort()
        return self._asides <= MOST_ASIDES


def limited_by(limits: ConnectionLimits) -> tuple[type[LimitedHttpProtocol], type[LimitedSocketProtocol]]:
    """The protocols of one server, whose connections are counted together."""
    return (
        type("LimitedProtocol", (LimitedHttpProtocol,), {"limits": limits}),
        type("LimitedSocket", (LimitedSocketProtocol,), {"limits": limits}),
    )
