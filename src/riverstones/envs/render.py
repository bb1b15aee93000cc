"""The board as text, returned or printed: what everybody sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from riverstones.rules import SQUARES, Board
from riverstones.rules.squares import COLUMNS, SIZE


class Shown(Protocol):
    """What `render` needs of a game."""

    @property
    def board(self) -> Board: ...
    @property
    def scores(self) -> Sequence[int]: ...
    @property
    def to_move(self) -> int | None: ...


def render(game: Shown | None, mode: str | None, *, ended: bool) -> str | None:
    """The board and the scores as text: returned in the mode `ansi`, printed in the mode `human`."""
    if game is None or mode is None:
        raise RuntimeError("to render, make the environment with a render_mode and call reset() first")
    text = as_text(game.board, game.scores, None if ended else game.to_move)
    if mode == "ansi":
        return text
    print(text)
    return None


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
