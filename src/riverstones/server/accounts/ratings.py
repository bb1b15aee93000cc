"""Ratings of people at rated tables, with their uncertainty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, TypedDict

from openskill.models import PlackettLuce

from riverstones.server.accounts.accounts import Accounts
from riverstones.server.accounts.person import Person
from riverstones.server.settings import Settings
from riverstones.server.storage import Store
from riverstones.server.storage.accounts import StoredPerson
from riverstones.server.storage.ratings import Evidence, Rated
from riverstones.table import Table

MODEL = PlackettLuce()
DAY_MS = 24 * 3_600_000
RATED_PER_DAY = 3
"""Rated games of the same two people per day: a friend or a second account cannot be used to climb."""

KNOWN_SIGMA = 3.0
"""The uncertainty of a rating that is known well enough to count in full against others; a new one has 8.3."""

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

    def __init__(self, settings: Settings, store: Store, accounts: Accounts) -> None:
        self._settings = settings
        self._store = store
        self._accounts = accounts

    async def rate(self, table: Table) -> None:
        """Apply the result of a finished rated table once, however often this is called; see `_counts`."""
        outcome = table.outcome
        if not table.options.rated or outcome is None:
            return
        # Players who left, or resigned among more than two, are rated all the same.
        persons = [str(chair.person or chair.owner) for chair in table.chairs]
        standing = [(chair.resigned, -score) for chair, score in zip(table.chairs, outcome.scores, strict=True)]
        ranks = [float(sorted(set(standing)).index(place) + 1) for place in standing]

        def rate(evidence: Evidence) -> list[Rated]:
            return new_ratings(evidence.people, ranks) if self._counts(table, evidence) else []

        await self._store.ratings.settle(table.id, persons, (table.ended_ms or 0) - DAY_MS, rate)
        for person in persons:
            self._accounts.forget(person)

    def _counts(self, table: Table, evidence: Evidence) -> bool:
        """Whether a result counts. Everything that made ratings cheap to forge makes it not count.

        These are: few turns played before the end, a deleted account, a new one, two players in one network, or two
        who have played too often.
        """
        enough = table.turn >= self._settings.rated_turns * table.options.seats
        known = len({person.id for person in evidence.people}) == table.options.seats
        oldest_ms = (table.ended_ms or 0) - self._settings.rated_age_ms
        settled = all(person.created_ms <= oldest_ms for person in evidence.people)
        return enough and known and settled and not evidence.same_network and not _too_often(evidence.together)


def new_ratings(people: Sequence[StoredPerson], ranks: Sequence[float]) -> list[Rated]:
    """The ratings after a game with these ranks. A change counts less the more uncertain the opponents are.

    The rating of a new account says little, so nobody gains or loses much by playing against it: beyond `KNOWN_SIGMA`
    the change is scaled down by the opponents' variance. New players find their place by playing against known ones.
    """
    before = [_rating(person) for person in people]
    after = MODEL.rate([[rating] for rating in before], ranks=list(ranks))
    found = []
    for number, (person, old, (new,)) in enumerate(zip(people, before, after, strict=True)):
        uncertain = max(other.sigma for place, other in enumerate(before) if place != number)
        weight = min(1.0, (KNOWN_SIGMA / uncertain) ** 2)
        mu, sigma = old.mu + weight * (new.mu - old.mu), old.sigma + weight * (new.sigma - old.sigma)
        found.append(Rated(person.id, mu, sigma))
    return found


def _too_often(together: list[list[str]]) -> bool:
    """Whether two people have reached their limit of rated games per day."""
    pairs = Counter(pair for people in together for pair in combinations(sorted(people), 2))
    return any(count >= RATED_PER_DAY for count in pairs.values())


def _rating(person: StoredPerson) -> Any:
    return MODEL.rating() if person.mu is None else MODEL.rating(mu=person.mu, sigma=person.sigma)
