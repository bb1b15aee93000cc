"""The outbox of a socket, which writes to the connection by itself."""

from __future__ import annotations

import asyncio

from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.channel import Channel
from riverstones.server.tables.outbox import Outbox


class SocketOutbox(Outbox):
    """Messages for a socket, written as soon as the client keeps up with reading."""

    def __init__(self, limit: int, limit_bytes: int, channel: Channel) -> None:
        super().__init__(limit, limit_bytes)
        self._channel = channel
        channel.outbox = self
        self._flushing = False
        """Whether `_flush` is about to be called."""
        self.end: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        """Done when the server ends the connection, with the reason."""

    def changed(self) -> None:
        """Write what waits, together with what is put here before the event loop gets to it."""
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        if self._channel.is_writable and (messages := self.drain()):
            self._channel.write(messages)
        if self.overflowed:
            self.end_with(ServerError(ServerErrorCode.TOO_SLOW))
        elif self.ended:
            self.end_with(ServerError(self.why or ServerErrorCode.TRY_AGAIN))

    def end_with(self, why: Exception) -> None:
        """End the connection, unless it is ending already."""
        if not self.end.done():
            self.end.set_result(why)
