"""The event logs of the tables. A log is append-only; the rows derived from it are written in the same transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, select

from riverstones.table import Entry, Table

from . import schema as s
from .database import Database
from .projections import Projections
from .rows import entry_of, event_row
from .writer import Write

INSERT_EVENTS = s.events.insert()

DELETED_AT_ONCE = 500
"""Tables in one statement: databases limit the number of parameters."""


class Conflict(Exception):
    """Another process has written this event of the table: the table in memory is out of date."""


class EventLog:
    """The events of all tables."""

    def __init__(self, database: Database, projections: Projections) -> None:
        self._database = database
        self._projections = projections

    def append(
        self, entries: Sequence[Entry], before: Table | None, after: Table, record: str | None
    ) -> asyncio.Future[None]:
        """Add events to a table's log. The future is done when they are durable; `Conflict` if the numbers are taken.

        `before` is the table without these events (None for a new one), `after` with them, `record` the finished game.
        Cancelling the future does not cancel the write.
        """
        writes = self._projections.writes(before, after, entries[-1].at_ms, record)
        writes.append(Write(INSERT_EVENTS, [event_row(after.id, entry) for entry in entries]))
        return self._database.writer.write(*writes, if_taken=Conflict(after.id))

    async def read(self, table: str) -> list[Entry]:
        """A table's whole log; empty if there is no such table."""
        query = select(s.events).where(s.events.c.table_id == table).order_by(s.events.c.seq)
        return [entry_of(row) for row in await self._database.rows(query)]

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
