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
    error: float = 2.0
    """How far the values are typically off, in points, compared with the outcome of many careful games from there."""
    careful: int = 0
    """In how many of the plies the seats are taken to play carefully, not greedily."""
    blend: bool = False
    """Whether the result is the mean of this round and the one before."""


@dataclass(frozen=True, slots=True)
class Heat:
    """One heat of a simulation: how many of the best plays of the last heat take part, and in how many worlds."""

    width: int | None
    """How many plays take part; None for all."""
    worlds: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """How plays are played on from: how far, and in which heats."""

    rounds: int
    """How often everybody moves."""
    heats: tuple[Heat, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """What a bot may do."""

    name: str
    stages: tuple[Stage, ...] = ()
    """The rounds of the look-ahead with two seats; none for a bot that only counts points."""
    many: tuple[Stage, ...] = ()
    """The rounds of the look-ahead with three or four seats."""
    simulation: Simulation | None = None
    """What follows the look-ahead with three or four seats."""
    endgame: bool = False
    """Whether the end of the game is solved."""
    inference: Stage | None = None
    """How far the others are taken to look ahead when their plays are read for what they hold; None for no reading."""
    caution: float = 1.0
    """What the others' points count compared with one's own. More makes the games closer to what was expected."""
    compiled: bool = False
    """Whether it needs the compiled kernel to answer within five seconds."""

    def stages_for(self, seats: int) -> tuple[Stage, ...]:
        """The rounds of the look-ahead at a table of so many seats."""
        return self.stages if seats == 2 else self.many


FADE: Final = 0.55
"""Found by regression over careful games: see docs/engine-diary.md."""

_REPLY: Final = Stage(1, fade=FADE)
_NEXT_TURN: Final = Stage(2, fade=FADE, error=1.9)

STREAM: Final = Level("stream")
RIVER: Final = Level("river", (Stage(2),), (Stage(3, cutoff=0.02, fade=FADE),))
RAPIDS: Final = Level(
    "rapids",
    (_NEXT_TURN,),
    (_REPLY, Stage(4, 24, 0.005, FADE)),
    inference=_REPLY,
    caution=1.25,
    compiled=True,
)
OCEAN: Final = Level(
    "ocean",
    (_NEXT_TURN, Stage(4, 24, 0.0005, FADE, 1.6), Stage(3, 12, 0.002, FADE, 1.4, careful=2, blend=True)),
    (_REPLY, Stage(4, 32, 0.002, FADE)),
    Simulation(3, (Heat(None, 40), Heat(24, 160), Heat(8, 800))),
    endgame=True,
    inference=Stage(2),
    caution=1.25,
    compiled=True,
)

SEARCHING: Final = {level.name: level for level in (STREAM, RIVER, RAPIDS, OCEAN)}
"""The levels that play as well as they can, weakest first."""


def has_kernel() -> bool:
    """Whether the extra `engine` is installed. Asking does not load it."""
    return find_spec("numba") is not None and find_spec("numpy") is not None
