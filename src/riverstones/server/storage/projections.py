"""Rows that are derived from the logs, so that no list has to read a log: `tables`, `seats` and `summaries`.

They are written in the transaction that appends the events, and can be made again from the events.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func, or_, select

from riverstones.table import Phase, Table

from . import schema as s
from .database import Database
from .rows import Listed, listed_of, summary_row
from .writer import Write

LISTED_EACH = 3
"""How many tables of one person the list of open tables shows."""

FINISHED = (Phase.OVER.value, Phase.CLOSED.value)


class Projections:
    """What can be asked about tables without reading their logs."""

    def __init__(self, database: Database) -> None:
        self._database = database
        rows = database.insert(s.tables)
        changing: dict[str, Any] = {name: rows.excluded[name] for name in ("phase", "listed", "updated_ms")}
        changing["pending_rating"] = or_(rows.excluded["pending_rating"], s.tables.c.pending_rating)
        changing["record"] = func.coalesce(rows.excluded["record"], s.tables.c.record)
        self._upsert_tables = rows.on_conflict_do_update(index_elements=["id"], set_=changing)
        sitting = database.insert(s.seats)
        self._upsert_seats = sitting.on_conflict_do_update(
            index_elements=["table_id", "person"], set_={"updated_ms": sitting.excluded["updated_ms"]}
        )

        rows = database.insert(s.summaries)
        self._upsert_summaries = rows.on_conflict_do_update(
            index_elements=["table_id"], set_={name: rows.excluded[name] for name in ("seq", "paused", "data")}
        )

    def writes(self, before: Table | None, after: Table, at_ms: int, record: str | None) -> list[Write]:
        """What has to be written when a table changes."""
        summarised = Write(self._upsert_summaries, [summary_row(after)])
        if before is not None and before.chairs == after.chairs and before.phase is after.phase:
            return [summarised]
        ended = after.phase is Phase.OVER and (before is None or before.phase is not Phase.OVER)
        row = {
            "id": after.id,
            "phase": after.phase.value,
            "listed": after.options.listed,
            "created_ms": after.created_ms,
            "updated_ms": at_ms,
            "record": record,
            "pending_rating": ended and after.options.rated,
        }
        writes = [Write(self._upsert_tables, [row]), summarised]
        if seated := [{"table_id": after.id, "person": p, "updated_ms": at_ms} for p in sorted(after.players)]:
            writes.append(Write(self._upsert_seats, seated))
        return writes

    async def unfinished(self, limit: int) -> list[str]:
        """The tables that are being played or wait for players, newest first."""
        query = select(s.tables.c.id).where(s.tables.c.phase.not_in(FINISHED))
        return await self._database.column(query.order_by(s.tables.c.updated_ms.desc()).limit(limit))

    async def pending_ratings(self) -> list[str]:
        """The tables whose result still has to be counted for the ratings, oldest first."""
        query = select(s.tables.c.id).where(s.tables.c.pending_rating).order_by(s.tables.c.updated_ms)
        return await self._database.column(query)

    async def open_tables(self, limit: int) -> list[Listed]:
        """Listed tables that wait for players, newest first; of one person's only a few, so that all find room."""
        newest = (s.tables.c.updated_ms.desc(), s.tables.c.id)
        waiting = (
            select(s.tables, func.row_number().over(partition_by=s.seats.c.person, order_by=newest).label("place"))
            .select_from(s.seats.join(s.tables))
            .where(s.tables.c.phase == Phase.WAITING.value, s.tables.c.listed)
            .subquery()
        )
        shown = (
            select(waiting.c.id, waiting.c.updated_ms)
            .where(waiting.c.place <= LISTED_EACH)
            .group_by(waiting.c.id, waiting.c.updated_ms)
            .order_by(waiting.c.updated_ms.desc(), waiting.c.id)
            .limit(limit)
            .subquery()
        )
        query = select(s.summaries).join(shown, shown.c.id == s.summaries.c.table_id)
        return await self._listed(query.order_by(shown.c.updated_ms.desc(), shown.c.id))

    async def tables_of(self, person: str, before_ms: int | None, limit: int) -> list[Listed]:
        """The tables at which a person sits or sat, newest first, without those closed before they began."""
        query = (
            select(s.summaries)
            .join(s.tables, s.tables.c.id == s.summaries.c.table_id)
            .join(s.seats, s.seats.c.table_id == s.tables.c.id)
            .where(s.seats.c.person == person, s.tables.c.phase != Phase.CLOSED.value)
        )
        if before_ms is not None:
            query = query.where(s.seats.c.updated_ms < before_ms)
        return await self._listed(query.order_by(s.seats.c.updated_ms.desc(), s.seats.c.table_id).limit(limit))

    async def unfinished_of(self, person: str) -> list[Listed]:
        """The unfinished tables at which a person sits or sat."""
        query = (
            select(s.summaries)
            .join(s.tables, s.tables.c.id == s.summaries.c.table_id)
            .join(s.seats, s.seats.c.table_id == s.tables.c.id)
            .where(s.seats.c.person == person, s.tables.c.phase.not_in(FINISHED))
        )
        return await self._listed(query)

    async def _listed(self, query: Select[Any]) -> list[Listed]:
        return [listed_of(row) for row in await self._database.rows(query)]

    async def record(self, table: str) -> str | None:
        """The record of a finished table."""
        found: str | None = await self._database.value(select(s.tables.c.record).where(s.tables.c.id == table))
        return found
