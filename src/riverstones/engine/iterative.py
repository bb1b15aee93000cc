"""Iterative deepening: the look-ahead over all plays, deeper and deeper for fewer and fewer of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from riverstones.rules import Move, Play, Variant

from . import encoding
from .analysis import Analysis, Candidate, Progress, Report, Stop
from .arrays import Floats, array, read, write, zeros
from .kernel import MAX_PLAYS, Plays, State, generate, new_state
from .levels import Stage
from .lookahead import BAG, DIGIT_COLUMNS, POOL, SIZES, Workspace, expected_value
from .plain import GREEDY_OTHERS
from .situation import Situation
from .win_probability import win_probabilities

CAREFUL_OTHERS: Final = "Every seat plays for the most points, less half of what it leaves to the next seat."
UNKNOWN_ERROR: Final = 10.0
"""The error of points alone as the value of a play that no round has reached."""


class LookAhead:
    """The search of one position."""

    def __init__(self, situation: Situation, caution: float = 1.0) -> None:
        self.situation = situation
        self.state: State = new_state(situation.board.cells, situation.variant is Variant.EXPERT)
        self.worth: Floats = array((1.0, *(-caution / (situation.seats - 1),) * 3), "float64")
        self.work = Workspace()
        for seat, kept in enumerate(situation.kept):
            write(self.work.notes, seat * DIGIT_COLUMNS, kept)
        write(self.work.notes, POOL * DIGIT_COLUMNS, situation.off_board)
        write(self.work.marks, SIZES, situation.sizes)
        write(self.work.marks, BAG, (situation.bag,))

    @property
    def nodes(self) -> int:
        """The number of positions evaluated."""
        return int(read(self.work.passes, 0, 1)[0])

    def plays(self) -> list[int]:
        """Every play, encoded, by points."""
        plays: Plays = zeros(MAX_PLAYS, "int64")
        hand = encoding.hand_from_digits("".join(map(str, self.situation.hand)))
        return sorted(read(plays, 0, generate(self.state, hand, plays)))

    def value(self, play: int, stage: Stage) -> float:
        """The value of a play, looking ahead as far as the stage does."""
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
    also: Sequence[Play] = (),
) -> Analysis:
    """Rank every play by its value; plays that were searched deeper come first.

    The plays `also` take part in every round, whatever their rank, and need not be legal.
    """
    search = LookAhead(situation, caution)
    ranked, asked = with_plays(search.plays(), also)
    values = {play: float(encoding.points_of(play)) for play in ranked}
    samples = dict.fromkeys(ranked, 0)
    errors = dict.fromkeys(ranked, UNKNOWN_ERROR)
    complete = True
    for number, stage in enumerate(stages):
        chosen = ranked[: stage.width]
        chosen += [play for play in asked if play not in chosen]
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
            # Values of an interrupted round cannot be compared with those of the round before, which counts.
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
            wins=win if samples[play] else None,
        )
        for play, win in zip(ranked, wins, strict=True)
    )
    careful = any(stage.careful for stage in stages)
    return Analysis(candidates, "look-ahead", CAREFUL_OTHERS if careful else GREEDY_OTHERS, search.nodes, complete)


def with_plays(plays: list[int], also: Sequence[Play]) -> tuple[list[int], list[int]]:
    """These encoded plays with some more, as far as they are not among them, and those alone."""
    asked = [encoding.play_from(str(play.move), play.points) for play in also]
    return (sorted({*plays, *asked}) if asked else plays), asked


def _win_probabilities(
    situation: Situation, stage: Stage, values: list[float]
) -> list[tuple[float, float]] | list[None]:
    """The win probabilities of both seats for plays with these values, where values allow it.

    With two seats the probability rises with the value, so ranking by either is the same. With more seats it matters
    which of the others gets the points; and a value that stops at one's own next play overestimates it.
    """
    if situation.seats > 2 or not stage.fade:
        return [None] * len(values)
    lead = situation.scores[0] - situation.scores[1]
    turns_left = (situation.tiles_left - 1) / situation.seats
    found = win_probabilities([(lead + value, 0.0) for value in values], turns_left)
    return [(win, 1.0 - win) for win, _ in found]
