"""The rules written for speed: every play of a position and its points.

`riverstones.rules` is the authority; tests check that this module agrees with it, move for move.

What makes it fast
------------------
*Lines are independent.* A Kakuro lies in one row or one column, and all flips of a legal move lie in one
line with the placed tile, inside one Kakuro. So everything is decided by facts about single lines, and the
points of a play are a sum of such facts: the Kakuro in the line of the flips, the Kakuro through the placed
tile across that line, and for each flipped tile the Kakuro through it across that line. A move changes one
row and one column, and one more line for each flip; only the facts of those lines are recomputed.

*The digit follows.* In a line, for an empty square p, a total at t and a last addend at e, exactly one
digit on p can complete the Kakuro: the one that makes the last digit of the sum right. So the facts need no
hand: one pass finds the plays of all nine digits.

The state
---------
Numbers for tiles, boards, hands, moves and plays: see `encoding`. A state is one C-contiguous array
``int32[19, 48]`` (`new_state`), and ``state.copy()`` is a full copy. Rows 0-8 are the rows of the board
from the top, rows 9-17 its columns from the left, each a record:

=====  ===============================================================================================
0-10   the tiles of the line at 1-9, and an empty sentinel at both ends
11-19  a fact for each square.
       Occupied: the points of the Kakuro that would run through the tile in this line if it were flipped.
       Empty: bits 0-3 the digit that completes a Kakuro if placed yellow (0: none), bits 4-9 its points,
       bits 10-13 and 14-19 the same if placed red
20     the occupied squares, a bit each
21     how many plays with flips in this line there are
22-46  these plays, with the points of the Kakuro in this line alone
=====  ===============================================================================================

Row 18 holds the variant at 0: how many tiles a move may flip, 1 or 9.
"""

from __future__ import annotations

from typing import Final

from .arrays import Int32s, Integers, constant, read, zeros
from .encoding import (
    COLUMN_FLIPS,
    COLUMN_SHIFT,
    DIGIT_SHIFT,
    FLIPS_MASK,
    POINTS_SHIFT,
    RED,
    RED_BIT,
    ROW_SHIFT,
    Board,
    board_from_text,
    tiles_to_text,
)
from .jit import jit

State = Int32s
Plays = Integers

STATE_SHAPE: Final = (19, 48)
MAX_PLAYS: Final = 2048
"""More than any position has, even for a hand of nine digits: 76 squares * 18, and 25 flips per line.

A line has no more flips than that: an empty square with m tiles before it and n after it allows at most
(m + 1) * (n + 1), one for each total and last addend, and these products add up to at most 25 over the nine squares of
a line.
"""
SAVED_SHAPE: Final = (10, 48)
"""The undo data of `apply`: a row, a column, and a line for each of at most eight flipped tiles."""

_SQUARES: Final = MAX_PLAYS - 76
"""Where `generate` collects the empty squares: at the end of the array of plays, which is never reached."""
FACTS: Final = 11
"""Where the nine facts of a line begin."""
OCCUPIED: Final = 20
"""Where the occupied squares of a line are."""
FLIP_COUNT: Final = 21
"""Where the number of plays with flips of a line is."""
FLIP_PLAYS: Final = 22
"""Where these plays begin; `flip_play` adds the points of the other lines."""
_VARIANT: Final = 18
_STANDARD_FLIPS: Final = 1
_EXPERT_FLIPS: Final = 9

_LOWEST_BIT = constant([0] + [(n & -n).bit_length() - 1 for n in range(1, 1024)], "int64")


# Lines -----------------------------------------------------------------------------------------------------


