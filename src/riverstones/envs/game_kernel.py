"""A whole game as one array of numbers: compiled code for environments and tree search.

`riverstones.engine.kernel` knows boards and plays. This adds what makes a game of it: the deal, the hands, the scores
and whose turn it is, and it speaks the action ids of `actions`; `vector_kernel` adds the observations. The rules are
the authority; tests hold this equal to them, move for move.

A game is one C-contiguous array ``int32[22, 48]`` (`new_game`), and ``game.copy()`` is a full copy. It holds the hidden
tiles as well.

======  ==============================================================================================================
row     contents
======  ==============================================================================================================
0-17    the lines of the board, as in the kernel
18      at 0 the variant, as in the kernel; at 1-18 the red tiles of each line, a bit each
19      at 0 the number of seats, 1 the seat to move, 2 the number of tiles drawn, 3 the number of moves made, 4 whether
        the game is over: after the last move, or when it was ended early;
        at 8-15 the hands, two digits for each seat, 0 for none; at 16-19 the scores;
        at 20-29 the number of tiles of each digit that are not on the board
20-21   the deal, 72 digits
======  ==============================================================================================================
"""

from __future__ import annotations

from typing import Final

import numpy as np

from riverstones.engine.arrays import Int32s, Integers, constant
from riverstones.engine.encoding import (
    COLUMN_FLIPS,
    COLUMN_SHIFT,
    DIGIT_SHIFT,
    FLIPS_MASK,
    POINTS_SHIFT,
    RED,
    RED_BIT,
    ROW_SHIFT,
    Board,
    board_from_text,
)
from riverstones.engine.jit import jit
from riverstones.engine.kernel import (
    FACTS,
    FLIP_COUNT,
    FLIP_PLAYS,
    OCCUPIED,
    SAVED_SHAPE,
    State,
    apply,
    flip_play,
    load,
)
from riverstones.rules import TILE_COUNT, Deal, Game, Setup, Variant

from .actions import ACTION_COUNT, DIGIT_STRIDE, FLIPS_START, LINE_STRIDE, SIDE_STRIDE, TRIPLES
from .deals import GOLDEN, MIX_FIRST, MIX_SECOND

GameArray = Int32s

GAME_SHAPE: Final = (22, 48)
MOST_FLIPS: Final = 18 * 25
"""The upper bound of the plays with flips: a line has at most 25, see `kernel.MAX_PLAYS`."""
MOST_ACTIONS: Final = 2 * DIGIT_STRIDE + MOST_FLIPS
"""The upper bound of the legal ids of a hand of two digits."""

REDS: Final = 18
NOTES: Final = 19
SEATS: Final = 0
TO_MOVE: Final = 1
DRAWN: Final = 2
MOVES: Final = 3
OVER: Final = 4
HANDS: Final = 8
SCORES: Final = 16
OFF_BOARD: Final = 20
DEAL: Final = 20
_ROW: Final = 48
GAME_MOVES: Final = 67

_TRIPLE_INDEX = constant(
    [
        TRIPLES.index((total, placed, last)) if (total, placed, last) in TRIPLES else -1
        for total in range(9)
        for placed in range(9)
        for last in range(9)
    ],
    "int64",
)
LOWEST_BIT = constant([0] + [(n & -n).bit_length() - 1 for n in range(1, 1024)], "int64")
"""The place of the lowest bit of a number below 1024; 0 has none."""
_HIGHEST_BIT = constant([0] + [n.bit_length() - 1 for n in range(1, 1024)], "int64")

_GOLDEN = np.uint64(GOLDEN)
_MIX_FIRST = np.uint64(MIX_FIRST)
_MIX_SECOND = np.uint64(MIX_SECOND)
_ONE = np.uint64(1)
_27 = np.uint64(27)
_30 = np.uint64(30)
_31 = np.uint64(31)
_32 = np.uint64(32)


def scratch() -> State:
    """Scratch memory for `make`."""
    return np.zeros(SAVED_SHAPE, np.int32)


def new_game() -> GameArray:
    """The memory of a game, which `begin` has to fill."""
    return np.zeros(GAME_SHAPE, np.int32)


def array_of(game: Game) -> GameArray:
    """The array of a game at this moment. Whatever has been claimed in it, further moves score what they make."""
    array = new_game()
    set_board(array, board_from_text(game.board.cells), game.setup.variant is Variant.EXPERT)
    array[DEAL:].reshape(-1)[:TILE_COUNT] = game.deal.digits
    notes = array[NOTES]
    notes[[SEATS, TO_MOVE, DRAWN, MOVES, OVER]] = (
        game.setup.seats,
        game.to_move,
        game.drawn,
        len(game.turns),
        game.over,
    )
    for seat, hand in enumerate(game.hands):
        notes[HANDS + 2 * seat : HANDS + 2 * seat + len(hand)] = hand
        notes[SCORES + seat] = game.scores[seat]
    return array


