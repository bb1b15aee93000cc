"""Which moves are legal, and what they score.

The rules compare the board before a move with the board after it, flips included. A Kakuro counts if it is new and if
every tile that helped to make it is part of it. A tile that this move flipped to red right after a run helps by ending
the run without being part of it, so such a Kakuro does not count. Flips are legal only if one single Kakuro that counts
contains the placed tile and every flipped tile.

All this comes down to one sentence: **a legal move scores the Kakuros that contain a tile it placed or flipped.** A
Kakuro with such a tile cannot have been there before, and a new Kakuro without one can only exist because a flipped
tile now ends its run. `kakuros_made` checks that tile all the same, so that it is also correct for illegal flips.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from .board import Board
from .errors import Code, Reason
from .moves import Move
from .series import Series, kakuros_at, reading_order, run_start, series_on, series_through
from .squares import LINES_OF, SIZE, Line, Square
from .tiles import DIGIT_OF, EMPTY, TOTALS


class Variant(Enum):
    """How many tiles one move may flip: one in the standard game, any number in the expert game."""

    STANDARD = "standard"
    EXPERT = "expert"

    @property
    def most_flips(self) -> int:
        """The largest number of flips in one move. Flips share a line of nine squares, so 9 means no limit."""
        return 1 if self is Variant.STANDARD else SIZE


def placement_refusal(board: Board, square: Square) -> Reason | None:
    """Why no tile may be placed on this square, or None if one may."""
    if board.cells[square] != EMPTY:
        return Reason.of(Code.SQUARE_TAKEN, square=square)
    if not board.touches(square):
        return Reason.of(Code.NOT_ADJACENT, square=square)
    return None


def flips_refusal(board: Board, move: Move) -> Reason | None:
    """Why these flips are physically impossible, or None if they are not: only tiles on the board can be flipped."""
    for square in move.flips:
        if square == move.square:
            return Reason.of(Code.FLIP_PLACED, square=square)
        if board.cells[square] == EMPTY:
            return Reason.of(Code.FLIP_EMPTY, square=square)
    return None


def refusal(board: Board, move: Move, variant: Variant = Variant.STANDARD) -> Reason | None:
    """Why a move is not legal, or None if it is."""
    return placement_refusal(board, move.square) or flips_refusal(board, move) or _flip_condition(board, move, variant)


def _flip_condition(board: Board, move: Move, variant: Variant) -> Reason | None:
    """Why no single Kakuro contains the placed and all flipped tiles; None if one does or nothing is flipped."""
    if not move.flips:
        return None
    if len(move.flips) > variant.most_flips:
        return Reason.of(Code.TOO_MANY_FLIPS, count=len(move.flips))
    row, column = LINES_OF[move.square]
    for line in (row, column):
        if all(square in line.squares for square in move.flips):
            return _shared_series_flaw(line, line.cut(move.on(board).cells), move)
    aside = [square for square in move.flips if square not in row.squares and square not in column.squares]
    return Reason.of(Code.NO_SHARED_LINE, square=move.square, flip=aside[0] if aside else move.flips[-1])


def _shared_series_flaw(line: Line, text: str, move: Move) -> Reason | None:
    """Why the changed tiles, which all lie in this line, share no Kakuro of it; None if they do."""
    changed = sorted(line.index(square) for square in move.changed)
    first, last = changed[0], changed[-1]
    gap = text.find(EMPTY, first, last)
    if gap >= 0:
        return Reason.of(Code.GAP, square=line.squares[gap])
    totals = [index for index in changed if text[index] in TOTALS]
    if len(totals) > 1:
        return Reason.of(Code.TWO_TOTALS, square=line.squares[totals[0]], other=line.squares[totals[1]])
    if totals and totals[0] > first:
        square = line.squares[totals[0]]
        return Reason.of(Code.TOTAL_FOLLOWS if square == move.square else Code.STOPPED_BY_FLIPPED, square=square)
    for index in range(first + 1, last):
        if text[index] in TOTALS:
            return Reason.of(Code.STOPPED_BY_TOTAL, square=line.squares[index])
    series = series_through(line, text, last)
    if series is None:
        return Reason.of(Code.NO_TOTAL, square=line.squares[run_start(text, last)])
    return series.flaw


@lru_cache(maxsize=1)  # a table asks twice in a row for each move: for the points, and for what to show
def kakuros_made(board: Board, move: Move) -> tuple[Series, ...]:
    """The Kakuros that a move scores, sorted by their totals in reading order, the one to the right first.

    A flipped tile right after a run must be red: otherwise it would be part of the run.
    """
    after, flips = move.on(board), move.flips
    kakuros = [kakuro for square in move.changed for kakuro in kakuros_at(after, square)]
    if flips:  # several of the changed tiles may be in one Kakuro
        kakuros = [kakuro for kakuro in set(kakuros) if kakuro.behind not in flips]
    return tuple(sorted(kakuros, key=reading_order))


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A series that a move touches and that does not score, with the reason."""

    series: Series
    reason: Reason


