"""Boards, positions, moves and Kakuros as SVG, in the look of the web board, for documents and notebooks.

Every function returns a `Picture`: text that can be written to a file, and that a notebook shows. Boards, positions,
games, views, series and tiles show themselves in notebooks with these functions.

    >>> from riverstones import svg
    >>> from riverstones.rules import Board, Move
    >>> picture = svg.move(Board.of("a1=3 b1+9"), Move.parse("c1+4"), area="a1:d1")
    >>> "9 + 4 = 13" in picture
    True

Pictures use only the standard library and contain no scripts, links or fonts. docs/svg.md shows them.
"""

from .colours import Theme
from .drawing import Picture, board, game, kakuro, move, position, tile

__all__ = ["Picture", "Theme", "board", "game", "kakuro", "move", "position", "tile"]
