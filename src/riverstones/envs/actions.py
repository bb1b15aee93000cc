"""The action space: a number for every move, the same in all environments and for both variants.

There are 3,978 ids. First the placements without flips, ordered by digit, side and square:

    (digit - 1) * 162 + (0 yellow, 1 red) * 81 + square                                    0 to 1,457

Then the placements with flips. The placed and the flipped tiles must lie in one Kakuro. Its line, the place of its
total and the place of its last addend say which tiles have to be flipped; together with the place of the placed tile
they also say which side it shows (red only as the total) and, because the sum has to end in the total's digit, which
digit it has. So four numbers identify the move on a given board:

    1,458 + line * 140 + (the index in `TRIPLES` of total's place, placed place, last addend's place)    1,458 to 3,977

Lines 0-8 are the rows from the top, 9-17 the columns from the left; places count from 0 at the left or at the top. A
Kakuro has at least two addends, and the placed tile is one of its tiles. That leaves 140 triples: a Kakuro of n tiles
(3 to 9) can lie in 10 - n ways and has n tiles, which gives 7*3 + 6*4 + 5*5 + 4*6 + 3*7 + 2*8 + 1*9.

In every position this is a bijection between the legal moves and a set of ids. This module needs only `rules`; NumPy is
loaded by `mask` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from riverstones.rules import DIGITS, LINES, SQUARES, Board, Line, Move, Position, Reason, Side, Square, Tile, refusal
from riverstones.rules.series import series_through
from riverstones.rules.squares import LINES_OF, SIZE
from riverstones.rules.tiles import ADDENDS, DIGIT_OF, EMPTY, TOTALS

from .extras import needs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ACTION_COUNT",
    "ACTION_SPACE_VERSION",
    "TRIPLES",
    "IllegalAction",
    "decode",
    "encode",
    "legal_actions",
    "mask",
]

ACTION_SPACE_VERSION: Final = 1
"""Changes whenever an id gets another meaning."""

SIDE_STRIDE: Final = len(SQUARES)
DIGIT_STRIDE: Final = 2 * SIDE_STRIDE
FLIPS_START: Final = len(DIGITS) * DIGIT_STRIDE
"""The first id with flips: 1,458."""

TRIPLES: Final = tuple(
    (total, placed, last)
    for total in range(SIZE)
    for placed in range(total, SIZE)
    for last in range(max(placed, total + 2), SIZE)
)
"""Every (total's place, placed place, last addend's place) of a Kakuro in a line, in lexicographic order."""

LINE_STRIDE: Final = len(TRIPLES)
ACTION_COUNT: Final = FLIPS_START + len(LINES) * LINE_STRIDE
"""The number of ids: 3,978."""

_INDEX_OF: Final = {triple: index for index, triple in enumerate(TRIPLES)}
_SIDES: Final = (Side.ADDEND, Side.TOTAL)


class IllegalAction(ValueError):
    """An id that is no legal move in this position; the message says why."""


def encode(board: Board, move: Move) -> int:
    """The id of a legal move on this board. `IllegalAction` if its flips share no Kakuro with the placed tile."""
    if not move.flips:
        return (move.tile.digit - 1) * DIGIT_STRIDE + move.tile.is_total * SIDE_STRIDE + move.square
    row, column = LINES_OF[move.square]
    line = row if move.flips[0] in row.squares else column
    if not all(square in line.squares for square in move.flips):
        raise IllegalAction(f"the tiles of {move} do not lie in one line")
    placed = line.index(move.square)
    series = series_through(line, line.cut(move.on(board).cells), placed)
    if series is None or not series.is_kakuro or not set(move.flips) <= set(series.squares):
        raise IllegalAction(f"the tiles of {move} do not lie in one Kakuro")
    triple = (line.index(series.squares[0]), placed, line.index(series.squares[-1]))
    return FLIPS_START + LINES.index(line) * LINE_STRIDE + _INDEX_OF[triple]


def decode(position: Position, action: int) -> Move:
    """The legal move with this id. `IllegalAction` if the seat to move has none, or its hand is not known."""
    if not 0 <= action < ACTION_COUNT:
        raise IllegalAction(f"action ids go from 0 to {ACTION_COUNT - 1}, not {action}")
    move = _placement(action) if action < FLIPS_START else _flipping(position.board, action)
    reason = refusal(position.board, move, position.variant)
    if reason is not None:
        raise IllegalAction(_message(action, move, reason))
    if position.hand is None or move.tile.digit not in position.hand:
        raise IllegalAction(f"action {action} places a {move.tile.digit}, which the seat to move does not hold")
    return move


def legal_actions(position: Position) -> list[int]:
    """The ids of all legal moves of the seat to move, ascending. `ValueError` if its hand is not known."""
    return sorted(encode(position.board, play.move) for play in position.plays())


def mask(position: Position) -> NDArray[np.int8]:
    """A new array of `ACTION_COUNT` numbers: 1 for each legal id of the seat to move, otherwise 0."""
    with needs("envs", "The mask"):
        import numpy as np

    found = np.zeros(ACTION_COUNT, np.int8)
    found[legal_actions(position)] = 1
    return found


def _placement(action: int) -> Move:
    digit, rest = divmod(action, DIGIT_STRIDE)
    side, square = divmod(rest, SIDE_STRIDE)
    return Move(SQUARES[square], Tile(digit + 1, _SIDES[side]))


def _flipping(board: Board, action: int) -> Move:
    """The move with flips that an id means on this board. Whether it is legal otherwise is not checked."""
    number, index = divmod(action - FLIPS_START, LINE_STRIDE)
    line, (total, placed, last) = LINES[number], TRIPLES[index]
    text = line.cut(board.cells)
    if text[placed] != EMPTY:
        raise IllegalAction(f"action {action} places a tile on {line.squares[placed]}, which has one")
    for place in range(total, last + 1):
        if place != placed and text[place] == EMPTY:
            raise IllegalAction(f"action {action} needs a tile on {line.squares[place]}, which is empty")
    if last + 1 < SIZE and text[last + 1] in ADDENDS:
        raise IllegalAction(f"action {action} means a run that ends on {line.squares[last]}, but it goes on")
    flips = _flips(line, text, total, placed, last)
    if not flips:
        raise IllegalAction(f"action {action} flips no tile here; placements without flips have ids of their own")
    addends = sum(DIGIT_OF[text[place]] for place in range(total + 1, last + 1) if place != placed)
    side = Side.TOTAL if placed == total else Side.ADDEND
    digit = (addends if placed == total else DIGIT_OF[text[total]] - addends) % 10
    if digit == 0:
        raise IllegalAction(f"action {action} is not possible here: no digit makes the sum right")
    return Move(line.squares[placed], Tile(digit, side), flips)


def _flips(line: Line, text: str, total: int, placed: int, last: int) -> tuple[Square, ...]:
    """The tiles that have to be flipped: a yellow tile in the total's place, and red ones after it."""
    wrong = [place for place in range(total + 1, last + 1) if text[place] in TOTALS]
    if total != placed and text[total] in ADDENDS:
        wrong.append(total)
    return tuple(line.squares[place] for place in sorted(wrong))


def _message(action: int, move: Move, reason: Reason) -> str:
    return f"action {action} would be {move}, which is not legal: {reason}"
