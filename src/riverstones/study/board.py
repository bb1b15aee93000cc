"""The study board: every play of any position ranked by what it is worth, fast enough to answer while one looks.

All plays are searched to the same depth, so their values can be compared: bots look deeper at their best plays only.
The caution of bots, which weights the others' points more than one's own, is left out.
"""

from __future__ import annotations

from typing import Final

from riverstones.engine import plain
from riverstones.engine.analysis import Analysis
from riverstones.engine.choose import analyse
from riverstones.engine.levels import FADE, Level, Stage, has_kernel
from riverstones.engine.situation import Situation
from riverstones.rules import Position

STUDY_BOARD: Final = Level(
    "study board",
    (Stage(4, cutoff=0.0005, fade=FADE, error=1.6),),
    (Stage(4, cutoff=0.002, fade=FADE),),
    endgame=True,
)
"""As deep as all plays can be searched in a third of the time allowed: see bench/bench_study.py."""

PLAIN_PLIES: Final = 1
"""The depth without the compiled kernel: the reply of the next seat."""


def rank_plays(position: Position, *, compiled: bool = True) -> Analysis:
    """Rank every play of the seat to move, using only what that seat knows.

    Other hands are ignored even if the position has them. Raises `ValueError` if the hand of the seat to move is empty
    or not fully known. `compiled` is False to do without the compiled kernel, for example while it is being compiled.
    """
    situation = Situation.of(position)
    if not len(position.board):
        return Analysis((), "look-ahead", plain.GREEDY_OTHERS, 0)
    if compiled and has_kernel():
        return analyse(position, STUDY_BOARD, variations=0)
    return plain.look_ahead(situation, PLAIN_PLIES)
