"""What bots do, and when: their moves, and their verdicts on claims."""

from __future__ import annotations

import asyncio

from riverstones.rules import Position
from riverstones.server.settings import Settings
from riverstones.server.tables.clock import Clock
from riverstones.server.tables.live_table import LiveTable, Work
from riverstones.server.workers import WorkerPool
from riverstones.table import BotMove, BotVerdict, seat_view
from riverstones.table import commands as c


class BotDriver:
    """Asks the workers what a bot does. A job counts for whoever made the table, so that people take turns."""

    def __init__(self, settings: Settings, workers: WorkerPool, clock: Clock) -> None:
        self._settings = settings
        self._workers = workers
        self._clock = clock

    async def move(self, live: LiveTable, work: Work, need: BotMove) -> tuple[c.Play, Position | None]:
        """A bot's move and the position that it was chosen for, when it is time to make it."""
        chosen, _ = await asyncio.gather(self.choose(live, need), self._hold_back(live, work))
        return chosen

    async def choose(self, live: LiveTable, need: BotMove) -> tuple[c.Play, Position | None]:
        """A bot's move and the position that it was chosen for, as soon as it is found."""
        table, position = live.table, live.position
        move, claim = await self._workers.choose(seat_view(table, need.seat), need.level, need.seed, table.host)
        return need.command(move, claim), position

    async def verdict(self, live: LiveTable, work: Work, need: BotVerdict) -> c.Object | c.Confirm | None:
        """A bot's verdict on the last move, when it is time to give it; None if it says nothing."""
        table = live.table
        objects = need.may_object and await self._workers.objects(
            seat_view(table, need.seat), need.level, need.seed, table.host
        )
        command = need.command(objects)
        if command is not None:
            await self._clock.wait_until_due(work)
        return command

    async def _hold_back(self, live: LiveTable, work: Work) -> None:
        """Wait as long as people need to follow and, where points are claimed, people and bots to object."""
        await asyncio.sleep(self._settings.bot_pace_ms / 1000)
        await self._clock.wait_until_due(work)
        verdicts = [other.task for other in live.work.values() if isinstance(other.need, BotVerdict)]
        if verdicts:
            await asyncio.wait(verdicts)
