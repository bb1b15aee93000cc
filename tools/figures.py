"""The worked figures of the rules, docs/figures.json: the web app's rules page, docs/rules.md and the site show them.

The rules page plays their moves on its own board, the documentation draws them with `riverstones.svg`. Generated cases
(`web/tests/make_figure_cases.py`) hold both equal.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from riverstones import svg
from riverstones.rules import Board, Layout, Move
from riverstones.words import DEFAULT_LANGUAGE

FIGURES = Path(__file__).parents[1] / "docs" / "figures.json"

STONE_DIGITS = (4, 6, 3, 8, 1)
"""The tiles on the stones in the pictures of layouts, the red one first."""


@dataclass(frozen=True)
class Figure:
    """A position, the moves to look at, and the columns and rows that are shown, from the top left corner."""

    tiles: str
    moves: tuple[str, ...]
    columns: int
    rows: int

    @property
    def board(self) -> Board:
        return Board.of(self.tiles)

    def picture(self, move: str, language: str = DEFAULT_LANGUAGE) -> svg.Picture:
        """One of its moves on the board."""
        area = f"a1:{'abcdefghi'[self.columns - 1]}{self.rows}"
        return svg.move(self.board, Move.parse(move), area=area, language=language)


def figures() -> dict[str, Figure]:
    """The figures by name."""
    found = json.loads(FIGURES.read_text(encoding="utf-8"))
    return {name: Figure(**{**figure, "moves": tuple(figure["moves"])}) for name, figure in found.items()}


def layout_picture(layout: Layout, language: str = DEFAULT_LANGUAGE) -> svg.Picture:
    """The stones of a layout with their first tiles."""
    return svg.board(layout.board(STONE_DIGITS), layout=layout, language=language)
