"""What the other seats hold, inferred from what they played.

A seat plays one of two tiles and keeps the other. Had the kept tile been worth more, it would have been played; and a
careful player lays the tile that it plays where the kept one will fit. So each play tells something about the kept
tile, and the kept tile may stay for many turns, over which the hints add up.

For every turn of another seat, and for each digit that it may have kept, the engine asks: how likely would somebody
with these two tiles have made this play? Several kinds of player are thought of: see `KINDS`. All may err: the less a
play is worth to them compared with the best, the less likely it is, but nothing is impossible.

Weights
-------
A weight says how well it explains a seat's turns that one certain tile is what it keeps. All tiles of a digit have the
same, so there is a weight for each digit, for each kind of player. A seat that keeps tile Q with weight w(Q), draws,
plays P and keeps Q either held Q before and drew P, or the other way round: the new weight of Q is (w(Q) + w(P)) times
the chance of the play. If P and Q are of one digit they could have changed places, which halves it. How likely a digit
is follows at the end: its weight times the tiles of it that are still unseen. That counts what came to light since, on
the board and in one's own hand. The sum over all digits likewise says how well a kind explains what the seat did.

The answers are kept, so that in a running game only the latest turn is thought about.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from riverstones.rules import HAND_SIZE, Board, Move, Variant, View

from .analysis import Stop
from .encoding import MOVE_MASK, move_from_text, points_of
from .iterative import LookAhead
from .levels import Stage
from .lookahead import Floats
from .situation import Situation

KINDS: Final = ((False, 0.0), (False, 0.3), (True, 0.3), (True, 1.5))
"""Whether they look ahead, and the points by which a play must be worse to be less likely by a factor of e: a program
that always makes the first of the plays with the most points, somebody greedy, somebody careful, and somebody careful
who is less precise."""
SLIP: Final = 0.02
"""How often a player of any kind makes just any play."""
_NOTHING: Final = ((1.0,) * 10,) * len(KINDS)
"""What a wrong move tells, at a table with claims, and one that the clock made."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A turn of another seat and what was public before it, seats counted from the one that moved."""

    board: Board
    variant: Variant
    sizes: tuple[int, ...]
    bag: int
    move: Move


def kept_tiles(view: View, stage: Stage, stop: Stop | None = None) -> tuple[tuple[float, ...], ...]:
    """`Situation.kept` for the seat whose turn it is, as the turns so far suggest.

    ``stage`` is how the careful kinds look ahead. Every play of every hand they may have had is looked at in this way.
    """
    seat, seats = view.position.to_move, view.setup.seats
    situation = Situation.of(view)
    sizes = [HAND_SIZE] * seats
    bag = view.position.bag + len(view.turns) - sum(HAND_SIZE - len(hand) for hand in view.position.hands)
    weights: dict[int, Floats] = {}
    for turn, board in zip(view.turns, _boards_before(view), strict=True):
        if turn.seat != seat and sizes[turn.seat] == HAND_SIZE and not (stop is not None and stop()):
            order = [(turn.seat + n) % seats for n in range(seats)]
            moment = _Moment(board, view.setup.variant, tuple(sizes[s] for s in order), bag, turn.move)
            probabilities = _NOTHING if turn.timed_out else _likelihoods(moment, stage)
            before = weights.get(turn.seat, np.ones((len(KINDS), 10)))
            weights[turn.seat] = _after(before, turn.move.tile.digit, np.array(probabilities))
        if bag:
            bag -= 1
        else:
            sizes[turn.seat] -= 1
    kept = list(situation.kept)
    for other, weight in weights.items():
        if sizes[other]:
            worth = weight.sum(axis=0) * situation.unseen
            kept[(other - seat) % seats] = tuple((worth / worth.sum()).tolist())
    return tuple(kept)


def _boards_before(view: View) -> list[Board]:
    """The board before each turn, found by taking the turns back."""
    board = view.position.board
    boards = []
    for turn in reversed(view.turns):
        board = turn.board_before(board)
        boards.append(board)
    return boards[::-1]


def _after(before: Floats, played: int, probabilities: Floats) -> Floats:
    """The weights after a turn, given the chance of the play with each digit that may have been kept."""
    weights = before + before[:, played, None]
    weights[:, played] = before[:, played]
    weights *= probabilities
    scaled: Floats = weights / weights.max()
    return scaled


@lru_cache(maxsize=1 << 12)
def _likelihoods(moment: _Moment, stage: Stage) -> tuple[tuple[float, ...], ...]:
    """For each kind of player and each digit beside the played one: how likely the hand leads to this play."""
    digit = moment.move.tile.digit
    try:
        move = move_from_text(str(moment.move))
    except ValueError:
        return _NOTHING
    off_board = [0, *(8 - count for count in moment.board.counts())]
    off_board[digit] -= 1
    found = np.ones((len(KINDS), 10))
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
        points = np.array([float(points_of(play)) for play in plays])
        values = np.array([search.value(play, stage) for play in plays])
        for kind, (careful, temperature) in enumerate(KINDS):
            worth = values if careful else points
            odds = np.exp((worth - worth.max()) / temperature) if temperature else np.eye(1, len(plays))[0]
            found[kind, kept] = (1.0 - SLIP) * odds[made] / odds.sum() + SLIP / len(plays)
    return tuple(map(tuple, found.tolist()))
