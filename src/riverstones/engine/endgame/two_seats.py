"""The endgame with two seats, solved: the bag is empty, so each seat knows the other's tiles.

At most four tiles are left. Alpha-beta search finds the gain of the seat to move under best play: if the true value is
at most ``alpha``, the result is some upper bound of at most ``alpha``; if it is at least ``beta``, some lower bound of
at least ``beta``. Maximizing the margin also wins whenever a win is possible, so only points are considered. As in the
look-ahead, the tree is walked without recursion.

Plays are tried by points, after the play that was best in the neighbouring position (the killer move).
"""

from __future__ import annotations

from typing import Final

from riverstones.engine.arrays import Integers, zeros
from riverstones.engine.encoding import ALL_DIGITS, DIGIT_SHIFT, MOVE_MASK, POINTS_SHIFT
from riverstones.engine.jit import jit
from riverstones.engine.kernel import MAX_PLAYS, SAVED_SHAPE, Plays, State, apply, best_by_digit, generate, undo
from riverstones.engine.ordering import sort_plays

# The columns of `notes`, which has a row for each ply.
_MINE: Final = 0
"""The two tiles of the seat to move, 0 for none."""
_THEIRS: Final = 2
"""The two tiles of the other seat."""
_ALPHA: Final = 4
_BETA: Final = 5
_MOST: Final = 6
"""The best gain of the plays tried so far."""
_PLACE: Final = 7
"""The number of plays tried."""
_COUNT: Final = 8
"""The number of plays."""


class Workspace:
    """Preallocated memory for one solution: notes and plays of each ply, undo data, killer moves, and best plays."""

    def __init__(self) -> None:
        self.notes: Integers = zeros((4, 9), "int64")
        self.plays: Plays = zeros((4, MAX_PLAYS), "int64")
        self.saved: State = zeros((4, *SAVED_SHAPE), "int32")
        self.killer: Integers = zeros(4, "int64")
        self.best: Plays = zeros(10, "int64")


@jit()
def _sorted_plays(state: State, hand: int, plays: Plays, killer: int) -> int:
    """Write every play of a hand, the killer move first if it is legal, then by points; returns their number."""
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


@jit(
    "int64(int32[:, ::1], int64[::1], int64[::1], int64, int64,"
    " int64[:, ::1], int64[:, ::1], int32[:, :, ::1], int64[::1], int64[::1], int64[::1])"
)
def solve(
    state: State,
    mine: Integers,
    theirs: Integers,
    alpha: int,
    beta: int,
    notes: Integers,
    plays: Plays,
    saved: State,
    killer: Integers,
    best: Plays,
    passes: Integers,
) -> int:
    """The gain of the seat to move until the end, within the window from ``alpha`` to ``beta``.

    ``mine`` and ``theirs`` are the digits of both hands; the seat to move holds as many as the other or one more.
    """
    last = len(mine) + len(theirs) - 1
    if last < 0:
        return 0
    for i in range(2):
        notes[0, _MINE + i] = mine[i] if i < len(mine) else 0
        notes[0, _THEIRS + i] = theirs[i] if i < len(theirs) else 0
    notes[0, _ALPHA] = alpha
    notes[0, _BETA] = beta
    value = 0
    ply = 0
    entering = True
    while ply >= 0:
        here = notes[ply]
        if entering and ply == last:
            passes[0] += 1
            best_by_digit(state, best)
            value = -(best[here[_MINE] + here[_MINE + 1]] >> POINTS_SHIFT)
            entering = False
            ply -= 1
            continue
        if entering:
            hand = (1 << here[_MINE] | 1 << here[_MINE + 1]) & ALL_DIGITS
            here[_COUNT] = _sorted_plays(state, hand, plays[ply], killer[ply])
            here[_PLACE] = 0
            here[_MOST] = -1000
        else:
            play = plays[ply, here[_PLACE]]
            undo(state, play, saved[ply])
            value = -(play >> POINTS_SHIFT) - value
            here[_PLACE] += 1
            if value > here[_MOST]:
                here[_MOST] = value
                here[_ALPHA] = max(here[_ALPHA], value)
                killer[ply] = play & MOVE_MASK
                if value >= here[_BETA]:
                    here[_PLACE] = here[_COUNT]
        if ply == last - 1:
            # Before the last reply, a play gains at most its points: the reply can only reduce that.
            while here[_PLACE] < here[_COUNT] and -(plays[ply, here[_PLACE]] >> POINTS_SHIFT) <= here[_ALPHA]:
                here[_MOST] = max(here[_MOST], -(plays[ply, here[_PLACE]] >> POINTS_SHIFT))
                here[_PLACE] += 1
        if here[_PLACE] == here[_COUNT]:
            value = here[_MOST]
            entering = False
            ply -= 1
        else:
            play = plays[ply, here[_PLACE]]
            points = -(play >> POINTS_SHIFT)
            apply(state, play, saved[ply])
            ply += 1
            after = notes[ply]
            after[_MINE] = here[_THEIRS]
            after[_MINE + 1] = here[_THEIRS + 1]
            after[_THEIRS] = here[_MINE] + here[_MINE + 1] - (play >> DIGIT_SHIFT & 15)
            after[_THEIRS + 1] = 0
            after[_ALPHA] = points - here[_BETA]
            after[_BETA] = points - here[_ALPHA]
            entering = True
    return int(value)
