"""Choose the search for a position: points only, the look-ahead, or the endgame solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from riverstones.rules import Move, Play, Position, View

from . import plain
from .analysis import Analysis, Candidate, Report, Stop
from .levels import Level, has_kernel, searching
from .situation import Situation

VARIATION_PLIES: Final = 2
"""The length of the expected continuation, in plies."""


def analyse(
    known: View | Position,
    level: Level | str,
    seed: int = 0,
    nodes: int | None = None,
    stop: Stop | None = None,
    progress: Report | None = None,
    variations: int = 3,
    also: Sequence[Play] = (),
) -> Analysis:
    """Rank every play of the seat to move, using only what that seat knows.

    The level is one that searches, or its name: `stream`, `river`, `rapids` or `ocean`; `ValueError` for another name.
    Unless stopped, the result depends only on the position, the level, the seed and ``nodes``, which limits the number
    of positions evaluated; endgames are solved regardless of it. The expected continuation is computed for the best
    ``variations`` plays.

    The plays ``also`` are searched as thoroughly as the best ones, whatever their rank. They need not be legal: a move
    whose flips an objection undid is the same placement with no points.
    """
    if isinstance(level, str):
        level = searching(level)
    situation = Situation.of(known)
    stages = level.stages_for(situation.seats)
    if not stages:
        return greedy(situation, also)
    if not has_kernel():
        return _with_variations(
            plain.look_ahead(situation, plain.PLIES, stop, also), situation, variations, plain.likely_variation
        )
    from . import inference, iterative, simulation
    from .endgame import driver as endgame

    if level.inference is not None and isinstance(known, View):
        situation = replace(situation, kept=inference.kept_tiles(known, level.inference, stop))
    if level.endgame and endgame.solvable(situation):
        solved = endgame.solve(situation, stop, progress, also)
        if solved is not None:
            return _with_variations(solved, situation, variations, endgame.best_variation)
    found = iterative.look_ahead(situation, stages, level.caution, nodes, stop, progress, also)
    if level.simulation is not None and situation.seats > 2 and found.complete:
        found = simulation.simulate(found, situation, level.simulation, seed, nodes, stop, progress, also)
    return _with_variations(found, situation, variations, plain.likely_variation)


def choose(
    known: View | Position,
    level: Level,
    seed: int = 0,
    nodes: int | None = None,
    stop: Stop | None = None,
    progress: Report | None = None,
) -> Move:
    """The move that a level makes."""
    return analyse(known, level, seed, nodes, stop, progress, variations=0).best.move


def _with_variations(
    found: Analysis, situation: Situation, variations: int, follow: Callable[[Situation, Move, int], tuple[Move, ...]]
) -> Analysis:
    """The same analysis with the expected continuation of the best plays."""
    best = [
        replace(play, variation=follow(situation, play.move, VARIATION_PLIES)) for play in found.candidates[:variations]
    ]
    return replace(found, candidates=(*best, *found.candidates[variations:]))


def greedy(situation: Situation, also: Sequence[Play] = ()) -> Analysis:
    """Rank plays by points alone."""
    found = plain.all_plays(situation, also)
    candidates = tuple(Candidate(play.move, play.points, float(play.points), 0.0, 1, exact=False) for play in found)
    return Analysis(candidates, "greedy", "Only the points of the move were considered.", len(found))
