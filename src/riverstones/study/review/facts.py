"""What was wrong with a move, as facts: data that `words` turns into sentences.

A fact is only stated if it explains the loss: a flip was overlooked if no play without flips comes close to the best,
and the wrong tile was kept if no play of that tile does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from riverstones.engine.analysis import Candidate
from riverstones.engine.levels import Stage
from riverstones.engine.situation import Situation
from riverstones.words import phrase

from .judgement import Judgement, loss_of

LEAST: Final = 0.5
"""The smallest loss that is explained, in points."""
_REPLY: Final = Stage(1)
"""The look-ahead that ends with the next seat's reply."""


class FactKind(StrEnum):
    """The kinds of facts; the sentence for one has the key `review_KIND`."""

    ILLEGAL_FLIP = "illegal_flip"
    """A flip was illegal, so the move is judged without it and without points."""
    FLIP_OVERLOOKED = "flip_overlooked"
    """The best move flips more tiles, and no move without flips comes close."""
    POINTS_MISSED = "points_missed"
    """The best move scores more at once."""
    POINTS_GIVEN = "points_given"
    """The next seat could expect to score more than after the best move."""
    WRONG_TILE = "wrong_tile"
    """The best move places the other tile, and no move with this one comes close."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about a move; which of the fields are set depends on its kind."""

    kind: FactKind
    points: int | None = None
    squares: tuple[str, ...] = ()
    """The tiles to flip."""
    digit: int | None = None
    """The tile that was placed and should have been kept."""
    better: int | None = None
    """The tile to place instead."""

    def say(self, language: str = "en") -> str:
        """The fact as a sentence."""
        params = {"points": self.points, "squares": self.squares, "digit": self.digit, "better": self.better}
        return phrase(f"review_{self.kind}", {name: value for name, value in params.items() if value}, language)


def facts_of(judged: Judgement, situation: Situation) -> tuple[Fact, ...]:
    """What explains the loss of a move, given the situation of its seat; nothing for a small loss."""
    played, best = judged.played, judged.best
    facts = [] if judged.legal else [Fact(FactKind.ILLEGAL_FLIP)]
    if judged.loss < LEAST:
        return tuple(facts)
    plays = judged.analysis.candidates
    if len(best.move.flips) > len(played.move.flips):
        plain = [play for play in plays if not play.move.flips]
        if _falls_short(judged, plain):
            facts.append(Fact(FactKind.FLIP_OVERLOOKED, squares=tuple(map(str, best.move.flips))))
    if best.points > played.points:
        facts.append(Fact(FactKind.POINTS_MISSED, points=best.points - played.points))
    if (given := round(_reply(played, situation) - _reply(best, situation))) > 0:
        facts.append(Fact(FactKind.POINTS_GIVEN, points=given))
    digit, better = played.move.tile.digit, best.move.tile.digit
    if digit != better and len(situation.hand) > 1:
        same = [play for play in plays if play.move.tile.digit == digit]
        if _falls_short(judged, same):
            facts.append(Fact(FactKind.WRONG_TILE, digit=digit, better=better))
    return tuple(facts)


def _falls_short(judged: Judgement, plays: list[Candidate]) -> bool:
    """Whether even the best of these plays loses half of what the move lost."""
    return all(loss_of(play, judged.analysis) >= judged.loss / 2 for play in plays)


def _reply(play: Candidate, situation: Situation) -> float:
    """The points that the next seat may expect after a play."""
    from riverstones.engine.encoding import play_from
    from riverstones.engine.iterative import LookAhead

    value = LookAhead(situation).value(play_from(str(play.move), play.points), _REPLY)
    return (play.points - value) * (situation.seats - 1)
