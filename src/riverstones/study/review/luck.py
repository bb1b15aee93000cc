"""Luck: what the tile that a seat drew is worth, compared with all tiles it could have been."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from riverstones.rules import Game, view

from .chances import Chances, Outlook
from .draws import possible_hands


@dataclass(frozen=True, slots=True)
class Look:
    """The moment when the seat to move looks at the tile it drew."""

    outlook: Outlook
    mean: Chances
    """The chances of each seat before that: the mean over all hands that the seat could have."""
    value: Chances
    """The chances after that."""

    @classmethod
    def at(cls, game: Game) -> Look:
        """The look of the seat to move."""
        outlook = Outlook.of(view(game, game.to_move))
        possible = possible_hands(game)
        values = {hand: outlook.chances(hand) for hand in possible}
        mean = tuple(
            fsum(probability * values[hand][seat] for hand, probability in possible.items())
            for seat in range(game.setup.seats)
        )
        return cls(outlook, mean, values[game.hand])

    @property
    def luck(self) -> Chances:
        """The effect of the drawn tile on each seat. It sums to 0, and its mean over all tiles is 0."""
        return tuple(value - mean for value, mean in zip(self.value, self.mean, strict=True))
