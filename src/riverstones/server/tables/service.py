"""How a command is carried out, from its arrival to what follows from it. Read `submit` from top to bottom.

Everything that happens at a table is a command: of a person, or of the server itself, which makes the bots' moves, lets
clocks expire and creates rematches. A command is decided, stored, and only then applied, sent and acknowledged. Then
`table.driver.needs` says what the table needs next, and the server starts to work on that; what comes of it is another
command.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import assert_never

from riverstones.engine import bots
from riverstones.rules import Malformed, Position, Refused
from riverstones.server.accounts.ratings import Ratings
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.metrics import Metrics
from riverstones.server.records import record_text
from riverstones.server.settings import Settings
from riverstones.server.storage import UNAVAILABLE, Conflict, Store, reason
from riverstones.server.tables.background import Background, to_completion
from riverstones.server.tables.bot_driver import BotDriver
from riverstones.server.tables.clock import Clock
from riverstones.server.tables.feed import ProgramFeed, ProgramStream
from riverstones.server.tables.live_table import LiveTable, Overtaken, PendingCommand, Work
from riverstones.server.tables.registry import Registry
from riverstones.server.tables.settlement import Settlement
from riverstones.server.workers import LastAddresses, Workers
from riverstones.table import (
    SYSTEM,
    Actor,
    BotMove,
    BotVerdict,
    Chair,
    Command,
    Context,
    Decision,
    ExpireClock,
    MakeRematch,
    NotAllowed,
    Options,
    Phase,
    Table,
    TableRefusal,
    create,
    needs,
)
from riverstones.table import commands as c

log = logging.getLogger("riverstones.tables")

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""No letters or digits that look alike: people read a table's id to each other."""

