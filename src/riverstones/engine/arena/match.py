"""What is to be played: which bots, how many deals, who sits where.

Luck of the deal is the larger part of one game's result. So every deal is played in every seating: each bot then holds
each seat's tiles once, and what is left of the luck is the same for all. Everything follows from the match and two
numbers, the deal's and the seating's, so that any process on any machine can play any game of it, in any order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from riverstones.rules import SEAT_COUNTS, Deal, Layout, Seed, Setup, Variant


class Pairing(NamedTuple):
    """One game of a match: the number of its deal and the number of its seating."""

    deal: int
    seating: int


@dataclass(frozen=True, slots=True)
class Match:
    """The bots and the terms. A bot may be named more than once: `("ocean", "greedy", "greedy", "greedy")`."""

    bots: tuple[str, ...]
    seed: int = 0
    variant: Variant = Variant.STANDARD
    layout: Layout = Layout.SIDES

    def __post_init__(self) -> None:
        if len(self.bots) not in SEAT_COUNTS:
            raise ValueError(f"Two, three or four bots can play, not {len(self.bots)}.")

    @property
    def seats(self) -> int:
        """How many play in each game."""
        return len(self.bots)

    @property
    def setup(self) -> Setup:
        """The terms of each game; the first seat begins, and every bot sits there as often as the others."""
        return Setup(self.seats, self.variant, self.layout)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The different ways to seat the bots, each as the bots' numbers from the first seat on.

        To swap two bots of the same name would be no other seating: they would play the same game again.
        """
        by_names: dict[tuple[str, ...], tuple[int, ...]] = {}
        for order in permutations(range(self.seats)):
            by_names.setdefault(tuple(self.bots[bot] for bot in order), order)
        return tuple(by_names.values())

    def order(self, pairing: Pairing) -> tuple[int, ...]:
        """The numbers of the bots in one game from the first seat on. Those of one name take turns, deal by deal."""
        alike = [[other for other, name in enumerate(self.bots) if name == mine] for mine in self.bots]
        seated = self.seatings[pairing.seating]
        return tuple(alike[bot][(alike[bot].index(bot) + pairing.deal) % len(alike[bot])] for bot in seated)

    def whole(self, games: int) -> int:
        """So many games, rounded up to whole deals."""
        seatings = len(self.seatings)
        return -(-games // seatings) * seatings

    def pairings(self, games: int) -> Iterator[Pairing]:
        """So many games, or a few more: no deal is left without one of its seatings."""
        seatings = len(self.seatings)
        for deal in range(self.whole(games) // seatings):
            for seating in range(seatings):
                yield Pairing(deal, seating)

    def deal(self, number: int) -> Deal:
        """The deal of this number."""
        return Seed(self._hash("deal", number)).deal()

    def bot_seed(self, pairing: Pairing, seat: int) -> int:
        """What the chance of one bot in one game is seeded with; small enough for any program to read."""
        return int.from_bytes(self._hash("bot", *pairing, seat)[:6], "big")

    def _hash(self, purpose: str, *numbers: int) -> bytes:
        words = ["riverstones arena 1", purpose, str(self.seed), *map(str, numbers)]
        return hashlib.sha256("\n".join(words).encode()).digest()
