"""How likely a modelled beginner solves a puzzle, in closed form, and the grades that follow.

The model is that of the human-like levels (`riverstones.engine.human`): each Kakuro is noticed with a probability that
depends on its length, its direction, the flips it needs and whether it has to be worked out backwards. A puzzle shows
no last move, so the distance to it plays no part. Kakuros are noticed independently of each other.

- A play with the most points is found if one of the right answers is seen in full: the Kakuro that it is made for and
  every other one of the move.
- A beginner does not look ahead. A play that is best for other reasons (`LOOK_FURTHER`, `WIN`) is made if it is seen
  and no play with more points is; one that scores nothing, if nothing is seen at all and it is the placement chosen.
- A wrong claim is spotted as a bot of that level would object to it, and a right one is confirmed if a bot of that
  level would have claimed the same (`riverstones.engine.claims`). The question must not be easier because the claim is
  right, or the grade would give the answer away; so its probability is the mean of the two, for a right claim with the
  error that is usual at the table.

The grade follows from the mean over the two weakest levels that flip tiles: the hardest tenth of a file has grade 10.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Final

from riverstones.engine.claims import HARD_TO_MISS
from riverstones.engine.human import (
    BROOK,
    SPRING,
    Persona,
    is_mirage,
    main_kakuro,
    notice_probability,
    placement_weight,
)
from riverstones.rules import Code, Play, Series, explain, plays

from .puzzle import Kind, Puzzle

BEGINNERS: Final = (SPRING, BROOK)
"""The two weakest levels that flip tiles: `spring` in 3 % of its moves, `brook` in 30 %."""

USUAL_ERROR: Final = 8
"""The error in points, rounded, that a miscount makes on average: a forgotten addend, or a ten lost or added."""


def ease(puzzle: Puzzle) -> float:
    """The probability that a modelled beginner solves a puzzle, averaged over the two levels."""
    legal = plays(puzzle.board, puzzle.hand, puzzle.variant)
    return sum(solve_probability(puzzle, persona, legal) for persona in BEGINNERS) / len(BEGINNERS)


def solve_probability(puzzle: Puzzle, persona: Persona, legal: list[Play] | None = None) -> float:
    """The probability that a persona solves a puzzle; ``legal`` are all plays of the position, if known already."""
    if puzzle.kind is Kind.SPOT_THE_ERROR:
        return _judges_rightly(puzzle, persona)
    if legal is None:
        legal = plays(puzzle.board, puzzle.hand, puzzle.variant)
    if puzzle.answers is None:
        return _sees_any((play for play in legal if play.points == puzzle.best), persona)
    return sum(_makes(play, legal, puzzle, persona) for play in legal if play.move in puzzle.answers)


def _sees(play: Play, persona: Persona) -> float:
    """The probability that a persona sees everything that a play scores."""
    main = main_kakuro(play.move, play.kakuros)
    return prod(
        notice_probability(persona, kakuro, play.move, None, crossing=kakuro is not main) for kakuro in play.kakuros
    )


def _sees_any(right: Iterable[Play], persona: Persona) -> float:
    return 1 - prod(1 - _sees(play, persona) for play in right)


def _makes(play: Play, legal: list[Play], puzzle: Puzzle, persona: Persona) -> float:
    """The probability that a persona makes this play: it sees it, and no play with more points."""
    better: dict[Series, float] = {}
    for other in legal:
        if other.points > play.points:
            main = main_kakuro(other.move, other.kakuros)
            better[main] = max(better.get(main, 0.0), notice_probability(persona, main, other.move, None))
    unseen = prod(1 - probability for probability in better.values())
    if play.kakuros:
        return unseen * _sees(play, persona)
    weights = [placement_weight(puzzle.board, other.move, None) for other in legal if not other.kakuros]
    return unseen * placement_weight(puzzle.board, play.move, None) / sum(weights)


def _judges_rightly(puzzle: Puzzle, persona: Persona) -> float:
    """The probability that a persona tells a right claim from a wrong one, in the closed form of `engine.claims`."""
    claim = puzzle.claim
    assert claim is not None
    told = explain(puzzle.board, claim.move, puzzle.variant)
    counted = prod((1 - persona.miscounts) ** (len(kakuro.addends) - 1) for kakuro in told.kakuros)
    complete = (1 - persona.overlooks) ** max(len(told.kakuros) - 1, 0)
    tempting = sum(
        is_mirage(miss.series) or miss.reason.code in (Code.TOTAL_FOLLOWS, Code.STOPPED_BY_FLIPPED)
        for miss in told.near_misses
    )
    confirms = counted * complete * (1 - persona.falls_for_mirages) ** tempting
    error = USUAL_ERROR if puzzle.claim_is_right else min(abs(claim.points - puzzle.best), HARD_TO_MISS)
    catches = persona.catches + (1 - persona.catches) * error / HARD_TO_MISS
    return float((confirms + catches) / 2)
