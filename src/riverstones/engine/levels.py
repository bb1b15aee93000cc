"""The levels as data: which parts of the engine each one uses, and its search budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from . import wasm
from .targets import NATIVE


@dataclass(frozen=True, slots=True)
class Stage:
    """One round of the look-ahead: how deep it looks and how many of the best plays of the previous round take part."""

    plies: int
    """The number of plies after the play itself."""
    width: int | None = None
    """The number of plays that take part; None for all."""
    cutoff: float = 0.0
    """Branches less likely than this are assumed to have the value of their neighbours."""
    fade: float = 0.0
    """The weight of what the seats after the last ply could do; 0 to ignore it."""
    error: float = 2.0
    """The typical error of the values in points, compared with the outcome of many careful games."""
    careful: int = 0
    """The number of plies in which seats are assumed to play carefully rather than greedily."""
    blend: bool = False
    """Whether the result is the mean of this round and the previous one."""


@dataclass(frozen=True, slots=True)
class Heat:
    """One heat of a simulation: how many of the best plays of the previous heat take part, and in how many worlds."""

    width: int | None
    """The number of plays that take part; None for all."""
    worlds: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """How a simulation plays on: how many rounds, and in which heats."""

    rounds: int
    """The number of moves per seat."""
    heats: tuple[Heat, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """The capabilities and budgets of a bot."""

    name: str
    stages: tuple[Stage, ...] = ()
    """The rounds of the look-ahead with two seats; empty for a bot that only counts points."""
    many: tuple[Stage, ...] = ()
    """The rounds of the look-ahead with three or four seats."""
    simulation: Simulation | None = None
    """The simulation after the look-ahead, with three or four seats."""
    endgame: bool = False
    """Whether endgames are solved."""
    inference: Stage | None = None
    """The look-ahead that the other seats are assumed to have when their hands are inferred; None for no inference."""
    caution: float = 1.0
    """The weight of the opponents' points relative to one's own; more than 1 makes games closer to expectation."""
    compiled: bool = False
    """Whether it needs the compiled kernel to answer within five seconds."""

    def stages_for(self, seats: int) -> tuple[Stage, ...]:
        """The rounds of the look-ahead with this many seats."""
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


def searching(name: str) -> Level:
    """The level that searches and has this name; `ValueError` if there is none."""
    if name not in SEARCHING:
        raise ValueError(f"there is no level “{name}” that searches; these do: {', '.join(SEARCHING)}")
    return SEARCHING[name]


def has_kernel() -> bool:
    """Whether the compiled kernel can be used: the extra `engine` is installed, or a WebAssembly module is connected.

    The check loads neither.
    """
    return NATIVE or wasm.connected()
