"""The look-ahead over all plays of a position, further and further for fewer and fewer of them."""

from __future__ import annotations

import numpy as np

from riverstones.rules import Move, Variant

from . import encoding
from .analysis import Analysis, Candidate, Progress, Report, Stop
from .kernel import MAX_PLAYS, State, generate, new_state
from .levels import Stage
from .lookahead import BAG, POOL, SIZES, Workspace, expected_value
from .plain import GREEDY_OTHERS
from .situation import Situation


class LookAhead:
    """One position being searched."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.state: State = new_state(situation.board.cells, situation.variant is Variant.EXPERT)
        self.worth = np.full(4, -1.0 / (situation.seats - 1))
        self.worth[0] = 1.0
        self.work = Workspace()
        notes, marks = self.work.notes[0], self.work.marks[0]
        notes[POOL] = situation.off_board
        notes[: situation.seats] = situation.kept
        marks[SIZES : SIZES + situation.seats] = situation.sizes
        marks[BAG] = situation.bag

    @property
    def nodes(self) -> int:
        """How many positions have been looked at."""
        return int(self.work.passes[0])

    def plays(self) -> list[int]:
        """Every play, as a number, best first by points."""
        plays = np.empty(MAX_PLAYS, np.int64)
        hand = encoding.hand_from_digits("".join(map(str, self.situation.hand)))
        return sorted(plays[: generate(self.state, hand, plays)].tolist())

    def value(self, play: int, stage: Stage) -> float:
        """What a play is worth, seen as far as the stage looks."""
        kept = sum(self.situation.hand) - encoding.digit_of(play)
        work = self.work
        return expected_value(
            self.state, play, kept, stage.plies, self.situation.seats, stage.cutoff, stage.fade, self.worth,
            work.notes, work.marks, work.saved, work.passes,
        )  # fmt: skip


def look_ahead(
    situation: Situation,
    stages: tuple[Stage, ...],
    nodes: int | None = None,
    stop: Stop | None = None,
    progress: Report | None = None,
) -> Analysis:
    """Rank every play by what it is worth, those that were seen furthest ahead first."""
    search = LookAhead(situation)
    ranked = search.plays()
    found: dict[int, tuple[float, int]] = {play: (float(encoding.points_of(play)), 0) for play in ranked}
    complete = True
    for stage in stages:
        chosen = ranked[: stage.width]
        fresh: dict[int, tuple[float, int]] = {}
        for done, play in enumerate(chosen):
            if fresh and ((stop is not None and stop()) or (nodes is not None and search.nodes >= nodes)):
                complete = False
                break
            if progress is not None:
                progress(Progress(f"{stage.plies} plies ahead", done, len(chosen)))
            before = search.nodes
            fresh[play] = (search.value(play, stage), search.nodes - before)
        if not complete and stage is not stages[0]:
            # A round that was cut short says nothing about the plays that it did not reach: keep the last one.
            break
        found.update(fresh)
        ranked = sorted(fresh, key=lambda play: (-found[play][0], play)) + [p for p in ranked if p not in fresh]
        if not complete:
            break
    candidates = tuple(
        Candidate(
            Move.parse(encoding.move_text(play)), encoding.points_of(play), found[play][0], 0.0, found[play][1], False
        )
        for play in ranked
    )
    return Analysis(candidates, "look-ahead", GREEDY_OTHERS, search.nodes, complete)
