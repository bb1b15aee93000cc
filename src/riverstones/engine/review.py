"""Review a game: compare each move with the best one, given what its seat knew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from riverstones.notation import Annotation
from riverstones.rules import Game, view

from .analysis import Candidate, Stop
from .choose import analyse
from .levels import Level

GLYPHS = ((20.0, "??"), (10.0, "?"), (4.0, "?!"))
"""Lower limits of the loss, in points, for a blunder, a mistake and a dubious move."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The engine's verdict on one turn."""

    number: int
    """The number of the turn, from 1."""
    seat: int
    played: Candidate | None
    """The move that was made; None if it was illegal, which is possible where players claim their points."""
    best: Candidate
    """The move that the engine would have made."""
    most_points: int
    """The most points that any play would have scored at once."""
    rank: int | None
    """The rank of the move among all plays, from 1."""
    plays: int
    """The number of plays."""
    method: str
    """How the plays were ranked."""

    @property
    def loss(self) -> float:
        """The loss compared with the best move, in points, all things considered; 0 for an illegal move."""
        return 0.0 if self.played is None else max(0.0, self.best.mean - self.played.mean)

    @property
    def as_good(self) -> bool:
        """Whether the move is the best, or as good to a tenth of a point."""
        return self.played is not None and self.loss < 0.05

    @property
    def glyph(self) -> str:
        """The annotation glyph for the move; empty for a sound one."""
        return next((glyph for loss, glyph in GLYPHS if self.loss >= loss), "")

    @property
    def annotation(self) -> Annotation | None:
        """The annotation for a record: the best move, where a worse one was made."""
        if self.played is None or self.as_good:
            return None
        return Annotation(self.glyph, self.best.move, self.best.points, round(10 * self.loss))


def review(games: Sequence[Game], level: Level, seed: int = 0, stop: Stop | None = None) -> Iterator[Judgement]:
    """Judge the turns of a game, given its states before each turn and at the end, by what each seat knew."""
    for number, (before, after) in enumerate(pairwise(games), start=1):
        if stop is not None and stop():
            return
        found = analyse(view(before, before.to_move), level, seed)
        move = after.turns[-1].move
        rank = next((rank for rank, play in enumerate(found.candidates, start=1) if play.move == move), None)
        yield Judgement(
            number,
            before.to_move,
            None if rank is None else found.candidates[rank - 1],
            found.best,
            max(play.points for play in found.candidates),
            rank,
            len(found.candidates),
            found.method,
        )
