"""The outbox of a socket, which writes to the connection by itself."""

from __future__ import annotations

import asyncio
import logging

from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.channel import Channel
from riverstones.server.tables.outbox import Outbox

log = logging.getLogger("riverstones.sockets")


class SocketWrites:
    """The outboxes of a server that have something to write at the end of the current round of the event loop.

    A batch of moves that became durable together fills hundreds of them, and a call by the event loop costs as much as
    encoding a message. So it makes one call for all.
    """

    def __init__(self) -> None:
        self._outboxes: list[SocketOutbox] = []

    def add(self, outbox: SocketOutbox) -> None:
        """Let an outbox write at the end of the round."""
        if not self._outboxes:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outboxes.append(outbox)

    def _flush(self) -> None:
        outboxes, self._outboxes = self._outboxes, []
        for outbox in outboxes:
            try:
                outbox.flush()
            except Exception:
                log.exception("A socket could not be written to")
                outbox.end_with(ServerError(ServerErrorCode.TRY_AGAIN))  # messages are lost: a gap would be worse


class SocketOutbox(Outbox):
    """Messages for a socket, written as soon as the client keeps up with reading."""

    def __init__(self, limit: int, limit_bytes: int, channel: Channel, writes: SocketWrites) -> None:
        super().__init__(limit, limit_bytes)
        self._channel = channel
        channel.outbox = self
        self._writes = writes
        self._flushing = False
        """Whether `flush` is about to be called."""
        self.end: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        """Done when the server ends the connection, with the reason."""

    def changed(self) -> None:
        """Write what waits, together with what is put here before the event loop gets to it."""
        if not self._flushing:
            self._flushing = True
            self._writes.add(self)

    def flush(self) -> None:
        """Write what waits, or end the connection if nothing more will come."""
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
