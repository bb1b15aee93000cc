"""Carries out what tables need from bots: their moves, and their verdicts on claims."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from riverstones.rules import Malformed, Position, Refused
from riverstones.server.errors import ServerError
from riverstones.server.settings import Settings
from riverstones.server.storage import Conflict
from riverstones.server.tables.live_table import LiveTable, Overtaken
from riverstones.server.workers import WorkerPool
from riverstones.table import SYSTEM, Actor, BotMove, BotVerdict, Command, Need, NotAllowed, seat_view
from riverstones.table import commands as c

log = logging.getLogger("riverstones.bot_driver")


BotNeed = BotVerdict | BotMove


class Submit(Protocol):
    """How the house takes a command."""

    async def __call__(
        self, live: LiveTable, actor: Actor, command: Command, *, meant_for: Position | None = None
    ) -> int:
        """Carry it out; `Overtaken` if it is meant for a position that is no more."""


@dataclass(eq=False, slots=True)
class _Work:
    """A need of a table that is being carried out."""

    live: LiveTable
    need: BotNeed
    """The need since the last change of the table, which may have changed when it is due."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] = field(init=False)


class BotDriver:
    """The bots' work at all tables, one task per need. It counts for whoever made the table, in turn with others."""

    def __init__(self, settings: Settings, workers: WorkerPool, submit: Submit) -> None:
        self._settings = settings
        self._workers = workers
        self._submit = submit
        self._work: dict[str, dict[BotNeed, _Work]] = {}
        """What is being carried out at each table."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._let_stand: dict[str, set[BotVerdict]] = {}
        """The verdicts by which bots let a claim stand at each table. They leave no event, and are not asked twice."""

    async def stop(self) -> None:
        """Stop all thinking."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def busy(self, live: LiveTable) -> bool:
        """Whether a bot has something to do at this table."""
        return any(work.live is live for work in self._work.get(live.table.id, {}).values())

    def look_after(self, live: LiveTable, wanted: Sequence[Need]) -> None:
        """Begin what the table needs from bots now, and stop what has lost its point."""
        table = live.table.id
        needed = [need for need in wanted if isinstance(need, BotVerdict | BotMove)]
        working = self._work.setdefault(table, {})
        for need, work in tuple(working.items()):
            # A table that was read again from its log is begun anew: what the old one shows may never have happened.
            if work.live is not live or need not in needed:
                work.task.cancel()
                del working[need]
        let_stand = self._let_stand.get(table, set()).intersection(needed)
        for need in needed:
            if need in working:
                working[need].need = need
                working[need].changed.set()
            elif need not in let_stand:
                working[need] = self._begin(live, need)
        if let_stand:
            self._let_stand[table] = let_stand
        else:
            self._let_stand.pop(table, None)
        if not working:
            del self._work[table]

    def _begin(self, live: LiveTable, need: BotNeed) -> _Work:
        work = _Work(live, need)
        work.task = asyncio.create_task(self._carry_out(work))
        self._tasks.add(work.task)
        work.task.add_done_callback(lambda _: self._ended(work))
        return work

    def _ended(self, work: _Work) -> None:
        self._tasks.discard(work.task)
        table = work.live.table.id
        working = self._work.get(table, {})
        if working.get(work.need) is work:
            del working[work.need]
            if not working:
                del self._work[table]

    async def _carry_out(self, work: _Work) -> None:
        try:
            if isinstance(work.need, BotMove):
                await self._move(work, work.need)
            else:
                await self._judge(work, work.need)
        except (NotAllowed, Refused, Malformed, ServerError, Conflict) as error:
            log.info("a bot came too late: %s", error)
        except Exception:
            log.exception("a bot failed")

    async def _move(self, work: _Work, need: BotMove) -> None:
        (play, position), _ = await asyncio.gather(self._choose(work.live, need), self._pace(work))
        while True:
            try:
                await self._submit(work.live, SYSTEM, play, meant_for=position)
            except Overtaken:
                # An objection was upheld, and what the last move had flipped lies as it was.
                play, position = await self._choose(work.live, need)
            else:
                return

    async def _choose(self, live: LiveTable, need: BotMove) -> tuple[c.Play, Position | None]:
        """The bot's play, and the position that it is chosen for."""
        table, position = live.table, live.position
        move, claim = await self._workers.choose(seat_view(table, need.seat), need.level, need.seed, table.host)
        return need.command(move, claim), position

    async def _pace(self, work: _Work) -> None:
        """Wait as long as people need to follow and, where points are claimed, people and bots to object."""
        await asyncio.sleep(self._settings.bot_pace_ms / 1000)
        await self._until_due(work)
        working = self._work.get(work.live.table.id, {}).values()
        if judging := [other.task for other in working if isinstance(other.need, BotVerdict)]:
            await asyncio.wait(judging)

    async def _until_due(self, work: _Work) -> None:
        """Wait for the time before which the bot may not act, or for a change of the table that makes it another."""
        while (due_ms := work.need.not_before_ms) is not None and (wait_ms := due_ms - self._settings.now_ms()) > 0:
            work.changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_ms / 1000):
                    await work.changed.wait()

    async def _judge(self, work: _Work, need: BotVerdict) -> None:
        table = work.live.table
        objects = need.may_object and await self._workers.objects(
            seat_view(table, need.seat), need.level, need.seed, table.host
        )
        command = need.command(objects)
        if command is None:
            self._let_stand.setdefault(table.id, set()).add(need)
            return
        await self._until_due(work)
        await self._submit(work.live, SYSTEM, command)
