"""The levels as data: which parts of the engine each uses, and how much it may think."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final


@dataclass(frozen=True, slots=True)
class Stage:
    """One round of the look-ahead: how far it looks and how many of the best plays of the last round take part."""

    plies: int
    """How many plies after the play itself are looked at."""
    width: int | None = None
    """How many plays take part; None for all."""
    cutoff: float = 0.0
    """Branches less likely than this are taken to go on like their neighbours."""
    fade: float = 0.0
    """How much of what the seat after the last could do counts; 0 to stop dead at the last ply."""


@dataclass(frozen=True, slots=True)
class Level:
    """What a bot may do."""

    name: str
    stages: tuple[Stage, ...] = ()
    """The rounds of the look-ahead; none for a bot that only counts points."""
    endgame: bool = False
    """Whether the end of the game is solved."""
    inference: bool = False
    """Whether the other hands are guessed from what was not played."""
    compiled: bool = False
    """Whether it needs the compiled kernel to answer within five seconds."""


FADE: Final = 0.55
"""Found by regression over careful games."""

STREAM: Final = Level("stream")
RIVER: Final = Level("river", (Stage(2),))
RAPIDS: Final = Level("rapids", (Stage(2, fade=FADE), Stage(4, 12, 0.001, FADE)), endgame=True, compiled=True)
OCEAN: Final = Level(
    "ocean", (Stage(2, fade=FADE), Stage(4, 16, 0.001, FADE)), endgame=True, inference=True, compiled=True
)

SEARCHING: Final = {level.name: level for level in (STREAM, RIVER, RAPIDS, OCEAN)}
"""The levels that play as well as they can, weakest first."""


def has_kernel() -> bool:
    """Whether the extra `engine` is installed. Asking does not load it."""
    return find_spec("numba") is not None and find_spec("numpy") is not None
