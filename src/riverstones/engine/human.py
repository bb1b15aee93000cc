"""The levels that play as people do: they make the best move that they see, and they do not see everything.

How hard a Kakuro is to see depends on what a person has to do in the head: add up a long run, imagine a tile flipped
read downwards, work back from addends to their total, look away from where the last tile went down. Each of these
lowers the odds that a `Persona` notices it: `notice_probability` gives the probability in closed form. A second Kakuro
of the same move, in the other direction, is harder again, so people sometimes score more than they meant to.

Somebody who sees nothing still has to place a tile, and does not place it just anywhere: see `placement_weight`.

Where players claim their points they are also taken in by *mirages*: series whose sum is right but that repeat a digit.
What they then claim is described in `claims`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from typing import Final

from riverstones.rules import Board, Direction, Hand, Move, Scoring, Series, Side, Square, Tile, View, plays
from riverstones.rules.series import series_through
from riverstones.rules.squares import LINES_OF, Line
from riverstones.rules.tiles import EMPTY, FLIPPED


@dataclass(frozen=True, slots=True)
class Persona:
    """How well somebody sees and counts. All but the chances are in log-odds, so 0.7 halves the odds to notice."""

    name: str
    sharpness: float
    """The log-odds to notice the easiest Kakuro: two addends to the right, next to the last tile, nothing flipped."""
    per_addend: float
    """How much harder each addend after the second makes it."""
    per_flip: float
    """How much harder each tile makes it that has to be imagined the other way up."""
    downwards: float
    """How much harder a column is to read than a row."""
    backwards: float
    """How much harder it is to see that a tile can be the total of addends that lie there already."""
    per_step: float
    """How much harder each square makes it between the last tile and the one to be placed."""
    crossing: float
    """How much harder a second Kakuro of the same move is to see."""
    carelessness: float
    """By which share of its points a move may be undervalued when moves are compared."""
    falls_for_mirages: float
    """The chance not to check a sum that comes out right for a repeated digit."""
    overlooks: float
    """The chance to leave out a second Kakuro when points are claimed."""
    miscounts: float
    """The chance of a slip in each addition when points are claimed."""
    catches: float
    """The chance to notice an opponent's small error; a larger one is noticed more often."""


DROP: Final = Persona(
    "drop",
    sharpness=2.4,
    per_addend=2.1,
    per_flip=6.5,
    downwards=0.8,
    backwards=1.4,
    per_step=0.65,
    crossing=1.5,
    carelessness=0.4,
    falls_for_mirages=0.3,
    overlooks=0.4,
    miscounts=0.08,
    catches=0.15,
)
PEBBLE: Final = Persona(
    "pebble",
    sharpness=3.3,
    per_addend=1.2,
    per_flip=6.5,
    downwards=0.6,
    backwards=0.9,
    per_step=0.48,
    crossing=1.2,
    carelessness=0.35,
    falls_for_mirages=0.2,
    overlooks=0.25,
    miscounts=0.05,
    catches=0.3,
)
SPRING: Final = Persona(
    "spring",
    sharpness=4.2,
    per_addend=0.9,
    per_flip=6.5,
    downwards=0.3,
    backwards=0.4,
    per_step=0.3,
    crossing=0.9,
    carelessness=0.3,
    falls_for_mirages=0.1,
    overlooks=0.15,
    miscounts=0.03,
    catches=0.45,
)
BROOK: Final = Persona(
    "brook",
    sharpness=4.2,
    per_addend=0.7,
    per_flip=4.2,
    downwards=0.2,
    backwards=0.2,
    per_step=0.12,
    crossing=0.6,
    carelessness=0.2,
    falls_for_mirages=0.04,
    overlooks=0.08,
    miscounts=0.015,
    catches=0.6,
)
PERSONAS: Final = {persona.name: persona for persona in (DROP, PEBBLE, SPRING, BROOK)}
"""The levels that play as people do, weakest first. Their figures come from bench/calibrate.py: see docs/engine.md."""

NEARNESS: Final = 0.45
"""How much the log-odds of a square fall with each step from the last tile, for somebody who has seen nothing."""
START: Final = 1.5
"""The log-odds that a tile gains in each line where it starts or continues a sum."""
SPOILT: Final = -1.5
"""The same where it repeats a digit of the sum, which can no longer become a Kakuro."""
STRAY_TOTAL: Final = -1.5
"""The same for a total with no addend after it."""


def choose(view: View, persona: Persona, rng: random.Random) -> Move:
    """The move that this person makes; the same view and the same state of `chance` give the same move."""
    last = view.turns[-1].move.square if view.turns else None
    glance = _Glance(persona, rng, last)
    board, hand = view.position.board, view.hand
    legal = plays(board, hand, view.setup.variant)
    seen: list[tuple[Move, int]] = []
    for play in legal:
        if play.kakuros and (points := glance.points(play.move, play.kakuros)):
            seen.append((play.move, points))
    if view.setup.scoring is Scoring.CLAIMS:
        for move, series in mirages(board, hand):
            if glance.sees(series, move) and rng.random() < persona.falls_for_mirages:
                seen.append((move, series.sum))
    if not seen:
        # What went unnoticed is not made by accident either, so that `notice_probability` says how often it is made.
        placements = [play.move for play in legal if not play.kakuros] or [play.move for play in legal[-1:]]
        return rng.choices(placements, [placement_weight(board, move, last) for move in placements])[0]
    return max(seen, key=lambda option: option[1] * rng.uniform(1 - persona.carelessness, 1))[0]