ID_LENGTH = 12
MOST_RESUMED = 5_000
"""How many unfinished tables are read at the start; the others are when somebody asks for them."""

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
    ) -> None:
        self._settings = settings
        self._store = store
        self._metrics = metrics
        self._registry = Registry(metrics)
        self._programs = ProgramFeed()
        self._clock = Clock(settings)
        self._bots = BotDriver(settings, workers, self._clock, addresses)
        self._settlement = Settlement(store, ratings)
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._background = Background()

    def start(self) -> None:
        """Resume the tables that were being played, settle the games that ended before a crash, and sweep regularly."""
        self._background.start(self._resume())
        self._background.start(self._settlement.settle_pending())
        self._background.start(self._sweep())

    async def stop(self) -> None:
        """Stop all work. Every event is stored already."""
        loading = tuple(self._loading.values())
        for task in loading:
            task.cancel()
        await asyncio.gather(self._background.stop(), *loading, return_exceptions=True)
        for live in self._registry:
            live.feed.close()

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
        if isinstance(command, c.SeatBot):
            _check_level(command.level)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        pending = PendingCommand(actor, command, key, meant_for, answer)
        if live.stale or (isinstance(command, c.Sit) and actor.person is not None):
            self._background.start(self._submit_later(live, pending))
        else:
            self._submit(live, pending)
        return answer

    async def _submit_later(self, live: LiveTable, pending: PendingCommand) -> None:
        """Submit a command for which the database has to be asked something first."""
        try:
            if isinstance(pending.command, c.Sit) and pending.actor.person is not None:
                await self.check_room(pending.actor.person, live.table.id)
            self._submit(await self.get(live.table.id), pending)
        except UNAVAILABLE as error:
            log.error("The database did not answer a command: %s", reason(error))
            pending.fail(ServerError(ServerErrorCode.TRY_AGAIN))
        except Exception as error:
            pending.fail(error)

    def _submit(self, live: LiveTable, pending: PendingCommand) -> None:
        """Decide a command and begin to store its events, or let it wait until those before it are stored."""
        if live.storing:
            live.waiting.append(pending)
            return
        try:
            if pending.key is not None and pending.key in live.keys:
                pending.succeed(live.keys[pending.key])
                return
            decision = live.decide(pending.actor, pending.command, pending.key, pending.meant_for)
            if not decision.entries:
                pending.succeed(live.table.seq)
                return
            self._carry_out(live, decision, live.table, pending)
        except Exception as error:
            pending.fail(error)

    def _carry_out(
        self, live: LiveTable, decision: Decision, before: Table | None, pending: PendingCommand | None = None
    ) -> asyncio.Future[None]:
        """Store the events of a decision. `_stored` does the rest, whether or not anybody waits for the future."""
        after = decision.table
        stored = asyncio.ensure_future(self._store.events.append(decision.entries, before, after, record_text(after)))
        live.storing = True
        stored.add_done_callback(partial(self._stored, live, decision, before, pending))
        return stored

    def _stored(
        self,
        live: LiveTable,
        decision: Decision,
        before: Table | None,
        pending: PendingCommand | None,
        stored: asyncio.Future[None],
    ) -> None:
        """Answer a command whose events are stored, or could not be stored, and go on to the next command."""
        live.storing = False
        error = asyncio.CancelledError() if stored.cancelled() else stored.exception()
        try:
            if error is None:
                if pending is not None:
                    pending.succeed(decision.table.seq)  # first, so that the answer is sent together with the events
                self._apply(live, decision, before)
            else:
                # It may be stored or not: only the log can tell.
                live.stale = True
                if pending is not None:
                    self._not_stored(live.table.id, pending, error)
        finally:
            while live.waiting and not live.storing:
                waiting = live.waiting.popleft()
                if live.stale:
                    self._background.start(self._submit_later(live, waiting))
                else:
                    self._submit(live, waiting)

    def _not_stored(self, table: str, pending: PendingCommand, error: BaseException) -> None:
        """Ask for another try, and read the table again meanwhile."""
        if not isinstance(error, Conflict):
            log.error("The database did not store an event: %s", reason(error))
        self._background.start(self._read_again(table))
        pending.fail(ServerError(ServerErrorCode.TRY_AGAIN))

    def _apply(self, live: LiveTable, decision: Decision, before: Table | None) -> None:
        """Apply a decision whose events are stored, send them, and start what follows from them."""
        after = decision.table
        live.apply(decision)
        self._programs.publish(after)
        if before is not None and before.phase is not Phase.OVER and after.phase is Phase.OVER:
            self._metrics.games_ended.inc()
            self._background.start(self._settlement.settle(after))
        self._update_work(live)

    # What a table needs

    def _update_work(self, live: LiveTable) -> None:
        """Start what the table needs now, and stop what it no longer needs."""
        wanted = needs(live.table)
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
                        await self.submit(live, SYSTEM, verdict)
                case ExpireClock() as need:
                    while True:
                        await self._clock.wait_until(need.at_ms)
                        await self.submit(live, SYSTEM, need.command)
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

    async def _make_bot_move(self, live: LiveTable, work: Work, need: BotMove) -> None:
        command, position = await self._bots.move(live, work, need)
        while True:
            try:
                await self.submit(live, SYSTEM, command, meant_for=position)
            except Overtaken:
                # An objection was upheld, so the tiles that the last move had flipped lie as before.
                command, position = await self._bots.choose(live, need)
            else:
                return

    async def _make_rematch(self, live: LiveTable, need: MakeRematch) -> None:
        """Create the table of a rematch. Its id follows from the old table, so it is created once whatever happens."""
        table = live.table
        digest = hashlib.sha256(f"rematch of {table.id} {table.seed.reveal() if table.seed else ''}".encode()).digest()
        rematch = _new_id(digest)
        try:
            await self.create(need.options, need.host, need.chairs, rematch, previous=table.id)
        except Conflict:
            log.info("The rematch of a table was created before")
        await self.submit(live, SYSTEM, need.command(rematch))

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
        table = table or _new_id(self._settings.entropy())
        if table in self._registry:
            raise Conflict(table)
        context = Context(self._settings.now_ms(), self._settings.entropy())
        decision = create(table, options, host, chairs, context, previous)
        return await to_completion(self._create(decision))

    async def _create(self, decision: Decision) -> LiveTable:
        live = LiveTable.new(decision.table, self._settings, self._programs)
        self._registry.add(live)
        try:
            await self._carry_out(live, decision, before=None)
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
        """A table by its id, read from its log if it is not in memory; `no_such_table` if there is none."""
        live = self._registry.get(table)
        if live is not None and not live.stale:
            return live
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
        return await asyncio.shield(self._loading[table])

    async def _load(self, table: str) -> LiveTable:
        """Read a table from its log. A turn that ran out while the server was down first gets more time."""
        try:
            entries = await self._store.events.read(table) if table.isascii() and table.isalnum() else []
            if not entries:
                raise ServerError(ServerErrorCode.NO_SUCH_TABLE)
            live = LiveTable.of_log(entries, self._settings, self._programs)
            old = self._registry.get(table)
            if old is not None:
                live.feed.replace(old.feed)
                for work in old.work.values():
                    work.task.cancel()
            if needs(live.table):
                wake = live.decide(SYSTEM, c.Wake())
                if wake.entries:
                    await self._carry_out(live, wake, live.table)
            self._registry.add(live)
        finally:
            self._loading.pop(table, None)
        self._update_work(live)
        if old is not None and old.table.phase is not Phase.OVER and live.table.phase is Phase.OVER:
            # Its end was stored, but the database failed before it could say so.
            self._background.start(self._settlement.settle(live.table))
        return live

    async def _read_again(self, table: str) -> None:
        """Read a table from its log as soon as the database can be reached."""
        while True:
            try:
                await self.get(table)
            except (Conflict, *UNAVAILABLE):
                await asyncio.sleep(RETRY_S)
            else:
                return

    async def _resume(self) -> None:
        """Read the tables that were being played when the server stopped."""
        for table in await self._store.projections.unfinished(MOST_RESUMED):
            try:
                await self._read_again(table)
            except Exception:
                log.exception("A table could not be resumed; the others are")
            await asyncio.sleep(0)

    async def _sweep(self) -> None:
        """Remove idle tables from memory, again and again."""
        while True:
            await asyncio.sleep(SWEEP_S)
            self._registry.remove_idle(self._settings.now_ms())

    # Programs

    @contextmanager
    def following(self, stream: ProgramStream) -> Iterator[None]:
        """Within this, a program is told of every change at any table, and is within reach at its own."""
        self._programs.add(stream)
        for live in self._registry:
            if live.feed.has_seen(stream.person):
                live.feed.note_arrival(stream.person)
        try:
            yield
        finally:
            self._programs.remove(stream)
            for live in self._registry:
                if live.feed.has_seen(stream.person):
                    live.feed.note_departure(stream.person)


def _new_id(entropy: bytes) -> str:
    """A table's id: hard to guess, and easy to spell."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in entropy[:ID_LENGTH])


def _check_level(level: str) -> None:
    if level not in bots.offered():
        raise NotAllowed(TableRefusal.BAD_LEVEL, level=level[:20])