@jit()
def _analyse(state: State, line: int) -> None:
    """Compute the facts of one line from its tiles.

    The squares are visited from the right (or from below), so that the run of yellow tiles that starts just after the
    square is always known: ``run_sum``, ``run_digits`` (one bit each), ``run_length``. The tiles before the square are
    scanned.
    """
    limit = state[_VARIANT, 0]
    if line < 9:
        line_code = line << ROW_SHIFT
        place_shift = COLUMN_SHIFT
    else:
        line_code = (line - 9) << COLUMN_SHIFT | COLUMN_FLIPS
        place_shift = ROW_SHIFT
    occupied = 0
    count = 0
    run_sum = 0
    run_digits = 0
    run_length = 0
    distinct = True
    for x in range(9, 0, -1):
        tile = state[line, x]
        digit = tile & 15
        if tile == 0:
            yellow_fact = 0
            red_fact = 0
            # The run may end here, or after flipping the red tile that stops it, and so on.
            end = x + run_length
            total_sum = run_sum
            digits = run_digits
            flips = 0
            flipped = 0
            possible = distinct
            while possible:
                # The placed tile itself as the total.
                code = line_code | (x - 1) << place_shift
                needed = total_sum % 10
                if end - x >= 2 and needed != 0:
                    if flips == 0:
                        red_fact = needed | total_sum << 4
                    else:
                        state[line, FLIP_PLAYS + count] = (code | needed << DIGIT_SHIFT | RED_BIT | flipped) - (
                            total_sum << POINTS_SHIFT
                        )
                        count += 1
                # Or a tile before it, with all between them as addends.
                y = x - 1
                before = state[line, y]
                sum_y = total_sum
                digits_y = digits
                flips_y = flips
                flipped_y = flipped
                while before != 0:
                    digit_y = before & 15
                    yellow = before < RED
                    if flips_y + yellow <= limit and end - y >= 2:
                        needed = (digit_y + 100 - sum_y) % 10
                        if needed != 0 and digits_y >> needed & 1 == 0:
                            points = sum_y + needed
                            if yellow:
                                state[line, FLIP_PLAYS + count] = (
                                    code | needed << DIGIT_SHIFT | flipped_y | 1 << (y - 1)
                                ) - (points << POINTS_SHIFT)
                                count += 1
                            elif flips_y != 0:
                                state[line, FLIP_PLAYS + count] = (code | needed << DIGIT_SHIFT | flipped_y) - (
                                    points << POINTS_SHIFT
                                )
                                count += 1
                            else:
                                yellow_fact = needed | points << 4
                    if digits_y >> digit_y & 1:
                        break
                    if not yellow:
                        if flips_y == limit:
                            break
                        flips_y += 1
                        flipped_y |= 1 << (y - 1)
                    digits_y |= 1 << digit_y
                    sum_y += digit_y
                    y -= 1
                    before = state[line, y]
                # Next end: flip the red tile after this one and include the yellow tiles after it.
                after = state[line, end + 1]
                if after == 0 or flips == limit:
                    break
                flips += 1
                flipped |= 1 << end
                while True:
                    bit = 1 << (after & 15)
                    if digits & bit:
                        possible = False
                        break
                    digits |= bit
                    total_sum += after & 15
                    end += 1
                    after = state[line, end + 1]
                    if after == 0 or after >= RED:
                        break
            state[line, FACTS + x - 1] = yellow_fact | red_fact << 10
            run_sum = 0
            run_digits = 0
            run_length = 0
            distinct = True
        elif tile >= RED:
            # Flipped to yellow, it would join the run after it to the tiles before it.
            occupied |= 1 << (x - 1)
            points = 0
            if distinct and run_digits >> digit & 1 == 0:
                sum_y = run_sum + digit
                digits_y = run_digits | 1 << digit
                y = x - 1
                before = state[line, y]
                while before != 0 and before < RED:
                    if digits_y >> before & 1:
                        break
                    digits_y |= 1 << before
                    sum_y += before
                    y -= 1
                    before = state[line, y]
                if before >= RED and x + run_length - y >= 2 and sum_y % 10 == before & 15:
                    points = sum_y
            state[line, FACTS + x - 1] = points
            run_sum = 0
            run_digits = 0
            run_length = 0
            distinct = True
        else:
            # Flipped to red, it would be the total of the run after it.
            occupied |= 1 << (x - 1)
            points = 0
            if distinct and run_length >= 2 and run_sum % 10 == digit:
                points = run_sum
            state[line, FACTS + x - 1] = points
            if run_digits >> digit & 1:
                distinct = False
            run_sum += digit
            run_digits |= 1 << digit
            run_length += 1
    state[line, OCCUPIED] = occupied
    state[line, FLIP_COUNT] = count


# States ------------------------------------------------------------------------------------------------------------


