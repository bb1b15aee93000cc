"""A fair queue for worker slots: addresses take turns, and the people of each address take turns.

However many people one address invents, and however many jobs each of them has, they delay the others no more than one
person with one job. Bots' moves go before hints, and hints before reviews.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum

from riverstones.server.workers.requester import Requester


class Priority(IntEnum):
    """What a job is for; the lowest value is the most urgent."""

    MOVE = 0
    """A bot's move or its verdict on a claim: a game waits for it."""
    HINT = 1
    """A hint or the study board: somebody looks at the page meanwhile."""
    REVIEW = 2


MOST_PASSED_OVER = 8
"""How often in a row a less urgent job is passed over; then it is next, so that it runs even on a busy day."""

People = OrderedDict[str, deque[asyncio.Future[None]]]
"""The waiting jobs of an address by person; the first person is next."""


class _Line:
    """The waiting jobs of one priority."""

    def __init__(self) -> None:
        self.passed_over = 0
        self._groups: OrderedDict[str, People] = OrderedDict()
        """By address; the first one is next."""

    def __bool__(self) -> bool:
        return bool(self._groups)

    def add(self, who: Requester, turn: asyncio.Future[None]) -> None:
        self._groups.setdefault(who.group, OrderedDict()).setdefault(who.name, deque()).append(turn)

    def pop(self) -> asyncio.Future[None]:
        """The next job. Its person goes to the end of the address, and the address to the end of the line."""
        group, people = self._groups.popitem(last=False)
        person, turns = people.popitem(last=False)
        turn = turns.popleft()
        if turns:
            people[person] = turns
        if people:
            self._groups[group] = people
        return turn


class FairQueue:
    """A number of slots. When all are taken, jobs wait for their turn."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._free = count
        self._lines = {priority: _Line() for priority in Priority}

    def resize(self, count: int) -> None:
        """Change the number of slots. Jobs that hold a slot keep it."""
        self._free += count - self._count
        self._count = count
        while self._free > 0 and (turn := self._next()) is not None:
            self._free -= 1
            turn.set_result(None)

    @asynccontextmanager
    async def slot(self, who: Requester, priority: Priority = Priority.MOVE) -> AsyncIterator[None]:
        """Wait for a slot and hold it until the block ends."""
        await self._take(who, priority)
        try:
            yield
        finally:
            self._pass_on()

    async def _take(self, who: Requester, priority: Priority) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._lines[priority].add(who, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._pass_on()  # the slot arrived just as the job was cancelled
            raise

    def _pass_on(self) -> None:
        """Give a slot back, to the next job if there is one."""
        self._free += 1
        if self._free > 0 and (turn := self._next()) is not None:
            self._free -= 1
            turn.set_result(None)

    def _next(self) -> asyncio.Future[None] | None:
        """The job that gets the next slot; None if no job waits."""
        while waiting := [line for line in self._lines.values() if line]:
            overdue = [line for line in waiting if line.passed_over >= MOST_PASSED_OVER]
            chosen = (overdue or waiting)[0]
            turn = chosen.pop()
            if not turn.cancelled():
                for line in waiting:
                    line.passed_over = 0 if line is chosen else line.passed_over + 1
                return turn
        return None
