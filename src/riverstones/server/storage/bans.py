"""The people and networks that operators have banned."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import delete, select

from . import schema as s
from .database import Database


@dataclass(frozen=True, slots=True)
class Ban:
    """A row of `bans`: of a person or of a network."""

    id: str
    person: str | None
    network: str | None
    """An IPv4 or IPv6 network, such as 192.0.2.0/24."""
    created_ms: int
    until_ms: int | None = None
    """When the ban ends; None for good."""
    note: str | None = None
    """The operator's reason, which nobody else sees."""


class BanStorage:
    """The rows of bans."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> list[Ban]:
        """All bans, oldest first, also those that have ended."""
        rows = await self._database.rows(select(s.bans).order_by(s.bans.c.created_ms, s.bans.c.id))
        return [Ban(row.id, row.person, row.network, row.created_ms, row.until_ms, row.note) for row in rows]

    async def add(self, ban: Ban) -> bool:
        """Add a ban; False if there is no such person."""

        async def work(connection: Any) -> bool:
            known = select(s.people.c.id).where(s.people.c.id == ban.person)
            if ban.person is not None and await connection.scalar(known) is None:
                return False
            await connection.execute(s.bans.insert().values(asdict(ban)))
            return True

        return await self._database.writer.transact(work)

    async def remove(self, ban: str) -> bool:
        """Remove a ban by its id; False if there is none."""

        async def work(connection: Any) -> bool:
            return bool((await connection.execute(delete(s.bans).where(s.bans.c.id == ban))).rowcount)

        return await self._database.writer.transact(work)