def new_state(board: str = "." * 81, expert: bool = False) -> State:
    """The state for this board: 81 characters, optionally with slashes between the rows."""
    state: State = zeros(STATE_SHAPE, "int32")
    load(state, board_from_text(board), expert)
    return state


def board_text(state: State) -> str:
    """The board of a state as 81 characters."""
    return tiles_to_text(tile for row in range(9) for tile in read(state, STATE_SHAPE[1] * row + 1, 9))


@jit("void(int32[:, ::1], uint8[::1], boolean)")
def load(state: State, board: Board, expert: bool) -> None:
    """Set ``state`` to this board."""
    for line in range(19):
        for i in range(48):
            state[line, i] = 0
    state[_VARIANT, 0] = _EXPERT_FLIPS if expert else _STANDARD_FLIPS
    for row in range(9):
        for column in range(9):
            tile = board[9 * row + column]
            state[row, column + 1] = tile
            state[9 + column, row + 1] = tile
    for line in range(18):
        _analyse(state, line)


@jit()
def _changed(move: int) -> tuple[int, int, int]:
    """The lines that a move changes: the line of the flips, and a set of crossing lines as bits above a base.

    The crossing lines meet the line of the flips at the placed tile and at the flipped ones.
    """
    row = move >> ROW_SHIFT & 15
    column = move >> COLUMN_SHIFT & 15
    if move & COLUMN_FLIPS:
        return 9 + column, 0, move & FLIPS_MASK | 1 << row
    return row, 9, move & FLIPS_MASK | 1 << column


@jit()
def _play(state: State, move: int) -> None:
    row = move >> ROW_SHIFT & 15
    column = move >> COLUMN_SHIFT & 15
    tile = (move >> DIGIT_SHIFT & 15) + (RED if move & RED_BIT else 0)
    state[row, column + 1] = tile
    state[9 + column, row + 1] = tile
    line, base, others = _changed(move)
    flips = move & FLIPS_MASK
    while flips:
        place = _LOWEST_BIT[flips]
        flips &= flips - 1
        flipped = state[line, place + 1] ^ RED
        state[line, place + 1] = flipped
        state[base + place, line - 8 + base] = flipped
    while True:
        _analyse(state, line)
        if others == 0:
            break
        line = base + _LOWEST_BIT[others]
        others &= others - 1


@jit("void(int32[:, ::1], int64, int32[:, ::1])")
def apply(state: State, move: int, saved: State) -> None:
    """Make a move and save what it changes in ``saved``."""
    line, base, others = _changed(move)
    slot = 0
    while True:
        for i in range(48):
            saved[slot, i] = state[line, i]
        if others == 0:
            break
        line = base + _LOWEST_BIT[others]
        others &= others - 1
        slot += 1
    _play(state, move)


@jit("void(int32[:, ::1], int64, int32[:, ::1])")
def undo(state: State, move: int, saved: State) -> None:
    """Take back the move that `apply` made with the same ``saved``."""
    line, base, others = _changed(move)
    slot = 0
    while True:
        for i in range(48):
            state[line, i] = saved[slot, i]
        if others == 0:
            break
        line = base + _LOWEST_BIT[others]
        others &= others - 1
        slot += 1


def play(state: State, move: int) -> None:
    """Make a move that cannot be undone."""
    apply(state, move, zeros(SAVED_SHAPE, "int32"))


# Plays -----------------------------------------------------------------------------------------------------


@jit()
def _frontier(state: State, row: int) -> int:
    """The empty squares of a row that have an occupied neighbour, one bit each."""
    occupied = state[row, OCCUPIED]
    near = occupied << 1 | occupied >> 1
    if row > 0:
        near |= state[row - 1, OCCUPIED]
    if row < 8:
        near |= state[row + 1, OCCUPIED]
    return int(near & ~occupied & 511)


