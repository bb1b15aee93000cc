"""Careful continuations: what a play is worth if both seats play on carefully, in many worlds.

After the play the game goes on for `HORIZON` moves, or to its end: then both seats have made four moves each, the play
included. Each seat makes the play with the most points less half of what the other may expect (`engine.careful`). A
world is a distribution of the unseen tiles; all plays are tried in the same worlds, so that the difference of two plays
has far less noise than either.
"""

from __future__ import annotations

import random
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverstones.engine.arrays import Floats
from riverstones.engine.careful import careful_play
from riverstones.engine.encoding import DIGIT_SHIFT, POINTS_SHIFT, board_from_text, digit_of
from riverstones.engine.jit import jit
from riverstones.engine.kernel import MAX_PLAYS, SAVED_SHAPE, STATE_SHAPE, Plays, State, apply, load
from riverstones.rules import COPIES, DIGITS, TILE_COUNT, Board, Hand, Variant

HORIZON: Final = 7
WORLDS: Final = 400
CONFIDENCE: Final = 2.576
"""How many standard errors a difference must be clear of zero: a confidence of 99 %."""

Worlds = NDArray[np.int64]
"""A row for each distribution of the unseen tiles: the other seat's two tiles, then the bag in the order of drawing."""


@jit(
    "void(int32[:, ::1], int64, int64, int64[:, ::1], int64, float64[::1], float64[::1],"
    " int32[:, ::1], int64[::1], int32[:, ::1])"
)
def _play_on(
    state: State,
    play: int,
    kept: int,
    worlds: Worlds,
    horizon: int,
    off_board: Floats,
    gains: Floats,
    scratch: State,
    plays: Plays,
    saved: State,
) -> None:
    """Write the gain of a play in each world: the points of the seat that makes it less those of the other.

    ``kept`` is the other tile of that seat, and ``off_board`` counts the tiles that are not on the board before the
    play, by digit.
    """
    best = np.zeros(10, np.int64)
    pool = np.zeros(10)
    hands = np.zeros((2, 2), np.int64)
    for world in range(worlds.shape[0]):
        tiles = worlds[world]
        for line in range(state.shape[0]):
            for i in range(state.shape[1]):
                scratch[line, i] = state[line, i]
        for digit in range(10):
            pool[digit] = off_board[digit]
        apply(scratch, play, saved)
        pool[play >> DIGIT_SHIFT & 15] -= 1.0
        gain = -(play >> POINTS_SHIFT)
        hands[1, 0] = tiles[0]
        hands[1, 1] = tiles[1]
        hands[0, 0] = kept
        hands[0, 1] = tiles[2] if len(tiles) > 2 else 0
        drawn = 3
        for ply in range(1, horizon + 1):
            seat = ply % 2
            hand = (1 << hands[seat, 0] | 1 << hands[seat, 1]) & ~1
            if hand == 0:
                break
            reply = careful_play(scratch, hand, pool, plays, saved, best)
            digit = reply >> DIGIT_SHIFT & 15
            apply(scratch, reply, saved)
            pool[digit] -= 1.0
            gain += (reply >> POINTS_SHIFT) if seat else -(reply >> POINTS_SHIFT)
            slot = 0 if hands[seat, 0] == digit else 1
            hands[seat, slot] = 0
            if drawn < len(tiles):
                hands[seat, slot] = tiles[drawn]
                drawn += 1
        gains[world] = float(gain)


class Continuations:
    """The continuations of one position with two seats and hands of two."""

    def __init__(self, board: Board, variant: Variant, hand: Hand, seed: int, worlds: int = WORLDS) -> None:
        self._state = np.zeros(STATE_SHAPE, np.int32)
        load(self._state, board_from_text(board.cells), variant is Variant.EXPERT)
        self._hand = hand
        self._off_board = np.array([0.0, *(COPIES - count for count in board.counts())])
        unseen = [digit for digit in DIGITS for _ in range(COPIES - board.count(digit) - hand.count(digit))]
        assert len(unseen) == TILE_COUNT - len(board) - len(hand)
        # Not NumPy's generators: their numbers may change from one version to the next.
        rng = random.Random(seed)
        self._worlds = np.array([rng.sample(unseen, len(unseen)) for _ in range(worlds)], np.int64)
        self._scratch = self._state.copy()
        self._plays = np.zeros(MAX_PLAYS, np.int64)
        self._saved = np.zeros(SAVED_SHAPE, np.int32)

    def gains(self, play: int, worlds: slice = slice(None)) -> Floats:
        """The gain of an encoded play in each of these worlds."""
        chosen = np.ascontiguousarray(self._worlds[worlds])
        gains = np.zeros(len(chosen))
        _play_on(
            self._state, play, sum(self._hand) - digit_of(play), chosen, HORIZON, self._off_board, gains,
            self._scratch, self._plays, self._saved,
        )  # fmt: skip
        return gains


def clearly_better(gains: Floats, others: Floats) -> bool:
    """Whether the first gains are higher than the others, world by world, with the interval clear of zero."""
    difference = gains - others
    error = float(difference.std(ddof=1)) / sqrt(len(difference))
    return float(difference.mean()) > CONFIDENCE * error
