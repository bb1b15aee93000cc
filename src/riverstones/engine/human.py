"""The levels that play as people do: they make the best move that they see, and they do not see everything.

How hard a Kakuro is to see depends on what a person has to do in the head: add up a long run, imagine a tile turned
over, read downwards, work back from addends to their total, look away from where the last tile went down. Each of these
lowers the odds that a `Person` notices it. A second Kakuro of the same move, in the other direction, is harder again,
so people sometimes score more than they meant to.

Where players claim their points they are also taken in by *mirages*: series whose sum is right but that repeat a digit.
What they then claim is told in `claims`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from typing import Final

from riverstones.rules import Board, Direction, Hand, Move, Scoring, Series, Side, Square, Tile, View, plays
from riverstones.rules.series import series_through
from riverstones.rules.squares import LINES_OF
from riverstones.rules.tiles import EMPTY, TURNED


@dataclass(frozen=True, slots=True)
class Person:
    """How well somebody sees and counts. All but the chances are in log-odds, so 0.7 halves the odds to notice."""

    name: str
    sharpness: float
    """The log-odds to notice the easiest Kakuro: two addends to the right, next to the last tile, nothing turned."""
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


PEBBLE: Final = Person(
    "pebble",
    sharpness=2.4,
    per_addend=0.7,
    per_flip=1.0,
    downwards=0.4,
    backwards=0.4,
    per_step=0.12,
    crossing=1.0,
    carelessness=0.5,
    falls_for_mirages=0.2,
    overlooks=0.25,
    miscounts=0.05,
    catches=0.3,
)
BROOK: Final = Person(
    "brook",
    sharpness=3.7,
    per_addend=0.6,
    per_flip=0.9,
    downwards=0.2,
    backwards=0.2,
    per_step=0.08,
    crossing=0.6,
    carelessness=0.2,
    falls_for_mirages=0.04,
    overlooks=0.08,
    miscounts=0.015,
    catches=0.6,
)
PEOPLE: Final = {person.name: person for person in (PEBBLE, BROOK)}


def choose(view: View, person: Person, chance: random.Random) -> Move:
    """The move that this person makes; the same view and the same state of `chance` give the same move."""
    glance = _Glance(person, chance, view.turns[-1].move.square if view.turns else None)
    board, hand = view.position.board, view.hand
    legal = plays(board, hand, view.setup.variant)
    seen: list[tuple[Move, int]] = []
    for play in legal:
        if play.kakuros and (points := glance.points(play.move, play.kakuros)):
            seen.append((play.move, points))
    if view.setup.scoring is Scoring.CLAIMS:
        for move, series in mirages(board, hand):
            if glance.sees(series, move) and chance.random() < person.falls_for_mirages:
                seen.append((move, series.sum))
    if not seen:
        return chance.choice([play.move for play in legal if not play.move.flips])
    return max(seen, key=lambda option: option[1] * chance.uniform(1 - person.carelessness, 1))[0]


class _Glance:
    """What a person notices in one look at the board: each Kakuro once, whichever move it is part of."""

    def __init__(self, person: Person, chance: random.Random, last: Square | None) -> None:
        self._person = person
        self._chance = chance
        self._last = last
        self._noticed: dict[tuple[Series, bool], bool] = {}

    def points(self, move: Move, kakuros: tuple[Series, ...]) -> int:
        """What a move seems to score: nothing if the Kakuro that it is made for goes unnoticed."""
        if move.flips:
            main = next(kakuro for kakuro in kakuros if set(move.changed) <= set(kakuro.squares))
        else:
            main = min(kakuros, key=lambda kakuro: len(kakuro.addends))
        if not self.sees(main, move):
            return 0
        others = [kakuro for kakuro in kakuros if kakuro is not main and self.sees(kakuro, move, crossing=True)]
        return main.sum + sum(other.sum for other in others)

    def sees(self, series: Series, move: Move, *, crossing: bool = False) -> bool:
        """Whether the person notices a series that a move would make."""
        key = series, crossing
        if key not in self._noticed:
            odds = exp(self._person.sharpness - self._difficulty(series, move, crossing))
            self._noticed[key] = self._chance.random() < odds / (1 + odds)
        return self._noticed[key]

    def _difficulty(self, series: Series, move: Move, crossing: bool) -> float:
        person = self._person
        steps = abs(move.square.row - self._last.row) + abs(move.square.column - self._last.column) if self._last else 0
        return (
            person.per_addend * (len(series.addends) - 2)
            + person.per_flip * sum(square in series.squares for square in move.flips)
            + person.downwards * (series.direction is Direction.DOWN)
            + person.backwards * (series.squares[0] == move.square)
            + person.per_step * steps
            + person.crossing * crossing
        )


def mirages(board: Board, hand: Hand) -> Iterator[tuple[Move, Series]]:
    """The moves that seem to make a Kakuro which repeats a digit, at most one tile turned, each with that series."""
    tiles = [Tile(digit, side) for digit in sorted(set(hand)) for side in Side]
    for square in board.frontier():
        for line in LINES_OF[square]:
            text, place = line.cut(board.cells), line.index(square)
            for tile in tiles:
                placed = text[:place] + tile.char + text[place + 1 :]
                for flip in (None, *_reachable(text, place)):
                    turned = placed if flip is None else placed[:flip] + TURNED[placed[flip]] + placed[flip + 1 :]
                    series = series_through(line, turned, place)
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
