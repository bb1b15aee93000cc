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

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from riverstones.rules import Play, Variant

from .analysis import Analysis, Candidate, Progress, Report, Stop
from .arrays import Bytes, Floats, Int32s, Integers, array, from_bytes, read, write, zeros
from .encoding import POINTS_SHIFT, digit_of, move_from_text
from .jit import jit
from .kernel import SAVED_SHAPE, STATE_SHAPE, Plays, State, apply, best_by_digit, new_state
from .levels import Simulation
from .situation import Situation
from .win_probability import find_shares, scale

Worlds = Bytes
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
        rng = random.Random(seed)
        self._heats = [heat.worlds for heat in plan.heats]
        self._worlds = [_worlds(situation, worlds, rng) for worlds in self._heats]
        self._plies = min(plan.rounds * situation.seats, situation.tiles_left - 1)
        self._state = new_state(situation.board.cells, situation.variant is Variant.EXPERT)
        self._sizes: Integers = array(situation.sizes, "int64")
        self._work = _Workspace(situation.seats)

    def play_on(self, candidate: Candidate, heat: int) -> Candidate:
        """The candidate updated with the results in the worlds of a heat, added to those of earlier heats."""
        situation, work = self._situation, self._work
        before, worlds = sum(self._heats[:heat]), self._heats[heat]
        move = move_from_text(str(candidate.move))
        turns_left = (situation.tiles_left - 1 - self._plies) / situation.seats
        write(work.start, 0, (situation.scores[0] + candidate.points, *situation.scores[1:]))
        write(work.wins, 0, (0.0,) * situation.seats)
        _play_on(
            self._state, move, sum(situation.hand) - digit_of(move), self._sizes, self._plies, scale(turns_left),
            self._worlds[heat], work.start, work.wins, work.scores, work.shares, work.hands, work.best, work.scratch,
            work.saved,
        )  # fmt: skip
        earlier = candidate.wins or (0.0,) * situation.seats
        wins = tuple(
            (won * before + more) / (before + worlds)
            for won, more in zip(earlier, read(work.wins, 0, situation.seats), strict=True)
        )
        return replace(candidate, wins=wins, samples=candidate.samples + self._plies * worlds)


class _Workspace:
    """Preallocated memory for playing on."""

    def __init__(self, seats: int) -> None:
        self.start: Floats = zeros(seats, "float64")
        """The scores after the play."""
        self.wins: Floats = zeros(seats, "float64")
        """The sum of each seat's win probabilities."""
        self.scores: Floats = zeros(seats, "float64")
        self.shares: Floats = zeros(seats, "float64")
        self.hands: Integers = zeros((seats, 2), "int64")
        self.best: Plays = zeros(10, "int64")
        self.scratch: State = zeros(STATE_SHAPE, "int32")
        self.saved: State = zeros(SAVED_SHAPE, "int32")


def _worlds(situation: Situation, count: int, rng: random.Random) -> Worlds:
    """Sample this many distributions of the unseen tiles, according to their probabilities."""
    unseen = situation.unseen
    tiles = [digit for digit, copies in enumerate(unseen) for _ in range(copies)]
    # Every tile of a digit is equally likely to be the one that was kept.
    kept: Floats = zeros((situation.seats, len(unseen)), "float64")
    for seat, likely in enumerate(situation.kept):
        write(kept, seat * len(unseen), [each / max(copies, 1) for each, copies in zip(likely, unseen, strict=True)])
    worlds: Worlds = zeros((count, len(tiles)), "uint8")
    # A 32-bit random number for every tile and for every seat of a world. Not from NumPy, whose generators may change
    # from one version to the next.
    bits: Int32s = from_bytes(rng.randbytes(4 * count * (len(tiles) + situation.seats)), "int32")
    _deal(worlds, array(tiles, "uint8"), array(situation.sizes, "int64"), kept, bits)
    return worlds


@jit()
def _fraction(bits: int) -> float:
    """A number from 0 to 1, less than 1, from 32 random bits."""
    return (bits & 0xFFFFFFFF) * 2.0**-32


@jit("void(uint8[:, ::1], uint8[::1], int64[::1], float64[:, ::1], int32[::1])")
def _deal(worlds: Worlds, unseen: Bytes, sizes: Integers, kept: Floats, bits: Int32s) -> None:
    """Shuffle the unseen tiles into each world, with the tile that a seat keeps at the front of its hand.

    That tile is drawn according to the probabilities ``kept``.
    """
    seats = len(sizes)
    used = 0
    for world in range(worlds.shape[0]):
        tiles = worlds[world]
        for place in range(len(tiles)):
            other = int(_fraction(bits[used + place]) * (place + 1))
            tiles[place] = tiles[other]
            tiles[other] = unseen[place]
        used += len(tiles)
        front = 0
        for seat in range(1, seats):
            total = 0.0
            for place in range(front, len(tiles)):
                total += kept[seat, tiles[place]]
            left = _fraction(bits[used + seat]) * total
            for place in range(front, len(tiles)):
                left -= kept[seat, tiles[place]]
                if left < 0.0:
                    tiles[front], tiles[place] = tiles[place], tiles[front]
                    break
            front += sizes[seat]
        used += seats


@jit(
    "void(int32[:, ::1], int64, int64, int64[::1], int64, float64, uint8[:, ::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], int64[:, ::1], int64[::1], int32[:, ::1], int32[:, ::1])"
)
def _play_on(
    state: State,
    move: int,
    kept_digit: int,
    sizes: Integers,
    plies: int,
    luck: float,
    worlds: Worlds,
    start: Floats,
    wins: Floats,
    scores: Floats,
    shares: Floats,
    hands: Integers,
    best: Plays,
    scratch: State,
    saved: State,
) -> None:
    """Play the plies after a move of seat 0 in each world, and add up the win probability of each seat.

    ``start`` has the scores after the move, and luck spreads those after the last ply by ``luck``.
    """
    seats = len(sizes)
    for world in range(worlds.shape[0]):
        tiles = worlds[world]
        drawn = 0
        for seat in range(seats):
            scores[seat] = start[seat]
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
            scores[seat] -= play >> POINTS_SHIFT
            apply(scratch, play, saved)
            hands[seat, used] = 0
            if drawn < len(tiles):
                hands[seat, used] = tiles[drawn]
                drawn += 1
        find_shares(scores, luck, shares)
        for seat in range(seats):
            wins[seat] += shares[seat]
