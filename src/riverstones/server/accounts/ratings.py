"""Ratings of people who play rated tables, with how certain they are."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any, TypedDict

from openskill.models import PlackettLuce

from riverstones.server.accounts.accounts import Accounts
from riverstones.server.accounts.person import Person
from riverstones.server.storage import Store
from riverstones.server.storage.accounts import StoredPerson
from riverstones.server.storage.ratings import Rated
from riverstones.table import Table

MODEL = PlackettLuce()
DAY_MS = 24 * 3_600_000
RATED_A_DAY = 5
"""How many games of the same two people count within a day: nobody climbs on one friend, or on a second account."""

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
    """A person's rating as it is shown; None before the first rated game."""
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

        A result that does not count, because an account is gone or two people have played too often, is done with.
        """
        outcome = table.outcome
        if not table.options.rated or outcome is None:
            return
        # Somebody who left, or resigned among more than two, is still the one who is rated.
        persons = [str(chair.person or chair.owner) for chair in table.chairs]
        standing = [(chair.resigned, -score) for chair, score in zip(table.chairs, outcome.scores, strict=True)]
        ranks = [float(sorted(set(standing)).index(place) + 1) for place in standing]

        def rate(people: list[StoredPerson], together: list[list[str]]) -> list[Rated]:
            if len({person.id for person in people}) < len(persons) or _too_often(together):
                return []
            rated = MODEL.rate([[_rating(person)] for person in people], ranks=ranks)
            return [Rated(person.id, new.mu, new.sigma) for person, (new,) in zip(people, rated, strict=True)]

        await self._store.ratings.settle(table.id, persons, (table.ended_ms or 0) - DAY_MS, rate)
        for person in persons:
            self._accounts.forget(person)


def _too_often(together: list[list[str]]) -> bool:
    """Whether two people have been rated together often enough for a day."""
    pairs = Counter(pair for people in together for pair in combinations(sorted(people), 2))
    return any(count >= RATED_A_DAY for count in pairs.values())


def _rating(person: StoredPerson) -> Any:
    return MODEL.rating() if person.mu is None else MODEL.rating(mu=person.mu, sigma=person.sigma)
