"""Ratings of people at rated tables, with their uncertainty."""

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
RATED_PER_DAY = 5
"""Rated games of the same two people per day: a friend or a second account cannot be used to climb."""

SCALE = 60
"""Scales the model's numbers, which start at 25, to the usual ratings around 1500."""


class Rating(TypedDict):
    """A rating: the value, and half the width of its 95 % interval (`spread`)."""

    value: int
    spread: int
    games: int
    mu: float
    sigma: float


def shown(person: Person) -> Rating | None:
    """A person's rating on the public scale; None before the first rated game."""
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
    """Applies the results of rated tables to the ratings."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store = store
        self._accounts = accounts

    async def rate(self, table: Table) -> None:
        """Apply the result of a finished rated table once, however often this is called.

        A result is discarded if an account has been deleted or two people have played too often.
        """
        outcome = table.outcome
        if not table.options.rated or outcome is None:
            return
        # Players who left, or resigned among more than two, are rated all the same.
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
    """Whether two people have reached their limit of rated games per day."""
    pairs = Counter(pair for people in together for pair in combinations(sorted(people), 2))
    return any(count >= RATED_PER_DAY for count in pairs.values())


def _rating(person: StoredPerson) -> Any:
    return MODEL.rating() if person.mu is None else MODEL.rating(mu=person.mu, sigma=person.sigma)