def notice_probability(
    persona: Persona, series: Series, move: Move, last: Square | None, *, crossing: bool = False
) -> float:
    """The probability that a person notices a series that a move would make.

    ``last`` is where the last tile went down, if there is one. ``crossing`` says that the person is making the move for
    another Kakuro (`main_kakuro`) which it has noticed already.
    """
    steps = 0 if last is None else _distance(move.square, last)
    difficulty = (
        persona.per_addend * (len(series.addends) - 2)
        + persona.per_flip * sum(square in series.squares for square in move.flips)
        + persona.downwards * (series.direction is Direction.DOWN)
        + persona.backwards * (series.squares[0] == move.square)
        + persona.per_step * steps
        + persona.crossing * crossing
    )
    odds = exp(persona.sharpness - difficulty)
    return odds / (1 + odds)


def main_kakuro(move: Move, kakuros: tuple[Series, ...]) -> Series:
    """The Kakuro that a move is made for: the one that its flips need, or else the shortest."""
    if move.flips:
        return next(kakuro for kakuro in kakuros if set(move.changed) <= set(kakuro.squares))
    return min(kakuros, key=lambda kakuro: len(kakuro.addends))


def placement_weight(board: Board, move: Move, last: Square | None) -> float:
    """How likely a move is, compared with others, if nothing better is seen: people build sums, and near the last tile.

    A tile builds if it continues the run behind a total or is a total with an addend after it; repeating a digit of the
    run spoils it, and a total without an addend stands astray.
    """
    log_odds = 0.0 if last is None else -NEARNESS * _distance(move.square, last)
    builds = [_built(line, board, move) for line in LINES_OF[move.square]]
    if move.tile.side is Side.TOTAL and not any(builds):
        return exp(log_odds + STRAY_TOTAL)
    for series in builds:
        if series is not None:
            log_odds += START if len(set(series.addends)) == len(series.addends) else SPOILT
    return exp(log_odds)


def _built(line: Line, board: Board, move: Move) -> Series | None:
    """The series of a line that a placed tile becomes part of."""
    text, place = line.cut(board.cells), line.index(move.square)
    return series_through(line, text[:place] + move.tile.char + text[place + 1 :], place)


def _distance(square: Square, other: Square) -> int:
    return abs(square.row - other.row) + abs(square.column - other.column)


class _Glance:
    """What a person notices in one look at the board: each Kakuro once, whichever move it is part of."""

    def __init__(self, persona: Persona, rng: random.Random, last: Square | None) -> None:
        self._persona = persona
        self._rng = rng
        self._last = last
        self._noticed: dict[tuple[Series, bool], bool] = {}

    def points(self, move: Move, kakuros: tuple[Series, ...]) -> int:
        """What a move seems to score: nothing if the Kakuro that it is made for goes unnoticed."""
        main = main_kakuro(move, kakuros)
        if not self.sees(main, move):
            return 0
        others = [kakuro for kakuro in kakuros if kakuro is not main and self.sees(kakuro, move, crossing=True)]
        return main.sum + sum(other.sum for other in others)

    def sees(self, series: Series, move: Move, *, crossing: bool = False) -> bool:
        """Whether the person notices a series that a move would make."""
        key = series, crossing
        if key not in self._noticed:
            probability = notice_probability(self._persona, series, move, self._last, crossing=crossing)
            self._noticed[key] = self._rng.random() < probability
        return self._noticed[key]


def mirages(board: Board, hand: Hand) -> Iterator[tuple[Move, Series]]:
    """The moves that seem to make a Kakuro which repeats a digit, at most one tile flipped, each with that series."""
    tiles = [Tile(digit, side) for digit in sorted(set(hand)) for side in Side]
    for square in board.frontier():
        for line in LINES_OF[square]:
            text, place = line.cut(board.cells), line.index(square)
            for tile in tiles:
                placed = text[:place] + tile.char + text[place + 1 :]
                for flip in (None, *_reachable(text, place)):
                    flipped = placed if flip is None else placed[:flip] + FLIPPED[placed[flip]] + placed[flip + 1 :]
                    series = series_through(line, flipped, place)
                    if series is None or not is_mirage(series):
                        continue
                    if flip is None:
                        yield Move(square, tile), series
                    elif line.squares[flip] in series.squares:
                        yield Move(square, tile, (line.squares[flip],)), series


def is_mirage(series: Series) -> bool:
    """Whether a series looks like a Kakuro to somebody who does not notice that a digit comes twice."""
    return len(set(series.addends)) < len(series.addends) and series.sum % 10 == series.total


def _reachable(text: str, place: int) -> Iterator[int]:
    """The places of a line from which no empty square separates a tile that is placed here."""
    for step in (-1, 1):
        index = place + step
        while 0 <= index < len(text) and text[index] != EMPTY:
            yield index
            index += step
