"""The deal of a guided first game.

A beginner should be able to score with the first tile. So the dealer draws seeds until the deal allows that. The seed
is as secret as any other, and committed to in the same way; only its choice is not uniform, which is why a guided game
is never rated and always against a bot.
"""

from __future__ import annotations

import hashlib
from itertools import count

from riverstones.rules import Game, Move, Seed, Setup, Side, Tile
from riverstones.rules.scoring import kakuros_made


def guided_seed(entropy: bytes) -> Seed:
    """The first of the seeds derived from this entropy with which the first turn can score without a flip."""
    seeds = (Seed(hashlib.sha256(entropy + number.to_bytes(4)).digest()) for number in count())
    return next(seed for seed in seeds if _scores_at_once(Game.begin(Setup(), seed.deal())))


def _scores_at_once(game: Game) -> bool:
    """Whether an addend of the first hand completes a Kakuro."""
    return any(
        kakuros_made(game.board, Move(square, Tile(digit, Side.ADDEND)))
        for square in game.board.frontier()
        for digit in set(game.hand)
    )
