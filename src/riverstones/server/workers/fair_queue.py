"""The places at which thoughts are thought, given out so that nobody crowds the others out."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairQueue:
    """A few places. Where they are short, everybody who waits gets one in turn, however many thoughts each has."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """The thoughts that wait for a place, by whose they are; whoever is first here is next."""

    @asynccontextmanager
    async def place(self, whose: str) -> AsyncIterator[None]:
        """Wait for a place, and keep it until the block ends."""
        await self._take(whose)
        try:
            yield
        finally:
            self._hand_on()

    async def _take(self, whose: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(whose, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._hand_on()  # the place came in the very moment in which it was no longer wanted
            raise

    def _hand_on(self) -> None:
        while self._waiting:
            whose, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[whose] = turns  # behind all others
            if not turn.cancelled():
                turn.set_result(None)
                return
        self._free += 1
