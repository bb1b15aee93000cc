"""A fair queue for worker slots: owners take turns, so that nobody crowds the others out."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairQueue:
    """A few slots. When they are taken, waiting owners get one in turn, however many jobs each has."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """The waiting jobs by owner; the first owner is next."""

    @asynccontextmanager
    async def slot(self, whose: str) -> AsyncIterator[None]:
        """Wait for a slot and hold it until the block ends."""
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
                self._hand_on()  # the slot arrived just as the job was cancelled
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
