"""The event logs of the tables. A log is append-only; the rows derived from it are written in the same transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import delete, func, select

from riverstones.table import Entry, Table

from . import schema as s
from .database import Database
from .event_reads import EventReads, LogPart
from .nodes import NodeStorage, Outage
from .projections import Projections
from .rows import event_row
from .writer import Write

INSERT_EVENTS = s.events.insert()

DELETED_AT_ONCE = 500
"""Tables in one statement: databases limit the number of parameters."""


class Conflict(Exception):
    """That in memory is out of date: another process has written this event, or deleted or erased from the table."""


class EventLog:
    """The events of all tables."""

    def __init__(self, database: Database, projections: Projections, nodes: NodeStorage) -> None:
        self._database = database
        self._projections = projections
        self._nodes = nodes
        self._reads = EventReads(database)

    def append(
        self,
        entries: Sequence[Entry],
        before: Table | None,
        after: Table,
        record: str | None,
        erasures: int = 0,
        *,
        added_ms: int | None = None,
    ) -> asyncio.Future[None]:
        """Add events to a table's log. The future is done when they are durable; `Conflict` if they cannot be added.

        `before` is the table without these events (None for a new one), `after` with them, `record` the finished game,
        `erasures` the number that `before` was read with, `added_ms` the time at which a table of a device was added,
        which may be long after its events. Cancelling the future does not cancel the write.
        """
        writes = self._writes(entries, before, after, record, erasures, added_ms)
        return self._database.writer.write(*writes, if_taken=Conflict(after.id))

    def submit(
        self,
        entries: Sequence[Entry],
        before: Table | None,
        after: Table,
        record: str | None,
        erasures: int,
        done: Callable[[Exception | None], None],
    ) -> None:
        """The same; `done` is called without an error when the events are durable, else with it."""
        writes = self._writes(entries, before, after, record, erasures)
        self._database.writer.submit(writes, Conflict(after.id), done)

    async def append_expired(
        self,
        entries: Sequence[Entry],
        before: Table,
        after: Table,
        record: str | None,
        erasures: int,
        at_ms: int,
        known: Outage,
    ) -> None:
        """Add the events of a clock that expires at this time: the database checks by its own clock that it has.

        Raises `Conflict`, and `TooEarly` as `NodeStorage.check_expired` does. SQLite has the clock of its only server.
        """
        if not self._database.is_shared:
            await self.append(entries, before, after, record, erasures)
            return

        async def check(connection: Any) -> None:
            await self._nodes.check_expired(connection, at_ms, known)

        writes = self._writes(entries, before, after, record, erasures)
        await self._database.writer.write_if(check, *writes, if_taken=Conflict())

    def _writes(
        self,
        entries: Sequence[Entry],
        before: Table | None,
        after: Table,
        record: str | None,
        erasures: int,
        added_ms: int | None = None,
    ) -> list[Write]:
        writes = self._projections.writes(before, after, entries[-1].at_ms, record, erasures, added_ms)
        writes.append(Write(INSERT_EVENTS, [event_row(after.id, entry) for entry in entries]))
        return writes

    async def read(self, table: str) -> list[Entry]:
        """A table's whole log; empty if there is no such table."""
        return (await self.read_after(table, 0)).entries

    async def read_after(self, table: str, seq: int) -> LogPart:
        """A table's events after this number."""
        if self._database.is_shared:
            return await self._reads.after(table, seq)
        query = select(s.events, s.summaries.c.node, s.tables.c.erasures)
        query = query.join(s.tables, s.tables.c.id == s.events.c.table_id)
        query = query.outerjoin(s.summaries, s.summaries.c.table_id == s.events.c.table_id)
        query = query.where(s.events.c.table_id == table, s.events.c.seq > seq).order_by(s.events.c.seq)
        return LogPart.of(await self._database.rows(query))

    async def erasures(self, table: str) -> int | None:
        """How often somebody was erased from a table's log; None if there is no such table."""
        found: int | None = await self._database.value(select(s.tables.c.erasures).where(s.tables.c.id == table))
        return found

    async def delete(self, table: str) -> bool:
        """Delete a table with its events and all that is derived from them, also its review; False if there is none."""

        async def work(connection: Any) -> bool:
            await connection.execute(delete(s.reviews).where(s.reviews.c.table_id == table))
            return bool((await connection.execute(delete(s.tables).where(s.tables.c.id == table))).rowcount)

        return await self._database.writer.transact(work)

    async def prune(self, before_ms: int) -> int:
        """Delete the tables whose last event is older than this, with their reviews; returns how many there were.

        Tables of devices that were added later than this are kept.
        """

        async def work(connection: Any) -> int:
            last = select(func.max(s.events.c.at_ms)).where(s.events.c.table_id == s.tables.c.id).scalar_subquery()
            query = select(s.tables.c.id).where(last < before_ms, s.tables.c.updated_ms < before_ms)
            old = (await connection.scalars(query)).all()
            for start in range(0, len(old), DELETED_AT_ONCE):
                some = old[start : start + DELETED_AT_ONCE]
                await connection.execute(delete(s.reviews).where(s.reviews.c.table_id.in_(some)))
                await connection.execute(delete(s.tables).where(s.tables.c.id.in_(some)))
            return len(old)

        return await self._database.writer.transact(work)
