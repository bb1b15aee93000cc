"""What the other seats hold, inferred from what they played.

A seat plays one of two tiles and keeps the other. Had the kept tile been worth more, it would have been played; and a
careful player lays the tile that it plays where the kept one will fit. So each play tells something about the kept
tile, and the kept tile may stay for many turns, over which the hints add up.

For every turn of another seat, and for each digit that it may have kept, the engine asks: how likely would somebody
with these two tiles have made this play? Three kinds of player are thought of: the greedy one who counts points alone,
the careful one who looks ahead, and one who does so less precisely. All may err: the less a play is worth to
them compared with the best, the less likely it is, but nothing is impossible. Which kind a seat is, is inferred along
the way.

The answers are kept, so that in a running game only the latest turn is thought about.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from riverstones.rules import HAND_SIZE, Board, Hand, Move, Turn, Variant, View

from .analysis import Stop
from .deepen import LookAhead
from .encoding import MOVE_MASK, move_from_text, points_of
from .levels import Stage
from .lookahead import Floats
from .situation import Situation

KINDS: Final = ((False, 0.3), (True, 0.3), (True, 1.5))
"""The greedy, the careful and the less precise kind: whether they look ahead, and the points by which a play must be
worse to be less likely by a factor of e."""
SLIP: Final = 0.02
"""How often a player of any kind makes just any play."""
_NOTHING: Final = ((1.0,) * 10,) * len(KINDS)
"""What a wrong move tells, at a table with claims."""


@dataclass(slots=True)
class Reading:
    """What is thought of one seat: how likely it is of each kind, and for each kind what it would be keeping."""

    kinds: Floats
    kept: Floats

    def blend(self) -> Floats:
        """The chance of each digit to be the kept tile."""
        return self.kinds @ self.kept


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
    seat, seats = view.position.turn, view.setup.seats
    situation = Situation.of(view)
    boards = _boards_before(view)
    own_hands = [turn.hand or () for turn in view.turns if turn.seat == seat] + [view.hand]
    sizes = [HAND_SIZE] * seats
    bag = view.position.bag + len(view.turns) - sum(HAND_SIZE - len(hand) for hand in view.position.hands)
    readings: dict[int, Reading] = {}
    for turn, board in zip(view.turns, boards, strict=True):
        if turn.seat == seat:
            own_hands.pop(0)
        elif not (stop is not None and stop()):
            order = [(turn.seat + n) % seats for n in range(seats)]
            moment = _Moment(board, view.setup.variant, tuple(sizes[s] for s in order), bag, turn.move)
            others = [reading.blend() for s, reading in readings.items() if s != turn.seat]
            hidden = _hidden(board, own_hands[0], others)
            readings[turn.seat] = _read(moment, stage, turn, hidden, readings.get(turn.seat))
        if bag:
            bag -= 1
        else:
            sizes[turn.seat] -= 1
    return tuple(
        tuple(readings[(seat + n) % seats].blend().tolist()) if (seat + n) % seats in readings else even
        for n, even in enumerate(situation.kept)
    )


def _boards_before(view: View) -> list[Board]:
    """The board before each turn, found by taking the turns back."""
    board = view.position.board
    boards = []
    for turn in reversed(view.turns):
        if not turn.upheld:
            board = board.turn(turn.move.flips)
        board = board.clear(turn.move.square)
        boards.append(board)
    return boards[::-1]


def _hidden(board: Board, hand: Hand, others: list[Floats]) -> Floats:
    """How many tiles of each digit a seat's fresh tile may be one of."""
    off_board = np.array([0.0, *(8 - count for count in board.counts())])
    for digit in hand:
        off_board[digit] -= 1.0
    for kept in others:
        off_board -= kept
    clipped: Floats = np.maximum(off_board, 0.0)
    return clipped


def _read(moment: _Moment, stage: Stage, turn: Turn, hidden: Floats, before: Reading | None) -> Reading:
    """What is thought of a seat after its turn."""
    digit = turn.move.tile.digit
    if before is None:
        before = Reading(np.full(len(KINDS), 1 / len(KINDS)), _even(hidden))
    if moment.sizes[0] == 1:
        return Reading(before.kinds, np.zeros_like(before.kept))
    pairs = before.kept[:, digit, None] * hidden + before.kept * hidden[digit]
    pairs[:, digit] = before.kept[:, digit] * max(hidden[digit] - 1.0, 0.0)
    joint = pairs if turn.timed_out else pairs * np.array(_likelihoods(moment, stage))
    evidence = joint.sum(axis=1)
    if not evidence.all():
        # What one kind of player could not have held says nothing more about it: begin again with this turn.
        return Reading(before.kinds, _even(hidden))
    kinds = before.kinds * evidence
    return Reading(kinds / kinds.sum(), joint / evidence[:, None])


def _even(hidden: Floats) -> Floats:
    return np.tile(hidden / hidden.sum(), (len(KINDS), 1))


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
            Situation.with_even_chances(moment.board, moment.variant, hand, moment.sizes, scores, moment.bag)
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
            odds = np.exp((worth - worth.max()) / temperature)
            found[kind, kept] = (1.0 - SLIP) * odds[made] / odds.sum() + SLIP / len(plays)
    return tuple(map(tuple, found.tolist()))
