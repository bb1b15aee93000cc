"""Numbers, boards, hands and moves in as few characters as is simple: see docs/puzzle-file.md.

A character stands for a number from 0 to 63. web/src/study/puzzle_file.ts reads the same forms; shared cases hold the
two equal.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final
from zlib import crc32

from riverstones.rules import DIGITS, SQUARES, Board, Hand, Move, Side, Square, Tile
from riverstones.rules.squares import LINES_OF, SIZE
from riverstones.rules.tiles import EMPTY, TILE_OF

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_VALUE: Final = {char: value for value, char in enumerate(ALPHABET)}

_TILES: Final = "123456789ABCDEFGHI"
"""The characters of the tiles, in the order of their numbers from 0 to 17."""
_TILE_NUMBER: Final = {char: number for number, char in enumerate(_TILES)}

_GROUP: Final = 7
"""So many tiles are packed together: 18 to the power of 7 is just less than 64 to the power of 5."""
_GROUP_WIDTHS: Final = (0, 1, 2, 3, 3, 4, 5, 5)
"""The number of characters for so many tiles."""
_MASK_WIDTH: Final = 14
_MASK_PART: Final = 6

PAIRS: Final = tuple(combinations_with_replacement(DIGITS, 2))
"""Every hand of two tiles, in order."""
_PAIR_NUMBER: Final = {pair: number for number, pair in enumerate(PAIRS)}

MOVE_WIDTH: Final = 3
_ID_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Without letters that look like another or like a digit."""
_ID_LENGTH: Final = 6


class Unreadable(ValueError):
    """A line is not what a puzzle file contains; the message says why in a few words."""


def pack(number: int, width: int) -> str:
    """A number in this many characters, the most significant first."""
    if not 0 <= number < 64**width:
        raise ValueError(f"{number} does not fit into {width} characters")
    return "".join(ALPHABET[number >> 6 * place & 63] for place in range(width - 1, -1, -1))


def unpack(text: str) -> int:
    """The number that `pack` wrote."""
    number = 0
    for char in text:
        value = _VALUE.get(char)
        if value is None:
            raise Unreadable(f"the character {char!r}")
        number = number << 6 | value
    return number


def pack_board(board: Board) -> str:
    """A board: which squares hold a tile, six to a character, then the tiles in reading order, seven to a group."""
    cells = board.cells.ljust(_MASK_WIDTH * _MASK_PART, EMPTY)
    mask = [
        pack(sum((char != EMPTY) << _MASK_PART - 1 - n for n, char in enumerate(cells[i : i + _MASK_PART])), 1)
        for i in range(0, len(cells), _MASK_PART)
    ]
    numbers = [_TILE_NUMBER[char] for char in board.cells if char != EMPTY]
    groups = []
    for start in range(0, len(numbers), _GROUP):
        group = 0
        for number in numbers[start : start + _GROUP]:
            group = group * len(_TILES) + number
        groups.append(pack(group, _GROUP_WIDTHS[len(numbers[start : start + _GROUP])]))
    return "".join((*mask, *groups))


def unpack_board(text: str) -> tuple[Board, str]:
    """The board at the start of a text, and the rest of the text."""
    if len(text) < _MASK_WIDTH:
        raise Unreadable("an incomplete board")
    bits = "".join(f"{unpack(char):06b}" for char in text[:_MASK_WIDTH])
    squares = [n for n, bit in enumerate(bits) if bit == "1"]
    if squares and squares[-1] >= len(SQUARES):
        raise Unreadable("a square outside the board")
    cells, place, left = [EMPTY] * len(SQUARES), _MASK_WIDTH, squares
    while left:
        here, left = left[:_GROUP], left[_GROUP:]
        width = _GROUP_WIDTHS[len(here)]
        if len(text) < place + width:
            raise Unreadable("an incomplete board")
        group = unpack(text[place : place + width])
        place += width
        for square in reversed(here):
            group, number = divmod(group, len(_TILES))
            cells[square] = _TILES[number]
        if group:
            raise Unreadable("a tile that does not exist")
    return Board("".join(cells)), text[place:]


def pack_hand(hand: Hand) -> str:
    """Two tiles, ascending, as one character."""
    return pack(_PAIR_NUMBER[hand[0], hand[1]], 1)


def unpack_hand(char: str) -> Hand:
    """The hand that `pack_hand` wrote."""
    number = unpack(char)
    if number >= len(PAIRS):
        raise Unreadable("a hand that does not exist")
    return PAIRS[number]


def pack_move(move: Move, hand: Hand) -> str:
    """A move with a tile of this hand, whose flips lie in one line with the placed tile."""
    index = hand.index(move.tile.digit)
    row, column = LINES_OF[move.square]
    down = not set(move.flips) <= set(row.squares)
    line = column if down else row
    others = [square for square in line.squares if square != move.square]
    if not set(move.flips) <= set(others):
        raise ValueError(f"the flips of {move} do not lie in one line with the placed tile")
    flips = sum(1 << n for n, square in enumerate(others) if square in move.flips)
    number = ((move.square * 2 + index) * 2 + move.tile.is_total) * 2 + down
    return pack(number << SIZE - 1 | flips, MOVE_WIDTH)


def unpack_move(text: str, hand: Hand) -> Move:
    """The move that `pack_move` wrote, given the same hand."""
    number = unpack(text)
    flips, number = number & 255, number >> SIZE - 1
    down, red, index, square = number & 1, number >> 1 & 1, number >> 2 & 1, number >> 3
    if len(text) != MOVE_WIDTH or square >= len(SQUARES):
        raise Unreadable("a move that does not exist")
    placed = Square(square)
    others = [other for other in LINES_OF[placed][down].squares if other != placed]
    tile = Tile(hand[index], Side.TOTAL if red else Side.ADDEND)
    return Move(placed, tile, tuple(other for n, other in enumerate(others) if flips >> n & 1))


def identifier(text: str) -> str:
    """A short name that follows from a text: the first 30 bits of its CRC-32."""
    number = crc32(text.encode("ascii")) >> 2
    return "".join(_ID_ALPHABET[number >> 5 * place & 31] for place in range(_ID_LENGTH - 1, -1, -1))


def reflected(board: Board) -> Board:
    """The board reflected in the diagonal from a1 to i9: rows become columns, and every Kakuro remains one."""
    return Board("".join(board.cells[start::SIZE] for start in range(SIZE)))


assert all(char in TILE_OF for char in _TILES)
