"""The exact look-ahead: the expected value of a play, over all hands and draws, if the seats play simply.

The trick
---------
One pass of the kernel gives the best play of each of the nine digits, whoever holds them. A seat with two unknown tiles
then makes one of at most nine plays: the best one whose digit it holds. The probability of each follows in closed form
from what is known about the hand, and so does the tile the seat keeps. So the tree of all hands and draws has at most
nine branches per ply instead of thousands, and no sampling is needed.

This is how *greedy* seats play. In the first plies seats may also be *careful*: for each digit they make the play with
the most points less half of what the next seat may expect from the resulting board. Such a ply costs one pass per play.

Knowledge about hands
---------------------
Seats are counted from the searching one, which is seat 0. Each seat has a *kept* tile, with a probability for each
digit, and a *fresh* one, drawn from all tiles that are not on the board and that no other seat keeps. For the reply to
one's own move and one's own next move the probabilities are exact; further ahead they ignore that the tile one seat
keeps says a little about what the others hold.

Points count with the sign and weight of the seat that makes them, ``worth``.

Beyond the horizon
------------------
Stopping after a seat's move would overestimate that seat: most of what the others can do on the same board is still
possible. So at the last ply the others' best plays on that board count as well, each further seat less by the factor
``fade``, which comes from regressions over games (docs/engine-diary.md).

Memory
------
The tree is walked without recursion (Numba cannot load a recursive function from its cache), with two arrays that have
a row for each ply: `Workspace.notes` and `Workspace.marks`.
"""

from __future__ import annotations

from typing import Final

from .arrays import Floats, Integers, zeros
from .encoding import ALL_DIGITS, DIGIT_SHIFT, POINTS_SHIFT
from .jit import jit
from .kernel import MAX_PLAYS, SAVED_SHAPE, Plays, State, apply, best_by_digit, generate, undo
from .ordering import sort_plays

MOST_PLIES: Final = 12

DIGIT_COLUMNS: Final = 10

# The rows of `notes`, each with a column per digit. Rows 0-3: the probability that a seat keeps this digit.
POOL: Final = 4
"""The number of tiles of each digit that are not on the board."""
_FRESH: Final = 5
"""The number of tiles of each digit that the fresh tile of the seat to move may be one of."""
_PROBABILITY: Final = 6
"""The probability that the seat to move plays each digit."""
_KEEPS: Final = 7
"""The probability that it then keeps each digit."""
_LIKING: Final = 8
"""The preference of the seat to move for playing each digit."""
_SUMS: Final = 9
"""Intermediate results of this ply instead of digits: see the next five."""
_VALUE: Final = 0
_AHEAD: Final = 1
_FOLLOWED: Final = 2
_REACH: Final = 3
_LIKELY: Final = 4

# The columns of `marks`. Columns 0-9: the best play of each digit.
_ORDER: Final = 10
"""The nine digits, in the order in which the seat prefers to play them."""
_PLACE: Final = 19
"""The number of them that have been tried."""
SIZES: Final = 20
"""The number of tiles each of up to four seats holds."""
BAG: Final = 24
"""The number of tiles in the bag."""
_DIGIT: Final = 25
"""The digit whose branch is being searched."""


class Workspace:
    """Preallocated memory of one look-ahead. Row 0 of `notes` and `marks` describes the root."""

    def __init__(self) -> None:
        self.notes: Floats = zeros((MOST_PLIES, 10, DIGIT_COLUMNS), "float64")
        self.marks: Integers = zeros((MOST_PLIES, 26), "int64")
        self.saved: State = zeros((MOST_PLIES, *SAVED_SHAPE), "int32")
        self.plays: Plays = zeros(MAX_PLAYS, "int64")
        self.passes: Integers = zeros(1, "int64")
        """The number of positions evaluated."""


@jit()
def _sort_digits(notes: Floats, marks: Integers) -> None:
    """Sort the digits by the seat's preference."""
    for digit in range(1, 10):
        place = _ORDER + digit - 1
        while place > _ORDER and notes[_LIKING, marks[place - 1]] < notes[_LIKING, digit]:
            marks[place] = marks[place - 1]
            place -= 1
        marks[place] = digit


@jit()
def _find_greedy_plays(state: State, notes: Floats, marks: Integers) -> None:
    best_by_digit(state, marks[:10])
    for digit in range(1, 10):
        # Encoded plays sort by points first and break ties by their order, so comparing numbers is enough.
        notes[_LIKING, digit] = -float(marks[digit])
    _sort_digits(notes, marks)


