"""What a move may do and what it scores.

The rules compare the board before a move with the board after it, flips included. A Kakuro counts if it is new and if
every tile that helped to make it is part of it: a tile that this move turned to red just behind a run helps by
stopping it, without being part of it, so such a Kakuro does not count.

That comes to one sentence: **a legal move scores the Kakuros that contain a tile it placed or turned over.** A Kakuro
with such a tile was not there before. A new Kakuro without one can only have come about because a turned tile now
stops its run. `kakuros_made` keeps the second condition too, so that it also answers for flips that are not legal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .board import Board
from .errors import Code, Reason
from .moves import Move
from .series import Series, all_series, kakuros, series_at, series_from
from .squares import LINES_OF, SIZE, Line, Square
from .tiles import ADDENDS, DIGIT_OF, EMPTY, TOTALS


class Variant(Enum):
    """How many tiles one move may turn over: one in the standard game, any number in the expert game."""

    STANDARD = "standard"
    EXPERT = "expert"

    @property
    def most_flips(self) -> int:
        """The largest number of flips in one move. They share a line of nine squares, so nine is no limit."""
        return 1 if self is Variant.STANDARD else SIZE


def placement_refusal(board: Board, square: Square) -> Reason | None:
    """Why no tile may be placed on this square, or None if one may."""
    if board.cells[square] != EMPTY:
        return Reason.of(Code.SQUARE_TAKEN, square=square)
    if not board.touches(square):
        return Reason.of(Code.NOT_ADJACENT, square=square)
    return None


def flips_refusal(board: Board, move: Move) -> Reason | None:
    """Why these flips cannot even be carried out by hand, or None if they can: only tiles on the board turn."""
    for square in move.flips:
        if square == move.square:
            return Reason.of(Code.FLIP_PLACED, square=square)
        if board.cells[square] == EMPTY:
            return Reason.of(Code.FLIP_EMPTY, square=square)
    return None


def refusal(board: Board, move: Move, variant: Variant) -> Reason | None:
    """Why a move is not legal, or None if it is."""
    return placement_refusal(board, move.square) or flips_refusal(board, move) or _kakuro_refusal(board, move, variant)


def _kakuro_refusal(board: Board, move: Move, variant: Variant) -> Reason | None:
    """Why no single Kakuro contains the placed tile and every turned one, or None if one does, or nothing is turned."""
    if not move.flips:
        return None
    if len(move.flips) > variant.most_flips:
        return Reason.of(Code.TOO_MANY_FLIPS, count=len(move.flips))
    line = next((line for line in LINES_OF[move.square] if set(move.flips) <= set(line.squares)), None)
    if line is None:
        return Reason.of(Code.NO_SHARED_LINE, square=move.square, flip=_farthest_off(move))
    return _line_refusal(line, line.cut(move.on(board).cells), move)


def _farthest_off(move: Move) -> Square:
    """A flip to name when the flips and the placed tile share no line: in neither its row nor its column, if any."""
    lines = LINES_OF[move.square]
    alone = (square for square in move.flips if not any(square in line.squares for line in lines))
    return next(alone, move.flips[-1])


def _line_refusal(line: Line, text: str, move: Move) -> Reason | None:
    """Find the series that the changed tiles of one line should form together, and say what is wrong with it."""
    changed = sorted(line.index(square) for square in move.changed)
    first, last = changed[0], changed[-1]
    gap = text.find(EMPTY, first, last)
    if gap >= 0:
        return Reason.of(Code.GAP, square=line.squares[gap])
    totals = [index for index in changed if text[index] in TOTALS]
    if len(totals) > 1:
        return Reason.of(Code.TWO_TOTALS, square=line.squares[totals[0]], other=line.squares[totals[1]])
    if totals and totals[0] > first:
        code = Code.TOTAL_FOLLOWS if line.squares[totals[0]] == move.square else Code.STOPPED_BY_TURNED
        return Reason.of(code, square=line.squares[totals[0]])
    start = first
    while start >= 0 and text[start] in ADDENDS:
        start -= 1
    if start < 0 or text[start] == EMPTY:
        return Reason.of(Code.NO_TOTAL, square=line.squares[start + 1])
    series = series_from(line, text, start)
    if series is None or line.squares[last] not in series.squares:
        stop = start + (len(series.squares) if series else 1)
        return Reason.of(Code.STOPPED_BY_TOTAL, square=line.squares[stop])
    return series.flaw


def turned_to_total(board: Board, move: Move) -> frozenset[Square]:
    """The squares whose tiles this move turns from yellow to red."""
    return frozenset(square for square in move.flips if board.cells[square] in ADDENDS)


def square_behind(series: Series) -> Square | None:
    """The square on which a series' run ends: the one behind its last addend, or None at the edge."""
    last, before = series.squares[-1], series.squares[-2]
    line = LINES_OF[last][0] if last.row == before.row else LINES_OF[last][1]
    index = line.index(last) + 1
    return line.squares[index] if index < SIZE else None


