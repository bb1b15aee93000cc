"""A row per finished game and person: what the profile of a person is made of, without reading logs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import literal, select, update

from riverstones.study.profile import ProfileGame

from . import schema as s
from .database import Database


class PlayedStorage:
    """The rows of finished games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str) -> list[ProfileGame]:
        """The finished games of a person, oldest first."""
        query = select(s.played_games).where(s.played_games.c.person == person)
        rows = await self._database.rows(query.order_by(s.played_games.c.ended_ms, s.played_games.c.table_id))
        return [
            ProfileGame(
                row.table_id,
                row.ended_ms,
                json.loads(row.data),
                None if row.review is None else json.loads(row.review),
            )
            for row in rows
        ]

    async def data_of(self, table: str) -> dict[str, str]:
        """The stored rows of a table, by person, as JSON."""
        query = select(s.played_games.c.person, s.played_games.c.data).where(s.played_games.c.table_id == table)
        return {row.person: row.data for row in await self._database.rows(query)}

    async def note_review(self, table: str, found: Callable[[int], Any]) -> None:
        """Store what a review found about each person of a table; `found` gets the seat."""

        async def work(connection: Any) -> None:
            played = s.played_games
            for row in (await connection.execute(select(played).where(played.c.table_id == table))).all():
                review = json.dumps(found(json.loads(row.data)["seat"]), separators=(",", ":"))
                change = update(played).where(played.c.table_id == table, played.c.person == row.person)
                await connection.execute(change.values(review=review))

        await self._database.writer.transact(work)


async def carry_over_played(connection: Any, guest: str, person: str) -> None:
    """Add a guest's finished games to those of another person."""
    played = s.played_games
    known = select(played.c.table_id).where(played.c.person == person)
    names = ["table_id", "ended_ms", "data", "review"]
    found = select(literal(person), *(played.c[name] for name in names)).where(
        played.c.person == guest, played.c.table_id.not_in(known)
    )
    await connection.execute(played.insert().from_select(["person", *names], found))
