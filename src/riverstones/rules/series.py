"""Series and Kakuros.

A *series* is a total and the unbroken run of addends that follows it, to the right or downwards; the run ends at an
empty square, at another total or at the edge. A series is a *Kakuro* if it has at least two addends, all different,
whose sum ends in the total's digit. A red 4 thus stands for 4, 14, 24, 34 and 44.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .board import Board
from .errors import Code, Reason
from .squares import LINES, LINES_OF, SIZE, Direction, Line, Square
from .tiles import ADDENDS, DIGIT_OF, TOTALS


@dataclass(frozen=True, slots=True)
class Series:
    """A total and all the addends that follow it in one direction."""

    squares: tuple[Square, ...]
    """The squares of the series, the total's first."""
    total: int
    """The digit of the total."""
    addends: tuple[int, ...]
    """The digits of the addends, in order."""

    @property
    def direction(self) -> Direction:
        """The direction in which the addends follow the total."""
        return Direction.RIGHT if self.squares[0].row == self.squares[1].row else Direction.DOWN

    @property
    def behind(self) -> Square | None:
        """The square after the last addend, where the run stops; None at the edge of the board."""
        row, column = LINES_OF[self.squares[-1]]
        line = row if self.direction is Direction.RIGHT else column
        index = line.index(self.squares[-1]) + 1
        return line.squares[index] if index < SIZE else None

    @property
    def sum(self) -> int:
        """The sum of the addends, which is what a Kakuro scores."""
        return sum(self.addends)

    @property
    def points(self) -> int:
        """The points of the series: its sum if it is a Kakuro, otherwise 0."""
        return self.sum if self.is_kakuro else 0

    @property
    def is_kakuro(self) -> bool:
        """Whether the series is a Kakuro."""
        addends = self.addends
        return len(addends) > 1 and len(set(addends)) == len(addends) and sum(addends) % 10 == self.total

    @property
    def flaw(self) -> Reason | None:
        """Why the series is not a Kakuro; None if it is one."""
        if len(self.addends) == 1:
            return Reason.of(Code.ONE_ADDEND, series=self)
        for n, digit in enumerate(self.addends):
            if digit in self.addends[:n]:
                return Reason.of(Code.REPEATED_ADDEND, series=self, digit=digit)
        if self.sum % 10 != self.total:
            return Reason.of(Code.WRONG_SUM, series=self, sum=self.sum, total=self.total)
        return None

    def _repr_svg_(self) -> str:
        from riverstones import svg  # drawn for notebooks only

        return svg.kakuro(self)

    def __str__(self) -> str:
        """The series as players write it: `3 | 9 + 4`."""
        return f"{self.total} | {' + '.join(map(str, self.addends))}"


def reading_order(series: Series) -> tuple[Square, bool]:
    """A sort key: by the total's square, and for the same total the series to the right before the one downwards."""
    return series.squares[0], series.direction is Direction.DOWN


def series_from(line: Line, text: str, start: int) -> Series | None:
    """The series of the total at this index of a line, or None if no addend follows it."""
    end = SIZE - len(text[start + 1 :].lstrip(ADDENDS))
    if end == start + 1:
        return None
    addends = tuple(map(int, text[start + 1 : end]))
    return Series(line.squares[start:end], DIGIT_OF[text[start]], addends)


def run_start(text: str, index: int) -> int:
    """The index where the unbroken run of addends just before `index` begins; `index` itself if there is none."""
    return len(text[:index].rstrip(ADDENDS))


def total_of(text: str, index: int) -> int | None:
    """The index of the total whose series contains the tile at this index of a line, or None.

    A total begins its own series. An addend belongs to the series of the total before its run.
    """
    start = index if text[index] in TOTALS else run_start(text, index) - 1
    return start if start >= 0 and text[start] in TOTALS else None


@lru_cache(maxsize=1 << 16)
def series_through(line: Line, text: str, index: int) -> Series | None:
    """The one series of a line that contains the tile at this index, or None."""
    start = total_of(text, index)
    return None if start is None else series_from(line, text, start)


def kakuro_through(line: Line, text: str, index: int) -> Series | None:
    """The Kakuro of a line that contains the tile at this index, or None.

    Most series have a single addend, so that is ruled out before a series is made of the text.
    """
    start = total_of(text, index)
    if start is None:
        return None
    first_two = text[start + 1 : start + 3]
    if len(first_two) < 2 or first_two.strip(ADDENDS):
        return None
    series = series_from(line, text, start)
    return series if series is not None and series.is_kakuro else None


def series_on(line: Line, board: Board) -> list[Series]:
    """Every series of one line, in order."""
    text = line.cut(board.cells)
    found = (series_from(line, text, index) for index, char in enumerate(text) if char in TOTALS)
    return [series for series in found if series is not None]


def all_series(board: Board) -> list[Series]:
    """Every series on a board: rows from the top, then columns from the left."""
    return [series for line in LINES for series in series_on(line, board)]


def kakuros(board: Board) -> list[Series]:
    """Every Kakuro on a board: rows from the top, then columns from the left."""
    return [series for series in all_series(board) if series.is_kakuro]


def series_at(board: Board, square: Square) -> list[Series]:
    """The series that contain the tile on a square: at most one in its row and one in its column."""
    cells = board.cells
    found = [series_through(line, line.cut(cells), line.index(square)) for line in LINES_OF[square]]
    return [series for series in found if series is not None]


def kakuros_at(board: Board, square: Square) -> list[Series]:
    """The Kakuros that contain the tile on a square: at most one in its row and one in its column."""
    cells = board.cells
    found = [kakuro_through(line, line.cut(cells), line.index(square)) for line in LINES_OF[square]]
    return [kakuro for kakuro in found if kakuro is not None]
