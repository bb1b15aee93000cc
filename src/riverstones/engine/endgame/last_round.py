"""The last round with three or four seats: nobody has more than one tile left.

The last seat takes the most points that its tile allows. The seat before it knows that and plays for the best final
rank, with points breaking ties; and so on backwards (max^n). The tiles of the other seats are not known: every
distribution of the hidden tiles is solved as if all hands were open.

Seats are counted in move order, and so are their scores; the seat to move is seat 0. The tree is walked without
recursion, as in the look-ahead.
"""

from __future__ import annotations

from typing import Final

from riverstones.engine.arrays import Integers, zeros
from riverstones.engine.encoding import POINTS_SHIFT
from riverstones.engine.jit import jit
from riverstones.engine.kernel import MAX_PLAYS, SAVED_SHAPE, Plays, State, apply, best_by_digit, generate, undo
from riverstones.engine.ordering import sort_plays

_PLACE_WORTH = 10_000
"""More than any number of points: a better rank always comes first."""

SEATS: Final = 4

# The columns of `notes`, which has a row for each seat.
_MOST: Final = 0
"""The value of the best play tried so far."""
_PLACE: Final = 1
"""The number of plays tried."""
_COUNT: Final = 2
"""The number of plays."""

_CHOSEN: Final = 3
"""Offset of the chosen rows in `scores`. Row 0 receives the final scores and rows 1 to 3 hold those before each seat's
turn; from here on a row holds the result of each seat's best play."""


class Workspace:
    """Preallocated memory for one solution."""

    def __init__(self) -> None:
        self.notes: Integers = zeros((SEATS, 3), "int64")
        self.plays: Plays = zeros((SEATS, MAX_PLAYS), "int64")
        self.saved: State = zeros((SEATS, *SAVED_SHAPE), "int32")
        self.scores: Integers = zeros((7, SEATS), "int64")
        self.best: Plays = zeros(10, "int64")


@jit()
def _copy(scores: Integers, source: int, target: int) -> None:
    for seat in range(SEATS):
        scores[target, seat] = scores[source, seat]


@jit()
def _standing(scores: Integers, seat: int) -> int:
    """The value of final scores for a seat."""
    worth = scores[seat]
    for other in range(SEATS):
        if other != seat:
            if scores[other] > scores[seat]:
                worth -= 2 * _PLACE_WORTH
            elif scores[other] == scores[seat]:
                worth -= _PLACE_WORTH
    return int(worth)


@jit(
    "void(int32[:, ::1], int64, int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int32[:, :, ::1],"
    " int64[::1], int64[::1])"
)
def final_scores(
    state: State,
    play: int,
    tiles: Integers,
    scores: Integers,
    notes: Integers,
    plays: Plays,
    saved: State,
    best: Plays,
    passes: Integers,
) -> None:
    """Replace row 0 of ``scores`` by the final scores after this play of seat 0.

    ``tiles`` has the digit of each seat that still holds one. Columns of ``scores`` without a seat hold a score below
    all others.
    """
    last = len(tiles) - 1
    scores[0, 0] -= play >> POINTS_SHIFT
    apply(state, play, saved[0])
    _copy(scores, 0, 1)
    seat = 1
    entering = True
    while 0 < seat <= last:
        here = notes[seat]
        if entering and seat == last:
            passes[0] += 1
            best_by_digit(state, best)
            scores[seat, seat] -= best[tiles[seat]] >> POINTS_SHIFT
            _copy(scores, seat, 0)
            entering = False
            seat -= 1
            continue
        if entering:
            here[_COUNT] = generate(state, 1 << tiles[seat], plays[seat])
            sort_plays(plays[seat], here[_COUNT])
            here[_PLACE] = 0
            here[_MOST] = -(1 << 60)
        else:
            undo(state, plays[seat, here[_PLACE]], saved[seat])
            here[_PLACE] += 1
            standing = _standing(scores[0], seat)
            if standing > here[_MOST]:
                here[_MOST] = standing
                _copy(scores, 0, _CHOSEN + seat)
        if here[_PLACE] == here[_COUNT]:
            _copy(scores, _CHOSEN + seat, 0)
            entering = False
            seat -= 1
        else:
            _copy(scores, seat, seat + 1)
            scores[seat + 1, seat] -= plays[seat, here[_PLACE]] >> POINTS_SHIFT
            apply(state, plays[seat, here[_PLACE]], saved[seat])
            entering = True
            seat += 1
    undo(state, play, saved[0])
