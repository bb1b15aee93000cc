"""Simulation: play on from each play in many worlds, to estimate how often it wins.

The look-ahead counts points, and with three or four seats a point is not worth the same in every game: what counts is
to finish ahead of the best opponent. So the next rounds are played out, everybody greedy, in worlds that agree with all
that is known, and each outcome is converted to a win probability: that of being ahead after the remaining turns have
changed the scores by luck alone. The look-ahead's value counts as well: it has no noise, sees more of the potential of
a hand, and decides when the win is beyond doubt.

All plays are tried in the same worlds, so that luck affects them equally. They are tried in heats: all plays in a few
worlds, then the better ones in more, so that most of the work goes to plays that are hard to tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverstones.rules import Play, Variant

from .analysis import Analysis, Candidate, Progress, Report, Stop
from .encoding import POINTS_SHIFT, digit_of, move_from_text
from .jit import jit
from .kernel import SAVED_SHAPE, State, apply, best_by_digit, new_state
from .levels import Simulation
from .lookahead import Floats, Integers
from .situation import Situation
from .win_probability import win_probabilities

Worlds = NDArray[np.uint8]
"""A row for each distribution of the unseen tiles: the hands in move order, then the bag."""

POINT: Final = 0.006
"""The weight of a point of the look-ahead's value, as win probability."""


def simulate(
    found: Analysis,
    situation: Situation,
    plan: Simulation,
    seed: int = 0,
    nodes: int | None = None,
    stop: Stop | None = None,
    progress: Report | None = None,
    also: Sequence[Play] = (),
) -> Analysis:
    """Rank the plays of a look-ahead again, by win probability and look-ahead value.

    The plays `also`, which are among those of the look-ahead, take part in every heat, whatever their rank.
    """
    table = _Table(situation, plan, seed)
    ranked = list(found.candidates)
    asked = {(play.move, play.points) for play in also}
    looked_at, complete = found.nodes, True
    for number, heat in enumerate(plan.heats):
        chosen = [
            candidate
            for rank, candidate in enumerate(ranked)
            if heat.width is None or rank < heat.width or (candidate.move, candidate.points) in asked
        ]
        tried: list[Candidate] = []
        for candidate in chosen:
            if (stop is not None and stop()) or (nodes is not None and looked_at >= nodes):
                complete = False
                break
            if progress is not None:
                progress(Progress(f"heat {number + 1} of {len(plan.heats)}", len(tried), len(chosen)))
            tried.append(table.play_on(candidate, number))
            looked_at += tried[-1].samples - candidate.samples
        if not complete:
            # Results of an interrupted heat cannot be compared with those of the heat before, which counts.
            break
        ranked = sorted(tried, key=worth, reverse=True) + [each for each in ranked if each not in chosen]
    return replace(found, candidates=tuple(ranked), method="simulation", nodes=looked_at, complete=complete)


def worth(candidate: Candidate) -> float:
    """What simulated plays are ranked by: the win probability, and the value of the look-ahead."""
    assert candidate.win is not None
    return candidate.win + POINT * candidate.mean


class _Table:
    """The position that is played on from."""

    def __init__(self, situation: Situation, plan: Simulation, seed: int) -> None:
        self._situation = situation
        rng = np.random.default_rng(seed)
        self._worlds = [_worlds(situation, heat.worlds, rng) for heat in plan.heats]
        self._plies = min(plan.rounds * situation.seats, situation.tiles_left - 1)
        self._state = new_state(situation.board.cells, situation.variant is Variant.EXPERT)
        self._scratch = self._state.copy()
        self._saved = np.zeros(SAVED_SHAPE, np.int32)

    def play_on(self, candidate: Candidate, heat: int) -> Candidate:
        """The candidate updated with the results in the worlds of a heat, added to those of earlier heats."""
        situation = self._situation
        worlds, before = self._worlds[heat], sum(map(len, self._worlds[:heat]))
        move = move_from_text(str(candidate.move))
        scores = np.tile(np.array(situation.scores, np.int64), (len(worlds), 1))
        scores[:, 0] += candidate.points
        _play_on(
            self._state, move, sum(situation.hand) - digit_of(move), np.array(situation.sizes, np.int64), self._plies,
            worlds, scores, self._scratch, self._saved,
        )  # fmt: skip
        turns_left = (situation.tiles_left - 1 - self._plies) / situation.seats
        earlier = candidate.wins or (0.0,) * situation.seats
        shares = win_probabilities(scores, turns_left)
        wins = tuple(
            (won * before + float(np.ascontiguousarray(shares[:, seat]).sum())) / (before + len(worlds))
            for seat, won in enumerate(earlier)
        )
        return replace(candidate, wins=wins, samples=candidate.samples + self._plies * len(worlds))


