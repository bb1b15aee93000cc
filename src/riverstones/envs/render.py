"""The board as text: what everybody sees."""

from __future__ import annotations

from collections.abc import Sequence

from riverstones.rules import SQUARES, Board
from riverstones.rules.squares import COLUMNS, SIZE


def as_text(board: Board, scores: Sequence[int], to_move: int | None) -> str:
    """The board, with `+7` for a yellow and `=7` for a red tile, and the points of each seat.

    `>` marks the seat to move; nobody is to move after the end.
    """
    rows = ["   " + "  ".join(COLUMNS)]
    for row in range(SIZE):
        tiles = [str(board[square] or " .") for square in SQUARES[row * SIZE : (row + 1) * SIZE]]
        rows.append(f"{row + 1} " + " ".join(tiles))
    rows += [f"{'>' if seat == to_move else ' '} player_{seat}: {score}" for seat, score in enumerate(scores)]
    return "\n".join(rows)
