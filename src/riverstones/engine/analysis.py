"""The result of a search: the plays of a position, ranked, with the value of each and its uncertainty."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from riverstones.rules import Move

Stop = Callable[[], bool]
"""Polled between steps of a search; True asks it to stop."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search."""

    step: str
    """The current step, in a few words."""
    done: int
    total: int


Report = Callable[[Progress], None]
"""Receives the progress of a search."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play and its evaluation."""

    move: Move
    points: int
    """The points of the play itself."""
    mean: float
    """The expected gain on the opponents from here on, in points, as far as the search looked. A cautious level weights
    its opponents' points more than its own."""
    standard_error: float
    """The standard error of the mean; 0 if it is exact."""
    samples: int
    """The number of positions evaluated for this play."""
    exact: bool
    """Whether the mean is exact under best play by everybody, rather than an estimate."""
    wins: tuple[float, ...] | None = None
    """The win probability of each seat, the one to move first, if the search computed them. They sum to 1: a win shared
    by two counts half for each."""
    variation: tuple[Move, ...] = ()
    """The expected continuation after the play, as far as it is likely."""

    @property
    def win(self) -> float | None:
        """The win probability of the seat to move."""
        return None if self.wins is None else self.wins[0]


@dataclass(frozen=True, slots=True)
class Analysis:
    """All plays of a position, best first."""

    candidates: tuple[Candidate, ...]
    method: str
    """How they were ranked: `greedy`, `look-ahead`, `simulation`, `pre-endgame` or `endgame`."""
    assumption: str
    """What was assumed about the other seats, in one sentence."""
    nodes: int
    """The number of positions evaluated."""
    complete: bool = True
    """Whether the search was completed; False if it was stopped or ran out of nodes."""

    @property
    def best(self) -> Candidate:
        """The play that the engine would make."""
        return self.candidates[0]
