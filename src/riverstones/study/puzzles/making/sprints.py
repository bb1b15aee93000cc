"""Sprints, with their optimum proven by exhaustive search in compiled code.

Four tiles are placed alone, and the tiles to be drawn are known. Every sequence of three moves is tried; the best
fourth move follows from one pass of the kernel. So nothing is estimated or cut off, and a search takes a quarter of a
second to a second. The tree is walked without recursion (Numba cannot load a recursive function from its cache).
"""

from __future__ import annotations

import random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverstones.engine.arrays import Integers
from riverstones.engine.encoding import DIGIT_SHIFT, POINTS_SHIFT, board_from_text, move_text
from riverstones.engine.jit import jit
from riverstones.engine.kernel import (
    MAX_PLAYS,
    SAVED_SHAPE,
    STATE_SHAPE,
    Plays,
    State,
    apply,
    best_by_digit,
    generate,
    load,
    undo,
)
from riverstones.engine.ordering import sort_plays
from riverstones.rules import Board, Hand, Move, Variant, plays
from riverstones.study.puzzles.puzzle import SPRINT_DRAWS, SPRINT_MOVES, Sprint, hand_after

from .games import PlayedGame

_LAST: Final = SPRINT_MOVES - 1

PLIES: Final = range(6, 26)
"""The number of moves before a sprint: enough tiles to work with, and few enough to find one's way."""
LOWEST_OPTIMUM: Final = 40
GREEDY_SHARE: Final = 0.8
"""A sprint in which taking the most points each time reaches more than this share of the optimum is too easy."""


@jit("int64(int32[:, ::1], int64[::1], int64[::1], int64[:, ::1], int32[:, :, ::1])")
def _solve(state: State, tiles: Integers, line: Plays, plays: Plays, saved: NDArray[np.int32]) -> int:
    """The most points of four moves, and such moves in ``line``.

    ``tiles`` are the two of the hand and the three that are drawn. Of equally good lines the first is kept.
    """
    best = np.zeros(10, np.int64)
    kept = np.zeros(_LAST + 1, np.int64)
    points = np.zeros(_LAST + 1, np.int64)
    place = np.zeros(_LAST, np.int64)
    count = np.zeros(_LAST, np.int64)
    most = -1
    kept[0] = tiles[0]
    ply = 0
    entering = True
    while ply >= 0:
        fresh = tiles[ply + 1]
        if entering and ply == _LAST:
            best_by_digit(state, best)
            play = min(best[kept[ply]], best[fresh])
            total = points[ply] - (play >> POINTS_SHIFT)
            if total > most:
                most = total
                for i in range(_LAST):
                    line[i] = plays[i, place[i]]
                line[_LAST] = play
        elif entering:
            count[ply] = generate(state, 1 << kept[ply] | 1 << fresh, plays[ply])
            sort_plays(plays[ply], count[ply])
            place[ply] = 0
        if ply == _LAST or place[ply] == count[ply]:
            entering = False
            ply -= 1
            if ply >= 0:
                undo(state, plays[ply, place[ply]], saved[ply])
                place[ply] += 1
            continue
        play = plays[ply, place[ply]]
        apply(state, play, saved[ply])
        points[ply + 1] = points[ply] - (play >> POINTS_SHIFT)
        kept[ply + 1] = kept[ply] + fresh - (play >> DIGIT_SHIFT & 15)
        ply += 1
        entering = True
    return most


def solve(board: Board, variant: Variant, hand: Hand, tiles: Hand) -> tuple[int, list[Move]]:
    """The most points that four moves can score, and moves that score them."""
    state = np.zeros(STATE_SHAPE, np.int32)
    load(state, board_from_text(board.cells), variant is Variant.EXPERT)
    line = np.zeros(SPRINT_MOVES, np.int64)
    listed = np.zeros((_LAST, MAX_PLAYS), np.int64)
    saved = np.zeros((_LAST, *SAVED_SHAPE), np.int32)
    optimum = _solve(state, np.array((*hand, *tiles), np.int64), line, listed, saved)
    return optimum, [Move.parse(move_text(play)) for play in line.tolist()]


def greedy_points(board: Board, variant: Variant, hand: Hand, tiles: Hand) -> int:
    """What one scores by taking the most points each time."""
    points = 0
    for turn in range(SPRINT_MOVES):
        play = plays(board, hand, variant)[0]
        points += play.points
        board, hand = play.move.on(board), hand_after(hand, play.move, tiles[turn : turn + 1])
    return points


def find_sprint(game: PlayedGame, rng: random.Random) -> Sprint | None:
    """A sprint from a game, or None if the position has too little to offer."""
    moment = game.moment(rng.choice(PLIES))
    board, variant, hand, tiles = moment.board, moment.variant, moment.hand, moment.coming[:SPRINT_DRAWS]
    optimum, line = solve(board, variant, hand, tiles)
    if optimum < LOWEST_OPTIMUM or greedy_points(board, variant, hand, tiles) > GREEDY_SHARE * optimum:
        return None
    return Sprint("", variant, board, hand, tiles, optimum, tuple(line), game.number)
