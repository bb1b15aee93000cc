"""The 72 tiles: eight of each digit, yellow (an addend) on one side and red (a total) on the other.

In text a tile on the board is one character: `1`-`9` for an addend, `A`-`I` for a total; `.` is an empty square.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .errors import Malformed

DIGITS = range(1, 10)
COPIES = 8
TILE_COUNT = COPIES * len(DIGITS)

EMPTY = "."
ADDENDS = "123456789"
TOTALS = "ABCDEFGHI"


class Side(Enum):
    """The side of a tile that is up; the value is its sign in the notation of moves."""

    ADDEND = "+"
    TOTAL = "="


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on the board: its digit and the side that is up. A yellow seven is written `+7`, a red one `=7`."""

    digit: int
    side: Side

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read `+7` or `=7`; raises `Malformed` for anything else."""
        try:
            return _BY_TEXT[text]
        except KeyError:
            raise Malformed("tile", text=text) from None

    @property
    def is_total(self) -> bool:
        """Whether the red side is up."""
        return self.side is Side.TOTAL

    @property
    def char(self) -> str:
        """The character for this tile in the text of a board: `1`-`9` yellow, `A`-`I` red."""
        return (TOTALS if self.is_total else ADDENDS)[self.digit - 1]

    @property
    def flipped(self) -> Tile:
        """The same tile with the other side up."""
        return Tile(self.digit, Side.ADDEND if self.is_total else Side.TOTAL)

    def _repr_svg_(self) -> str:
        from riverstones import svg  # drawn for notebooks only

        return svg.tile(self)

    def __str__(self) -> str:
        return f"{self.side.value}{self.digit}"

    def __repr__(self) -> str:
        return f"Tile.parse({str(self)!r})"


TILES: tuple[Tile, ...] = tuple(Tile(digit, side) for digit in DIGITS for side in Side)
TILE_OF: dict[str, Tile] = {tile.char: tile for tile in TILES}
DIGIT_OF: dict[str, int] = {tile.char: tile.digit for tile in TILES}
FLIPPED: dict[str, str] = {tile.char: tile.flipped.char for tile in TILES}
_BY_TEXT = {str(tile): tile for tile in TILES}
