"""Scan a game for positions in which one play stands out by its points, in compiled code.

The criteria are those of the kinds in `puzzle.Kind`; `checking` tests each puzzle again with the rules alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverstones.engine.arrays import Integers
from riverstones.engine.encoding import (
    COLUMN_FLIPS,
    COLUMN_SHIFT,
    DIGIT_SHIFT,
    FLIPS_MASK,
    POINTS_SHIFT,
    RED_BIT,
    ROW_SHIFT,
)
from riverstones.engine.jit import jit
from riverstones.engine.kernel import FACTS, Plays, State, apply, generate, load

# The columns of what `scan_game` writes, a row for each move.
BEST: Final = 0
"""The most points of any play."""
EQUALS: Final = 1
"""The number of plays that score them."""
NEXT: Final = 2
"""The most points of any other play."""
WITHOUT_FLIP: Final = 3
"""The most points of any play without a flip."""
FEWEST_KAKUROS: Final = 4
"""The fewest Kakuros that a play with the most points makes."""
MOST_KAKUROS: Final = 5
"""The most of them."""
ONE_KAKURO: Final = 6
"""The most points of any play that makes one Kakuro or none."""
COLUMNS: Final = 7


@jit()
def count_kakuros(state: State, play: int) -> int:
    """The number of Kakuros that a play scores."""
    row = play >> ROW_SHIFT & 15
    column = play >> COLUMN_SHIFT & 15
    digit = play >> DIGIT_SHIFT & 15
    shift = 10 if play & RED_BIT else 0
    along = state[row, FACTS + column] >> shift & 15 == digit
    down = state[9 + column, FACTS + row] >> shift & 15 == digit
    flips = play & FLIPS_MASK
    if flips == 0:
        return int(along) + int(down)
    if play & COLUMN_FLIPS:
        count = 1 + int(along)
        for place in range(9):
            if flips >> place & 1 and state[place, FACTS + column] > 0:
                count += 1
    else:
        count = 1 + int(down)
        for place in range(9):
            if flips >> place & 1 and state[9 + place, FACTS + row] > 0:
                count += 1
    return count


@jit("void(uint8[::1], boolean, int64[::1], int64[:, ::1], int64[:, ::1], int32[:, ::1], int64[::1], int32[:, ::1])")
def scan_game(
    board: NDArray[np.uint8],
    expert: bool,
    played: Plays,
    hands: Integers,
    found: Integers,
    state: State,
    plays: Plays,
    saved: State,
) -> None:
    """Write to ``found`` what the plays of each position of a game score."""
    load(state, board, expert)
    for ply in range(len(played)):
        hand = 0
        for i in range(2):
            if hands[ply, i]:
                hand |= 1 << hands[ply, i]
        here = found[ply]
        for column in range(COLUMNS):
            here[column] = 0
        count = generate(state, hand, plays)
        for i in range(count):
            play = plays[i]
            points = -(play >> POINTS_SHIFT)
            if points == 0:
                continue
            kakuros = count_kakuros(state, play)
            if points > here[BEST]:
                here[NEXT] = here[BEST]
                here[BEST] = points
                here[EQUALS] = 1
                here[FEWEST_KAKUROS] = kakuros
                here[MOST_KAKUROS] = kakuros
            elif points == here[BEST]:
                here[EQUALS] += 1
                here[FEWEST_KAKUROS] = min(here[FEWEST_KAKUROS], kakuros)
                here[MOST_KAKUROS] = max(here[MOST_KAKUROS], kakuros)
            else:
                here[NEXT] = max(here[NEXT], points)
            if play & FLIPS_MASK == 0:
                here[WITHOUT_FLIP] = max(here[WITHOUT_FLIP], points)
            if kakuros < 2:
                here[ONE_KAKURO] = max(here[ONE_KAKURO], points)
        apply(state, played[ply], saved)
