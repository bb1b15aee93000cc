"""Bots at live tables: their moves and their verdicts on claims, each at the right time."""

from __future__ import annotations

import asyncio

from riverstones.rules import Position
from riverstones.server.settings import Settings
from riverstones.server.tables.clock import Clock
from riverstones.server.tables.live_table import LiveTable, Work
from riverstones.server.workers import LastAddresses, Workers
from riverstones.table import BotMove, BotVerdict, seat_view
from riverstones.table import commands as c


class BotDriver:
    """Runs the engine jobs of bots, queued for the host of the table, so that hosts share the workers fairly."""

    def __init__(self, settings: Settings, workers: Workers, addresses: LastAddresses) -> None:
        self._settings = settings
        self._workers = workers
        self._clock = Clock(settings)
        self._addresses = addresses

    async def move(self, live: LiveTable, work: Work, need: BotMove) -> tuple[c.Play, Position | None]:
        """A bot's move and the position that it was chosen for, when it is due."""
        chosen, _ = await asyncio.gather(self.choose(live, need), self._hold_back(live, work))
        return chosen

    async def choose(self, live: LiveTable, need: BotMove) -> tuple[c.Play, Position | None]:
        """A bot's move and the position that it was chosen for, as soon as it is found."""
        table, position = live.table, live.position
        view, who = seat_view(table, need.seat), self._addresses.requester(table.host)
        move, claim = await self._workers.choose(view, need.level, need.seed, who, f"{table.id}/{table.seq}")
        return need.command(move, claim), position

    async def verdict(self, live: LiveTable, work: Work, need: BotVerdict) -> c.Object | c.Confirm | None:
        """A bot's verdict on the last move, when it is due; None if the bot has nothing to answer."""
        table = live.table
        view, who = seat_view(table, need.seat), self._addresses.requester(table.host)
        objects = need.may_object and await self._workers.objects(
            view, need.level, need.seed, who, f"{table.id}/{table.seq}"
        )
        command = need.command(objects)
        if command is not None:
            await self._clock.wait_until_due(work)
        return command

    async def _hold_back(self, live: LiveTable, work: Work) -> None:
        """Wait for the pace of bots and, where points are claimed, until people and bots have had time to object."""
        await asyncio.sleep(self._settings.bot_pace_ms / 1000)
        await self._clock.wait_until_due(work)
        verdicts = [other.task for other in live.work.values() if isinstance(other.need, BotVerdict)]
        if verdicts:
            await asyncio.wait(verdicts)
