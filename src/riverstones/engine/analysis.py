"""What the engine answers: the plays of a position, ranked, with what each is worth and how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from riverstones.rules import Move

Stop = Callable[[], bool]
"""Asked between two pieces of work whether to come to an end."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come."""

    step: str
    """What is being done, in a few words."""
    done: int
    total: int


Report = Callable[[Progress], None]
"""Told how far a search has come."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play and what the search found out about it."""

    move: Move
    points: int
    """What the play scores at once."""
    mean: float
    """The points by which the seat is expected to gain on its opponents from here on, as far as the search looked.
    A cautious level counts its opponents' points for more than they are."""
    standard_error: float
    """How far the mean is typically off; 0 where it is exact."""
    samples: int
    """How many positions were looked at for this play."""
    exact: bool
    """Whether the mean is the truth if everybody plays their best, not an estimate."""
    win: float | None = None
    """The chance to win, a shared win counting half, where the search found it."""
    variation: tuple[Move, ...] = ()
    """The expected continuation after the play, as far as it is likely."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """All plays of a position, best first."""

    candidates: tuple[Candidate, ...]
    method: str
    """How they were ranked: `greedy`, `look-ahead`, `simulation`, `pre-endgame` or `endgame`."""
    assumption: str
    """What was assumed about the other seats, in one sentence."""
    nodes: int
    """How many positions were looked at."""
    complete: bool = True
    """Whether the search did all that its level asks for: not if it was stopped or ran out of nodes."""

    @property
    def best(self) -> Candidate:
        """The play that the engine would make."""
        return self.candidates[0]
