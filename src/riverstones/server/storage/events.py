"""The event logs of the tables. A log is append-only; the rows derived from it are written in the same transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import delete, func, select

from riverstones.table import Entry, Table

from . import schema as s
from .database import Database
from .nodes import NodeStorage, Outage
from .projections import Projections
from .rows import entry_of, event_row
from .writer import Write

INSERT_EVENTS = s.events.insert()

DELETED_AT_ONCE = 500
"""Tables in one statement: databases limit the number of parameters."""


class Conflict(Exception):
    """Another process has written this event of the table or deleted the table: that in memory is out of date."""


class EventLog:
    """The events of all tables."""

    def __init__(self, database: Database, projections: Projections, nodes: NodeStorage) -> None:
        self._database = database
        self._projections = projections
        self._nodes = nodes

    def append(
        self, entries: Sequence[Entry], before: Table | None, after: Table, record: str | None
    ) -> asyncio.Future[None]:
        """Add events to a table's log. The future is done when they are durable; `Conflict` if they cannot be added.

        `before` is the table without these events (None for a new one), `after` with them, `record` the finished game.
        Cancelling the future does not cancel the write.
        """
        writes = self._writes(entries, before, after, record)
        return self._database.writer.write(*writes, if_taken=Conflict(after.id))

    def submit(
        self,
        entries: Sequence[Entry],
        before: Table | None,
        after: Table,
        record: str | None,
        done: Callable[[Exception | None], None],
    ) -> None:
        """The same; `done` is called without an error when the events are durable, else with it."""
        writes = self._writes(entries, before, after, record)
        self._database.writer.submit(writes, Conflict(after.id), done)

    async def append_expired(
        self, entries: Sequence[Entry], before: Table, after: Table, record: str | None, at_ms: int, known: Outage
    ) -> None:
        """Add the events of a clock that expires at this time: the database checks by its own clock that it has.

        Raises `Conflict`, and `TooEarly` as `NodeStorage.check_expired` does. SQLite has the clock of its only server.
        """
        if not self._database.is_shared:
            await self.append(entries, before, after, record)
            return

        async def check(connection: Any) -> None:
            await self._nodes.check_expired(connection, at_ms, known)

        await self._database.writer.write_if(check, *self._writes(entries, before, after, record), if_taken=Conflict())

    def _writes(self, entries: Sequence[Entry], before: Table | None, after: Table, record: str | None) -> list[Write]:
        writes = self._projections.writes(before, after, entries[-1].at_ms, record)
        writes.append(Write(INSERT_EVENTS, [event_row(after.id, entry) for entry in entries]))
        return writes

    async def read(self, table: str) -> list[Entry]:
        """A table's whole log; empty if there is no such table."""
        return (await self.read_after(table, 0))[0]

    async def read_after(self, table: str, seq: int) -> tuple[list[Entry], str | None]:
        """A table's events after this number, and the node that has written the last event."""
        query = select(s.events, s.summaries.c.node)
        query = query.outerjoin(s.summaries, s.summaries.c.table_id == s.events.c.table_id)
        query = query.where(s.events.c.table_id == table, s.events.c.seq > seq).order_by(s.events.c.seq)
        rows = await self._database.rows(query)
        return [entry_of(row) for row in rows], rows[-1].node if rows else None

    async def exists(self, table: str) -> bool:
        """Whether there is such a table."""
        return await self._database.value(select(s.tables.c.id).where(s.tables.c.id == table)) is not None

    async def delete(self, table: str) -> bool:
        """Delete a table with its events and all that is derived from them, also its review; False if there is none."""

        async def work(connection: Any) -> bool:
            await connection.execute(delete(s.reviews).where(s.reviews.c.table_id == table))
            return bool((await connection.execute(delete(s.tables).where(s.tables.c.id == table))).rowcount)

        return await self._database.writer.transact(work)

    async def prune(self, before_ms: int) -> int:
        """Delete the tables whose last event is older than this, with their reviews; returns how many there were."""

        async def work(connection: Any) -> int:
            last = select(func.max(s.events.c.at_ms)).where(s.events.c.table_id == s.tables.c.id).scalar_subquery()
            old = (await connection.scalars(select(s.tables.c.id).where(last < before_ms))).all()
            for start in range(0, len(old), DELETED_AT_ONCE):
                some = old[start : start + DELETED_AT_ONCE]
                await connection.execute(delete(s.reviews).where(s.reviews.c.table_id.in_(some)))
                await connection.execute(delete(s.tables).where(s.tables.c.id.in_(some)))
            return len(old)

        return await self._database.writer.transact(work)
