"""The exact look-ahead: what a play is worth when everybody goes on greedily, over all hands and draws.

The trick
---------
One pass of the kernel gives the best play of each of the nine digits, whoever holds them. A seat with two unknown
tiles then makes one of at most nine plays: the best one whose digit it holds. How likely each of them is follows in
closed form from what is known of the hand, and so does what the seat keeps. So the tree of all hands and draws has
at most nine branches a ply instead of thousands, and no sampling is needed.

What is known of a hand
-----------------------
Seats are counted from the one that searches, which is seat 0. Each seat has a *kept* tile, a chance for each digit,
and a *fresh* one, drawn from all tiles that are not on the board and that no other seat keeps. Row 4 of a belief holds
these tiles: how many of each digit are not on the board. For the reply to one's own move and one's own next move the
chances are exact; further ahead they leave out that what one seat keeps tells a little of what the others do.

Points count with the sign and weight of the seat that makes them, ``worth``.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .encoding import DIGIT_SHIFT, POINTS_SHIFT
from .jit import jit
from .kernel import SAVED_SHAPE, Plays, State, apply, best_by_digit, undo

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_PLIES: Final = 16
POOL: Final = 4
"""The row of a belief that counts the tiles which are not on the board."""
BAG: Final = 4
"""The place in the sizes that counts the tiles in the bag."""


class Workspace:
    """The memory of one look-ahead, for each ply ahead: what is known of the hands, and what to undo."""

    def __init__(self) -> None:
        self.saved = np.zeros((MOST_PLIES, *SAVED_SHAPE), np.int32)
        self.best = np.zeros((MOST_PLIES, 10), np.int64)
        self.belief = np.zeros((MOST_PLIES, 5, 10), np.float64)
        self.sizes = np.zeros((MOST_PLIES, 5), np.int64)


@jit()
def _order(best: Plays, keep: Floats, order: Integers) -> None:
    """The digits, the one that a seat would rather play first: by points, less what keeping the digit is worth."""
    for digit in range(1, 10):
        place = digit - 1
        liking = keep[digit] + (best[digit] >> POINTS_SHIFT)
        while place > 0:
            other = order[place - 1]
            rather = keep[other] + (best[other] >> POINTS_SHIFT)
            if rather < liking or (rather == liking and best[other] < best[digit]):
                break
            order[place] = other
            place -= 1
        order[place] = digit


@jit()
def _chances(belief: Floats, seat: int, seats: int, size: int, order: Integers, chance: Floats, left: Floats) -> None:
    """How likely the seat plays each digit, and in ``left[digit]`` how likely it then keeps each other one."""
    kept = belief[seat]
    if size == 1:
        for digit in range(1, 10):
            chance[digit] = kept[digit]
            for other in range(1, 10):
                left[digit, other] = 0.0
        return
    fresh = np.empty(10, np.float64)
    tiles = -1.0
    for digit in range(1, 10):
        count = belief[POOL, digit]
        for other_seat in range(seats):
            if other_seat != seat:
                count -= belief[other_seat, digit]
        fresh[digit] = max(count, 0.0)
        tiles += fresh[digit]
    share = 1.0 / tiles if tiles > 1e-9 else 0.0
    total = 0.0
    for i in range(9):
        digit = order[i]
        both = kept[digit] * max(fresh[digit] - 1.0, 0.0) * share
        likely = both
        left[digit, digit] = both
        for j in range(9):
            other = order[j]
            if j > i:
                pair = (kept[digit] * fresh[other] + kept[other] * fresh[digit]) * share
                left[digit, other] = pair
                likely += pair
            elif j < i:
                left[digit, other] = 0.0
        chance[digit] = likely
        total += likely
        if likely > 0.0:
            for other in range(1, 10):
                left[digit, other] /= likely
    if total > 0.0:
        for digit in range(1, 10):
            chance[digit] /= total


@jit()
def _step(
    belief: Floats, sizes: Integers, after: Floats, after_sizes: Integers, seat: int, digit: int, kept: Floats
) -> None:
    """What is known after a seat has played a digit, keeps one by these chances, and has drawn."""
    after[:, :] = belief
    after_sizes[:] = sizes
    after[seat, :] = kept
    after[POOL, digit] -= 1.0
    if after_sizes[BAG] > 0:
        after_sizes[BAG] -= 1
    else:
        after_sizes[seat] -= 1


@jit()
def _expect(
    state: State,
    ply: int,
    depth: int,
    seat: int,
    seats: int,
    reach: float,
    cutoff: float,
    worth: Floats,
    keep: Floats,
    saved: NDArray[np.int32],
    best: Plays,
    belief: Floats,
    sizes: Integers,
    passes: Integers,
) -> float:
    """What is to be expected of ``depth`` more plies, the seat to move first."""
    size = sizes[ply, seat]
    if size == 0:
        return 0.0
    passes[0] += 1
    here = best[ply]
    best_by_digit(state, here)
    order = np.empty(9, np.int64)
    chance = np.empty(10, np.float64)
    left = np.empty((10, 10), np.float64)
    _order(here, keep, order)
    _chances(belief[ply], seat, seats, size, order, chance, left)
    value = 0.0
    ahead = 0.0
    followed = 0.0
    for i in range(9):
        digit = order[i]
        likely = chance[digit]
        if likely <= 0.0:
            continue
        value -= likely * worth[seat] * (here[digit] >> POINTS_SHIFT)
        if depth > 1 and (reach * likely >= cutoff or followed == 0.0):
            _step(belief[ply], sizes[ply], belief[ply + 1], sizes[ply + 1], seat, digit, left[digit])
            apply(state, here[digit], saved[ply])
            ahead += likely * _expect(
                state, ply + 1, depth - 1, (seat + 1) % seats, seats, reach * likely, cutoff,
                worth, keep, saved, best, belief, sizes, passes,
            )  # fmt: skip
            undo(state, here[digit], saved[ply])
            followed += likely
    if followed > 0.0:
        value += ahead / followed
    return float(value)


@jit(
    "float64(int32[:, ::1], int64, int64, int64, int64, float64, float64[::1], float64[::1],"
    " int32[:, :, ::1], int64[:, ::1], float64[:, :, ::1], int64[:, ::1], int64[::1])"
)
def expected_value(
    state: State,
    play: int,
    kept_digit: int,
    depth: int,
    seats: int,
    cutoff: float,
    worth: Floats,
    keep: Floats,
    saved: NDArray[np.int32],
    best: Plays,
    belief: Floats,
    sizes: Integers,
    passes: Integers,
) -> float:
    """What a play of seat 0 is worth, its own points and those of the ``depth`` plies after it.

    ``kept_digit`` is what stays in the hand, 0 if nothing does. Row 0 of ``belief`` and ``sizes`` is what is known at
    the root. Branches that are reached with a smaller chance than ``cutoff`` are taken to go on like their neighbours.
    """
    kept = np.zeros(10, np.float64)
    if kept_digit:
        kept[kept_digit] = 1.0
    elif sizes[0, BAG] > 0:
        # With nothing kept, the one tile that is drawn is unknown.
        kept[:] = belief[0, POOL] / belief[0, POOL].sum()
    _step(belief[0], sizes[0], belief[1], sizes[1], 0, play >> DIGIT_SHIFT & 15, kept)
    value = -worth[0] * (play >> POINTS_SHIFT)
    if depth > 0:
        apply(state, play, saved[0])
        value += _expect(
            state, 1, depth, 1, seats, 1.0, cutoff, worth, keep, saved, best, belief, sizes, passes
        )  # fmt: skip
        undo(state, play, saved[0])
    return float(value)
