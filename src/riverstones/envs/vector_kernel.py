"""Observations of the games of `game_kernel`, and many such games at once: the compiled code of `vector`.

`observe` writes what any seat sees. Four arrays show a game to the seat to move, and are brought up to date after each
move instead of made anew.
``numbers`` and ``mask`` are the two arrays of an observation; ``frontier`` has a 1 for each square on which a tile may
be placed; ``shown`` says what is set in ``mask``: at 0 and 1 the digits of the hand, at 2 the number of ids with flips,
from 3 on these ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverstones.engine.arrays import Floats, Integers
from riverstones.engine.encoding import (
    COLUMN_FLIPS,
    COLUMN_SHIFT,
    DIGIT_SHIFT,
    FLIPS_MASK,
    POINTS_SHIFT,
    RED,
    ROW_SHIFT,
    Board,
)
from riverstones.engine.jit import jit
from riverstones.engine.kernel import FLIP_COUNT, FLIP_PLAYS, State
from riverstones.rules import TILE_COUNT

from .actions import ACTION_COUNT, DIGIT_STRIDE, FLIPS_START, LINE_STRIDE, SIDE_STRIDE
from .game_kernel import (
    DRAWN,
    HANDS,
    LOWEST_BIT,
    MOST_FLIPS,
    NOTES,
    OFF_BOARD,
    OVER,
    SCORES,
    SEATS,
    TO_MOVE,
    GameArray,
    begin,
    below,
    is_free,
    make,
    play_of,
    shuffle,
    triple_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.int16]
    Mask = NDArray[np.int8]
    Words = NDArray[np.uint64]
else:
    Flags = Numbers = Mask = Words = Any

SHOWN_SIZE: Final = 3 + MOST_FLIPS
_HAND_NUMBERS: Final = 81
_UNSEEN_NUMBERS: Final = 90
_BAG_NUMBER: Final = 99
_SEAT_NUMBERS: Final = 100


# Observations ------------------------------------------------------------------------------------------------------


@jit()
def _shown_tile(tile: int) -> int:
    return -(tile & 15) if tile >= RED else tile


@jit()
def _show_seats(game: GameArray, viewer: int, numbers: Numbers) -> None:
    """Write the parts of an observation that are not the board."""
    seats = game[NOTES, SEATS]
    for i in range(9):
        numbers[_HAND_NUMBERS + i] = 0
        numbers[_UNSEEN_NUMBERS + i] = game[NOTES, OFF_BOARD + 1 + i]
    for i in range(2):
        digit = game[NOTES, HANDS + 2 * viewer + i]
        if digit:
            numbers[_HAND_NUMBERS + digit - 1] += 1
            numbers[_UNSEEN_NUMBERS + digit - 1] -= 1
    numbers[_BAG_NUMBER] = TILE_COUNT - game[NOTES, DRAWN]
    over = game[NOTES, OVER] != 0
    seat = viewer
    for i in range(seats):
        slot = HANDS + 2 * seat
        numbers[_SEAT_NUMBERS + i] = (game[NOTES, slot] != 0) + (game[NOTES, slot + 1] != 0)
        numbers[_SEAT_NUMBERS + seats + i] = game[NOTES, SCORES + seat]
        numbers[_SEAT_NUMBERS + 2 * seats + i] = not over and seat == game[NOTES, TO_MOVE]
        seat = 0 if seat + 1 == seats else seat + 1


@jit("void(int32[:, ::1], int64, int16[::1])")
def observe(game: GameArray, viewer: int, numbers: Numbers) -> None:
    """Write the array `observation` for any seat."""
    for row in range(9):
        for column in range(9):
            numbers[9 * row + column] = _shown_tile(game[row, column + 1])
    _show_seats(game, viewer, numbers)


@jit()
def _show_mask(game: GameArray, mask: Mask, frontier: Mask, shown: Numbers) -> None:
    """Set the legal ids of the seat to move, and clear those that were set before."""
    for i in range(2):
        if shown[i]:
            start = (shown[i] - 1) * DIGIT_STRIDE
            for j in range(DIGIT_STRIDE):
                mask[start + j] = 0
    for i in range(shown[2]):
        mask[shown[3 + i]] = 0
    hand = 0
    for i in range(2):
        digit = 0 if game[NOTES, OVER] else int(game[NOTES, HANDS + 2 * game[NOTES, TO_MOVE] + i])
        shown[i] = digit
        if digit:
            hand |= 1 << digit
            start = (digit - 1) * DIGIT_STRIDE
            for j in range(SIDE_STRIDE):
                mask[start + j] = frontier[j]
                mask[start + SIDE_STRIDE + j] = frontier[j]
    count = 3
    if hand:
        for line in range(18):
            for i in range(game[line, FLIP_COUNT]):
                entry = int(game[line, FLIP_PLAYS + i])
                if hand >> (entry >> DIGIT_SHIFT & 15) & 1:
                    action = FLIPS_START + line * LINE_STRIDE + triple_of(game, line, entry)
                    mask[action] = 1
                    shown[count] = action
                    count += 1
    shown[2] = count - 3


@jit("void(int32[:, ::1], int16[::1], int8[::1], int8[::1], int16[::1])")
def show(game: GameArray, numbers: Numbers, mask: Mask, frontier: Mask, shown: Numbers) -> None:
    """Write the observation of the seat to move, whatever was in the arrays before."""
    observe(game, game[NOTES, TO_MOVE], numbers)
    for row in range(9):
        for column in range(9):
            frontier[9 * row + column] = is_free(game, row, column)
    for action in range(ACTION_COUNT):
        mask[action] = 0
    for i in range(3):
        shown[i] = 0
    _show_mask(game, mask, frontier, shown)


@jit()
def _show_move(game: GameArray, play: int, numbers: Numbers, frontier: Mask) -> None:
    """Bring board and frontier up to date after a play."""
    row = play >> ROW_SHIFT & 15
    column = play >> COLUMN_SHIFT & 15
    square = 9 * row + column
    numbers[square] = _shown_tile(game[row, column + 1])
    frontier[square] = 0
    if row > 0 and numbers[square - 9] == 0:
        frontier[square - 9] = 1
    if row < 8 and numbers[square + 9] == 0:
        frontier[square + 9] = 1
    if column > 0 and numbers[square - 1] == 0:
        frontier[square - 1] = 1
    if column < 8 and numbers[square + 1] == 0:
        frontier[square + 1] = 1
    flips = play & FLIPS_MASK
    while flips:
        place = LOWEST_BIT[flips]
        flips &= flips - 1
        flipped = 9 * place + column if play & COLUMN_FLIPS else 9 * row + place
        numbers[flipped] = -numbers[flipped]


# Many games --------------------------------------------------------------------------------------------------------


@jit(
    "void(int32[:, :, ::1], boolean[::1], uint64[::1], uint64[::1], int64, boolean, int64[::1],"
    " int16[:, ::1], int8[:, ::1], int8[:, ::1], int16[:, ::1], uint8[::1])"
)
def begin_many(
    games: GameArray,
    chosen: Flags,
    seeds: Words,
    numbers_of_games: Words,
    seats: int,
    expert: bool,
    stones: Integers,
    numbers: Numbers,
    masks: Mask,
    frontiers: Mask,
    shown: Numbers,
    board: Board,
) -> None:
    """Begin the next game in each chosen place: shuffle, deal and show it."""
    for i in range(games.shape[0]):
        if chosen[i]:
            shuffle(games[i], seeds[i], numbers_of_games[i])
            numbers_of_games[i] += np.uint64(1)
            begin(games[i], seats, expert, stones, board)
            show(games[i], numbers[i], masks[i], frontiers[i], shown[i])


@jit("void(int32[:, :, ::1], int16[:, ::1], int8[:, ::1], int8[:, ::1], int16[:, ::1])")
def show_many(games: GameArray, numbers: Numbers, masks: Mask, frontiers: Mask, shown: Numbers) -> None:
    """Show every game, whatever was in the arrays before."""
    for i in range(games.shape[0]):
        show(games[i], numbers[i], masks[i], frontiers[i], shown[i])


@jit(
    "void(int32[:, :, ::1], int64[::1], boolean[::1], float64, float64[::1], boolean[::1], boolean[::1], int64[::1],"
    " int16[:, ::1], int8[:, ::1], int8[:, ::1], int16[:, ::1], int32[:, ::1])"
)
def step_many(
    games: GameArray,
    actions: Integers,
    skipped: Flags,
    illegal_reward: float,
    rewards: Floats,
    ended: Flags,
    illegal: Flags,
    seats: Integers,
    numbers: Numbers,
    masks: Mask,
    frontiers: Mask,
    shown: Numbers,
    saved: State,
) -> None:
    """Make a move in every game that is not skipped, and show the game to the next seat.

    An illegal action ends the game and changes nothing else in it.
    """
    for i in range(games.shape[0]):
        game = games[i]
        rewards[i] = 0.0
        ended[i] = False
        illegal[i] = False
        seats[i] = game[NOTES, TO_MOVE]
        if skipped[i]:
            continue
        play = play_of(game, actions[i])
        if play == 0:
            rewards[i] = illegal_reward
            illegal[i] = True
            game[NOTES, OVER] = 1
        else:
            rewards[i] = -(play >> POINTS_SHIFT)
            make(game, play, saved)
            _show_move(game, play, numbers[i], frontiers[i])
        ended[i] = game[NOTES, OVER] != 0
        _show_seats(game, game[NOTES, TO_MOVE], numbers[i])
        _show_mask(game, masks[i], frontiers[i], shown[i])


@jit("void(int8[:, ::1], int16[:, ::1], uint64[::1], int64[::1])")
def sample_many(frontiers: Mask, shown: Numbers, keys: Words, actions: Integers) -> None:
    """Write a random legal action of each game, all equally likely; 0 where a game is over. Changes ``keys``."""
    for i in range(frontiers.shape[0]):
        free = 0
        for square in range(81):
            free += frontiers[i, square]
        digits = (shown[i, 0] != 0) + (shown[i, 1] != 0 and shown[i, 1] != shown[i, 0])
        count = 2 * free * digits + shown[i, 2]
        keys[i] += np.uint64(1)
        choice = below(keys[i], count)
        actions[i] = 0
        if count == 0:
            continue
        if choice >= 2 * free * digits:
            actions[i] = shown[i, 3 + choice - 2 * free * digits]
            continue
        block = choice // free
        digit = shown[i, 0] if (block < 2 and shown[i, 0] != 0) else shown[i, 1]
        nth = choice % free
        square = 0
        while nth >= frontiers[i, square]:
            nth -= frontiers[i, square]
            square += 1
        actions[i] = (digit - 1) * DIGIT_STRIDE + block % 2 * SIDE_STRIDE + square