@jit()
def _find_fresh(notes: Floats, seat: int, seats: int) -> None:
    for digit in range(1, 10):
        count = notes[POOL, digit]
        for other in range(seats):
            if other != seat:
                count -= notes[other, digit]
        notes[_FRESH, digit] = max(count, 0.0)


@jit()
def _find_probabilities(notes: Floats, marks: Integers, seat: int, seats: int) -> None:
    """Compute the probability that the seat plays each digit: the first in the order that it holds.

    The probability that both tiles are in the rest of the order is a product, less the cases in which one tile would be
    counted twice; summed from the end of the order, the differences are the probabilities.
    """
    if marks[SIZES + seat] == 1:
        for digit in range(1, 10):
            notes[_PROBABILITY, digit] = notes[seat, digit]
        return
    _find_fresh(notes, seat, seats)
    kept = 0.0
    fresh = 0.0
    same = 0.0
    before = 0.0
    for place in range(_ORDER + 8, _ORDER - 1, -1):
        digit = marks[place]
        kept += notes[seat, digit]
        fresh += notes[_FRESH, digit]
        same += notes[seat, digit] * min(notes[_FRESH, digit], 1.0)
        both = kept * fresh - same
        notes[_PROBABILITY, digit] = max(both - before, 0.0)
        before = both
    if before > 0.0:
        for digit in range(1, 10):
            notes[_PROBABILITY, digit] /= before


@jit()
def _find_keeps(notes: Floats, marks: Integers, seat: int, place: int) -> None:
    """Compute the probability that the seat keeps each digit if it plays the one at this index of the order."""
    for other in range(10):
        notes[_KEEPS, other] = 0.0
    if marks[SIZES + seat] == 1:
        return
    digit = marks[place]
    total = notes[seat, digit] * max(notes[_FRESH, digit] - 1.0, 0.0)
    notes[_KEEPS, digit] = total
    for later in range(place + 1, _ORDER + 9):
        other = marks[later]
        pair = notes[seat, digit] * notes[_FRESH, other] + notes[seat, other] * notes[_FRESH, digit]
        notes[_KEEPS, other] = pair
        total += pair
    for other in range(1, 10):
        notes[_KEEPS, other] /= total


@jit()
def _step(notes: Floats, marks: Integers, ply: int, seat: int, digit: int) -> None:
    """Write to the next ply what is known after a seat has played a digit, kept another and drawn."""
    for row in range(POOL + 1):
        for i in range(10):
            notes[ply + 1, row, i] = notes[ply, row, i]
    for i in range(10):
        notes[ply + 1, seat, i] = notes[ply, _KEEPS, i]
    notes[ply + 1, POOL, digit] -= 1.0
    for i in range(SIZES, BAG + 1):
        marks[ply + 1, i] = marks[ply, i]
    if marks[ply, BAG] > 0:
        marks[ply + 1, BAG] -= 1
    else:
        marks[ply + 1, SIZES + seat] -= 1


@jit()
def _points_expected(notes: Floats, marks: Integers) -> float:
    points = 0.0
    for digit in range(1, 10):
        points -= notes[_PROBABILITY, digit] * (marks[digit] >> POINTS_SHIFT)
    return points


@jit()
def _find_careful_plays(
    state: State, notes: Floats, marks: Integers, ply: int, saved: State, plays: Plays, passes: Integers
) -> None:
    """Find for each digit the play with the most points less half of what the next seat may expect.

    A careful seat knows nothing about the next seat's hand: any two tiles that are not on the board. The next ply's
    notes and marks are free until it is entered, so they are used as scratch memory.
    """
    after, after_marks = notes[ply + 1], marks[ply + 1]
    pool = notes[ply, POOL]
    hidden = -1.0
    for digit in range(1, 10):
        hidden += pool[digit]
    after_marks[SIZES] = 2 if hidden > 1.5 else 1
    for digit in range(1, 10):
        notes[ply, _LIKING, digit] = -1.0e9
    count = generate(state, ALL_DIGITS, plays)
    sort_plays(plays, count)
    for i in range(count):
        play = plays[i]
        digit = play >> DIGIT_SHIFT & 15
        points = -(play >> POINTS_SHIFT)
        # Expected points are never negative, so the points bound the value of the play.
        if points <= notes[ply, _LIKING, digit]:
            continue
        expected = 0.0
        if hidden > 0.5:
            passes[0] += 1
            apply(state, play, saved)
            _find_greedy_plays(state, after, after_marks)
            undo(state, play, saved)
            for other in range(1, 10):
                after[POOL, other] = max(pool[other] - (other == digit), 0.0)
                after[0, other] = after[POOL, other] / hidden
            _find_probabilities(after, after_marks, 0, 1)
            expected = _points_expected(after, after_marks)
        if points - 0.5 * expected > notes[ply, _LIKING, digit]:
            notes[ply, _LIKING, digit] = points - 0.5 * expected
            marks[ply, digit] = play
    _sort_digits(notes[ply], marks[ply])


