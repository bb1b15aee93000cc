"""How long the server listens to a request that does not come to its end.

Who holds a thousand connections open by saying a word now and then would otherwise take up every place there is,
before a request is complete enough to be counted.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_REQUEST_S = 15.0
"""How long a whole request may take to arrive, from the opened connection or from its first byte on."""

LARGEST_HEAD = 32 * 1024
"""How much may be said before it is clear what is wanted, in bytes."""


class ImpatientProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with an end to its patience."""

    _deadline: asyncio.TimerHandle | None = None
    _in_head = False
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin to listen."""
        super().connection_made(transport)
        self._begin()

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        super().on_message_begin()
        self._begin()

    def _begin(self) -> None:
        self._in_head, self._head_bytes = True, 0
        if self._deadline is None:
            self._deadline = self.loop.call_later(LONGEST_REQUEST_S, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Listen, unless it goes on and on."""
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > LARGEST_HEAD:
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
        super().connection_lost(exc)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._stop()
        self.transport.abort()
