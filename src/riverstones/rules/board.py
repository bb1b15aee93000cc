"""The board: the tile, if any, on each of the 81 squares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .errors import Malformed
from .squares import NEIGHBOURS, SIZE, SQUARES, Square
from .tiles import DIGIT_OF, DIGITS, EMPTY, FLIPPED, TILE_OF, Tile

ROW_SLICES = tuple(slice(start, start + SIZE) for start in range(0, len(SQUARES), SIZE))
"""The characters of each row among those of a board."""


@dataclass(frozen=True, slots=True)
class Board:
    """An immutable board.

    It is stored as the 81 characters of its written form without the slashes: `.` for an empty square, `1`-`9` for
    addends, `A`-`I` for totals. A row is then a slice and a column a slice with a step, so reading a line, which the
    rules do more often than anything else, is as fast as Python allows.
    """

    cells: str = EMPTY * len(SQUARES)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read nine rows from the top, joined by slashes."""
        rows = text.split("/")
        if len(rows) != SIZE:
            raise Malformed("board_rows", count=len(rows))
        for number, row in enumerate(rows, start=1):
            if len(row) != SIZE:
                raise Malformed("board_row_length", row=number, count=len(row))
            for char in row:
                if char != EMPTY and char not in TILE_OF:
                    raise Malformed("board_character", row=number, text=char)
        return cls("".join(rows))

    @classmethod
    def of(cls, text: str) -> Board:
        """Build a board from tiles and their squares: `Board.of("a1=8 b1+3")`."""
        board = cls()
        for item in text.split():
            square = Square.parse(item[:2])
            if board[square] is not None:
                raise Malformed("square_twice", square=square)
            board = board.place(square, Tile.parse(item[2:]))
        return board

    def __str__(self) -> str:
        return "/".join([self.cells[row] for row in ROW_SLICES])

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def __getitem__(self, square: Square) -> Tile | None:
        return TILE_OF.get(self.cells[square])

    def __iter__(self) -> Iterator[tuple[Square, Tile]]:
        """Iterate over the squares that hold a tile, in reading order, each with its tile."""
        return ((square, TILE_OF[self.cells[square]]) for square in SQUARES if self.cells[square] != EMPTY)

    def __len__(self) -> int:
        """The number of tiles on the board."""
        return len(SQUARES) - self.cells.count(EMPTY)

    def count(self, digit: int) -> int:
        """The number of tiles with this digit on the board, whichever side is up."""
        return sum(1 for char in self.cells if char != EMPTY and DIGIT_OF[char] == digit)

    def counts(self) -> tuple[int, ...]:
        """The number of tiles of each digit 1-9 on the board."""
        return tuple(self.count(digit) for digit in DIGITS)

    def frontier(self) -> list[Square]:
        """The empty squares next to a tile, where the next tile may go, in reading order."""
        cells = self.cells
        near = set().union(*[NEIGHBOURS[square] for square in SQUARES if cells[square] != EMPTY])
        return sorted(square for square in near if cells[square] == EMPTY)

    def touches(self, square: Square) -> bool:
        """Whether a neighbour of this square holds a tile."""
        return any(self.cells[near] != EMPTY for near in NEIGHBOURS[square])

    def place(self, square: Square, tile: Tile) -> Board:
        """The board with this tile on this square. Legality is checked in `scoring`, not here."""
        return Board(self.cells[:square] + tile.char + self.cells[square + 1 :])

    def clear(self, square: Square) -> Board:
        """The board with this square empty."""
        return Board(self.cells[:square] + EMPTY + self.cells[square + 1 :])

    def flip(self, squares: Iterable[Square]) -> Board:
        """The board with the tiles on these squares flipped."""
        cells = list(self.cells)
        for square in squares:
            cells[square] = FLIPPED[cells[square]]
        return Board("".join(cells))

    def _repr_svg_(self) -> str:
        from riverstones import svg  # drawn for notebooks only

        return svg.board(self)
