"""Carries out the commands of live tables, one after the other at each table. Read `submit` from top to bottom.

A command is decided, stored, and only then applied, sent and acknowledged. If another node was quicker, its events are
read and applied first, and the command is decided again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from riverstones.rules import Refused
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.fanout import Fanout
from riverstones.server.storage import UNAVAILABLE, Conflict, Store, reason
from riverstones.server.tables.background import Background
from riverstones.server.tables.live_table import LiveTable, Overtaken, PendingCommand, PendingRead
from riverstones.server.tables.nodes import Nodes
from riverstones.server.tables.registry import Registry
from riverstones.study.records import record_text
from riverstones.table import Decision, NotAllowed, Table
from riverstones.table import commands as c

log = logging.getLogger("riverstones.tables")

MOST_TRIES = 20
"""How often a command is decided again because another node was quicker."""

TABLE_REFUSALS = (NotAllowed, Refused, Overtaken)
"""Refusals that depend on the state of the table."""

RETRY_S = 1.0


class Follower(Protocol):
    """Does what follows from a change of a table."""

    def changed(self, live: LiveTable, before: Table | None) -> None:
        """Called after a live table has changed; `before` is None if it is new."""


class Executor:
    """Stores and reads the events of live tables."""

    def __init__(
        self, store: Store, registry: Registry, nodes: Nodes, fanout: Fanout, background: Background, follower: Follower
    ) -> None:
        self._store = store
        self._registry = registry
        self._nodes = nodes
        self._fanout = fanout
        self._background = background
        self._follower = follower

    def submit(self, live: LiveTable, pending: PendingCommand) -> None:
        """Decide a command and begin to store its events, or let it wait until those before it are stored."""
        if live.updating:
            live.waiting.append(pending)
        elif live.stale or isinstance(pending.command, c.Tick):
            self._update(live, self._decide_with_log(live, pending, read_first=live.stale))
        else:
            try:
                self._decide(live, pending)
            except TABLE_REFUSALS as error:
                if self._store.database.is_shared:
                    # This node may not have heard yet of the events after which the command is allowed.
                    self._update(live, self._decide_with_log(live, pending, read_first=True))
                else:
                    pending.answer(error)
            except Exception as error:
                pending.answer(error)

    def _decide(self, live: LiveTable, pending: PendingCommand) -> None:
        if live.answer_if_known(pending):
            return
        decision = live.decide(pending.actor, pending.command, pending.key, pending.meant_for)
        if decision.entries:
            self._store_events(live, decision, live.table, partial(self._stored, live, decision, pending))
        else:
            pending.answer(live.table.seq)

    def create(self, live: LiveTable, decision: Decision) -> asyncio.Future[None]:
        """Store the first events of a new table, and apply them. The future raises `Conflict` if its id is taken."""
        created: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def stored(error: Exception | None) -> None:
            live.updating = False
            try:
                if error is None:
                    self._apply(live, decision, None)
            finally:
                if created.done():
                    pass  # whoever asked has gone
                elif error is None:
                    created.set_result(None)
                else:
                    created.set_exception(error)
                self._go_on(live)

        self._store_events(live, decision, None, stored)
        return created

    def _store_events(
        self, live: LiveTable, decision: Decision, before: Table | None, stored: Callable[[Exception | None], None]
    ) -> None:
        """Begin to store the events of a decision. `stored` does the rest, whether or not anybody waits for it."""
        after = decision.table
        self._store.events.submit(decision.entries, before, after, record_text(after), live.erasures, stored)
        live.updating = True

    def _stored(self, live: LiveTable, decision: Decision, pending: PendingCommand, error: Exception | None) -> None:
        """Answer a command whose events are stored, or could not be stored, and go on to the next command."""
        live.updating = False
        try:
            if error is None:
                self._apply_and_answer(live, decision, live.table, pending)
            elif isinstance(error, Conflict):
                self._update(live, self._decide_with_log(live, pending, read_first=True))
            else:
                self._not_stored(live, pending, error)
        finally:
            self._go_on(live)

    def _go_on(self, live: LiveTable) -> None:
        """Begin with what has waited while the table was updated."""
        while live.waiting and not live.updating:
            waiting = live.waiting.popleft()
            if isinstance(waiting, PendingRead):
                self._read(live, waiting)
            else:
                self.submit(live, waiting)

    def _not_stored(self, live: LiveTable, pending: PendingCommand, error: BaseException) -> None:
        """Ask for another try. The events may be stored or not: only the log can tell, as soon as it can be read."""
        log.error("The database did not store an event: %s", reason(error))
        pending.answer(ServerError(ServerErrorCode.TRY_AGAIN))
        if not live.stale:
            live.stale = True
            self._background.start(self._heal(live))

    def _apply_and_answer(self, live: LiveTable, decision: Decision, before: Table, pending: PendingCommand) -> None:
        """Apply a decision whose events are stored, and acknowledge the command, whatever becomes of the rest."""
        try:
            self._apply(live, decision, before)
        except Exception:
            log.exception("What follows from an event failed")
        pending.answer(decision.table.seq)

    def _apply(self, live: LiveTable, decision: Decision, before: Table | None) -> None:
        """Apply a decision whose events are stored, send them, and start what follows from them."""
        live.apply(decision)
        self._fanout.publish(live.table.id, live.table.seq)
        self._follower.changed(live, before)

    def _update(self, live: LiveTable, work: Coroutine[Any, Any, None]) -> None:
        """Do this while other commands wait."""

        def done(_: asyncio.Task[None]) -> None:
            live.updating = False
            self._go_on(live)

        live.updating = True
        self._background.start(work).add_done_callback(done)

    async def _decide_with_log(self, live: LiveTable, pending: PendingCommand, *, read_first: bool) -> None:
        """Decide a command and store its events; whenever another node is quicker, read its events and decide again."""
        try:
            for attempt in range(MOST_TRIES):
                if (attempt or read_first) and not await self._read_new(live) and attempt:
                    await self._check_log(live)
                if live.answer_if_known(pending):
                    return
                decision = live.decide(pending.actor, pending.command, pending.key, pending.meant_for)
                if not decision.entries:
                    pending.answer(live.table.seq)
                    return
                with suppress(Conflict):
                    await self._append(live, pending, decision)
                    return
            pending.answer(ServerError(ServerErrorCode.TRY_AGAIN))
        except UNAVAILABLE as error:
            self._not_stored(live, pending, error)
        except Exception as error:
            pending.answer(error)
        except BaseException:  # the server stops
            pending.answer(ServerError(ServerErrorCode.TRY_AGAIN))
            raise

    async def _append(self, live: LiveTable, pending: PendingCommand, decision: Decision) -> None:
        """Store and apply a decision. The clock's is stored only if the database's clock agrees."""
        events, before, after = self._store.events, live.table, decision.table
        if isinstance(pending.command, c.Tick) and before.expires_ms is not None:
            expiry = (before.expires_ms, self._nodes.outage)
            await events.append_expired(decision.entries, before, after, record_text(after), live.erasures, *expiry)
        else:
            await events.append(decision.entries, before, after, record_text(after), live.erasures)
        self._apply_and_answer(live, decision, before, pending)

    async def _read_new(self, live: LiveTable) -> bool:
        """Read and apply the events that are missing here; whether there were any."""
        before = live.table
        new = await self._store.events.read_after(before.id, before.seq)
        live.stale = False
        if not new.entries:
            return False
        if new.erasures == live.erasures:
            live.catch_up(new.entries, new.last_writer)
            self._follower.changed(live, before)
        else:
            await self._read_again(live)
        return True

    async def _check_log(self, live: LiveTable) -> None:
        """Find out why nothing can be appended although there are no new events.

        Raises `NO_SUCH_TABLE`, and forgets the table, if it was deleted. Reads it again if somebody was erased from it.
        """
        erasures = await self._store.events.erasures(live.table.id)
        if erasures is None:
            self._registry.remove(live)
            live.feed.close()
            raise ServerError(ServerErrorCode.NO_SUCH_TABLE)
        if erasures != live.erasures:
            await self._read_again(live)

    async def _read_again(self, live: LiveTable) -> None:
        """Read the whole log of a table from which somebody was erased."""
        log_part = await self._store.events.read_after(live.table.id, 0)
        if log_part.entries:  # otherwise it was deleted meanwhile
            before = live.table
            live.read_again(log_part)
            self._follower.changed(live, before)

    def read_on(self, live: LiveTable, seq: int | None = None) -> asyncio.Future[None]:
        """Read the events of a table that are missing here; with a number only if they do not reach up to it."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        pending = PendingRead(seq, answer)
        if live.updating:
            live.waiting.append(pending)
        else:
            self._read(live, pending)
        return answer

    def _read(self, live: LiveTable, pending: PendingRead) -> None:
        async def work() -> None:
            try:
                await self._read_new(live)
            except Exception as error:
                if not pending.answer.done():
                    pending.answer.set_exception(error)
            else:
                if not pending.answer.done():
                    pending.answer.set_result(None)

        if pending.seq is None or live.table.seq < pending.seq or live.stale:
            self._update(live, work())
        elif not pending.answer.done():
            pending.answer.set_result(None)

    async def _heal(self, live: LiveTable) -> None:
        """Read what is missing as soon as the database can be reached."""
        while live.stale:
            try:
                await self.read_on(live)
            except UNAVAILABLE:
                await asyncio.sleep(RETRY_S)
        self._follower.changed(live, live.table)  # so that work that failed meanwhile is begun again
