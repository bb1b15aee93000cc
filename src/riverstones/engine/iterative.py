"""The look-ahead over all plays of a position, further and further for fewer and fewer of them."""

from __future__ import annotations

from typing import Final

import numpy as np

from riverstones.rules import Move, Variant

from . import encoding
from .analysis import Analysis, Candidate, Progress, Report, Stop
from .kernel import MAX_PLAYS, State, generate, new_state
from .levels import Stage
from .lookahead import BAG, POOL, SIZES, Workspace, expected_value
from .plain import GREEDY_OTHERS
from .situation import Situation
from .win_probability import win_probabilities

CAREFUL_OTHERS: Final = "Every seat goes on with the play that scores most, or with less if it leaves less to the next."
UNKNOWN_ERROR: Final = 10.0
"""How far the points alone may be off as the value of a play that no round has reached."""


class LookAhead:
    """One position being searched."""

    def __init__(self, situation: Situation, caution: float = 1.0) -> None:
        self.situation = situation
        self.state: State = new_state(situation.board.cells, situation.variant is Variant.EXPERT)
        self.worth = np.full(4, -caution / (situation.seats - 1))
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
            self.state, play, kept, stage.plies, stage.careful, self.situation.seats, stage.cutoff, stage.fade,
            self.worth, work.notes, work.marks, work.saved, work.plays, work.passes,
        )  # fmt: skip


def look_ahead(
    situation: Situation,
    stages: tuple[Stage, ...],
    caution: float = 1.0,
    nodes: int | None = None,
    stop: Stop | None = None,
    progress: Report | None = None,
) -> Analysis:
    """Rank every play by what it is worth, those that were looked at longest first."""
    search = LookAhead(situation, caution)
    ranked = search.plays()
    values = {play: float(encoding.points_of(play)) for play in ranked}
    samples = dict.fromkeys(ranked, 0)
    errors = dict.fromkeys(ranked, UNKNOWN_ERROR)
    complete = True
    for number, stage in enumerate(stages):
        chosen = ranked[: stage.width]
        found: dict[int, float] = {}
        for play in chosen:
            if found and ((stop is not None and stop()) or (nodes is not None and search.nodes >= nodes)):
                complete = False
                break
            if progress is not None:
                progress(Progress(f"round {number + 1} of {len(stages)}", len(found), len(chosen)))
            before = search.nodes
            value = search.value(play, stage)
            found[play] = (values[play] + value) / 2 if stage.blend else value
            samples[play] += search.nodes - before
        if not complete and number > 0:
            # A round that was cut short cannot be compared with the one before: that one counts.
            break
        values.update(found)
        errors.update(dict.fromkeys(found, stage.error))
        rest = [play for play in ranked if play not in found]
        ranked = sorted(found, key=lambda play: (-found[play], play)) + rest
        if not complete:
            break
    wins = _win_probabilities(situation, stages[-1], [values[play] for play in ranked])
    candidates = tuple(
        Candidate(
            Move.parse(encoding.move_text(play)),
            encoding.points_of(play),
            values[play],
            errors[play],
            samples[play],
            exact=False,
            win=win if samples[play] else None,
        )
        for play, win in zip(ranked, wins, strict=True)
    )
    careful = any(stage.careful for stage in stages)
    return Analysis(candidates, "look-ahead", CAREFUL_OTHERS if careful else GREEDY_OTHERS, search.nodes, complete)


def _win_probabilities(situation: Situation, stage: Stage, values: list[float]) -> list[float] | list[None]:
    """The chance to win with plays of these values, where values tell.

    With two seats the chance rises with the value, so that to rank by one is to rank by the other. With more it matters
    who of the others gets the points; and a value that stops dead at one's own next play flatters it.
    """
    if situation.seats > 2 or not stage.fade:
        return [None] * len(values)
    lead = situation.scores[0] - situation.scores[1]
    scores = np.array([(lead + value, 0.0) for value in values])
    turns_left = (situation.tiles_left - 1) / situation.seats
    found: list[float] = win_probabilities(scores, turns_left).tolist()
    return found
