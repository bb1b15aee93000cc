"""Rows derived from the logs, so that lists read no logs: `tables`, `seats`, `summaries` and `played_games`.

They are written in the transaction that appends the events, and can be rebuilt from the events.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, or_, select, update

from riverstones.table import Phase, Table

from . import schema as s
from .database import Database
from .played_rows import played_rows
from .rows import Listed, listed_of, summary_row
from .writer import Write

LISTED_EACH = 3
"""The most tables of one person in the list of open tables."""

PAGE = 100
DAY_MS = 24 * 3_600_000
WAITING_KEPT_MS = DAY_MS
"""How long a table that waits for players stays in the lists without a change."""

ALONE_KEPT_MS = 7 * DAY_MS
"""How long an unfinished game of one person, against bots or on a shared device, stays in the lists without a move."""

SHARED_KEPT_MS = 30 * DAY_MS
"""The same for a game of several people."""

WATCHED_MS = 3_600_000
"""How long a public game is offered to spectators after its last move."""

FINISHED = (Phase.OVER.value, Phase.CLOSED.value)

INSERT_TABLES = s.tables.insert()
UPDATE_TABLES = (
    update(s.tables)
    .where(s.tables.c.id == bindparam("table_id"))
    .values(
        phase=bindparam("new_phase"),
        listed=bindparam("new_listed"),
        updated_ms=bindparam("new_updated_ms"),
        record=func.coalesce(bindparam("new_record", type_=s.tables.c.record.type), s.tables.c.record),
        pending_rating=or_(bindparam("to_rate", type_=s.tables.c.pending_rating.type), s.tables.c.pending_rating),
    )
)
"""An update and not an upsert: a table that was deleted stays deleted, and what refers to its row is refused."""


class Projections:
    """Queries about tables that read no logs."""

    def __init__(self, database: Database, node: str) -> None:
        self._database = database
        self._node = node
        sitting = database.insert(s.seats)
        self._upsert_seats = sitting.on_conflict_do_update(
            index_elements=["table_id", "person"], set_={"updated_ms": sitting.excluded["updated_ms"]}
        )

        # Known already if the end of the game was stored before the database failed to say so.
        self._insert_played = database.insert(s.played_games).on_conflict_do_nothing()

        rows = database.insert(s.summaries)
        self._upsert_summaries = rows.on_conflict_do_update(
            index_elements=["table_id"],
            set_={name: rows.excluded[name] for name in ("seq", "paused", "changed_ms", "data", "node", "erasures")},
        )

    def writes(
        self,
        before: Table | None,
        after: Table,
        at_ms: int,
        record: str | None,
        erasures: int = 0,
        added_ms: int | None = None,
    ) -> list[Write]:
        """The writes for a change of a table; `before` is None for a new one.

        They are refused unless there were so many erasures of the table. `added_ms` is as in `EventLog.append`.
        """
        summarised = Write(self._upsert_summaries, [{**summary_row(after, self._node), "erasures": erasures}])
        if before is not None and before.chairs == after.chairs and before.phase is after.phase:
            return [summarised]
        ended = after.phase is Phase.OVER and (before is None or before.phase is not Phase.OVER)
        to_rate = ended and after.options.rated
        write_table = _insert_table if before is None else _update_table
        writes = [write_table(after, at_ms if added_ms is None else added_ms, record, to_rate), summarised]
        if seated := [{"table_id": after.id, "person": p, "updated_ms": at_ms} for p in sorted(after.players)]:
            writes.append(Write(self._upsert_seats, seated))
        if ended and (played := played_rows(after)):
            writes.append(Write(self._insert_played, played))
        return writes

    async def orphans(self, alive: Collection[str], limit: int) -> list[tuple[str, str | None]]:
        """Unfinished tables whose last event was written by none of these nodes, newest first; each with its node."""
        query = select(s.tables.c.id, s.summaries.c.node).join(s.summaries, s.summaries.c.table_id == s.tables.c.id)
        query = query.where(s.tables.c.phase.not_in(FINISHED))
        query = query.where(or_(s.summaries.c.node.is_(None), s.summaries.c.node.not_in(alive)))
        return [
            (row.id, row.node)
            for row in await self._database.rows(query.order_by(s.tables.c.updated_ms.desc()).limit(limit))
        ]

    async def last_events(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these tables."""
        query = select(s.summaries.c.table_id, s.summaries.c.seq).where(s.summaries.c.table_id.in_(tables))
        return {row.table_id: row.seq for row in await self._database.rows(query)}

    async def pending_ratings(self) -> list[str]:
        """The ids of finished tables that are not rated yet, oldest first."""
        query = select(s.tables.c.id).where(s.tables.c.pending_rating).order_by(s.tables.c.updated_ms)
        return await self._database.column(query)

    async def open_tables(self, limit: int, now_ms: int) -> list[Listed]:
        """Listed tables with open seats, newest first, at most `LISTED_EACH` per person."""
        recent = s.tables.c.updated_ms >= now_ms - WAITING_KEPT_MS
        newest = (s.tables.c.updated_ms.desc(), s.tables.c.id)
        waiting = (
            select(s.tables, func.row_number().over(partition_by=s.seats.c.person, order_by=newest).label("place"))
            .select_from(s.seats.join(s.tables))
            .where(s.tables.c.phase == Phase.WAITING.value, s.tables.c.listed, recent)
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

    async def all_tables_of(self, person: str) -> AsyncIterator[Listed]:
        """All tables at which a person sits or sat, in no particular order."""
        mine = select(s.seats.c.table_id).where(s.seats.c.person == person)
        tables = await self._database.column(mine)
        for start in range(0, len(tables), PAGE):
            for listed in await self.summaries(tables[start : start + PAGE]):
                yield listed

    async def current_of(self, person: str, finished: int, now_ms: int) -> list[Listed]:
        """A person's games for the first page: those that go on, the latest change first, then some that are over.

        Left out are games that the person has dismissed and unfinished ones that nobody has touched for long; see
        `_kept`. All of them stay in `tables_of` and under their links.
        """
        query = (
            select(s.summaries)
            .join(s.tables, s.tables.c.id == s.summaries.c.table_id)
            .join(s.seats, s.seats.c.table_id == s.tables.c.id)
            .where(s.seats.c.person == person, ~s.seats.c.dismissed)
            .order_by(s.summaries.c.changed_ms.desc(), s.summaries.c.table_id)
        )
        going_on = await self._listed(query.where(s.tables.c.phase.not_in(FINISHED), _kept(now_ms)))
        over = await self._listed(query.where(s.tables.c.phase == Phase.OVER.value).limit(finished))
        return going_on + over

    async def dismiss(self, person: str, table: str) -> bool:
        """Leave a game out of a person's first page; False unless it is over, or nobody else takes part in it."""

        async def work(connection: Any) -> bool:
            allowed = select(s.tables.c.id).where(or_(s.tables.c.phase.in_(FINISHED), _people_at_table() == 1))
            own = and_(s.seats.c.person == person, s.seats.c.table_id == table)
            change = update(s.seats).where(own, s.seats.c.table_id.in_(allowed)).values(dismissed=True)
            return bool((await connection.execute(change)).rowcount)

        return await self._database.writer.transact(work)

    async def public_games(self, limit: int, now_ms: int) -> list[Listed]:
        """Listed tables at which a game goes on, the latest move first."""
        query = (
            select(s.summaries)
            .join(s.tables, s.tables.c.id == s.summaries.c.table_id)
            .where(s.tables.c.phase == Phase.PLAYING.value, s.tables.c.listed)
            .where(s.summaries.c.changed_ms >= now_ms - WATCHED_MS)
        )
        return await self._listed(query.order_by(s.summaries.c.changed_ms.desc(), s.summaries.c.table_id).limit(limit))

    async def unfinished_of(self, person: str) -> list[str]:
        """The ids of unfinished tables at which a person sits or sat."""
        query = select(s.tables.c.id).select_from(s.seats.join(s.tables))
        return await self._database.column(query.where(s.seats.c.person == person, s.tables.c.phase.not_in(FINISHED)))

    async def going_on_of(self, person: str, now_ms: int) -> list[str]:
        """The same without those that have left the person's first page."""
        joined = s.seats.join(s.tables).join(s.summaries, s.summaries.c.table_id == s.tables.c.id)
        query = select(s.tables.c.id).select_from(joined)
        query = query.where(s.seats.c.person == person, ~s.seats.c.dismissed)
        return await self._database.column(query.where(s.tables.c.phase.not_in(FINISHED), _kept(now_ms)))

    async def summaries(self, tables: Sequence[str]) -> list[Listed]:
        """The summaries of these tables, in no particular order."""
        return await self._listed(select(s.summaries).where(s.summaries.c.table_id.in_(tables)))

    async def _listed(self, query: Select[Any]) -> list[Listed]:
        return [listed_of(row) for row in await self._database.rows(query)]

    async def record(self, table: str) -> str | None:
        """The record of a finished table; None if it is not finished or unknown."""
        found: str | None = await self._database.value(select(s.tables.c.record).where(s.tables.c.id == table))
        return found


def _insert_table(table: Table, at_ms: int, record: str | None, to_rate: bool) -> Write:
    row = {
        "id": table.id,
        "phase": table.phase.value,
        "listed": table.options.listed,
        "created_ms": table.created_ms,
        "updated_ms": at_ms,
        "record": record,
        "pending_rating": to_rate,
    }
    return Write(INSERT_TABLES, [row])


def _update_table(table: Table, at_ms: int, record: str | None, to_rate: bool) -> Write:
    row = {
        "table_id": table.id,
        "new_phase": table.phase.value,
        "new_listed": table.options.listed,
        "new_updated_ms": at_ms,
        "new_record": record,
        "to_rate": to_rate,
    }
    return Write(UPDATE_TABLES, [row])


def _people_at_table() -> ColumnElement[int]:
    """How many people sit or sat at a table."""
    seats = s.seats.alias()
    return select(func.count()).select_from(seats).where(seats.c.table_id == s.tables.c.id).scalar_subquery()


def _kept(now_ms: int) -> ColumnElement[bool]:
    """Whether an unfinished table was touched recently enough to be listed: a day, a week or a month, by its kind."""
    changed = s.summaries.c.changed_ms
    waiting = s.tables.c.phase == Phase.WAITING.value
    return or_(
        and_(waiting, s.tables.c.updated_ms >= now_ms - WAITING_KEPT_MS),
        and_(~waiting, changed >= now_ms - ALONE_KEPT_MS),
        and_(~waiting, changed >= now_ms - SHARED_KEPT_MS, _people_at_table() > 1),
    )
