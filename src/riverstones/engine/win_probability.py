"""The win probability, from the scores and the number of turns left.

The fewer turns are left, the safer a lead: luck spreads the scores by the square root of that number. The probability
is a softmax of the scores on that scale.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from .lookahead import Floats, Integers

SPREAD: Final = 8.0
"""How far the luck of one turn spreads the scores, in points, fitted to games: see docs/engine-diary.md."""


def win_probabilities(scores: Floats | Integers, turns_left: float) -> Floats:
    """The win probability of each seat for each row of scores, if every seat has this many turns left."""
    behind = scores - scores.max(axis=1, keepdims=True)
    odds = np.exp(behind / (SPREAD * math.sqrt(turns_left))) if turns_left else (behind == 0).astype(np.float64)
    probabilities: Floats = odds / odds.sum(axis=1, keepdims=True)
    return probabilities
