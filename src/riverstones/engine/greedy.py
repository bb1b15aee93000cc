"""Play whole games between greedy seats at the kernel's full speed."""

from __future__ import annotations

from typing import Final

import numpy as np

from .arrays import Bytes, Integers
from .encoding import ALL_DIGITS, DIGIT_SHIFT, POINTS_SHIFT, RED, Board
from .jit import jit
from .kernel import MAX_PLAYS, SAVED_SHAPE, STATE_SHAPE, Plays, State, apply, generate, load

DEAL_SIZE: Final = 72
PLACEMENTS: Final = 67
"""The number of moves in a game."""
STONES: Final = np.array([40, 38, 22, 42, 58], dtype=np.int64)
"""The default layout: e5, placed red, then c5 e3 g5 e7. Squares are numbered 0-80 in reading order."""


def greedy_games(deals: Bytes, seats: int = 2, expert: bool = False, stones: Integers = STONES) -> tuple[Integers, int]:
    """Play whole games in which every seat makes its best play, the one that sorts first.

    Each row of ``deals`` is a permutation of the 72 digits: one for the first of the ``stones``, placed red, four for
    the others, placed yellow, two for each seat beginning with seat 0, which starts; the rest is drawn in order.

    Returns the scores, with a row per deal and a column per seat, and the number of plays generated.
    """
    scores = np.zeros((len(deals), seats), np.int64)
    hands = np.zeros((seats, 2), np.int64)
    state = np.zeros(STATE_SHAPE, np.int32)
    board = np.zeros(81, np.uint8)
    plays = np.zeros(MAX_PLAYS, np.int64)
    saved = np.zeros(SAVED_SHAPE, np.int32)
    return scores, _greedy_games(deals, expert, stones, scores, hands, state, board, plays, saved)


@jit(
    "int64(uint8[:, ::1], boolean, int64[::1], int64[:, ::1], int64[:, ::1],"
    " int32[:, ::1], uint8[::1], int64[::1], int32[:, ::1])"
)
def _greedy_games(
    deals: Bytes,
    expert: bool,
    stones: Integers,
    scores: Integers,
    hands: Integers,
    state: State,
    board: Board,
    plays: Plays,
    saved: State,
) -> int:
    seats = hands.shape[0]
    generated = 0
    for game in range(deals.shape[0]):
        for square in range(81):
            board[square] = 0
        for i in range(5):
            board[stones[i]] = deals[game, i] + (RED if i == 0 else 0)
        load(state, board, expert)
        drawn = 5
        for seat in range(seats):
            for i in range(2):
                hands[seat, i] = deals[game, drawn]
                drawn += 1
        for turn in range(PLACEMENTS):
            seat = turn % seats
            # An empty slot of a hand is digit 0, whose bit is masked out.
            hand = (1 << hands[seat, 0] | 1 << hands[seat, 1]) & ALL_DIGITS
            count = generate(state, hand, plays)
            generated += count
            best = plays[0]
            for i in range(1, count):
                best = min(best, plays[i])
            scores[game, seat] -= best >> POINTS_SHIFT
            apply(state, best, saved)
            used = 0 if hands[seat, 0] == best >> DIGIT_SHIFT & 15 else 1
            hands[seat, used] = 0
            if drawn < DEAL_SIZE:
                hands[seat, used] = deals[game, drawn]
                drawn += 1
    return generated
