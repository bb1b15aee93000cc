"""Recognise the position of a game that goes on, whatever the study board made of it."""

from __future__ import annotations

from typing import Final

from riverstones.rules import Board
from riverstones.rules.tiles import DIGIT_OF, EMPTY

from .puzzles.packing import reflected

DIFFERENT: Final = 1
"""The number of squares in which a board may differ from that of a game and still counts as the same: one more tile is
a move that is being considered, one tile less the position before the last move."""


def is_like(board: Board, other: Board) -> bool:
    """Whether two boards have the same digits on the same squares, but for `DIFFERENT`, whichever sides are up.

    A board that is reflected in the diagonal is the same: rows and columns have the same rules.
    """
    digits = _digits(board)
    return any(
        sum(one != two for one, two in zip(digits, _digits(each), strict=True)) <= DIFFERENT
        for each in (other, reflected(other))
    )


def _digits(board: Board) -> list[int]:
    """The digit on each square; 0 on an empty one."""
    return [0 if char == EMPTY else DIGIT_OF[char] for char in board.cells]
