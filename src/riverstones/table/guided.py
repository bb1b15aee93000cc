"""The deal of a guided first game.

A beginner should be able to score with the first tile, to score with a flip in the second turn, and to score again in
the third. So the dealer draws seeds until the deal allows that, whether the bot answers well or badly. The seed is as
secret as any other, and committed to in the same way; only its choice is not uniform, which is why a guided game is
never rated and always against a bot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import count

from riverstones.rules import Game, Move, Play, Seed, Setup, Side, Tile
from riverstones.rules.scoring import kakuros_made


def guided_seed(entropy: bytes) -> Seed:
    """The first of the seeds derived from this entropy whose deal suits a beginner."""
    seeds = (Seed(hashlib.sha256(entropy + number.to_bytes(4)).digest()) for number in count())
    return next(seed for seed in seeds if _suits(Game.begin(Setup(), seed.deal())))


def _suits(game: Game) -> bool:
    """Whether the first three turns can score, the second with a flip, whatever the bot does."""
    first = _best_addend(game)
    return first is not None and all(_goes_on(game.play(first), reply) for reply in (_good_reply, _bad_reply))


def _best_addend(game: Game) -> Move | None:
    """The addend that scores most without a flip; None if none scores."""
    moves = [
        Move(square, Tile(digit, Side.ADDEND)) for square in game.board.frontier() for digit in sorted(set(game.hand))
    ]
    points = [sum(kakuro.sum for kakuro in kakuros_made(game.board, move)) for move in moves]
    return moves[points.index(most)] if (most := max(points)) else None


def _goes_on(game: Game, reply: Callable[[Game], Move]) -> bool:
    """Whether the second turn can score by a flip and the third at all, if the bot plays like this."""
    second = game.play(reply(game))
    flip = scoring_flip(second.plays())
    if flip is None:
        return False
    answered = second.play(flip)
    return answered.play(reply(answered)).plays()[0].points > 0


def scoring_flip(plays: list[Play]) -> Move | None:
    """The first addend that scores with a flip and not without one; None if there is none."""
    alone = {(play.move.square, play.move.tile) for play in plays if play.points and not play.move.flips}
    return next(
        (
            move
            for move in (play.move for play in plays if play.move.flips)
            if move.tile.side is Side.ADDEND and (move.square, move.tile) not in alone
        ),
        None,
    )


def _good_reply(game: Game) -> Move:
    """A play with the most points without a flip: beginners' bots hardly ever flip."""
    return next(play.move for play in game.plays() if not play.move.flips)


def _bad_reply(game: Game) -> Move:
    """A play with the fewest points."""
    return game.plays()[-1].move
