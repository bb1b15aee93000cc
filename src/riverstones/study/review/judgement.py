"""Judge one move: compare it with the best play, given what its seat knew, with inference about the others.

The judge is the strongest level. The move that was made is searched as deeply as the best ones. The move is judged, not
the claim: where players claim their points, a legal move counts with what it scores, and a move with an illegal flip as
what the rules make of it, the placement alone without points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from riverstones.engine.analysis import Analysis, Candidate
from riverstones.engine.choose import analyse
from riverstones.engine.levels import OCEAN
from riverstones.notation import Annotation
from riverstones.rules import Board, Move, Play, Variant, View, kakuros_made, refusal

from .accuracy import AS_GOOD, GLYPHS, MoveClass, class_of
from .chances import Chances

JUDGE: Final = OCEAN
"""The level that judges."""
_IMPARTIAL: Final = replace(OCEAN, caution=1.0)
"""The level that turns plays into chances: it counts everybody's points alike."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one move."""

    played: Candidate
    """The move as it is judged."""
    best: Candidate
    """The move that the judge would have made."""
    loss: float
    """The points by which the best move is worth more, all things considered."""
    analysis: Analysis
    """Every play, ranked."""
    legal: bool
    """Whether the move was legal; where players claim their points, an illegal flip is possible."""
    slip: Chances
    """The change of the chances by not making the best move, in the order of play; never positive for the seat."""

    @property
    def move_class(self) -> MoveClass:
        """How good the move was."""
        return class_of(self.loss)

    @property
    def as_good(self) -> bool:
        """Whether the move is the best, or as good to a tenth of a point."""
        return self.loss < AS_GOOD

    @property
    def has_choice(self) -> bool:
        """Whether any play would have been worse than the best."""
        return any(loss_of(play, self.analysis) >= AS_GOOD for play in self.analysis.candidates)

    @property
    def glyph(self) -> str:
        """The annotation glyph for the move; empty for a sound one."""
        return GLYPHS.get(self.move_class, "")

    @property
    def annotation(self) -> Annotation | None:
        """The annotation for a record: the best move, where a worse one was made."""
        if self.as_good:
            return None
        return Annotation(self.glyph, self.best.move, self.best.points, round(10 * self.loss))


def judge(view: View, move: Move) -> Judgement:
    """Judge a move of the seat whose view this is."""
    position = view.position
    play = as_judged(position.board, move, position.variant)
    found = analyse(view, JUDGE, variations=0, also=[play])
    played = find(found, play)
    slip = _slip(view, found, played)
    return Judgement(played, found.best, loss_of(played, found), found, play.move == move, slip)


def find(found: Analysis, play: Play) -> Candidate:
    """The evaluation of a play that is among those analysed."""
    return next(each for each in found.candidates if (each.move, each.points) == (play.move, play.points))


def _slip(view: View, found: Analysis, played: Candidate) -> Chances:
    best = found.best
    if played == best:
        return (0.0,) * view.setup.seats
    if found.method == "look-ahead":
        # The judge is cautious: it weighs the opponents' points more than its own, which distorts the chances.
        pair = [Play(each.move, (), each.points) for each in (played, best)]
        found = analyse(view, _IMPARTIAL, variations=0, also=pair)
        played, best = (find(found, play) for play in pair)
    assert played.wins is not None
    assert best.wins is not None
    change = tuple(after - before for after, before in zip(played.wins, best.wins, strict=True))
    # The judge may prefer more points to slightly better chances; then the other play is no slip.
    return (0.0,) * len(change) if change[0] > 0.0 else change


def as_judged(board: Board, move: Move, variant: Variant) -> Play:
    """The move with its points, or the placement alone without points if a flip is illegal."""
    if refusal(board, move, variant) is not None:
        return Play(replace(move, flips=()), (), 0)
    kakuros = tuple(kakuros_made(board, move))
    return Play(move, kakuros, sum(kakuro.sum for kakuro in kakuros))


def loss_of(play: Candidate, found: Analysis) -> float:
    """The points by which the best play is worth more than this one.

    A simulation ranks plays by win probability and points together, so there the loss is the mean of two losses: the
    points, and the win probability at the weight that the simulation gives a point.
    """
    best = found.best
    points = best.mean - play.mean
    if found.method == "simulation":
        from riverstones.engine.simulation import POINT, worth

        points = (worth(best) - worth(play)) / (2.0 * POINT)
    return max(0.0, points)
