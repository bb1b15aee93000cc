"""The human-like levels: they make the best move they see, and they do not see everything.

How hard a Kakuro is to see depends on the mental work: adding up a long run, imagining a tile flipped, reading
downwards, working back from addends to their total, looking away from where the last tile was placed. Each of these
lowers the odds that a `Persona` notices it: `notice_probability` gives the probability in closed form. A second Kakuro
of the same move, in the other direction, is harder again, so personas sometimes score more than they meant to.

A persona that sees nothing still has to place a tile, and does not place it just anywhere: see `placement_weight`.

Where players claim their points, personas also fall for *mirages*: series whose sum is right but that repeat a digit.
`claims` describes what they claim then.
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
    """How well a persona sees and counts. All values except probabilities are log-odds: 0.7 halves the odds."""

    name: str
    sharpness: float
    """The log-odds of noticing the easiest Kakuro: two addends to the right, next to the last tile, no flips."""
    per_addend: float
    """The penalty for each addend after the second."""
    per_flip: float
    """The penalty for each tile that has to be imagined flipped."""
    downwards: float
    """The penalty for reading a column instead of a row."""
    backwards: float
    """The penalty for seeing that a tile can be the total of addends that are already there."""
    per_step: float
    """The penalty for each square between the last tile and the one to be placed."""
    crossing: float
    """The penalty for a second Kakuro of the same move."""
    carelessness: float
    """The share of its points by which a move may be undervalued when moves are compared."""
    falls_for_mirages: float
    """The probability of accepting a right sum with a repeated digit."""
    overlooks: float
    """The probability of leaving out a second Kakuro when claiming points."""
    miscounts: float
    """The probability of an error in each addition when claiming points."""
    catches: float
    """The probability of noticing an opponent's small error; a larger one is noticed more often."""


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
"""The human-like levels, weakest first. Their figures come from bench/calibrate.py: see docs/engine.md."""

NEARNESS: Final = 0.45
"""The decrease in log-odds of a square per step from the last tile, for a persona that sees nothing."""
START: Final = 1.5
"""The log-odds that a tile gains in each line where it starts or continues a sum."""
SPOILT: Final = -1.5
"""The same where it repeats a digit of the sum, which can no longer become a Kakuro."""
STRAY_TOTAL: Final = -1.5
"""The same for a total with no addend after it."""


def choose(view: View, persona: Persona, rng: random.Random) -> Move:
    """The move that this persona makes; the same view and the same state of `rng` give the same move."""
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
        # A Kakuro that went unnoticed is not made by accident either, so `notice_probability` is how often it is made.
        placements = [play.move for play in legal if not play.kakuros] or [play.move for play in legal[-1:]]
        return rng.choices(placements, [placement_weight(board, move, last) for move in placements])[0]
    return max(seen, key=lambda option: option[1] * rng.uniform(1 - persona.carelessness, 1))[0]


def notice_probability(
    persona: Persona, series: Series, move: Move, last: Square | None, *, crossing: bool = False
) -> float:
    """The probability that a persona notices a series that a move would make.

    ``last`` is the square of the last tile, if there is one. ``crossing`` means that the persona makes the move for
    another Kakuro (`main_kakuro`), which it has noticed already.
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
    """The relative weight of a move for a persona that sees nothing: it builds sums, near the last tile.

    A tile builds if it continues the run after a total or is a total with an addend after it; repeating a digit of the
    run spoils it, and a total without an addend leads nowhere.
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
    """The series of a line that the placed tile becomes part of."""
    text, place = line.cut(board.cells), line.index(move.square)
    return series_through(line, text[:place] + move.tile.char + text[place + 1 :], place)


def _distance(square: Square, other: Square) -> int:
    return abs(square.row - other.row) + abs(square.column - other.column)


class _Glance:
    """What a persona notices in one look at the board: each Kakuro once, whichever move it is part of."""

    def __init__(self, persona: Persona, rng: random.Random, last: Square | None) -> None:
        self._persona = persona
        self._rng = rng
        self._last = last
        self._noticed: dict[tuple[Series, bool], bool] = {}

    def points(self, move: Move, kakuros: tuple[Series, ...]) -> int:
        """The points a move seems to score: 0 if the Kakuro that it is made for goes unnoticed."""
        main = main_kakuro(move, kakuros)
        if not self.sees(main, move):
            return 0
        others = [kakuro for kakuro in kakuros if kakuro is not main and self.sees(kakuro, move, crossing=True)]
        return main.sum + sum(other.sum for other in others)

    def sees(self, series: Series, move: Move, *, crossing: bool = False) -> bool:
        """Whether the persona notices a series that a move would make."""
        key = series, crossing
        if key not in self._noticed:
            probability = notice_probability(self._persona, series, move, self._last, crossing=crossing)
            self._noticed[key] = self._rng.random() < probability
        return self._noticed[key]


def mirages(board: Board, hand: Hand) -> Iterator[tuple[Move, Series]]:
    """The moves, with at most one flip, that seem to make a Kakuro but repeat a digit, each with that series."""
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
    """Whether a series would be a Kakuro but for a repeated digit."""
    return len(set(series.addends)) < len(series.addends) and series.sum % 10 == series.total


def _reachable(text: str, place: int) -> Iterator[int]:
    """The indexes of a line that no empty square separates from a tile placed at this one."""
    for step in (-1, 1):
        index = place + step
        while 0 <= index < len(text) and text[index] != EMPTY:
            yield index
            index += step
