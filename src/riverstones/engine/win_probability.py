"""The chance to win, from where the scores stand and how many turns are left.

Who is ahead stays ahead more surely the fewer turns are left: luck spreads the scores by the root of their number. The
chance is a softmax of the scores on that scale.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from .lookahead import Floats, Integers

SPREAD: Final = 8.0
"""How far a turn's luck spreads the scores, in points, found on positions of games: see docs/engine-diary.md."""


def win_probabilities(scores: Floats | Integers, turns_left: float) -> Floats:
    """How likely seat 0 is to win in each row of scores, if every seat has so many turns left."""
    behind = scores - scores.max(axis=1, keepdims=True)
    odds = np.exp(behind / (SPREAD * math.sqrt(turns_left))) if turns_left else (behind == 0).astype(np.float64)
    probabilities: Floats = odds[:, 0] / odds.sum(axis=1)
    return probabilities
