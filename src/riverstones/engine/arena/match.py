"""The definition of a match: which bots, how many deals, who sits where.

The luck of the deal dominates the result of a single game. So every deal is played in every seating: each bot then
plays each seat's tiles once, and the remaining luck is the same for all. Every game is determined by the match and two
numbers, that of the deal and that of the seating, so any process on any machine can play any game, in any order.
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
    """The bots and the settings. A bot may be named more than once: `("ocean", "greedy", "greedy", "greedy")`."""

    bots: tuple[str, ...]
    seed: int = 0
    variant: Variant = Variant.STANDARD
    layout: Layout = Layout.SIDES

    def __post_init__(self) -> None:
        if len(self.bots) not in SEAT_COUNTS:
            raise ValueError(f"Two, three or four bots can play, not {len(self.bots)}.")

    @property
    def seats(self) -> int:
        """The number of seats in each game."""
        return len(self.bots)

    @property
    def setup(self) -> Setup:
        """The setup of each game. The first seat starts, and every bot sits there equally often."""
        return Setup(self.seats, self.variant, self.layout)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The distinct seatings, each as the numbers of the bots from the first seat on.

        Swapping two bots of the same name does not make a new seating: they would play the same game again.
        """
        by_names: dict[tuple[str, ...], tuple[int, ...]] = {}
        for order in permutations(range(self.seats)):
            by_names.setdefault(tuple(self.bots[bot] for bot in order), order)
        return tuple(by_names.values())

    def order(self, pairing: Pairing) -> tuple[int, ...]:
        """The bots of one game by seat. Bots of the same name take turns, deal by deal."""
        alike = [[other for other, name in enumerate(self.bots) if name == mine] for mine in self.bots]
        seated = self.seatings[pairing.seating]
        return tuple(alike[bot][(alike[bot].index(bot) + pairing.deal) % len(alike[bot])] for bot in seated)

    def whole(self, games: int) -> int:
        """The number of games, rounded up to whole deals."""
        seatings = len(self.seatings)
        return -(-games // seatings) * seatings

    def pairings(self, games: int) -> Iterator[Pairing]:
        """The pairings for at least this many games, in whole deals: no deal lacks one of its seatings."""
        seatings = len(self.seatings)
        for deal in range(self.whole(games) // seatings):
            for seating in range(seatings):
                yield Pairing(deal, seating)

    def deal(self, number: int) -> Deal:
        """The deal with this number."""
        return Seed(self._hash("deal", number)).deal()

    def bot_seed(self, pairing: Pairing, seat: int) -> int:
        """The random seed of one bot in one game; small enough for any program to read."""
        return int.from_bytes(self._hash("bot", *pairing, seat)[:6], "big")

    def _hash(self, purpose: str, *numbers: int) -> bytes:
        words = ["riverstones arena 1", purpose, str(self.seed), *map(str, numbers)]
        return hashlib.sha256("\n".join(words).encode()).digest()
