"""The study board: every play of any position ranked by what it is worth, fast enough to answer while one looks.

All plays are searched to the same depth, so their values can be compared: bots look deeper at their best plays only.
The caution of bots, which weights the others' points more than one's own, is left out.
"""

from __future__ import annotations

from typing import Final, TypedDict

from riverstones.engine import plain
from riverstones.engine.analysis import Analysis
from riverstones.engine.choose import analyse
from riverstones.engine.levels import FADE, Level, Stage, has_kernel
from riverstones.engine.situation import Situation
from riverstones.notation import parse_position
from riverstones.rules import Position

from .refusals import StudyRefusal, StudyRefused

STUDY_BOARD: Final = Level(
    "study board",
    (Stage(4, cutoff=0.0005, fade=FADE, error=1.6),),
    (Stage(4, cutoff=0.002, fade=FADE),),
    endgame=True,
)
"""As deep as all plays can be searched in a third of the time allowed: see bench/bench_study.py."""

PLAIN_PLIES: Final = 1
"""The depth without the compiled kernel: the reply of the next seat."""


class RankedPlay(TypedDict):
    """A play and what it is worth."""

    move: str
    points: int
    """The points of the play itself."""
    worth: float
    """The expected gain on the opponents from here on, in points, as far as the search looks."""
    win: float | None
    """The probability to win, a shared win counting half; null if the search does not know it."""


class RankedPlays(TypedDict):
    """Every play of a position, best first."""

    plays: list[RankedPlay]
    method: str
    """How they were ranked: `look-ahead`, `pre-endgame` or `endgame`."""
    exact: bool
    """Whether the values are exact rather than estimates."""


def read_position(text: str) -> Position:
    """A position whose plays can be ranked; raises `NotationError`, or `StudyRefused` if the hand is not known."""
    position = parse_position(text)
    if not position.hand:
        raise StudyRefused(StudyRefusal.HAND_NOT_KNOWN)
    return position


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


def ranking_to_json(found: Analysis) -> RankedPlays:
    """Ranked plays, as they are sent."""
    return {
        "plays": [
            {
                "move": str(play.move),
                "points": play.points,
                "worth": round(play.mean, 2),
                "win": None if play.win is None else round(play.win, 4),
            }
            for play in found.candidates
        ],
        "method": found.method,
        "exact": bool(found.candidates) and all(play.exact for play in found.candidates),
    }