def begin_game(setup: Setup, deal: Deal) -> GameArray:
    """The array of a new game."""
    return array_of(Game.begin(setup, deal))


def is_over(game: GameArray) -> bool:
    """Whether the last move has been made, or the game was ended early."""
    return bool(game[NOTES, OVER])


# Deals -------------------------------------------------------------------------------------------------------------


@jit()
def mix(number: np.uint64) -> np.uint64:
    """SplitMix64's output for the counter ``number``: `deals.mix`."""
    number = (number + _ONE) * _GOLDEN
    number = (number ^ (number >> _30)) * _MIX_FIRST
    number = (number ^ (number >> _27)) * _MIX_SECOND
    return number ^ (number >> _31)


@jit()
def below(key: np.uint64, count: int) -> int:
    """A number from 0 to ``count`` - 1 that the key determines."""
    return np.int64(((mix(key) >> _32) * np.uint64(count)) >> _32)  # type: ignore[return-value]


@jit("void(int32[:, ::1], uint64, uint64)")
def shuffle(game: GameArray, seed: np.uint64, number: np.uint64) -> None:
    """Write the deal of game ``number`` of a seed: `deals.deal`."""
    key = mix(mix(seed) + number)
    for i in range(TILE_COUNT):
        game[DEAL + i // _ROW, i % _ROW] = 1 + i // 8
    for i in range(TILE_COUNT - 1):
        key += _ONE
        last = TILE_COUNT - 1 - i
        other = below(key, last + 1)
        digit = game[DEAL + last // _ROW, last % _ROW]
        game[DEAL + last // _ROW, last % _ROW] = game[DEAL + other // _ROW, other % _ROW]
        game[DEAL + other // _ROW, other % _ROW] = digit


# Playing -----------------------------------------------------------------------------------------------------------


@jit()
def _find_reds(game: GameArray) -> None:
    for line in range(18):
        reds = 0
        for place in range(9):
            if game[line, place + 1] >= RED:
                reds |= 1 << place
        game[REDS, 1 + line] = reds


@jit("void(int32[:, ::1], uint8[::1], boolean)")
def set_board(game: GameArray, board: Board, expert: bool) -> None:
    """Set the board of a game, and what follows from it."""
    load(game, board, expert)
    _find_reds(game)
    for digit in range(10):
        game[NOTES, OFF_BOARD + digit] = 8
    for square in range(81):
        if board[square] != 0:
            game[NOTES, OFF_BOARD + (board[square] & 15)] -= 1


@jit()
def dealt(game: GameArray, place: int) -> int:
    """The digit of the tile with this place in the deal."""
    return int(game[DEAL + place // _ROW, place % _ROW])


@jit("void(int32[:, ::1], int64, boolean, int64[::1], uint8[::1])")
def begin(game: GameArray, seats: int, expert: bool, stones: Integers, board: Board) -> None:
    """Begin a game with the deal that is in the array; seat 0 is to move. ``board`` is scratch memory."""
    for square in range(81):
        board[square] = 0
    for i in range(5):
        board[stones[i]] = game[DEAL, i] + (RED if i == 0 else 0)
    set_board(game, board, expert)
    for i in range(20):
        game[NOTES, i] = 0
    game[NOTES, SEATS] = seats
    for i in range(2 * seats):
        game[NOTES, HANDS + i] = game[DEAL, 5 + i]
    game[NOTES, DRAWN] = 5 + 2 * seats


@jit()
def is_free(game: GameArray, row: int, column: int) -> bool:
    """Whether a tile may be placed on a square: it is empty and has an occupied neighbour."""
    along = game[row, OCCUPIED]
    down = game[9 + column, OCCUPIED]
    near = ((along << 1 | along >> 1) >> column) | ((down << 1 | down >> 1) >> row)
    return bool(near & 1 and along >> column & 1 == 0)


@jit()
def _holds(game: GameArray, digit: int) -> bool:
    slot = HANDS + 2 * game[NOTES, TO_MOVE]
    return bool(game[NOTES, slot] == digit or game[NOTES, slot + 1] == digit)


@jit()
def _placement(game: GameArray, action: int) -> int:
    digit = action // DIGIT_STRIDE + 1
    red = action % DIGIT_STRIDE // SIDE_STRIDE
    square = action % SIDE_STRIDE
    row = square // 9
    column = square % 9
    if not (_holds(game, digit) and is_free(game, row, column)):
        return 0
    along = game[row, FACTS + column] >> 10 * red
    down = game[9 + column, FACTS + row] >> 10 * red
    points = 0
    if along & 15 == digit:
        points += along >> 4 & 63
    if down & 15 == digit:
        points += down >> 4 & 63
    move = row << ROW_SHIFT | column << COLUMN_SHIFT | digit << DIGIT_SHIFT | red * RED_BIT
    return move - (int(points) << POINTS_SHIFT)


@jit()
def _flipping(game: GameArray, action: int) -> int:
    line = (action - FLIPS_START) // LINE_STRIDE
    triple = (action - FLIPS_START) % LINE_STRIDE
    for i in range(game[line, FLIP_COUNT]):
        entry = int(game[line, FLIP_PLAYS + i])
        if triple_of(game, line, entry) == triple:
            return flip_play(game, entry) if _holds(game, entry >> DIGIT_SHIFT & 15) else 0
    return 0


@jit()
def triple_of(game: GameArray, line: int, entry: int) -> int:
    """The index in `TRIPLES` of a play with flips of a line."""
    placed = entry >> (COLUMN_SHIFT if line < 9 else ROW_SHIFT) & 15
    bit = 1 << placed
    reds = game[REDS, 1 + line] ^ entry & FLIPS_MASK
    if entry & RED_BIT:
        reds |= bit
    total = _HIGHEST_BIT[reds & (2 * bit - 1)]
    # The run ends before the next red tile or empty square; the place after the last one counts as empty.
    stops = (reds | ~game[line, OCCUPIED]) & 1023 & ~(2 * bit - 1)
    return int(_TRIPLE_INDEX[81 * total + 9 * placed + LOWEST_BIT[stops] - 1])


@jit("int64(int32[:, ::1], int64)")
def play_of(game: GameArray, action: int) -> int:
    """The kernel's play with this id for the seat to move; 0, which is no play, if it is not legal."""
    if action < 0 or action >= ACTION_COUNT or game[NOTES, OVER]:
        return 0
    return _placement(game, action) if action < FLIPS_START else _flipping(game, action)


@jit()
def action_of(game: GameArray, play: int) -> int:
    """The id of a legal play of the kernel, before it is made."""
    row = play >> ROW_SHIFT & 15
    column = play >> COLUMN_SHIFT & 15
    if play & FLIPS_MASK:
        line = 9 + column if play & COLUMN_FLIPS else row
        return FLIPS_START + line * LINE_STRIDE + triple_of(game, line, play)
    side = 1 if play & RED_BIT else 0
    return ((play >> DIGIT_SHIFT & 15) - 1) * DIGIT_STRIDE + side * SIDE_STRIDE + 9 * row + column


@jit("int64(int32[:, ::1], int64[::1])")
def list_actions(game: GameArray, ids: Integers) -> int:
    """Write the ids of the legal actions of the seat to move, ascending; returns their number."""
    slot = HANDS + 2 * game[NOTES, TO_MOVE]
    hand = 0 if game[NOTES, OVER] else (1 << game[NOTES, slot] | 1 << game[NOTES, slot + 1]) & ~1
    count = 0
    digits = hand
    while digits:
        start = (LOWEST_BIT[digits] - 1) * DIGIT_STRIDE
        digits &= digits - 1
        for side in range(2):
            for square in range(81):
                if is_free(game, square // 9, square % 9):
                    ids[count] = start + side * SIDE_STRIDE + square
                    count += 1
    for line in range(18):
        for i in range(game[line, FLIP_COUNT]):
            entry = int(game[line, FLIP_PLAYS + i])
            if hand >> (entry >> DIGIT_SHIFT & 15) & 1:
                action = FLIPS_START + line * LINE_STRIDE + triple_of(game, line, entry)
                place = count
                while ids[place - 1] > action:
                    ids[place] = ids[place - 1]
                    place -= 1
                ids[place] = action
                count += 1
    return count


@jit("void(int32[:, ::1], int64, int32[:, ::1])")
def make(game: GameArray, play: int, saved: State) -> None:
    """Make a legal play, draw and pass the turn on. ``saved`` is scratch memory."""
    apply(game, play, saved)
    row = play >> ROW_SHIFT & 15
    column = play >> COLUMN_SHIFT & 15
    digit = play >> DIGIT_SHIFT & 15
    if play & RED_BIT:
        game[REDS, 1 + row] |= 1 << column
        game[REDS, 10 + column] |= 1 << row
    flips = play & FLIPS_MASK
    if flips:
        if play & COLUMN_FLIPS:
            line, base, bit = 9 + column, 0, 1 << column
        else:
            line, base, bit = row, 9, 1 << row
        game[REDS, 1 + line] ^= flips
        while flips:
            game[REDS, 1 + base + LOWEST_BIT[flips]] ^= bit
            flips &= flips - 1
    seat = game[NOTES, TO_MOVE]
    game[NOTES, SCORES + seat] -= play >> POINTS_SHIFT
    game[NOTES, OFF_BOARD + digit] -= 1
    slot = HANDS + 2 * seat
    if game[NOTES, slot] != digit:
        slot += 1
    drawn = game[NOTES, DRAWN]
    if drawn < TILE_COUNT:
        game[NOTES, slot] = dealt(game, drawn)
        game[NOTES, DRAWN] = drawn + 1
    else:
        game[NOTES, slot] = 0
    game[NOTES, TO_MOVE] = 0 if seat + 1 == game[NOTES, SEATS] else seat + 1
    game[NOTES, MOVES] += 1
    game[NOTES, OVER] = game[NOTES, MOVES] == GAME_MOVES
