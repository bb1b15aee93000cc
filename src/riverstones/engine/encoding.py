"""The integer encoding used by the kernel, and conversion from and to text.

Tiles
    0 is an empty square, 1-9 a yellow tile, 16 + digit a red one: ``tile & 15`` is the digit, ``tile ^ 16``
    flips the tile. A board is 81 of them in reading order, ``uint8[81]``.

Hands
    The set of digits held: bit d for digit d. A pair counts once, because it has the same plays.

Moves
    A number below 2**23. Moves sort by square in reading order, lower digits first, yellow before red, no
    flips before flips:

    ======  ==========================================================================================
    bits    hold
    ======  ==========================================================================================
    19-22   the row of the square
    15-18   its column
    11-14   the digit
    10      1 if placed red
    9       the line that the flips lie in: 0 the row of the placed tile (or no flips), 1 its column
    0-8     the flipped tiles: bit i for the tile in column i of that row, or in row i of that column
    ======  ==========================================================================================

Plays
    ``move - (points << 23)``. The smallest is the best play, so sorting puts the best first and breaks ties
    by the order of moves; that is the only tie-break. ``play & MOVE_MASK`` is the move, ``-(play >>
    23)`` the points, and whatever takes a move also takes a play.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from .arrays import Bytes, array

Board = Bytes

RED: Final = 16

ROW_SHIFT: Final = 19
COLUMN_SHIFT: Final = 15
DIGIT_SHIFT: Final = 11
RED_BIT: Final = 1 << 10
COLUMN_FLIPS: Final = 1 << 9
FLIPS_MASK: Final = COLUMN_FLIPS - 1
POINTS_SHIFT: Final = 23
MOVE_MASK: Final = (1 << POINTS_SHIFT) - 1

ALL_DIGITS: Final = 0b11_1111_1110
"""The hand that holds every digit."""

_CHARACTERS: Final = ".123456789???????ABCDEFGHI"
"""The character of each tile's number; no tile has the numbers 10-16."""
_TILES: Final = {character: tile for tile, character in enumerate(_CHARACTERS) if character != "?"}
_MOVE = re.compile(r"([a-i])([1-9])([+=])([1-9])((?:~[a-i][1-9])*)", re.ASCII)


def board_from_text(text: str) -> Board:
    """Read the 81 characters of a board; slashes between the rows are ignored."""
    characters = text.replace("/", "")
    if len(characters) != 81 or not _TILES.keys() >= set(characters):
        raise ValueError(f"not a board of 81 squares: {text!r}")
    board: Board = array([_TILES[character] for character in characters], "uint8")
    return board


def tiles_to_text(tiles: Iterable[int]) -> str:
    """The characters of tiles."""
    return "".join(_CHARACTERS[tile] for tile in tiles)


def hand_from_digits(digits: str) -> int:
    """The digits of a hand as a set of bits: `hand_from_digits("27")`."""
    hand = 0
    for digit in digits:
        if digit not in "123456789":
            raise ValueError(f"not a digit from 1 to 9: {digit!r}")
        hand |= 1 << int(digit)
    return hand


def points_of(play: int) -> int:
    """The points of a play."""
    return -(play >> POINTS_SHIFT)


def digit_of(move: int) -> int:
    """The digit that a move places."""
    return move >> DIGIT_SHIFT & 15


def move_text(move: int) -> str:
    """The text of a move, or of the move of a play: `h3+7~e3`."""
    row, column = move >> ROW_SHIFT & 15, move >> COLUMN_SHIFT & 15
    side = "=" if move & RED_BIT else "+"
    places = [place for place in range(9) if move >> place & 1]
    if move & COLUMN_FLIPS:
        flips = [_square_text(place, column) for place in places]
    else:
        flips = [_square_text(row, place) for place in places]
    return "~".join([f"{_square_text(row, column)}{side}{digit_of(move)}", *flips])


def move_from_text(text: str) -> int:
    """Read a move. Flips that do not share a line with the placed tile cannot be encoded; they are never legal."""
    match = _MOVE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a move: {text!r}")
    column, row = "abcdefghi".index(match[1]), int(match[2]) - 1
    move = row << ROW_SHIFT | column << COLUMN_SHIFT | int(match[4]) << DIGIT_SHIFT
    if match[3] == "=":
        move |= RED_BIT
    flips = [("abcdefghi".index(flip[0]), int(flip[1]) - 1) for flip in match[5].split("~")[1:]]
    if (column, row) in flips or len(set(flips)) < len(flips):
        raise ValueError(f"a flip names the placed tile or a tile twice: {text!r}")
    if all(flip_row == row for _, flip_row in flips):
        return move | sum(1 << flip_column for flip_column, _ in flips)
    if all(flip_column == column for flip_column, _ in flips):
        return move | COLUMN_FLIPS | sum(1 << flip_row for _, flip_row in flips)
    raise ValueError(f"the flips do not lie in one line with the placed tile: {text!r}")


def play_from(move: str, points: int) -> int:
    """The play of a move, given as text, that scores these points."""
    return move_from_text(move) - (points << POINTS_SHIFT)


def _square_text(row: int, column: int) -> str:
    return "abcdefghi"[column] + "123456789"[row]