@dataclass(frozen=True, slots=True)
class Explanation:
    """The verdict on a move: whether it is legal, what it scores, and what it just misses."""

    move: Move
    refusal: Reason | None
    """Why the move is not legal; None if it is."""
    kakuros: tuple[Series, ...]
    """The Kakuros that it scores; empty if it is not legal."""
    after: Board | None
    """The board after the move, even if its flips are not legal; None if it cannot be made at all."""

    @property
    def legal(self) -> bool:
        """Whether the move may be played."""
        return self.refusal is None

    @property
    def points(self) -> int:
        """The points that the move scores."""
        return sum(kakuro.sum for kakuro in self.kakuros)

    @property
    def near_misses(self) -> tuple[NearMiss, ...]:
        """The series that the move touches and that do not score. Found anew each time: few callers need them."""
        return () if self.after is None else _near_misses(self.after, self.move)


def explain(board: Board, move: Move, variant: Variant = Variant.STANDARD) -> Explanation:
    """Judge a move and account for every series that it touches."""
    reason = placement_refusal(board, move.square) or flips_refusal(board, move)
    if reason:
        return Explanation(move, reason, (), None)
    reason = _flip_condition(board, move, variant)
    made = () if reason else kakuros_made(board, move)
    return Explanation(move, reason, made, move.on(board))


def _near_misses(after: Board, move: Move) -> tuple[NearMiss, ...]:
    """The series that a move changed or ended and that do not score."""
    lines = {line for square in move.changed for line in LINES_OF[square]}
    misses: list[NearMiss] = []
    for series in sorted((series for line in lines for series in series_on(line, after)), key=reading_order):
        flaw = series.flaw
        if flaw is None and series.behind in move.flips:
            misses.append(NearMiss(series, Reason.of(Code.STOPPED_BY_FLIPPED, square=series.behind)))
        elif flaw is not None and not set(move.changed).isdisjoint(series.squares):
            misses.append(NearMiss(series, flaw))
    return (*misses, *_totals_behind_their_addends(after, move))


def _totals_behind_their_addends(after: Board, move: Move) -> list[NearMiss]:
    """Totals placed or flipped after addends that would sum to them: a total has to come first."""
    misses: list[NearMiss] = []
    for square in move.changed:
        if after.cells[square] not in TOTALS:
            continue
        for line in LINES_OF[square]:
            text, index = line.cut(after.cells), line.index(square)
            start = run_start(text, index)
            addends = tuple(DIGIT_OF[char] for char in text[start:index])
            back_to_front = Series((square, *line.squares[start:index]), DIGIT_OF[text[index]], addends)
            if back_to_front.is_kakuro:
                misses.append(NearMiss(back_to_front, Reason.of(Code.TOTAL_FOLLOWS, square=square)))
    return misses
