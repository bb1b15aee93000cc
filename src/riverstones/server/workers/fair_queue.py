"""A fair queue for worker slots: owners take turns, so that one with many jobs does not delay the others.

Owners may be grouped, for example people by their address. Groups take turns as well, so that a group of many owners
does not delay the others either.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

Turns = OrderedDict[str, deque[asyncio.Future[None]]]
"""The waiting jobs by owner; the first owner is next."""


class FairQueue:
    """A number of slots. When all are taken, waiting groups get one in turn, and the owners of each group in turn."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: OrderedDict[str, Turns] = OrderedDict()
        """The waiting owners by group; the first group is next."""

    @asynccontextmanager
    async def slot(self, owner: str, group: str | None = None) -> AsyncIterator[None]:
        """Wait for a slot and hold it until the block ends. Without a group the owner is one of its own."""
        await self._take(owner, owner if group is None else group)
        try:
            yield
        finally:
            self._pass_on()

    async def _take(self, owner: str, group: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(group, OrderedDict()).setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._pass_on()  # the slot arrived just as the job was cancelled
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            group, owners = self._waiting.popitem(last=False)
            owner, turns = owners.popitem(last=False)
            turn = turns.popleft()
            if turns:
                owners[owner] = turns  # to the end of the queue
            if owners:
                self._waiting[group] = owners
            if not turn.cancelled():
                turn.set_result(None)
                return
        self._free += 1