@jit()
def flip_play(state: State, entry: int) -> int:
    """The play of an entry at `FLIP_PLAYS`: with the points of the crossing lines added."""
    row = entry >> ROW_SHIFT & 15
    column = entry >> COLUMN_SHIFT & 15
    flips = entry & FLIPS_MASK
    fact = state[row, FACTS + column] if entry & COLUMN_FLIPS else state[9 + column, FACTS + row]
    if entry & RED_BIT:
        fact >>= 10
    more = 0
    if fact & 15 == entry >> DIGIT_SHIFT & 15:
        more = fact >> 4 & 63
    while flips:
        place = _LOWEST_BIT[flips]
        flips &= flips - 1
        if entry & COLUMN_FLIPS:
            more += state[place, FACTS + column]
        else:
            more += state[9 + place, FACTS + row]
    return entry - (int(more) << POINTS_SHIFT)


@jit("int64(int32[:, ::1], int64, int64[::1])")
def generate(state: State, hand: int, plays: Plays) -> int:
    """Write every legal play of a hand to ``plays``, of length `MAX_PLAYS` or more; returns their number.

    ``hand`` has bit d set for each digit d held. The order of the plays is deterministic but has no meaning.
    """
    # Collecting the empty squares first makes the loop below branch-free, so that it is vectorized.
    free = 0
    for row in range(9):
        frontier = _frontier(state, row)
        while frontier:
            column = _LOWEST_BIT[frontier]
            frontier &= frontier - 1
            along = int(state[row, FACTS + column])
            down = int(state[9 + column, FACTS + row])
            plays[_SQUARES + free] = (row << 4 | column) << 40 | along << 20 | down
            free += 1
    count = 0
    digits = hand
    while digits:
        digit = _LOWEST_BIT[digits]
        digits &= digits - 1
        for i in range(free):
            facts = plays[_SQUARES + i]
            move = facts >> 40 << COLUMN_SHIFT | digit << DIGIT_SHIFT
            points = (facts >> 4 & 63 if facts & 15 == digit else 0) + (
                facts >> 24 & 63 if facts >> 20 & 15 == digit else 0
            )
            plays[count + i] = move - (points << POINTS_SHIFT)
            points = (facts >> 14 & 63 if facts >> 10 & 15 == digit else 0) + (
                facts >> 34 & 63 if facts >> 30 & 15 == digit else 0
            )
            plays[count + free + i] = (move | RED_BIT) - (points << POINTS_SHIFT)
        count += 2 * free
    for line in range(18):
        for i in range(state[line, FLIP_COUNT]):
            entry = int(state[line, FLIP_PLAYS + i])
            if hand >> (entry >> DIGIT_SHIFT & 15) & 1:
                plays[count] = flip_play(state, entry)
                count += 1
    return count


@jit()
def _better(best: Plays, digit: int, play: int) -> None:
    best[digit] = min(best[digit], play)


@jit("void(int32[:, ::1], int64[::1])")
def best_by_digit(state: State, best: Plays) -> None:
    """Write the best play of each digit d to ``best[d]``, of length ten; ``best[0]`` becomes 0.

    It is the play that sorts first among those that `generate` gives for the digit.
    """
    # On the first empty square every digit has a play, if only for 0 points.
    first = 0
    while _frontier(state, first) == 0:
        first += 1
    move = first << ROW_SHIFT | _LOWEST_BIT[_frontier(state, first)] << COLUMN_SHIFT
    best[0] = 0
    for digit in range(1, 10):
        best[digit] = move | digit << DIGIT_SHIFT
    for row in range(9):
        frontier = _frontier(state, row)
        while frontier:
            column = _LOWEST_BIT[frontier]
            frontier &= frontier - 1
            along = int(state[row, FACTS + column])
            down = int(state[9 + column, FACTS + row])
            if along | down == 0:
                continue
            move = row << ROW_SHIFT | column << COLUMN_SHIFT
            for _side in range(2):
                digit = along & 15
                points = along >> 4 & 63
                other = down & 15
                other_points = down >> 4 & 63
                if digit == other:
                    points += other_points
                elif other:
                    _better(best, other, (move | other << DIGIT_SHIFT) - (other_points << POINTS_SHIFT))
                if digit:
                    _better(best, digit, (move | digit << DIGIT_SHIFT) - (points << POINTS_SHIFT))
                along >>= 10
                down >>= 10
                move |= RED_BIT
    for line in range(18):
        for i in range(state[line, FLIP_COUNT]):
            play = flip_play(state, int(state[line, FLIP_PLAYS + i]))
            _better(best, play >> DIGIT_SHIFT & 15, play)
