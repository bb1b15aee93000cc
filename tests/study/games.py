"""Games for the tests of reviews."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count

from riverstones.engine import bots
from riverstones.rules import Deal, Game, Move, Scoring, Seed, Setup, Side, Tile, Variant, view


def deal_of(name: str) -> Deal:
    """A deal that is determined by a name."""
    return Seed(hashlib.sha256(name.encode()).digest()).deal()


def play_out(setup: Setup, deal: Deal, levels: Sequence[str], turns: int = 67) -> list[Game]:
    """A game between bots, or its first turns: its states before each turn and at the end."""
    players = [bots.make(level, seed) for seed, level in enumerate(levels)]
    games = [Game.begin(setup, deal)]
    for _ in range(turns):
        game = games[-1]
        games.append(game.play(players[game.to_move](view(game, game.to_move))))
    return games


@cache
def game_of(levels: tuple[str, ...], name: str = "game", variant: Variant = Variant.STANDARD) -> tuple[Game, ...]:
    """A game between bots of these levels, one per seat."""
    return tuple(play_out(Setup(len(levels), variant), deal_of(name), levels))


def with_illegal_flip(game: Game) -> Move:
    """A placement of the hand's first tile with a flip that is not legal, for a game by claims."""
    legal = {play.move for play in game.plays()}
    tile = Tile(game.hand[0], Side.ADDEND)
    for square in game.board.frontier():
        for flipped, _ in game.board:
            move = Move(square, tile, (flipped,))
            if move not in legal:
                return move
    raise AssertionError("every flip is legal")


def claiming(
    turns: int, name: str = "claims", wrong: Callable[[Game], tuple[Move, int] | None] = lambda _: None
) -> list[Game]:
    """A game by claims: everybody plays greedily and claims what the move scores, unless `wrong` says otherwise."""
    games = [Game.begin(Setup(scoring=Scoring.CLAIMS), deal_of(name))]
    for _ in range(turns):
        game = games[-1]
        best = game.plays()[0]
        move, claim = wrong(game) or (best.move, best.points)
        games.append(game.play(move, claim=claim))
    return games


def exchanged(deal: Deal, one: int, other: int) -> Deal:
    """The deal with two tiles exchanged."""
    digits = list(deal.digits)
    digits[one], digits[other] = digits[other], digits[one]
    return Deal(tuple(digits))


def drawn_by(game: Game) -> dict[int, list[int]]:
    """The places in the deal of the tiles that each seat has drawn, in order."""
    seats, places = game.setup.seats, count(5)
    found: dict[int, list[int]] = {seat: [next(places), next(places)] for seat in range(seats)}
    for turn in game.turns:
        if (place := next(places)) < len(game.deal.digits):
            found[turn.seat].append(place)
    return found
