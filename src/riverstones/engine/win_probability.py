"""The win probability, from the scores and the number of turns left.

The fewer turns are left, the safer a lead: luck spreads the scores by the square root of that number. The probability
is a softmax of the scores on that scale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from .arrays import Floats, array, read, zeros
from .jit import jit
from .softmax import exponential

SPREAD: Final = 8.0
"""How far the luck of one turn spreads the scores, in points, fitted to games: see docs/engine-diary.md."""


def scale(turns_left: float) -> float:
    """How far luck will spread the scores until the end, if every seat has this many turns left."""
    return SPREAD * math.sqrt(turns_left)


def win_probabilities(scores: Sequence[Sequence[float]], turns_left: float) -> list[list[float]]:
    """The win probability of each seat for each row of scores, if every seat has this many turns left."""
    seats = len(scores[0])
    shares: Floats = zeros(len(scores) * seats, "float64")
    _find_shares(array([score for row in scores for score in row], "float64"), seats, scale(turns_left), shares)
    found = read(shares, 0, len(scores) * seats)
    return [found[row * seats : (row + 1) * seats] for row in range(len(scores))]


@jit()
def find_shares(scores: Floats, scale: float, shares: Floats) -> None:
    """Write the win probability of each seat with these final scores, if luck spreads them by ``scale`` before the end.

    If it is 0 the scores are final, and those with the most points share the win.
    """
    most = scores[0]
    for score in scores:
        most = max(most, score)
    total = 0.0
    for seat in range(len(scores)):
        odds = 1.0 if scores[seat] == most else 0.0
        if scale > 0.0:
            odds = exponential((scores[seat] - most) / scale)
        shares[seat] = odds
        total += odds
    for seat in range(len(scores)):
        shares[seat] /= total


@jit("void(float64[::1], int64, float64, float64[::1])")
def _find_shares(scores: Floats, seats: int, scale: float, shares: Floats) -> None:
    for first in range(0, len(scores), seats):
        find_shares(scores[first : first + seats], scale, shares[first : first + seats])
