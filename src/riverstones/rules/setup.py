"""The setup of a game: seats, variant, layout, first seat, scoring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from .board import Board
from .errors import Malformed
from .scoring import Variant
from .squares import Square
from .tiles import Side, Tile

HAND_SIZE = 2
SEAT_COUNTS = range(2, 5)
CENTRE = Square.parse("e5")


class Layout(Enum):
    """Where the four side stones lie. The fifth stone is always in the centre."""

    SIDES = "sides", "c5 e3 g5 e7"
    CORNERS = "corners", "b2 h2 b8 h8"
    STAR = "star", "c3 g3 c7 g7"
    EDGES = "edges", "a5 e1 i5 e9"

    stones: tuple[Square, ...]
    """The squares of the five river stones, in the order in which tiles are dealt to them: the centre first."""

    def __new__(cls, name: str, squares: str = "") -> Layout:
        """A layout whose value is its name."""
        layout = object.__new__(cls)
        layout._value_ = name
        layout.stones = (CENTRE, *map(Square.parse, squares.split()))
        return layout

    def board(self, digits: Sequence[int]) -> Board:
        """The board with the first five of these digits on the stones: a total in the centre, addends on the others."""
        board = Board()
        for square, digit in zip(self.stones, digits, strict=False):
            board = board.place(square, Tile(digit, Side.TOTAL if square == CENTRE else Side.ADDEND))
        return board


class Scoring(Enum):
    """How points are counted: by the software, or claimed by the players as in the boxed game."""

    AUTOMATIC = "automatic"
    CLAIMS = "claims"


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a game; raises `Malformed` for a seat count or a first seat out of range."""

    seats: int = 2
    """The number of seats: two, three or four."""
    variant: Variant = Variant.STANDARD
    """Standard or expert."""
    layout: Layout = Layout.SIDES
    """Where the side stones lie."""
    start: int = 0
    """The seat that starts."""
    scoring: Scoring = Scoring.AUTOMATIC
    """Automatic, or by claims."""

    def __post_init__(self) -> None:
        if self.seats not in SEAT_COUNTS:
            raise Malformed("seat_count", count=self.seats)
        if not 0 <= self.start < self.seats:
            raise Malformed("start_seat", seat=self.start, seats=self.seats)