def kakuros_made(board: Board, move: Move) -> tuple[Series, ...]:
    """The Kakuros that a move scores, in reading order of their totals, the one to the right first."""
    after = move.on(board)
    touched = dict.fromkeys(series for square in move.changed for series in series_at(after, square))
    stoppers = turned_to_total(board, move)
    made = (series for series in touched if series.is_kakuro and square_behind(series) not in stoppers)
    return tuple(sorted(made, key=reading_order))


def reading_order(series: Series) -> tuple[Square, str]:
    """A key that sorts series by their totals, and of one total the series to the right before the one downwards."""
    return series.squares[0], "" if series.squares[0].row == series.squares[1].row else "down"


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A series that a move touches and that does not score, with the reason."""

    series: Series
    reason: Reason


@dataclass(frozen=True, slots=True)
class Explanation:
    """All there is to say about a move on a board."""

    move: Move
    refusal: Reason | None
    """Why the move is not legal; None if it is."""
    kakuros: tuple[Series, ...]
    """The Kakuros that it scores; none if it is not legal."""
    near_misses: tuple[NearMiss, ...]
    """The series that it touches and that do not score."""

    @property
    def legal(self) -> bool:
        """Whether the move may be played."""
        return self.refusal is None

    @property
    def points(self) -> int:
        """What the move scores."""
        return sum(kakuro.sum for kakuro in self.kakuros)


def explain(board: Board, move: Move, variant: Variant = Variant.STANDARD) -> Explanation:
    """Judge a move and account for every series that it has to do with."""
    reason = refusal(board, move, variant)
    if placement_refusal(board, move.square) or flips_refusal(board, move):
        return Explanation(move, reason, (), ())
    made = kakuros_made(board, move) if reason is None else ()
    return Explanation(move, reason, made, _near_misses(board, move))


def _near_misses(board: Board, move: Move) -> tuple[NearMiss, ...]:
    """The series that end up different because of a move without becoming Kakuros that score."""
    after = move.on(board)
    stoppers = turned_to_total(board, move)
    old = set(kakuros(board))
    misses: list[NearMiss] = []
    for series in sorted(all_series(after), key=reading_order):
        stop = square_behind(series)
        if stop in stoppers and series.is_kakuro and series not in old:
            misses.append(NearMiss(series, Reason.of(Code.STOPPED_BY_TURNED, square=stop)))
        elif (flaw := series.flaw) and not set(move.changed).isdisjoint(series.squares):
            misses.append(NearMiss(series, flaw))
    return (*misses, *_totals_behind_their_addends(after, move))


def _totals_behind_their_addends(after: Board, move: Move) -> list[NearMiss]:
    """Totals that the move laid behind addends which sum to them: the total has to come first."""
    misses: list[NearMiss] = []
    for square in move.changed:
        if after.cells[square] not in TOTALS:
            continue
        for line in LINES_OF[square]:
            text, index = line.cut(after.cells), line.index(square)
            start = index
            while start > 0 and text[start - 1] in ADDENDS:
                start -= 1
            addends = tuple(DIGIT_OF[char] for char in text[start:index])
            back_to_front = Series((square, *line.squares[start:index]), DIGIT_OF[text[index]], addends)
            if back_to_front.is_kakuro:
                misses.append(NearMiss(back_to_front, Reason.of(Code.TOTAL_FOLLOWS, square=square)))
    return misses
