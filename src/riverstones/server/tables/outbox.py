"""What waits to be sent to one listener: bounded, so that somebody who does not read holds nobody up."""

from __future__ import annotations

import asyncio
from collections import deque

from riverstones.server.errors import ServerErrorCode


class Outbox:
    """A queue of messages for one reader."""

    def __init__(self, limit: int) -> None:
        self._messages: deque[str] = deque()
        self._limit = limit
        self._filled = asyncio.Event()
        self.overflowed = False
        self.closed = False
        self.why: ServerErrorCode | None = None
        """Why the reader was cut off, if it was."""

    def put(self, message: str) -> None:
        """Add a message. One too many and the reader is given up: a stream with a hole would be worse."""
        if self.overflowed or self.closed:
            return
        if len(self._messages) >= self._limit:
            self.overflowed = True
            self._messages.clear()
        else:
            self._messages.append(message)
        self._filled.set()

    def close(self) -> None:
        """Nothing more will come."""
        self.closed = True
        self._filled.set()

    def cut_off(self, why: ServerErrorCode) -> None:
        """Nothing more will come, not even what waits."""
        self._messages.clear()
        self.why = why
        self.close()

    async def take(self, timeout_s: float | None = None) -> list[str] | None:
        """Everything that waits, as soon as there is something; nothing after the timeout; None at the end."""
        if not self._messages and not self.overflowed and not self.closed:
            try:
                await asyncio.wait_for(self._filled.wait(), timeout_s)
            except TimeoutError:
                return []
        self._filled.clear()
        if self._messages:
            waiting = list(self._messages)
            self._messages.clear()
            return waiting
        return None
