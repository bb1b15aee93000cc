"""Ratings of people who play rated tables, with how sure they are."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any, TypedDict

from openskill.models import PlackettLuce
from sqlalchemy import select, update

from riverstones.server.accounts.accounts import Accounts
from riverstones.server.accounts.person import Person
from riverstones.server.storage import Store
from riverstones.server.storage import schema as s
from riverstones.table import Table

MODEL = PlackettLuce()
DAY_MS = 24 * 3_600_000
RATED_A_DAY = 5
"""How many games of the same two people count within a day: nobody climbs on one friend, or on a second self."""

SCALE = 60
"""The model's numbers are small; people are used to ratings around 1500."""


class Rating(TypedDict):
    """A rating: the value, and the spread within which it lies in nineteen cases of twenty."""

    value: int
    spread: int
    games: int
    mu: float
    sigma: float


def shown(person: Person) -> Rating | None:
    """A rating as it is shown: the value, and the spread within which it lies in nineteen cases of twenty."""
    if person.mu is None or person.sigma is None:
        return None
    return {
        "value": round(person.mu * SCALE),
        "spread": round(2 * person.sigma * SCALE),
        "games": person.rated_games,
        "mu": person.mu,
        "sigma": person.sigma,
    }


class Ratings:
    """Counts the results of rated tables."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store = store
        self._accounts = accounts

    async def rate(self, table: Table) -> None:
        """Count a rated table that has ended, once, however often this is called.

        A result that cannot be counted, because an account is gone or two people have played too often, is done with.
        """
        outcome = table.outcome
        if not table.options.rated or outcome is None:
            return
        # Who left, and who resigned among more than two, is still the one who is rated.
        persons = [chair.person or chair.owner for chair in table.chairs]
        standing = [(chair.resigned, -score) for chair, score in zip(table.chairs, outcome.scores, strict=True)]
        ranks = [sorted(set(standing)).index(place) + 1 for place in standing]

        since_ms = (table.ended_ms or 0) - DAY_MS

        async def work(connection: Any) -> None:
            pending = update(s.tables).where(s.tables.c.id == table.id, s.tables.c.pending_rating)
            if not (await connection.execute(pending.values(pending_rating=False))).rowcount:
                return
            rows = {row.id: row for row in await connection.execute(select(s.people).where(s.people.c.id.in_(persons)))}
            if len(rows) < len(persons) or await _often_together(connection, persons, since_ms):
                return
            teams = [[_rating(rows[person])] for person in persons if person is not None]
            rated = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
            for person, (rating,) in zip(persons, rated, strict=True):
                values = {"mu": rating.mu, "sigma": rating.sigma}
                await connection.execute(s.ratings.insert().values(table_id=table.id, person=person, **values))
                change = update(s.people).where(s.people.c.id == person)
                await connection.execute(change.values(rated_games=s.people.c.rated_games + 1, **values))

        await self._store.database.writer.transact(work)
        for person in persons:
            self._accounts.forget(str(person))


async def _often_together(connection: Any, persons: list[str | None], since_ms: int) -> bool:
    """Whether two of these people have been rated together enough for a day."""
    query = select(s.ratings.c.table_id, s.ratings.c.person).select_from(s.ratings.join(s.tables))
    query = query.where(s.ratings.c.person.in_(persons), s.tables.c.updated_ms > since_ms)
    together: dict[str, list[str]] = {}
    for row in await connection.execute(query):
        together.setdefault(row.table_id, []).append(row.person)
    pairs = Counter(pair for people in together.values() for pair in combinations(sorted(people), 2))
    return any(count >= RATED_A_DAY for count in pairs.values())


def _rating(row: Any) -> Any:
    return MODEL.rating() if row.mu is None else MODEL.rating(mu=row.mu, sigma=row.sigma)