def _worlds(situation: Situation, count: int, rng: np.random.Generator) -> Worlds:
    """Sample this many distributions of the unseen tiles, according to their probabilities."""
    unseen = situation.unseen
    tiles = np.repeat(np.arange(len(unseen), dtype=np.uint8), unseen)
    worlds = rng.permuted(np.tile(tiles, (count, 1)), axis=1)
    # Every tile of a digit is equally likely to be the one that was kept.
    kept = np.array(situation.kept) / np.maximum(unseen, 1)
    _lay_kept_tiles(worlds, np.array(situation.sizes, np.int64), kept, rng.random((count, situation.seats)))
    return worlds


@jit("void(uint8[:, ::1], int64[::1], float64[:, ::1], float64[:, ::1])")
def _lay_kept_tiles(worlds: Worlds, sizes: Integers, kept: Floats, picks: Floats) -> None:
    """Move to the front of each hand the tile its seat keeps, drawn according to the probabilities."""
    for world in range(worlds.shape[0]):
        tiles = worlds[world]
        front = 0
        for seat in range(1, len(sizes)):
            total = 0.0
            for place in range(front, len(tiles)):
                total += kept[seat, tiles[place]]
            left = picks[world, seat] * total
            for place in range(front, len(tiles)):
                left -= kept[seat, tiles[place]]
                if left < 0.0:
                    tiles[front], tiles[place] = tiles[place], tiles[front]
                    break
            front += sizes[seat]


@jit("void(int32[:, ::1], int64, int64, int64[::1], int64, uint8[:, ::1], int64[:, ::1], int32[:, ::1], int32[:, ::1])")
def _play_on(
    state: State,
    move: int,
    kept_digit: int,
    sizes: Integers,
    plies: int,
    worlds: Worlds,
    scores: Integers,
    scratch: State,
    saved: State,
) -> None:
    """Add to the scores of each world, one row each, the points of the plies after a move of seat 0."""
    seats = len(sizes)
    hands = np.zeros((seats, 2), np.int64)
    best = np.zeros(10, np.int64)
    for world in range(worlds.shape[0]):
        tiles = worlds[world]
        drawn = 0
        for seat in range(1, seats):
            for i in range(2):
                hands[seat, i] = 0
                if i < sizes[seat]:
                    hands[seat, i] = tiles[drawn]
                    drawn += 1
        hands[0, 0] = kept_digit
        hands[0, 1] = 0
        if drawn < len(tiles):
            hands[0, 1] = tiles[drawn]
            drawn += 1
        for line in range(state.shape[0]):
            for i in range(state.shape[1]):
                scratch[line, i] = state[line, i]
        apply(scratch, move, saved)
        for ply in range(1, plies + 1):
            seat = ply % seats
            best_by_digit(scratch, best)
            # An empty slot of a hand is digit 0.
            used = 0
            if hands[seat, 0] == 0 or (hands[seat, 1] != 0 and best[hands[seat, 1]] < best[hands[seat, 0]]):
                used = 1
            play = best[hands[seat, used]]
            scores[world, seat] -= play >> POINTS_SHIFT
            apply(scratch, play, saved)
            hands[seat, used] = 0
            if drawn < len(tiles):
                hands[seat, used] = tiles[drawn]
                drawn += 1
