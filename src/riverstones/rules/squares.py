"""The 81 squares of the board, and the 18 lines (rows and columns) they form.

Columns are a-i from left to right and rows 1-9 from top to bottom, so `a1` is the top left corner and `e5` is the
centre. A square is an `int` from 0 to 80 in reading order, with a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .errors import Malformed

SIZE = 9
COLUMNS = "abcdefghi"
ROWS = "123456789"


class Square(int):
    """One square of the board: `Square.parse("e5")`."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Square:
        """Read a square's name; raises `Malformed` if there is no such square."""
        try:
            return _BY_NAME[text]
        except KeyError:
            raise Malformed("square", text=text) from None

    @property
    def column(self) -> int:
        """The column, 0 (a) to 8 (i)."""
        return self % SIZE

    @property
    def row(self) -> int:
        """The row, 0 (top, named 1) to 8 (bottom, named 9)."""
        return self // SIZE

    def __str__(self) -> str:
        return NAMES[self]

    def __repr__(self) -> str:
        return f"Square.parse({str(self)!r})"


NAMES = tuple(column + row for row in ROWS for column in COLUMNS)
"""The names of the squares, in reading order."""

SQUARES: tuple[Square, ...] = tuple(Square(n) for n in range(SIZE * SIZE))
_BY_NAME = dict(zip(NAMES, SQUARES, strict=True))


def _neighbours(square: Square) -> tuple[Square, ...]:
    """The squares that share an edge with this one."""
    return tuple(other for other in SQUARES if abs(other.row - square.row) + abs(other.column - square.column) == 1)


NEIGHBOURS: tuple[tuple[Square, ...], ...] = tuple(_neighbours(square) for square in SQUARES)
"""For each square, the two to four squares that share an edge with it."""


class Direction(Enum):
    """The direction in which addends follow a total: to the right, or down."""

    RIGHT = "right"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Line:
    """A whole row, read to the right, or a whole column, read downwards."""

    direction: Direction
    squares: tuple[Square, ...]

    def index(self, square: Square) -> int:
        """The index of one of this line's squares in it, from 0 to 8."""
        return square.column if self.direction is Direction.RIGHT else square.row

    def cut(self, cells: str) -> str:
        """The nine characters of this line, cut from the 81 characters of a board."""
        first = self.squares[0]
        if self.direction is Direction.RIGHT:
            return cells[first : first + SIZE]
        return cells[first::SIZE]

    def __hash__(self) -> int:
        # The first two squares identify a line; hashing all nine would slow every lookup by line.
        return self.squares[0] * 81 + self.squares[1]


ROW_LINES = tuple(Line(Direction.RIGHT, SQUARES[n * SIZE : (n + 1) * SIZE]) for n in range(SIZE))
COLUMN_LINES = tuple(Line(Direction.DOWN, SQUARES[n::SIZE]) for n in range(SIZE))
LINES = ROW_LINES + COLUMN_LINES

LINES_OF = tuple((ROW_LINES[square.row], COLUMN_LINES[square.column]) for square in SQUARES)
"""For each square, its row and its column."""
