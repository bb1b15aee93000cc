"""The house: it keeps the tables, minds their clocks, seats the bots and makes the rematches."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from riverstones.engine import bots
from riverstones.rules import Position
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.metrics import Metrics
from riverstones.server.records import record_text
from riverstones.server.settings import Settings
from riverstones.server.storage import UNAVAILABLE, Conflict, Store, reason
from riverstones.server.tables.bot_driver import BotDriver
from riverstones.server.tables.live_table import LiveTable
from riverstones.server.workers import WorkerPool
from riverstones.table import (
    SYSTEM,
    Actor,
    Chair,
    Command,
    Context,
    Entry,
    ExpireClock,
    MakeRematch,
    NotAllowed,
    Options,
    Phase,
    Table,
    TableRefusal,
    create,
    fold,
    needs,
)
from riverstones.table import commands as c

log = logging.getLogger("riverstones.registry")

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""No letters or digits that look alike: people read a table's name to each other."""

ID_LENGTH = 12
MOST_TAKEN_UP = 5_000
"""How many unfinished tables are taken up at the start; the others wait until somebody comes."""

READ_AGAIN_S = 1.0
IDLE_MS = 15 * 60_000
"""How long a table that nobody looks at stays in memory."""


def _name(entropy: bytes) -> str:
    """A table's name: nobody guesses it, and anybody can spell it."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in entropy[:ID_LENGTH])


class Registry:
    """All tables of this process."""

    def __init__(self, settings: Settings, store: Store, workers: WorkerPool, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.metrics = metrics
        self.workers = workers
        self._bot_driver = BotDriver(settings, workers, self.submit)
        self._tables: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.on_end: Callable[[Table], Coroutine[Any, Any, None]] | None = None
        """What else happens when a game ends: the ratings. It is called again if the database or the server fails."""
        self.watchers: set[Callable[[Table], None]] = set()
        """Those who are told of every change of any table: the programs' streams."""
        self._following: Counter[str] = Counter()
        """The programs that have such streams open, and how many."""

    def start(self) -> None:
        """Take up the tables that were being played, settle what ended before a crash, and sweep from time to time."""
        self._spawn(self._take_up())
        self._spawn(self._settle_ended())
        self._spawn(self._sweep())
        self.metrics.live_tables.set_function(lambda: len(self._tables))

    async def stop(self) -> None:
        """Let everything go; the events are all stored."""
        for timer in self._timers.values():
            timer.cancel()
        await self._bot_driver.stop()
        background = (*self._tasks, *self._loading.values())
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        for live in self._tables.values():
            for listener in live.listeners:
                listener.outbox.close()

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("work in the background failed", exc_info=error)

    async def _take_up(self) -> None:
        for table in await self.store.projections.unfinished(MOST_TAKEN_UP):
            try:
                await self._read_again(table)
            except Exception:
                log.exception("a table could not be taken up; the others are")
            await asyncio.sleep(0)

    async def _settle_ended(self) -> None:
        """Settle the games that ended just before the server stopped."""
        for table in await self.store.projections.pending_ratings():
            try:
                await self._settle(fold(await self.store.events.read(table)))
            except Exception:
                log.exception("a game that ended before the start could not be settled; the others are")

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(60)
            horizon = self.settings.now_ms() - IDLE_MS
            for live in tuple(self._tables.values()):
                idle = not live.listeners and live.touched_ms < horizon and not live.lock.locked()
                if idle and live.table.expires_ms is None and not self._bot_driver.busy(live):
                    self._drop(live)

    def _drop(self, live: LiveTable) -> None:
        self._tables.pop(live.table.id, None)
        if timer := self._timers.pop(live.table.id, None):
            timer.cancel()

    async def get(self, table: str) -> LiveTable:
        """A table by its id, read from its log if it is not at hand; `no_such_table` if there is none."""
        live = self._tables.get(table)
        if live is not None and not live.stale:
            return live
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
        return await asyncio.shield(self._loading[table])

    async def _load(self, table: str) -> LiveTable:
        """Read a table from its log. Nobody sees it before a turn that ran out while the house was away got longer."""
        try:
            entries = await self.store.events.read(table) if table.isascii() and table.isalnum() else []
            if not entries:
                raise ServerError(ServerErrorCode.NO_SUCH_TABLE)
            old = self._tables.get(table)
            live = LiveTable.of_log(entries, self.settings, self.store, self._changed, record_text, self._following)
            if old is not None:
                live.listeners = old.listeners
                live.seen_ms = old.seen_ms
                for listener in live.listeners:
                    listener.outbox.close()
            if needs(live.table):
                await live.submit(SYSTEM, c.Wake())
            self._tables[table] = live
        finally:
            self._loading.pop(table, None)
        self._look_after(live)
        if old is not None and old.table.phase is not Phase.OVER and live.table.phase is Phase.OVER:
            self._spawn(self._settle(live.table))  # its end was stored, but the database did not say so
        return live

    async def submit(
        self,
        live: LiveTable,
        actor: Actor,
        command: Command,
        key: str | None = None,
        *,
        meant_for: Position | None = None,
    ) -> int:
        """Carry out a command; durable when this returns. `Overtaken` if it is meant for a position that is no more."""
        if isinstance(command, c.SeatBot) and command.level not in bots.offered():
            raise NotAllowed(TableRefusal.BAD_LEVEL, level=command.level[:20])
        try:
            if isinstance(command, c.Sit) and actor.person is not None:
                await self.check_room(actor.person, live.table.id)
            current = await self.get(live.table.id) if live.stale else live
            return await current.submit(actor, command, key, meant_for=meant_for)
        except Conflict:
            self._spawn(self._read_again(live.table.id))
            raise ServerError(ServerErrorCode.TRY_AGAIN) from None
        except UNAVAILABLE as error:
            log.error("the database did not take an event: %s", reason(error))
            self._spawn(self._read_again(live.table.id))
            raise ServerError(ServerErrorCode.TRY_AGAIN) from None

    async def check_room(self, person: str, table: str | None = None) -> None:
        """Refuse one more table to somebody who has many going. They may come back to any of those."""
        going = {listed.summary["table"] for listed in await self.store.projections.unfinished_of(person)}
        if len(going) >= self.settings.tables_each and table not in going:
            raise ServerError(ServerErrorCode.TOO_MANY_TABLES, count=self.settings.tables_each)

    async def _read_again(self, table: str) -> None:
        """Take up a table from its log, as soon as the database can be asked: nobody else knows how it stands."""
        while True:
            try:
                await self.get(table)
            except (Conflict, *UNAVAILABLE):
                await asyncio.sleep(READ_AGAIN_S)
            else:
                return

    async def create(
        self,
        options: Options,
        host: Actor,
        chairs: tuple[Chair, ...],
        table: str | None = None,
        previous: str | None = None,
    ) -> LiveTable:
        """Make a table."""
        for chair in chairs:
            if chair.bot is not None and chair.bot not in bots.offered():
                raise NotAllowed(TableRefusal.BAD_LEVEL, level=chair.bot[:20])
        table = table or _name(self.settings.entropy())
        if table in self._tables:
            raise Conflict(table)
        context = Context(self.settings.now_ms(), self.settings.entropy())
        decision = create(table, options, host, chairs, context, previous)
        live = LiveTable(decision.table, self.settings, self.store, self._changed, record_text, self._following)
        self._tables[table] = live
        try:
            async with live.lock:
                await live.take(decision, first=True)
        except BaseException:
            self._tables.pop(table, None)
            raise
        self.metrics.tables_made.inc()
        return live

    def _changed(self, live: LiveTable, before: Table | None, entries: Sequence[Entry]) -> None:
        """After every change: look after the table, and tell the programs."""
        for watcher in self.watchers:
            watcher(live.table)
        after = live.table
        if before is not None and before.phase is not Phase.OVER and after.phase is Phase.OVER:
            self.metrics.games_ended.inc()
            self._spawn(self._settle(after))
        self._look_after(live)

    def follow(self, person: str, watcher: Callable[[Table], None]) -> None:
        """Tell a program of every change of any table from now on; so it is within reach at its own."""
        self.watchers.add(watcher)
        self._following[person] += 1
        self._note_reach(person, gone=False)

    def unfollow(self, person: str, watcher: Callable[[Table], None]) -> None:
        """Tell it nothing more."""
        self.watchers.discard(watcher)
        self._following[person] -= 1
        if not self._following[person]:
            del self._following[person]
        self._note_reach(person, gone=True)

    def _note_reach(self, person: str, *, gone: bool) -> None:
        for live in self._tables.values():
            if person in live.seen_ms:
                live.note_reach(person, gone=gone)

    async def _settle(self, table: Table) -> None:
        """Do what is left to do for a game that has ended, as soon as the database can be asked."""
        failed = False
        while self.on_end is not None:
            try:
                await self.on_end(table)
            except UNAVAILABLE as error:
                if not failed:
                    log.error("the database did not take the result of a game: %s", reason(error))
                failed = True
                await asyncio.sleep(READ_AGAIN_S)
            else:
                return

    def _look_after(self, live: LiveTable) -> None:
        """Do what the table needs now: set its clock, let bots think, make a rematch."""
        table = live.table
        if timer := self._timers.pop(table.id, None):
            timer.cancel()
        wanted = needs(table)
        self._bot_driver.look_after(live, wanted)
        for need in wanted:
            if isinstance(need, ExpireClock):
                self._timers[table.id] = self._timer(live, need)
            elif isinstance(need, MakeRematch):
                self._spawn(self._rematch(live, need))

    def _timer(self, live: LiveTable, need: ExpireClock) -> asyncio.TimerHandle:
        delay_s = max(0, need.at_ms - self.settings.now_ms()) / 1000
        return asyncio.get_running_loop().call_later(delay_s, lambda: self._spawn(self._expire(live, need)))

    async def _expire(self, live: LiveTable, need: ExpireClock) -> None:
        if self._tables.get(live.table.id) is live:
            before = live.table.seq
            try:
                await self.submit(live, SYSTEM, need.command)
            except ServerError:
                return  # the table is being read again, and its clock will be set then
            if live.table.seq == before:
                self._look_after(live)

    async def _rematch(self, live: LiveTable, need: MakeRematch) -> None:
        """Make the table of a rematch. Its name follows from the old one's, so it is made once whatever happens."""
        table = live.table
        digest = hashlib.sha256(f"rematch of {table.id} {table.seed.reveal() if table.seed else ''}".encode()).digest()
        name = _name(digest)
        try:
            await self.create(need.options, need.host, need.chairs, name, previous=table.id)
        except Conflict:
            log.info("the rematch of a table was already there")
        try:
            await self.submit(live, SYSTEM, need.command(name))
        except NotAllowed:
            log.info("the rematch of a table was already linked")
