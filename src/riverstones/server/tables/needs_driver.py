"""Does what tables need: bots' moves and verdicts, expired clocks, rematches, and time back after an outage.

`table.driver.needs` says what a table needs. A task works on each need, and what comes of it is another command. One
node drives a table at a time (`nodes`); a table that another node drives gets no work here.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from riverstones.rules import Malformed, Refused
from riverstones.server.errors import ServerError
from riverstones.server.settings import Settings
from riverstones.server.storage import Conflict, TooEarly
from riverstones.server.tables.background import Background
from riverstones.server.tables.bot_driver import BotDriver
from riverstones.server.tables.clock import Clock
from riverstones.server.tables.live_table import LiveTable, Overtaken, Work
from riverstones.server.tables.nodes import Nodes
from riverstones.table import SYSTEM, BotMove, BotVerdict, ExpireClock, MakeRematch, Need, NotAllowed, needs
from riverstones.table import commands as c

if TYPE_CHECKING:
    from riverstones.server.tables.service import TableService

log = logging.getLogger("riverstones.tables")

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""No letters or digits that look alike: people read a table's id to each other."""

ID_LENGTH = 12


class NeedsDriver:
    """Works on the needs of the tables that this node drives."""

    def __init__(
        self, settings: Settings, service: TableService, bots: BotDriver, nodes: Nodes, background: Background
    ) -> None:
        self._service = service
        self._nodes = nodes
        self._background = background
        self._clock = Clock(settings)
        self._bots = bots

    def update(self, live: LiveTable) -> None:
        """Start what the table needs now, and stop what it no longer needs. Call this after every change."""
        driven = self._drives(live)
        if driven and self._nodes.was_down_for(live.table) and live.table.has_clock:
            self._wake(live)
        # Before the time to object has begun again, a bot would see that it was over during the outage, and act.
        if not live.waking:
            self._work_on(live, needs(live.table) if driven else ())

    def _drives(self, live: LiveTable) -> bool:
        return self._nodes.drives(live.table.id, live.last_writer)

    def _wake(self, live: LiveTable) -> None:
        """Give back the time of the last outage, once."""
        outage = self._nodes.outage
        if live.woken_ms < outage.to_ms:
            live.woken_ms, live.waking = outage.to_ms, True
            waking = self._service.submit(live, SYSTEM, c.Wake(outage.from_ms, outage.to_ms))

            def go_on(waking: asyncio.Future[int]) -> None:
                live.waking = False
                if waking.exception() is None:
                    self.update(live)
                else:
                    live.woken_ms = 0  # again with the next change
                    self._work_on(live, needs(live.table) if self._drives(live) else ())

            waking.add_done_callback(go_on)

    def _work_on(self, live: LiveTable, wanted: Sequence[Need]) -> None:
        if not wanted and not live.work:
            return
        for need in live.work.keys() - set(wanted):
            live.work.pop(need).task.cancel()
        for need in wanted:
            work = live.work.get(need)
            if work is None:
                work = live.work[need] = Work(need)
                work.task = self._background.start(self._work(live, work))
            else:
                work.need = need
                work.changed.set()

    async def _work(self, live: LiveTable, work: Work) -> None:
        """Do what a table needs. It counts as done until the table no longer needs it, and is begun again if it fails.

        When the command changes the table so that this is no longer needed, the task that submits it is cancelled. The
        command itself is carried out to its end.
        """
        try:
            match work.need:
                case BotMove() as need:
                    await self._make_bot_move(live, work, need)
                case BotVerdict() as need:
                    verdict = await self._bots.verdict(live, work, need)
                    if verdict is not None:
                        await self._service.submit(live, SYSTEM, verdict)
                case ExpireClock() as need:
                    await self._expire_clock(live, need)
                case MakeRematch() as need:
                    await self._make_rematch(live, need)
                case _:
                    assert_never(work.need)
        except (NotAllowed, Refused, Malformed, ServerError, Conflict) as error:
            log.info("The table has changed meanwhile: %s", error)
        except Exception:
            log.exception("Work for a table failed")
        else:
            return
        if live.work.get(work.need) is work:
            del live.work[work.need]

    async def _expire_clock(self, live: LiveTable, need: ExpireClock) -> None:
        while True:
            await self._clock.wait_until(need.at_ms)
            try:
                await self._service.submit(live, SYSTEM, need.command)
            except TooEarly as early:
                await asyncio.sleep(early.left_ms / 1000)

    async def _make_bot_move(self, live: LiveTable, work: Work, need: BotMove) -> None:
        command, position = await self._bots.move(live, work, need)
        while True:
            try:
                await self._service.submit(live, SYSTEM, command, meant_for=position)
            except Overtaken:
                # An objection was upheld, so the tiles that the last move had flipped lie as before.
                command, position = await self._bots.choose(live, need)
            else:
                return

    async def _make_rematch(self, live: LiveTable, need: MakeRematch) -> None:
        """Create the table of a rematch. Its id follows from the old table, so it is created once whatever happens."""
        table = live.table
        digest = hashlib.sha256(f"rematch of {table.id} {table.seed.reveal() if table.seed else ''}".encode()).digest()
        rematch = new_id(digest)
        try:
            await self._service.create(need.options, need.host, need.chairs, rematch, previous=table.id)
        except Conflict:
            log.info("The rematch of a table was created before")
        await self._service.submit(live, SYSTEM, need.command(rematch))


def new_id(entropy: bytes) -> str:
    """A table's id: hard to guess, and easy to spell."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in entropy[:ID_LENGTH])
