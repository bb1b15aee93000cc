"""The reviews of games: the record to be reviewed, then the final report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select, update

from . import schema as s
from .database import Database


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A row of `reviews`."""

    key: str
    record: str
    moves: int
    """The number of moves of the game."""
    table: str | None
    """The table of the game; None for a pasted record."""
    report: str | None = None
    """The final report as JSON; None until it is computed."""


class ReviewStorage:
    """The rows of reviews."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, key: str) -> StoredReview | None:
        """A review by its key; None if there is none."""
        for row in await self._database.rows(select(s.reviews).where(s.reviews.c.key == key)):
            return StoredReview(row.key, row.record, row.moves, row.table_id, row.report)
        return None

    async def add(self, review: StoredReview, now_ms: int) -> None:
        """Add a review that is to be computed; does nothing if its key is known."""
        row = {
            "key": review.key,
            "record": review.record,
            "moves": review.moves,
            "table_id": review.table,
            "created_ms": now_ms,
        }

        async def work(connection: Any) -> None:
            if await connection.scalar(select(s.reviews.c.key).where(s.reviews.c.key == review.key)) is None:
                await connection.execute(s.reviews.insert().values(row))

        await self._database.writer.transact(work)

    async def finish(self, key: str, report: str) -> str | None:
        """Store the final report of a review; returns the table of its game, if it has one."""

        async def work(connection: Any) -> str | None:
            await connection.execute(update(s.reviews).where(s.reviews.c.key == key).values(report=report))
            table: str | None = await connection.scalar(select(s.reviews.c.table_id).where(s.reviews.c.key == key))
            return table

        return await self._database.writer.transact(work)

    async def attach(self, key: str, table: str) -> None:
        """Note that a review that was begun from a pasted record is that of this table."""

        async def work(connection: Any) -> None:
            await connection.execute(update(s.reviews).where(s.reviews.c.key == key).values(table_id=table))

        await self._database.writer.transact(work)

    async def withdraw(self, key: str) -> None:
        """Remove a review that has no report yet."""

        async def work(connection: Any) -> None:
            await connection.execute(delete(s.reviews).where(s.reviews.c.key == key, s.reviews.c.report.is_(None)))

        await self._database.writer.transact(work)

    async def prune(self, before_ms: int) -> int:
        """Delete the reviews made before this time; returns how many there were."""

        async def work(connection: Any) -> int:
            return int((await connection.execute(delete(s.reviews).where(s.reviews.c.created_ms < before_ms))).rowcount)

        return await self._database.writer.transact(work)
