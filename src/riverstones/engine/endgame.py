"""The end of a game of two, solved: the bag is empty, so each seat knows what the other one holds.

At most four tiles are left. `_two`, `_three` and `_four` say what the seat to move gains on the other in the last so
many plies if both play their best. They do it by alpha-beta: a truth of at most ``alpha`` may be answered by any upper
bound that is at most ``alpha``, one of at least ``beta`` by any lower bound that is at least ``beta``. To gain as many
points as possible is also to win if one can, so nothing but points is looked at here.

Plays are tried most points first, but the one that was best in the neighbouring position before all others.
"""

from __future__ import annotations

import numpy as np

from .encoding import DIGIT_SHIFT, MOVE_MASK, POINTS_SHIFT
from .jit import jit
from .kernel import MAX_PLAYS, SAVED_SHAPE, Plays, State, apply, best_by_digit, generate, undo
from .lookahead import Integers
from .ordering import sort_plays


class Workspace:
    """The memory of one solution: the plays of each ply, what to undo, and the play that was best last time."""

    def __init__(self) -> None:
        self.plays = np.zeros((4, MAX_PLAYS), np.int64)
        self.saved = np.zeros((4, *SAVED_SHAPE), np.int32)
        self.killer = np.zeros(4, np.int64)


@jit()
def _sorted_plays(state: State, hand: int, plays: Plays, killer: int) -> int:
    """Every play of a hand, most points first, but the killer before all others if it is among them."""
    count = generate(state, hand, plays)
    sort_plays(plays, count)
    for i in range(count):
        if plays[i] & MOVE_MASK == killer:
            best = plays[i]
            for place in range(i, 0, -1):
                plays[place] = plays[place - 1]
            plays[0] = best
            break
    return count


@jit()
def _two(
    state: State,
    mine: int,
    theirs: int,
    alpha: int,
    beta: int,
    plays: Plays,
    saved: State,
    killer: Integers,
    passes: Integers,
) -> int:
    """One tile each. The reply takes no points away but what it scores, so a play gains at most its points."""
    count = _sorted_plays(state, 1 << mine, plays[2], killer[2])
    replies = np.empty(10, np.int64)
    most = -1000
    for i in range(count):
        play = plays[2, i]
        points = -(play >> POINTS_SHIFT)
        if points <= most:
            continue
        if points <= alpha:
            most = points
            continue
        apply(state, play, saved[2])
        best_by_digit(state, replies)
        undo(state, play, saved[2])
        passes[0] += 1
        value = points + (replies[theirs] >> POINTS_SHIFT)
        if value > most:
            most = value
            killer[2] = play & MOVE_MASK
            alpha = max(alpha, most)
            if most >= beta:
                break
    return most


@jit()
def _three(
    state: State,
    mine: int,
    other: int,
    theirs: int,
    alpha: int,
    beta: int,
    plays: Plays,
    saved: State,
    killer: Integers,
    passes: Integers,
) -> int:
    """Two tiles against one."""
    count = _sorted_plays(state, 1 << mine | 1 << other, plays[1], killer[1])
    most = -1000
    for i in range(count):
        play = plays[1, i]
        points = -(play >> POINTS_SHIFT)
        kept = mine + other - (play >> DIGIT_SHIFT & 15)
        apply(state, play, saved[1])
        value = points - _two(state, theirs, kept, points - beta, points - alpha, plays, saved, killer, passes)
        undo(state, play, saved[1])
        if value > most:
            most = value
            killer[1] = play & MOVE_MASK
            alpha = max(alpha, most)
            if most >= beta:
                break
    return most


@jit()
def _four(
    state: State,
    mine: int,
    other: int,
    theirs: int,
    others: int,
    alpha: int,
    beta: int,
    plays: Plays,
    saved: State,
    killer: Integers,
    passes: Integers,
) -> int:
    """Two tiles each."""
    count = _sorted_plays(state, 1 << mine | 1 << other, plays[0], killer[0])
    most = -1000
    for i in range(count):
        play = plays[0, i]
        points = -(play >> POINTS_SHIFT)
        kept = mine + other - (play >> DIGIT_SHIFT & 15)
        apply(state, play, saved[0])
        value = points - _three(
            state, theirs, others, kept, points - beta, points - alpha, plays, saved, killer, passes
        )  # fmt: skip
        undo(state, play, saved[0])
        if value > most:
            most = value
            killer[0] = play & MOVE_MASK
            alpha = max(alpha, most)
            if most >= beta:
                break
    return most


@jit(
    "int64(int32[:, ::1], int64[::1], int64[::1], int64, int64,"
    " int64[:, ::1], int32[:, :, ::1], int64[::1], int64[::1])"
)
def solve(
    state: State,
    mine: Integers,
    theirs: Integers,
    alpha: int,
    beta: int,
    plays: Plays,
    saved: State,
    killer: Integers,
    passes: Integers,
) -> int:
    """What the seat to move gains on the other until the end, within a window.

    ``mine`` and ``theirs`` are the digits of both hands; the seat to move holds as many as the other or one more.
    """
    passes[0] += 1
    if len(mine) == 2 and len(theirs) == 2:
        return _four(
            state, mine[0], mine[1], theirs[0], theirs[1], alpha, beta, plays, saved, killer, passes
        )  # fmt: skip
    if len(mine) == 2:
        return _three(state, mine[0], mine[1], theirs[0], alpha, beta, plays, saved, killer, passes)
    if len(theirs) == 1:
        return _two(state, mine[0], theirs[0], alpha, beta, plays, saved, killer, passes)
    if len(mine) == 0:
        return 0
    best = np.empty(10, np.int64)
    best_by_digit(state, best)
    return int(-(best[mine[0]] >> POINTS_SHIFT))
