"""Every legal play of a hand.

A play is a legal move together with the Kakuros it scores. Trying every subset of flips would be far too slow, and it
is not needed: the flips and the placed tile must lie in one Kakuro, so the position of that Kakuro's total and of its
last addend determine which tiles have to be flipped, and its sum determines which digit has to be placed. For each free
square next to a tile, two questions are therefore enough, one for its row and one for its column: which tiles, with
which flips, complete a Kakuro here?

The answer depends only on the nine characters of the line. A move changes few lines, so the answers are cached. Each
flipped tile affects only one more line: the one that crosses the flips' line at that tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from .board import Board
from .moves import Move
from .scoring import Variant
from .series import Series, kakuro_through, reading_order
from .squares import COLUMN_LINES, LINES_OF, ROW_LINES, SIZE, SQUARES, Direction, Line, Square
from .tiles import ADDENDS, DIGIT_OF, EMPTY, FLIPPED, TILE_OF, TOTALS, Side, Tile


@dataclass(frozen=True, slots=True)
class Play:
    """A legal move and the Kakuros it scores."""

    move: Move
    kakuros: tuple[Series, ...]
    points: int


_PLAIN_MOVES = {(square, char): Move(square, tile) for square in SQUARES for char, tile in TILE_OF.items()}
_EMPTY_PLAYS = {key: Play(move, (), 0) for key, move in _PLAIN_MOVES.items()}


@dataclass(frozen=True, slots=True)
class _Completion:
    """One way to complete a Kakuro in a line with a tile at a given index: the flips needed, and the Kakuro."""

    flips: tuple[Square, ...]
    kakuro: Series


def plays(board: Board, hand: Iterable[int], variant: Variant = Variant.STANDARD) -> list[Play]:
    """Every legal play of a hand, best first.

    Plays with equal points keep the order in which they are found: squares in reading order, lower digits first,
    addends before totals, and a placement without flips before the same placement with flips.
    """
    rows = [line.cut(board.cells) for line in ROW_LINES]
    columns = [line.cut(board.cells) for line in COLUMN_LINES]
    chars = [Tile(digit, side).char for digit in sorted(set(hand)) for side in Side]
    most_flips = variant.most_flips
    found: list[Play] = []
    for square in board.frontier():
        row, column = LINES_OF[square]
        across = _completions(row, rows[square.row], square.column, most_flips)
        down = _completions(column, columns[square.column], square.row, most_flips)
        for char in chars:
            found.extend(_plays_here(square, char, across.get(char, ()), down.get(char, ()), rows, columns))
    found.sort(key=lambda play: -play.points)
    return found


def _plays_here(
    square: Square,
    char: str,
    across: tuple[_Completion, ...],
    down: tuple[_Completion, ...],
    rows: list[str],
    columns: list[str],
) -> list[Play]:
    """The plays of one tile on one square, given what it can complete in the row and in the column."""
    if not across and not down:
        return [_EMPTY_PLAYS[square, char]]
    in_row = tuple(completion.kakuro for completion in across if not completion.flips)
    in_column = tuple(completion.kakuro for completion in down if not completion.flips)
    found = [_play(_PLAIN_MOVES[square, char], in_row + in_column)]
    for completions, crossing in ((across, in_column), (down, in_row)):
        for completion in completions:
            if completion.flips:
                flipped = tuple(_kakuros_across(completion, rows, columns))
                found.append(
                    _play(Move(square, TILE_OF[char], completion.flips), (completion.kakuro, *crossing, *flipped))
                )
    return found


def _play(move: Move, kakuros: tuple[Series, ...]) -> Play:
    if len(kakuros) > 1:
        kakuros = tuple(sorted(kakuros, key=reading_order))
    return Play(move, kakuros, sum([kakuro.sum for kakuro in kakuros]))


def _kakuros_across(completion: _Completion, rows: list[str], columns: list[str]) -> Iterator[Series]:
    """The Kakuros that the flipped tiles complete in the lines that cross the flips' line."""
    downwards = completion.kakuro.direction is Direction.DOWN
    for square in completion.flips:
        row, column = LINES_OF[square]
        if downwards:
            kakuro = _kakuro_of_flipped(row, rows[square.row], square.column)
        else:
            kakuro = _kakuro_of_flipped(column, columns[square.column], square.row)
        if kakuro is not None:
            yield kakuro


@lru_cache(maxsize=1 << 16)
def _kakuro_of_flipped(line: Line, text: str, index: int) -> Series | None:
    """The Kakuro that the tile at this index of a line becomes part of when it is flipped."""
    return kakuro_through(line, text[:index] + FLIPPED[text[index]] + text[index + 1 :], index)


@lru_cache(maxsize=1 << 16)
def _completions(line: Line, text: str, place: int, most_flips: int) -> dict[str, tuple[_Completion, ...]]:
    """For each tile (by its character), the Kakuros it can complete at a free index of a line, flips included."""
    found: dict[str, tuple[_Completion, ...]] = {}
    start = place
    while start >= 0 and (start == place or text[start] != EMPTY):
        for char, completion in _completions_from(line, text, place, start, most_flips):
            found[char] = (*found.get(char, ()), completion)
        start -= 1
    return found


def _completions_from(
    line: Line, text: str, place: int, start: int, most_flips: int
) -> Iterator[tuple[str, _Completion]]:
    """The Kakuros whose total is at `start` and which contain a tile placed at `place`, for each possible end.

    Every tile after the total has to be an addend, so totals among them are flipped, and the run can end only before an
    empty square or a total. The digit of the placed tile is not known at first; a 0 stands in for it.
    """
    flips = [line.squares[start]] if start != place and text[start] in ADDENDS else []
    addends: list[int] = []
    for end in range(start + 1, SIZE):
        char = text[end]
        digit = 0 if end == place else DIGIT_OF.get(char)
        if digit is None or digit in addends:
            return
        addends.append(digit)
        if char in TOTALS:
            flips.append(line.squares[end])
        if len(flips) > most_flips:
            return
        runs_on = end + 1 < SIZE and text[end + 1] in ADDENDS
        if end < place or len(addends) < 2 or runs_on:
            continue
        squares, needed = line.squares[start : end + 1], tuple(flips)
        if start == place:
            total = sum(addends) % 10
            if total:
                yield TOTALS[total - 1], _Completion(needed, Series(squares, total, tuple(addends)))
        else:
            total = DIGIT_OF[text[start]]
            missing = (total - sum(addends)) % 10
            if missing not in addends:  # this also rules out 0, the placeholder
                complete = tuple(addend or missing for addend in addends)
                yield ADDENDS[missing - 1], _Completion(needed, Series(squares, total, complete))
