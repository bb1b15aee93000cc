"""Positions of games, for tests of the searches."""

from __future__ import annotations

import random

from riverstones.rules import Deal, Game, Setup, Variant, View, view


def game_after(turns: int, seed: int = 1, seats: int = 2, variant: Variant = Variant.STANDARD) -> Game:
    """A game in which everybody has played greedily."""
    digits = [digit for digit in range(1, 10) for _ in range(8)]
    random.Random(seed).shuffle(digits)
    game = Game.begin(Setup(seats=seats, variant=variant), Deal(tuple(digits)))
    for _ in range(turns):
        game = game.play(game.plays()[0].move)
    return game


def seen(game: Game) -> View:
    """The game as the seat to move sees it."""
    return view(game, game.to_move)
