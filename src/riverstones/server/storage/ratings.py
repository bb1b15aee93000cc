"""The ratings of people, and the marks of tables that are not rated yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update

from . import schema as s
from .accounts import StoredPerson, person_of
from .database import Database


@dataclass(frozen=True, slots=True)
class Rated:
    """The rating of a person after a table."""

    person: str
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What decides whether a result counts."""

    people: list[StoredPerson]
    """The people of the table, without deleted accounts."""
    together: list[list[str]]
    """For each table rated lately, those of these people who were rated there."""
    same_network: bool
    """Whether two of them have lately used the server from the same network."""


class RatingStorage:
    """The rows of ratings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def settle(
        self,
        table: str,
        persons: Sequence[str],
        since_ms: int,
        rate: Callable[[Evidence], list[Rated]],
    ) -> None:
        """Rate a table once, in one transaction; does nothing if it is not pending any more.

        `rate` gets what is known of the people since `since_ms`. It returns the new ratings, or none if the result does
        not count.
        """

        async def work(connection: Any) -> None:
            pending = update(s.tables).where(s.tables.c.id == table, s.tables.c.pending_rating)
            if not (await connection.execute(pending.values(pending_rating=False))).rowcount:
                return
            people = await connection.execute(
                select(s.people).where(s.people.c.id.in_(persons)).order_by(s.people.c.id).with_for_update()
            )
            known = {row.id: person_of(row) for row in people}
            together = await _rated_together(connection, persons, since_ms)
            evidence = Evidence(
                [known[person] for person in persons if person in known],
                together,
                await _share_a_network(connection, persons, since_ms),
            )
            for rated in rate(evidence):
                values = {"mu": rated.mu, "sigma": rated.sigma}
                await connection.execute(s.ratings.insert().values(table_id=table, person=rated.person, **values))
                change = update(s.people).where(s.people.c.id == rated.person)
                await connection.execute(change.values(rated_games=s.people.c.rated_games + 1, **values))

        await self._database.writer.transact(work)


async def _rated_together(connection: Any, persons: Sequence[str], since_ms: int) -> list[list[str]]:
    """For each table rated since then, those of these people who were rated there."""
    query = select(s.ratings.c.table_id, s.ratings.c.person).select_from(s.ratings.join(s.tables))
    query = query.where(s.ratings.c.person.in_(persons), s.tables.c.updated_ms > since_ms)
    together: dict[str, list[str]] = {}
    for row in await connection.execute(query):
        together.setdefault(row.table_id, []).append(row.person)
    return list(together.values())


async def _share_a_network(connection: Any, persons: Sequence[str], since_ms: int) -> bool:
    """Whether two of these people have used the server from the same network since then."""
    query = select(s.sessions.c.person, s.sessions.c.network).distinct()
    lately = s.sessions.c.seen_ms >= since_ms
    found = await connection.execute(
        query.where(s.sessions.c.person.in_(persons), s.sessions.c.network.is_not(None), lately)
    )
    networks = [row.network for row in found]
    return len(set(networks)) < len(networks)
