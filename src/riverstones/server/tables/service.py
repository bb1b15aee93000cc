"""The tables of this node: how they come and go, how a command reaches one, and what follows from it.

Everything that happens at a table is a command: of a person, or of the server itself, which makes the bots' moves, lets
clocks expire and creates rematches. A command is decided, stored, and only then applied, sent and acknowledged. Then
`table.driver.needs` says what the table needs next, and the server starts to work on that; what comes of it is another
command.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from riverstones.engine import bots
from riverstones.rules import Position
from riverstones.server.accounts.ratings import Ratings
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.fanout import Fanout
from riverstones.server.metrics import Metrics
from riverstones.server.settings import Settings
from riverstones.server.storage import UNAVAILABLE, Conflict, LogPart, Store, reason
from riverstones.server.tables.background import Background, to_completion
from riverstones.server.tables.bot_driver import BotDriver
from riverstones.server.tables.executor import Executor
from riverstones.server.tables.feed import ProgramFeed, ProgramStream
from riverstones.server.tables.live_table import LiveTable, PendingCommand
from riverstones.server.tables.needs_driver import NeedsDriver, new_id
from riverstones.server.tables.nodes import Nodes
from riverstones.server.tables.presence import SharedPresence
from riverstones.server.tables.reader import Reader
from riverstones.server.tables.registry import Registry
from riverstones.server.tables.settlement import Settlement
from riverstones.server.workers import LastAddresses, Workers
from riverstones.table import (
    Actor,
    Chair,
    Command,
    Context,
    Decision,
    NotAllowed,
    Options,
    Phase,
    Table,
    TableRefusal,
    create,
)
from riverstones.table import commands as c

log = logging.getLogger("riverstones.tables")

MOST_RESUMED = 5_000
"""How many unfinished tables are read at the start; the others are when somebody asks for them."""

DRAIN_S = 0.5
"""How long a server that ends waits for commands to be stored."""

RETRY_S = 1.0
SWEEP_S = 60.0


class TableService:
    """Carries out commands at the tables of this server, and does what the tables need."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        workers: Workers,
        metrics: Metrics,
        ratings: Ratings,
        addresses: LastAddresses,
        fanout: Fanout,
    ) -> None:
        self._settings = settings
        self._store = store
        self._metrics = metrics
        self._fanout = fanout
        self._registry = Registry(metrics)
        self._programs = ProgramFeed()
        self._settlement = Settlement(store, ratings)
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._background = Background()
        self.nodes = Nodes(settings, store, self._registry)
        self._executor = Executor(store, self._registry, self.nodes, fanout, self._background, self)
        self._needs = NeedsDriver(settings, self, BotDriver(settings, workers, addresses), self.nodes, self._background)
        self._presence = SharedPresence(fanout, self._registry, self._programs, self.nodes)
        self._reader = Reader(self._executor, store, self._registry, self._programs, fanout)

    async def start(self) -> None:
        """Resume the tables that were being played, settle the games that ended before a crash, and sweep regularly."""
        await self.nodes.start()
        self._background.start(self._follow_nodes())
        if self._store.database.is_shared:
            self._reader.start(self._background)
            self._presence.start(self._background)
        await self._fanout.start()
        self._background.start(self._adopt())
        self._background.start(self._sweep())

    async def drain(self) -> None:
        """Wait until the commands that have arrived are carried out, but not for long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_S):
                while any(live.updating for live in self._registry):
                    await asyncio.sleep(0.005)

    async def stop(self) -> None:
        """Stop all work. Every event is stored already."""
        loading = tuple(self._loading.values())
        for task in loading:
            task.cancel()
        await asyncio.gather(self._background.stop(), *loading, return_exceptions=True)
        for live in self._registry:
            live.feed.close()
        await self._fanout.stop()
        await self.nodes.stop()

    # A command

    def submit(
        self,
        live: LiveTable,
        actor: Actor,
        command: Command,
        key: str | None = None,
        *,
        meant_for: Position | None = None,
    ) -> asyncio.Future[int]:
        """Carry out a command. The result is the number of its last event, once that is durable.

        The commands of a table are carried out one after the other, in the order of these calls. A command goes on when
        the future is cancelled, because its client has gone for example. A command with a key that was carried out
        before is not carried out again. The future raises what `decide` raises, `ServerError`, and `Overtaken` if the
        command is meant for a position that has changed.
        """
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def settle(result: int | Exception) -> None:
            if answer.done():
                return
            if isinstance(result, Exception):
                answer.set_exception(result)
            else:
                answer.set_result(result)

        self.give(live, actor, command, key, settle, meant_for=meant_for)
        return answer

    def give(
        self,
        live: LiveTable,
        actor: Actor,
        command: Command,
        key: str | None,
        answer: Callable[[int | Exception], None],
        *,
        meant_for: Position | None = None,
    ) -> None:
        """The same, with a function that is called with the answer, possibly at once."""
        if isinstance(command, c.SeatBot):
            _check_level(command.level)
        pending = PendingCommand(actor, command, key, meant_for, answer)
        if isinstance(command, c.Sit) and actor.person is not None:
            self._background.start(self._sit_down(live, pending, actor.person))
        else:
            self._executor.submit(live, pending)

    async def _sit_down(self, live: LiveTable, pending: PendingCommand, person: str) -> None:
        """Submit a command for which the database has to be asked something first."""
        try:
            await self.check_room(person, live.table.id)
        except UNAVAILABLE as error:
            log.error("The database did not answer a command: %s", reason(error))
            pending.answer(ServerError(ServerErrorCode.TRY_AGAIN))
        except Exception as error:
            pending.answer(error)
        except BaseException:  # the server is stopping
            pending.answer(ServerError(ServerErrorCode.TRY_AGAIN))
            raise
        else:
            self._executor.submit(live, pending)

    def changed(self, live: LiveTable, before: Table | None) -> None:
        """Tell programs of a change, settle a game that has ended, and start what the table needs now."""
        self._programs.publish(live.table)
        ended = before is not None and before.phase is not Phase.OVER and live.table.phase is Phase.OVER
        if ended and live.last_writer == self._settings.node:
            self._metrics.games_ended.inc()
            self._background.start(self._settlement.settle(live.table))
        self._needs.update(live)

    # Other nodes

    async def _follow_nodes(self) -> None:
        """Take over the tables of nodes that have ended, and give back the time of an outage, whenever that changes."""
        while True:
            await self.nodes.changed.wait()
            self.nodes.changed.clear()
            try:
                self._presence.drop_ended()
                for live in self._registry:
                    self._needs.update(live)
                self._background.start(self._adopt())
            except Exception:  # the next change has to be followed all the same
                log.exception("A change of the nodes could not be followed")

    async def _adopt(self) -> None:
        """Read the unfinished tables that no node drives, and settle games that ended just before a node did."""
        orphans = await self._store.projections.orphans(self.nodes.alive, MOST_RESUMED)
        for table, last_writer in orphans:
            if table in self._registry or not self.nodes.drives(table, last_writer):
                continue
            try:
                await self._load_again(table)
            except Exception:
                log.exception("A table could not be resumed; the others are")
            await asyncio.sleep(0)
        await self._settlement.settle_pending()

    # Tables come and go

    async def create(
        self,
        options: Options,
        host: Actor,
        chairs: tuple[Chair, ...],
        table: str | None = None,
        previous: str | None = None,
    ) -> LiveTable:
        """Create a table; raises `Conflict` if the id is taken."""
        for chair in chairs:
            if chair.bot is not None:
                _check_level(chair.bot)
        table = table or new_id(self._settings.entropy())
        if table in self._registry:
            raise Conflict(table)
        context = Context(self._settings.now_ms(), self._settings.entropy())
        decision = create(table, options, host, chairs, context, previous)
        return await to_completion(self._create(decision))

    async def _create(self, decision: Decision) -> LiveTable:
        live = LiveTable.new(decision.table, self._settings, self._programs)
        self._registry.add(live)
        if self._store.database.is_shared:
            self._presence.ask(live)
        try:
            await self._executor.create(live, decision)
        except BaseException:
            self._registry.remove(live)
            raise
        self._metrics.tables_made.inc()
        return live

    async def check_room(self, person: str, table: str | None = None) -> None:
        """Refuse one more unfinished table to somebody who has too many. Coming back to one of them is allowed."""
        unfinished = await self._store.projections.going_on_of(person, self._settings.now_ms())
        if len(unfinished) >= self._settings.tables_each and table not in unfinished:
            raise ServerError(ServerErrorCode.TOO_MANY_TABLES, count=self._settings.tables_each)

    async def get(self, table: str) -> LiveTable:
        """A table by its id, as it is now, whatever other nodes have done; `no_such_table` if there is none."""
        live = self._registry.get(table)
        if live is None or table in self._loading:
            if table not in self._loading:
                self._loading[table] = asyncio.create_task(self._load(table))
            return await asyncio.shield(self._loading[table])
        if self._store.database.is_shared or live.stale:
            await self._executor.read_on(live)
        return live

    async def _load(self, table: str) -> LiveTable:
        """Read a table from its log, and wait until the time of an outage is given back."""
        try:
            readable = table.isascii() and table.isalnum()
            log_part = await self._store.events.read_after(table, 0) if readable else LogPart([])
            if not log_part.entries:
                raise ServerError(ServerErrorCode.NO_SUCH_TABLE)
            live = self._registry.get(table)
            if live is None:
                live = LiveTable.of_log(log_part, self._settings, self._programs)
                self._registry.add(live)
                if self._store.database.is_shared:
                    self._presence.ask(live)
            self._needs.update(live)
            await self._executor.read_on(live, live.table.seq)
        finally:
            self._loading.pop(table, None)
        return live

    async def _load_again(self, table: str) -> None:
        """Read a table as soon as the database can be reached."""
        while True:
            try:
                await self.get(table)
            except UNAVAILABLE:
                await asyncio.sleep(RETRY_S)
            else:
                return

    async def _sweep(self) -> None:
        """Remove idle tables from memory, and adopt those that no node drives, again and again."""
        while True:
            await asyncio.sleep(SWEEP_S)
            self._registry.remove_idle(self._settings.now_ms())
            if self._store.database.is_shared:
                with suppress(*UNAVAILABLE):
                    await self._adopt()

    # Programs

    @contextmanager
    def following(self, stream: ProgramStream) -> Iterator[None]:
        """Within this, a program is told of every change at any table, and is within reach at its own."""
        self._programs.add(stream)
        self._presence.share_streams()
        for live in self._registry:
            if live.feed.has_seen(stream.person):
                live.feed.note_arrival(stream.person)
        try:
            yield
        finally:
            self._programs.remove(stream)
            self._presence.share_streams()
            for live in self._registry:
                if live.feed.has_seen(stream.person):
                    live.feed.note_departure(stream.person)


def _check_level(level: str) -> None:
    if level not in bots.offered():
        raise NotAllowed(TableRefusal.BAD_LEVEL, level=level[:20])
