"""Draw the board as text.

A square is four characters wide and readable without colour: an addend is ` +7 `, a total is `[=7]`. The last character
also carries a mark: `<` for the tile just placed, `~` for a tile just flipped, `°` for a tile on a river stone. Colour
only repeats what the characters say.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rich.text import Text

from riverstones.rules import Board, Move, Series, Square, Tile
from riverstones.rules.squares import COLUMNS, ROW_LINES, ROWS, SIZE

ADDEND_STYLE = "#1F2A2E on #F2C14E"
TOTAL_STYLE = "#FFF4E8 on #C2412D"
LIT_ADDEND_STYLE = "bold #1F2A2E on #FFE394"
LIT_TOTAL_STYLE = "bold #FFF4E8 on #E4553C"
GRID_STYLE = "#75827F"

CELL_WIDTH = 4
GRID_WIDTH = 2 + SIZE * (CELL_WIDTH + 1) + 1
GRID_HEIGHT = 2 * SIZE + 2
PLAIN_WIDTH = 2 + SIZE * CELL_WIDTH
PLAIN_HEIGHT = SIZE + 1


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The symbols that a terminal can show: Unicode, or plain ASCII."""

    across: str = "─"
    upright: str = "│"
    corners: tuple[str, str, str] = ("┌┬┐", "├┼┤", "└┴┘")
    dot: str = "·"
    stone: str = "°"
    pawns: str = "●◆▲■"
    rail: str = "─"
    ten: str = "┴"
    turn: str = "▸"
    wave: str = "≈"

    @classmethod
    def of(cls, encoding: str) -> Glyphs:
        """The symbols for a terminal with this encoding."""
        return cls() if encoding.lower().startswith("utf") else ASCII


ASCII = Glyphs("-", "|", ("+++", "+++", "+++"), ".", "'", "ox^#", "-", "+", ">", "~")


@dataclass(frozen=True, slots=True)
class Scene:
    """What to draw: the board, its stones, and the current move with the Kakuros it makes."""

    board: Board
    stones: Collection[Square]
    move: Move | None = None
    kakuros: tuple[Series, ...] = ()

    def mark(self, square: Square, glyphs: Glyphs) -> str:
        """The mark after a tile; empty if there is none."""
        if self.move is not None and square == self.move.square:
            return "<"
        if self.move is not None and square in self.move.flips:
            return "~"
        return glyphs.stone if square in self.stones else ""

    def is_lit(self, square: Square) -> bool:
        """Whether the tile here is part of a Kakuro that the move makes."""
        return any(square in kakuro.squares for kakuro in self.kakuros)


def tile_text(tile: Tile, mark: str = "", *, lit: bool = False) -> Text:
    """A tile, four characters wide."""
    if tile.is_total:
        return Text(f"[{tile}{mark or ']'}", LIT_TOTAL_STYLE if lit else TOTAL_STYLE)
    return Text(f" {tile}{mark or ' '}", LIT_ADDEND_STYLE if lit else ADDEND_STYLE)


def draw_grid(scene: Scene, glyphs: Glyphs) -> Text:
    """The board with a grid around its squares: 48 columns and 20 lines."""
    near = set(scene.board.frontier())
    lines = [Text("  " + "".join(f"   {column} " for column in COLUMNS), GRID_STYLE)]
    lines.append(_rule(glyphs, 0))
    for row, name in zip(ROW_LINES, ROWS, strict=True):
        line = Text(f"{name} ", GRID_STYLE)
        for square in row.squares:
            line.append(glyphs.upright)
            line.append_text(_cell(scene, square, glyphs, glyphs.dot if square in near else " "))
        line.append(glyphs.upright, GRID_STYLE)
        lines.append(line)
        lines.append(_rule(glyphs, 2 if name == ROWS[-1] else 1))
    return Text("\n").join(lines)


def draw_plain(scene: Scene, glyphs: Glyphs) -> Text:
    """The board without a grid, for small terminals: 38 columns and 10 lines."""
    lines = [Text("  " + "".join(f"  {column} " for column in COLUMNS), GRID_STYLE)]
    for row, name in zip(ROW_LINES, ROWS, strict=True):
        line = Text(f"{name} ", GRID_STYLE)
        for square in row.squares:
            line.append_text(_cell(scene, square, glyphs, glyphs.dot))
        lines.append(line)
    return Text("\n").join(lines)


def _cell(scene: Scene, square: Square, glyphs: Glyphs, empty: str) -> Text:
    tile = scene.board[square]
    if tile is None:
        return Text(f"  {empty} ", GRID_STYLE)
    return tile_text(tile, scene.mark(square, glyphs), lit=scene.is_lit(square))


def _rule(glyphs: Glyphs, place: int) -> Text:
    left, middle, right = tuple(glyphs.corners[place])
    return Text("  " + left + middle.join([glyphs.across * CELL_WIDTH] * SIZE) + right, GRID_STYLE)
