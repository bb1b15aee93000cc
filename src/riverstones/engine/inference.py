"""Infer what the other seats hold from what they played.

A seat plays one of two tiles and keeps the other. Had the kept tile been worth more, it would have been played; and a
careful player places a tile where the kept one will fit. So each play is evidence about the kept tile, and the kept
tile may stay for many turns, over which the evidence accumulates.

For every turn of another seat, and for each digit that it may have kept, the engine asks: how likely is this play for a
player with these two tiles? Several kinds of player are considered: see `KINDS`. All may err: the worse a play is for
them compared with the best, the less likely it is, but nothing is impossible.

Weights
-------
A weight says how well it explains a seat's turns that a certain tile is the one it keeps. All tiles of a digit have the
same weight, so there is one per digit and kind of player. A seat that keeps tile Q with weight w(Q), draws, plays P and
keeps Q either held Q before and drew P, or the other way round: the new weight of Q is (w(Q) + w(P)) times the
probability of the play. If P and Q have the same digit they could have been exchanged, which halves it. The probability
of a digit follows at the end: its weight times the number of its tiles that are still unseen. This accounts for what
was revealed since, on the board and in one's own hand. Likewise, the sum over all digits says how well a kind of player
explains the seat's turns.

Results are cached, so in a running game only the latest turn has to be evaluated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import Final

from riverstones.rules import HAND_SIZE, Board, Move, Variant, View

from .analysis import Stop
from .arrays import array
from .encoding import MOVE_MASK, move_from_text, points_of
from .iterative import LookAhead
from .levels import Stage
from .situation import Situation
from .softmax import share

KINDS: Final = ((False, 0.0), (False, 0.3), (True, 0.3), (True, 1.5))
"""Kinds of player: whether they look ahead, and the loss in points that makes a play less likely by a factor of e. In
order: a program that always makes the first of the plays with the most points, a greedy player, a careful player,
and a careful but less precise player."""
SLIP: Final = 0.02
"""The probability that a player of any kind makes a random play."""
Weights = tuple[tuple[float, ...], ...]
"""A number for each kind of player and digit."""

_NOTHING: Final[Weights] = ((1.0,) * 10,) * len(KINDS)
"""The likelihoods for a turn that tells nothing: an illegal move with claims, or a move made by the clock."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A turn of another seat and what was public before it, with seats counted from the one that moved."""

    board: Board
    variant: Variant
    sizes: tuple[int, ...]
    bag: int
    move: Move


def kept_tiles(view: View, stage: Stage, stop: Stop | None = None) -> tuple[tuple[float, ...], ...]:
    """`Situation.kept` for the seat to move, inferred from the turns so far.

    ``stage`` is the look-ahead of the careful kinds; it evaluates every play of every hand they may have had.
    """
    return kept_given(evidence(view, stage, stop), Situation.of(view))


Evidence = dict[int, Weights]
"""For each other seat that has moved, counted from the one to move, a weight for each kind of player and digit."""


def evidence(view: View, stage: Stage, stop: Stop | None = None) -> Evidence:
    """The evidence of the turns so far about the tiles that the others keep. It does not depend on any hand."""
    seat, seats = view.position.to_move, view.setup.seats
    sizes = [HAND_SIZE] * seats
    bag = view.position.bag + len(view.turns) - sum(HAND_SIZE - len(hand) for hand in view.position.hands)
    weights: Evidence = {}
    for turn, board in zip(view.turns, _boards_before(view), strict=True):
        if turn.seat != seat and sizes[turn.seat] == HAND_SIZE and not (stop is not None and stop()):
            order = [(turn.seat + n) % seats for n in range(seats)]
            moment = _Moment(board, view.setup.variant, tuple(sizes[s] for s in order), bag, turn.move)
            probabilities = _NOTHING if turn.timed_out else _likelihoods(moment, stage)
            other = (turn.seat - seat) % seats
            weights[other] = _after(weights.get(other, _NOTHING), turn.move.tile.digit, probabilities)
        if bag:
            bag -= 1
        else:
            sizes[turn.seat] -= 1
    return weights


def kept_given(weights: Evidence, situation: Situation) -> tuple[tuple[float, ...], ...]:
    """`Situation.kept` that follows from the evidence and the hand in this situation."""
    kept = list(situation.kept)
    for other, weight in weights.items():
        if situation.sizes[other]:
            by_digit = map(fsum, zip(*weight, strict=True))
            worth = [each * unseen for each, unseen in zip(by_digit, situation.unseen, strict=True)]
            total = fsum(worth)
            kept[other] = tuple(each / total for each in worth)
    return tuple(kept)


def _boards_before(view: View) -> list[Board]:
    """The board before each turn, found by undoing the turns."""
    board = view.position.board
    boards = []
    for turn in reversed(view.turns):
        board = turn.board_before(board)
        boards.append(board)
    return boards[::-1]


def _after(before: Weights, played: int, probabilities: Weights) -> Weights:
    """The weights after a turn, given the probability of the play with each digit that may have been kept."""
    weights = [
        [
            (weight if digit == played else weight + of_kind[played]) * probability
            for digit, (weight, probability) in enumerate(zip(of_kind, told, strict=True))
        ]
        for of_kind, told in zip(before, probabilities, strict=True)
    ]
    most = max(map(max, weights))
    return tuple(tuple(weight / most for weight in of_kind) for of_kind in weights)


@lru_cache(maxsize=1 << 12)
def _likelihoods(moment: _Moment, stage: Stage) -> Weights:
    """For each kind of player and each second digit of the hand, the probability of this play."""
    digit = moment.move.tile.digit
    try:
        move = move_from_text(str(moment.move))
    except ValueError:
        return _NOTHING
    off_board = [0, *(8 - count for count in moment.board.counts())]
    off_board[digit] -= 1
    found = [list(of_kind) for of_kind in _NOTHING]
    for kept in range(1, 10):
        if not off_board[kept]:
            continue
        hand = (min(digit, kept), max(digit, kept))
        scores = (0,) * len(moment.sizes)
        search = LookAhead(
            Situation.with_even_probabilities(moment.board, moment.variant, hand, moment.sizes, scores, moment.bag)
        )
        plays = search.plays()
        try:
            made = [play & MOVE_MASK for play in plays].index(move)
        except ValueError:
            return _NOTHING
        points = array([points_of(play) for play in plays], "float64")
        values = array([search.value(play, stage) for play in plays], "float64")
        for kind, (careful, temperature) in enumerate(KINDS):
            likely = share(values if careful else points, made, temperature) if temperature else float(made == 0)
            found[kind][kept] = (1.0 - SLIP) * likely + SLIP / len(plays)
    return tuple(map(tuple, found))
