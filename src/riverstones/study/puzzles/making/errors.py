"""Claims to be judged: about half of them right, the others wrong in the ways people err at the table.

A wrong claim is a sum that was miscounted, a second Kakuro that was forgotten, a series with a repeated digit, a total
that follows its addends, or a flip that the placed tile has no part in.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from riverstones.engine.human import mirages
from riverstones.rules import Code, Move, Play, Series, Side, Square, Tile, explain, kakuros_made, plays, refusal
from riverstones.rules.series import series_at
from riverstones.rules.squares import LINES_OF

from .games import Moment

Claim = tuple[Move, int, int]
"""A move, the points claimed for it, and the points it really scores."""

RIGHT_SHARE: Final = 0.5
_PLAYS: Final = 12
"""Claims are about one of so many of the best plays."""


def spot_the_error(moment: Moment, rng: random.Random) -> Claim | None:
    """A claim about a move of this position, or None if there is nothing to claim."""
    legal = [play for play in plays(moment.board, moment.hand, moment.variant) if play.points][:_PLAYS]
    if not legal:
        return None
    if rng.random() < RIGHT_SHARE:
        play = rng.choice(legal)
        return play.move, play.points, play.points
    makers: list[Callable[[], Iterator[Claim]]] = [
        lambda: _miscounted(legal, rng),
        lambda: _repeated(moment),
        lambda: _total_follows(moment),
        lambda: _illegal_flips(moment),
    ]
    rng.shuffle(makers)
    for make in makers:
        claims = list(make())
        if claims:
            return rng.choice(claims)
    return None


def _miscounted(legal: list[Play], rng: random.Random) -> Iterator[Claim]:
    """Sums with a lost or added carry or unit or a forgotten addend, and moves with a Kakuro forgotten."""
    for play in legal:
        addend = rng.choice(play.kakuros[0].addends)
        errors = [-addend, -10, 10, -1, 1]
        errors += [-kakuro.sum for kakuro in play.kakuros if len(play.kakuros) > 1]
        claimed = play.points + rng.choice(errors)
        if claimed > 0:
            yield play.move, claimed, play.points


def _repeated(moment: Moment) -> Iterator[Claim]:
    """Series whose sum is right but which repeat a digit."""
    for move, series in mirages(moment.board, moment.hand):
        real = _points(moment, move)
        if move.flips and refusal(moment.board, move, moment.variant) is not None:
            yield move, series.sum, 0
        else:
            yield move, real + series.sum, real


def _total_follows(moment: Moment) -> Iterator[Claim]:
    """Totals placed after addends that sum to them."""
    for square in moment.board.frontier():
        for digit in sorted(set(moment.hand)):
            move = Move(square, Tile(digit, Side.TOTAL))
            told = explain(moment.board, move, moment.variant)
            backwards = [miss.series.sum for miss in told.near_misses if miss.reason.code is Code.TOTAL_FOLLOWS]
            if backwards:
                yield move, told.points + sum(backwards), told.points


def _illegal_flips(moment: Moment) -> Iterator[Claim]:
    """Moves with one flip that seem to make Kakuros, but the placed and the flipped tile share none that counts."""
    board = moment.board
    for square in board.frontier():
        for digit in sorted(set(moment.hand)):
            for side in Side:
                for flip in _tiles_in_line(moment, square):
                    move = Move(square, Tile(digit, side), (flip,))
                    if refusal(board, move, moment.variant) is None:
                        continue
                    seeming = _seeming(moment, move)
                    if seeming:
                        yield move, seeming, 0


def _tiles_in_line(moment: Moment, square: Square) -> list[Square]:
    """The tiles of a square's row and column that no gap separates from it."""
    near = []
    for line in LINES_OF[square]:
        for step in (-1, 1):
            index = line.index(square) + step
            while 0 <= index < len(line.squares) and moment.board[line.squares[index]] is not None:
                near.append(line.squares[index])
                index += step
    return near


def _seeming(moment: Moment, move: Move) -> int:
    """What a move with an illegal flip would score if its flip counted."""
    after = move.on(moment.board)
    touched: set[Series] = {series for square in move.changed for series in series_at(after, square)}
    return sum(series.sum for series in touched if series.is_kakuro)


def _points(moment: Moment, move: Move) -> int:
    if refusal(moment.board, move, moment.variant) is not None:
        return 0
    return sum(kakuro.sum for kakuro in kakuros_made(moment.board, move))
