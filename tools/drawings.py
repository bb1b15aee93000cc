"""Draw the pictures of the documentation into docs/pictures: `python -m tools.drawings`, or `make drawings`.

They are drawn by `riverstones.svg`; a test fails when one is out of date.
"""

from __future__ import annotations

from pathlib import Path

from riverstones import svg
from riverstones.rules import Board, Game, Layout, Move, Seed, Series, Setup, Square, view

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"

SERIES = {
    "kakuro": "3 9 4",
    "kakuro-equal": "2 6 4 2",
    "series-repeated": "8 3 3 2",
    "series-wrong-sum": "5 2 6",
    "series-one-addend": "4 4",
}
"""A total and its addends, in a row."""

FIGURE_3 = "g1=9 f2+6 g2+3 h2+9 e3+6 g3+9 d4=5 e4+2 f4+6 e5=6 f5+7 f6+1 g6+5 h6+8 e7+4 f7=8"
FIGURE_7 = "a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1"

MOVES = {
    "series-total-last": ("a1+7 b1+1", "c1=8", "a1:c1"),
    "figure-3": (FIGURE_3, "g4+7", "a1:i7"),
    "figure-4": ("a1+2 b1+6 c1+4", "d1+2~a1", "a1:d1"),
    "figure-5": ("a1=3 b1+9 c1+3 d1=2 e1+5 f1+1 g1+6", "h1+7~d1", "a1:i1"),
    "figure-6": ("a1=2 c1+1 d1+6 e1+5", "b1+5~e1", "a1:f1"),
    "figure-7": (FIGURE_7, "h3+7~e3", "a3:i5"),
    "figure-8": (f"{FIGURE_7} h1=9 h2+2", "h3+7~e3", "a1:i5"),
}
"""The tiles, a move, and the part of the board that is shown."""


def series_in_a_row(digits: str) -> Series:
    """A series on the first squares of the board."""
    total, *addends = map(int, digits.split())
    return Series(tuple(Square(n) for n in range(len(addends) + 1)), total, tuple(addends))


def game_after(turns: int) -> Game:
    """A game of three after some turns, in which everybody plays for the most points."""
    game = Game.begin(Setup(seats=3), Seed(bytes(32)).deal())
    for _ in range(turns):
        game = game.play(game.plays()[0].move)
    return game


def drawings() -> dict[str, svg.Picture]:
    """The pictures by the names of their files."""
    drawn = {name: svg.kakuro(series_in_a_row(digits)) for name, digits in SERIES.items()}
    for name, (tiles, move, area) in MOVES.items():
        drawn[name] = svg.move(Board.of(tiles), Move.parse(move), area=area)
    for layout in Layout:
        drawn[f"layout-{layout.value}"] = svg.board(layout.board([4, 6, 3, 8, 1]), layout=layout)
    game = game_after(24)
    drawn["position"] = svg.game(game)
    drawn["view"] = svg.game(view(game, 1))
    return {f"{name}.svg": picture for name, picture in drawn.items()}


if __name__ == "__main__":
    for file, picture in drawings().items():
        (PICTURES / file).write_text(picture, encoding="utf-8")
