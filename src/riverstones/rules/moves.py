"""A move: one tile placed, and the tiles flipped along with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from .board import Board
from .errors import Malformed
from .squares import Square
from .tiles import Tile

_FORM = re.compile(r"([a-i][1-9])([+=][1-9])((?:~[a-i][1-9])*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Move:
    """A tile, its square, and the squares whose tiles are flipped, in reading order: `h3+7~e3`."""

    square: Square
    tile: Tile
    flips: tuple[Square, ...] = ()

    def __post_init__(self) -> None:
        if any(first >= second for first, second in pairwise(self.flips)):
            object.__setattr__(self, "flips", tuple(sorted(set(self.flips))))

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move such as `h3+7~e3`; flips may come in any order, but none twice."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise Malformed("move", text=text)
        flips = tuple(Square.parse(name) for name in match[3].split("~")[1:])
        if len(set(flips)) < len(flips):
            raise Malformed("move_flips_twice", text=text)
        return cls(Square.parse(match[1]), Tile.parse(match[2]), flips)

    @property
    def changed(self) -> tuple[Square, ...]:
        """Every square that the move changes: the placed tile's first, then the flips."""
        return (self.square, *self.flips)

    def on(self, board: Board) -> Board:
        """The board after this move, legal or not. Its square must be empty and its flips must be on tiles."""
        placed = board.place(self.square, self.tile)
        return placed.flip(self.flips) if self.flips else placed

    def off(self, board: Board) -> Board:
        """The board before this move, given the board right after it."""
        flipped = board.flip(self.flips) if self.flips else board
        return flipped.clear(self.square)

    def __str__(self) -> str:
        placed = f"{self.square}{self.tile}"
        return "~".join((placed, *map(str, self.flips))) if self.flips else placed

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"
