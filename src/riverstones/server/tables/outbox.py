"""The messages that wait to be sent to one client: bounded, so that a client that does not read holds nobody up."""

from __future__ import annotations

import asyncio
from collections import deque
from sys import getsizeof

from riverstones.server.errors import ServerErrorCode


class Outbox:
    """A queue of messages for one client, which `take` waits for."""

    def __init__(self, limit: int, limit_bytes: int) -> None:
        self._messages: deque[str] = deque()
        self._limit = limit
        self._limit_bytes = limit_bytes
        self._bytes = 0
        """The size of the messages in memory."""
        self._filled = asyncio.Event()
        self.overflowed = False
        self.closed = False
        self.why: ServerErrorCode | None = None
        """Why the client was cut off, if it was."""

    @property
    def ended(self) -> bool:
        """Whether nothing waits and nothing more will come."""
        return (self.closed or self.overflowed) and not self._messages

    def put(self, message: str) -> None:
        """Add a message. Beyond the limit the client is given up: a stream with a gap would be worse."""
        if self.overflowed or self.closed:
            return
        size = getsizeof(message)
        if self._messages and (len(self._messages) >= self._limit or self._bytes + size > self._limit_bytes):
            self.overflowed = True
            self.drain()
        else:
            self._messages.append(message)
            self._bytes += size
        self.changed()

    def close(self) -> None:
        """Send what waits, and nothing more."""
        self.closed = True
        self.changed()

    def cut_off(self, why: ServerErrorCode) -> None:
        """Send nothing more, not even what waits."""
        self.drain()
        self.why = why
        self.close()

    def changed(self) -> None:
        """Note that there is something to send, or that nothing more will come."""
        self._filled.set()

    def drain(self) -> list[str]:
        """Everything that waits."""
        waiting = list(self._messages)
        self._messages.clear()
        self._bytes = 0
        return waiting

    async def take(self, timeout_s: float) -> list[str] | None:
        """Everything that waits, as soon as there is something; nothing after the timeout; None at the end."""
        if not self._messages and not self.ended:
            try:
                await asyncio.wait_for(self._filled.wait(), timeout_s)
            except TimeoutError:
                return []
        self._filled.clear()
        return self.drain() or None
