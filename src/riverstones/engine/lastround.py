"""The last round at a table of three or four: nobody has more than one tile left.

The seat that comes last takes the most points that its tile gives. The seat before it knows that, and plays for the
best place at the end, points deciding between equal places; and so on backwards (max^n). Which tile each of the others
holds is not known: every way in which the hidden tiles may lie is solved, as if all hands were open.

Scores are kept by the order of moving, the seat to move first.
"""

from __future__ import annotations

import numpy as np

from .encoding import POINTS_SHIFT
from .jit import jit
from .kernel import MAX_PLAYS, SAVED_SHAPE, State, apply, best_by_digit, generate, undo
from .lookahead import Integers
from .ordering import sort_plays

_PLACE_WORTH = 10_000
"""More than any points: a better place at the end always counts first."""


class Workspace:
    """The memory of one solution."""

    def __init__(self) -> None:
        self.plays = np.zeros((3, MAX_PLAYS), np.int64)
        self.saved = np.zeros((3, *SAVED_SHAPE), np.int32)
        self.scores = np.zeros((5, 4), np.int64)
        self.passes = np.zeros(1, np.int64)


@jit()
def _copy(scores: Integers, source: int, target: int) -> None:
    for seat in range(4):
        scores[target, seat] = scores[source, seat]


@jit()
def _standing(scores: Integers, seat: int) -> int:
    """How good the final scores are for a seat."""
    worth = scores[seat]
    for other in range(4):
        if other != seat:
            if scores[other] > scores[seat]:
                worth -= 2 * _PLACE_WORTH
            elif scores[other] == scores[seat]:
                worth -= _PLACE_WORTH
    return int(worth)


@jit()
def _last(state: State, tiles: Integers, seat: int, scores: Integers, passes: Integers) -> None:
    """Add what the last seat makes of its tile."""
    passes[0] += 1
    best = np.empty(10, np.int64)
    best_by_digit(state, best)
    scores[seat] -= best[tiles[seat]] >> POINTS_SHIFT


@jit()
def _last_two(
    state: State, tiles: Integers, seat: int, scores: Integers, plays: Integers, saved: State, passes: Integers
) -> None:
    """Add what the last two seats make of their tiles; ``scores`` has two more rows to try things in."""
    count = generate(state, 1 << tiles[seat], plays[2])
    sort_plays(plays[2], count)
    most = -(1 << 60)
    for i in range(count):
        _copy(scores, 0, 1)
        scores[1, seat] -= plays[2, i] >> POINTS_SHIFT
        apply(state, plays[2, i], saved[2])
        _last(state, tiles, seat + 1, scores[1], passes)
        undo(state, plays[2, i], saved[2])
        standing = _standing(scores[1], seat)
        if standing > most:
            most = standing
            _copy(scores, 1, 2)
    _copy(scores, 2, 0)


@jit()
def _last_three(
    state: State, tiles: Integers, seat: int, scores: Integers, plays: Integers, saved: State, passes: Integers
) -> None:
    """Add what the last three seats make of their tiles."""
    count = generate(state, 1 << tiles[seat], plays[1])
    sort_plays(plays[1], count)
    most = -(1 << 60)
    for i in range(count):
        _copy(scores, 0, 1)
        scores[1, seat] -= plays[1, i] >> POINTS_SHIFT
        apply(state, plays[1, i], saved[1])
        _last_two(state, tiles, seat + 1, scores[1:], plays, saved, passes)
        undo(state, plays[1, i], saved[1])
        standing = _standing(scores[1], seat)
        if standing > most:
            most = standing
            _copy(scores, 1, 4)
    _copy(scores, 4, 0)


@jit("void(int32[:, ::1], int64, int64[::1], int64[:, ::1], int64[:, ::1], int32[:, :, ::1], int64[::1])")
def final_scores(
    state: State, play: int, tiles: Integers, scores: Integers, plays: Integers, saved: State, passes: Integers
) -> None:
    """Turn row 0 of ``scores`` into the final scores after this play of seat 0.

    ``tiles`` has the digit of each seat that still has one. Places that no seat has hold a score below all others.
    """
    scores[0, 0] -= play >> POINTS_SHIFT
    apply(state, play, saved[0])
    if len(tiles) == 2:
        _last(state, tiles, 1, scores[0], passes)
    elif len(tiles) == 3:
        _last_two(state, tiles, 1, scores, plays, saved, passes)
    elif len(tiles) == 4:
        _last_three(state, tiles, 1, scores, plays, saved, passes)
    undo(state, play, saved[0])
