"""Draw the pictures of the documentation into docs/pictures: `python -m tools.drawings`, or `make drawings`.

They are drawn by `riverstones.svg`; a test fails when one is out of date.
"""

from __future__ import annotations

from pathlib import Path

from riverstones import svg
from riverstones.rules import Game, Layout, Seed, Series, Setup, Square, view

from .figures import figures, layout_picture

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"

SERIES = {
    "kakuro": "3 9 4",
    "kakuro-equal": "2 6 4 2",
    "series-repeated": "8 3 3 2",
    "series-wrong-sum": "5 2 6",
    "series-one-addend": "4 4",
}
"""A total and its addends, in a row."""

MOVES = {
    "series-total-last": ("behind", "c1=8"),
    "figure-3": ("three", "g4+7"),
    "figure-4": ("four", "d1+2~a1"),
    "figure-5": ("five", "h1+7~d1"),
    "figure-6": ("six", "b1+5~e1"),
    "figure-7": ("seven", "h3+7~e3"),
    "figure-8": ("eight", "h3+7~e3"),
}
"""A figure of the rules and one of its moves."""


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
    known = figures()
    for name, (figure, move) in MOVES.items():
        drawn[name] = known[figure].picture(move)
    for layout in Layout:
        drawn[f"layout-{layout.value}"] = layout_picture(layout)
    game = game_after(24)
    drawn["position"] = svg.game(game)
    drawn["view"] = svg.game(view(game, 1))
    return {f"{name}.svg": picture for name, picture in drawn.items()}


if __name__ == "__main__":
    for file, picture in drawings().items():
        (PICTURES / file).write_text(picture, encoding="utf-8")