@jit()
def _weigh(notes: Floats, marks: Integers, seat: int, seats: int, worth: Floats, last: bool, fade: float) -> None:
    """Compute how likely the seat to move plays each digit, and the value of that."""
    _find_probabilities(notes, marks, seat, seats)
    sums = notes[_SUMS]
    sums[_VALUE] = worth[seat] * _points_expected(notes, marks)
    if last and fade > 0.0:
        share = fade
        for ahead in range(1, seats):
            other = (seat + ahead) % seats
            if marks[SIZES + other] > 0:
                _find_probabilities(notes, marks, other, seats)
                sums[_VALUE] += share * worth[other] * _points_expected(notes, marks)
            share *= fade
    sums[_AHEAD] = 0.0
    sums[_FOLLOWED] = 0.0
    marks[_PLACE] = 0


@jit(
    "float64(int32[:, ::1], int64, int64, int64, int64, int64, float64, float64, float64[::1],"
    " float64[:, :, ::1], int64[:, ::1], int32[:, :, ::1], int64[::1], int64[::1])"
)
def expected_value(
    state: State,
    play: int,
    kept_digit: int,
    plies: int,
    careful: int,
    seats: int,
    cutoff: float,
    fade: float,
    worth: Floats,
    notes: Floats,
    marks: Integers,
    saved: State,
    plays: Plays,
    passes: Integers,
) -> float:
    """The value of a play of seat 0: its own points and those of the ``plies`` after it.

    In the first ``careful`` plies seats are careful, except in the last ply; afterwards they are greedy. ``kept_digit``
    is the digit left in the hand, 0 if there is none. Branches less likely than ``cutoff`` are assumed to have the
    value of their neighbours.
    """
    value = -worth[0] * (play >> POINTS_SHIFT)
    if plies == 0:
        return float(value)
    for digit in range(10):
        notes[0, _KEEPS, digit] = 0.0
    notes[0, _KEEPS, kept_digit] = 1.0
    _step(notes, marks, 0, 0, play >> DIGIT_SHIFT & 15)
    if marks[1, SIZES + 1] == 0:
        return float(value)
    marks[0, play >> DIGIT_SHIFT & 15] = play
    marks[0, _DIGIT] = play >> DIGIT_SHIFT & 15
    notes[1, _SUMS, _REACH] = 1.0
    total = 0.0
    ply = 1
    entering = True
    while ply > 0:
        seat = ply % seats
        sums = notes[ply, _SUMS]
        if entering:
            entering = False
            passes[0] += 1
            apply(state, marks[ply - 1, marks[ply - 1, _DIGIT]], saved[ply - 1])
            if ply <= careful and ply < plies:
                _find_careful_plays(state, notes, marks, ply, saved[ply], plays, passes)
            else:
                _find_greedy_plays(state, notes[ply], marks[ply])
            _weigh(notes[ply], marks[ply], seat, seats, worth, ply == plies, fade)
        if ply < plies and marks[ply, _PLACE] < 9:
            place = _ORDER + marks[ply, _PLACE]
            marks[ply, _PLACE] += 1
            digit = marks[ply, place]
            likely = notes[ply, _PROBABILITY, digit]
            reach = sums[_REACH] * likely
            if likely <= 0.0 or (reach < cutoff and sums[_FOLLOWED] > 0.0):
                continue
            _find_keeps(notes[ply], marks[ply], seat, place)
            _step(notes, marks, ply, seat, digit)
            if marks[ply + 1, SIZES + (seat + 1) % seats] == 0:
                continue
            sums[_LIKELY] = likely
            marks[ply, _DIGIT] = digit
            ply += 1
            notes[ply, _SUMS, _REACH] = reach
            entering = True
        else:
            total = sums[_VALUE]
            if sums[_FOLLOWED] > 0.0:
                total += sums[_AHEAD] / sums[_FOLLOWED]
            ply -= 1
            undo(state, marks[ply, marks[ply, _DIGIT]], saved[ply])
            parent = notes[ply, _SUMS]
            parent[_AHEAD] += parent[_LIKELY] * total
            parent[_FOLLOWED] += parent[_LIKELY]
    return float(value + total)
