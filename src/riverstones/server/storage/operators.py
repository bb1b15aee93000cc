"""Lists of tables, people and sessions for operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select

from . import schema as s
from .database import Database
from .rows import Listed, listed_of

SESSION_ID = 16
"""The number of digits of a session's hash by which people and operators name it."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table, and what the rows derived from its log say about it."""

    id: str
    phase: str
    created_ms: int
    record: str | None
    listed: Listed | None
    """Its summary; None if its log could not be read when the summary was made."""


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """A person or program with the number of sessions."""

    id: str
    name: str
    account: bool
    owner: str | None
    created_ms: int
    seen_ms: int | None
    """When a session was last used; None without sessions."""
    sessions: int


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """A session and its person."""

    id: str
    person: str
    name: str
    device: str | None
    created_ms: int
    seen_ms: int


class OperatorStorage:
    """Queries for operators; they read everything, also what no person may see."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tables(self, phase: str | None = None, person: str | None = None, limit: int = 1000) -> list[TableEntry]:
        """Tables in a phase, or with a person, the latest change first."""
        changed = func.coalesce(s.summaries.c.changed_ms, s.tables.c.updated_ms)
        query = (
            select(s.tables, s.summaries)
            .select_from(s.tables.outerjoin(s.summaries, s.summaries.c.table_id == s.tables.c.id))
            .order_by(changed.desc(), s.tables.c.id)
            .limit(limit)
        )
        if phase is not None:
            query = query.where(s.tables.c.phase == phase)
        if person is not None:
            query = query.where(s.tables.c.id.in_(select(s.seats.c.table_id).where(s.seats.c.person == person)))
        return [_table_entry(row) for row in await self._database.rows(query)]

    async def table_ids(self) -> list[str]:
        """The ids of all tables, in order."""
        return await self._database.column(select(s.tables.c.id).order_by(s.tables.c.id))

    async def table(self, table: str) -> TableEntry | None:
        """A table by its id; None if there is none."""
        joined = s.tables.outerjoin(s.summaries, s.summaries.c.table_id == s.tables.c.id)
        for row in await self._database.rows(
            select(s.tables, s.summaries).select_from(joined).where(s.tables.c.id == table)
        ):
            return _table_entry(row)
        return None

    async def people(self, name: str | None = None, limit: int = 1000) -> list[PersonEntry]:
        """People and programs whose name contains this text, the last seen first."""
        seen, count = func.max(s.sessions.c.seen_ms), func.count(s.sessions.c.token_hash)
        query = (
            select(s.people, seen.label("seen_ms"), count.label("sessions"))
            .select_from(s.people.outerjoin(s.sessions, s.sessions.c.person == s.people.c.id))
            .group_by(s.people.c.id)
            .order_by(func.coalesce(seen, 0).desc(), s.people.c.id)
            .limit(limit)
        )
        if name is not None:
            query = query.where(func.lower(s.people.c.name).contains(name.lower(), autoescape=True))
        return [
            PersonEntry(row.id, row.name, row.account, row.owner, row.created_ms, row.seen_ms, row.sessions)
            for row in await self._database.rows(query)
        ]

    async def sessions(self, person: str | None = None, limit: int = 1000) -> list[SessionEntry]:
        """The sessions of a person or of everybody, the last used first."""
        query = (
            select(s.sessions, s.people.c.name)
            .select_from(s.sessions.join(s.people))
            .order_by(s.sessions.c.seen_ms.desc(), s.sessions.c.token_hash)
            .limit(limit)
        )
        if person is not None:
            query = query.where(s.sessions.c.person == person)
        return [
            SessionEntry(row.token_hash[:SESSION_ID], row.person, row.name, row.device, row.created_ms, row.seen_ms)
            for row in await self._database.rows(query)
        ]

    async def end_sessions(self, *, session: str | None = None, person: str | None = None) -> int:
        """End a session by its id, or all sessions of a person; returns how many there were."""

        async def work(connection: Any) -> int:
            if session is not None:
                chosen = func.substr(s.sessions.c.token_hash, 1, SESSION_ID) == session
            else:
                chosen = s.sessions.c.person == person
            return int((await connection.execute(delete(s.sessions).where(chosen))).rowcount)

        return await self._database.writer.transact(work)


def _table_entry(row: Any) -> TableEntry:
    listed = None if row.table_id is None else listed_of(row)
    return TableEntry(row.id, row.phase, row.created_ms, row.record, listed)
