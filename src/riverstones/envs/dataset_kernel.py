"""The compiled code of datasets: games between seats that play for the most points, and the check of stored games.

The arrays have a row for each game, as the fields of a dataset have them: see `dataset`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverstones.engine.arrays import Bytes, Integers, constant
from riverstones.engine.encoding import COLUMN_FLIPS, FLIPS_MASK, POINTS_SHIFT, RED_BIT, Board
from riverstones.engine.jit import jit
from riverstones.engine.kernel import MAX_PLAYS, Plays, State, generate
from riverstones.rules import TILE_COUNT, Setup, Variant

from .actions import FLIPS_START, LINE_STRIDE, TRIPLES
from .game_kernel import (
    GAME_MOVES,
    HANDS,
    NOTES,
    SCORES,
    TO_MOVE,
    GameArray,
    action_of,
    begin,
    dealt,
    make,
    new_game,
    play_of,
    scratch,
    shuffle,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint16]
    Numbers = NDArray[np.uint32]
    Flags = NDArray[np.bool_]
else:
    Words = Numbers = Flags = Any

_TIE_RANK: Final = constant([9 * (8 - total) + last for total, _, last in TRIPLES], "int64")
"""Of the plays of one tile that differ only in their flips in one line, `rules.plays` has that with the nearest total
first, then that with the nearest last addend."""
_ABOVE_FLIPS: Final = RED_BIT.bit_length() - 1
"""A play shifted by this is without its flips and their direction."""


def play_games(
    seed: int, numbers: range, setup: Setup, deals: Bytes, actions: Words, points: Words, scores: Words
) -> None:
    """Write the games with these numbers in which every seat is `greedy`: its play is the first of `rules.plays`."""
    stones = np.array(setup.layout.stones, np.int64)
    first, expert = np.uint64(numbers.start), setup.variant is Variant.EXPERT
    memory = new_game(), np.zeros(81, np.uint8), np.zeros(MAX_PLAYS, np.int64), scratch()
    _play_games(np.uint64(seed), first, expert, stones, deals, actions, points, scores, *memory)


def check_games(
    seed: int, numbers: Numbers, setup: Setup, deals: Bytes, actions: Words, points: Words, scores: Words
) -> Flags:
    """Whether each game has the deal of its number, legal moves, and the points and scores that these make."""
    right = np.zeros(len(numbers), np.bool_)
    stones = np.array(setup.layout.stones, np.int64)
    memory = new_game(), np.zeros(81, np.uint8), scratch()
    expert = setup.variant is Variant.EXPERT
    _check_games(np.uint64(seed), numbers, expert, stones, deals, actions, points, scores, right, *memory)
    return right


@jit()
def _greedy_play(game: GameArray, plays: Plays) -> int:
    slot = HANDS + 2 * game[NOTES, TO_MOVE]
    # An empty slot is digit 0, whose bit is masked out.
    count = generate(game, (1 << game[NOTES, slot] | 1 << game[NOTES, slot + 1]) & ~1, plays)
    best = plays[0]
    for i in range(1, count):
        best = min(best, plays[i])
    if best & FLIPS_MASK == 0:
        return int(best)
    same, direction = best >> _ABOVE_FLIPS, best & COLUMN_FLIPS
    lowest = _tie_rank(game, best)
    for i in range(count):
        play = plays[i]
        if play >> _ABOVE_FLIPS == same and play & COLUMN_FLIPS == direction:
            rank = _tie_rank(game, play)
            if rank < lowest:
                best, lowest = play, rank
    return int(best)


@jit()
def _tie_rank(game: GameArray, play: int) -> int:
    return int(_TIE_RANK[(action_of(game, play) - FLIPS_START) % LINE_STRIDE])


@jit(
    "void(uint64, uint64, boolean, int64[::1], uint8[:, ::1], uint16[:, ::1], uint16[:, ::1], uint16[:, ::1],"
    " int32[:, ::1], uint8[::1], int64[::1], int32[:, ::1])"
)
def _play_games(
    seed: np.uint64,
    first: np.uint64,
    expert: bool,
    stones: Integers,
    deals: Bytes,
    actions: Words,
    points: Words,
    scores: Words,
    game: GameArray,
    board: Board,
    plays: Plays,
    saved: State,
) -> None:
    seats = scores.shape[1]
    for i in range(deals.shape[0]):
        shuffle(game, seed, first + np.uint64(i))
        for place in range(TILE_COUNT):
            deals[i, place] = dealt(game, place)
        begin(game, seats, expert, stones, board)
        for turn in range(GAME_MOVES):
            play = _greedy_play(game, plays)
            actions[i, turn] = action_of(game, play)
            points[i, turn] = -(play >> POINTS_SHIFT)
            make(game, play, saved)
        for seat in range(seats):
            scores[i, seat] = game[NOTES, SCORES + seat]


@jit(
    "void(uint64, uint32[::1], boolean, int64[::1], uint8[:, ::1], uint16[:, ::1], uint16[:, ::1], uint16[:, ::1],"
    " boolean[::1], int32[:, ::1], uint8[::1], int32[:, ::1])"
)
def _check_games(
    seed: np.uint64,
    numbers: Numbers,
    expert: bool,
    stones: Integers,
    deals: Bytes,
    actions: Words,
    points: Words,
    scores: Words,
    right: Flags,
    game: GameArray,
    board: Board,
    saved: State,
) -> None:
    seats = scores.shape[1]
    for i in range(deals.shape[0]):
        shuffle(game, seed, np.uint64(numbers[i]))
        fits = True
        for place in range(TILE_COUNT):
            fits = fits and deals[i, place] == dealt(game, place)
        begin(game, seats, expert, stones, board)
        for turn in range(GAME_MOVES):
            play = play_of(game, int(actions[i, turn]))
            if play == 0 or -(play >> POINTS_SHIFT) != points[i, turn]:
                fits = False
                break
            make(game, play, saved)
        for seat in range(seats):
            fits = fits and scores[i, seat] == game[NOTES, SCORES + seat]
        right[i] = fits
