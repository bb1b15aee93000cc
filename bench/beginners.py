"""Models of beginners, which the levels below `stream` are calibrated against.

Each model is specified exactly, so that it can be reimplemented. In its turn a beginner

1. considers every legal play that scores and that it could find at all: without flips, unless it knows about flips,
   and with no run of more than `most_addends` addends among its Kakuros;
2. notices each of these with the probability `notices`, independently of the others and of earlier turns;
3. makes the first of those with the most points, in the order of `riverstones.rules.plays`;
4. if it noticed none, places a tile that scores nothing: an addend if there is such a placement, as near to the last
   tile as possible (steps along rows and columns), each of these placements with the same probability.

Two beginners of the same kind score about the points given below in a game; `python -m bench.calibrate` measures this.
The random generator of a turn is that of the engine's own bots, seeded with the bot's seed and the number of tiles on
the board, so a game is determined by its deal and the seeds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from riverstones.engine.bots import Bot, turn_rng
from riverstones.rules import Move, Play, Side, Square, View, plays


@dataclass(frozen=True, slots=True)
class Beginner:
    """Which plays a beginner can find, and with which probability it notices them."""

    name: str
    about: str
    knows_flips: bool
    most_addends: int
    """The longest run that it reads."""
    notices: float
    """The probability of noticing a play that it could find."""
    points: int
    """The approximate points in a game against its like."""


A: Final = Beginner("A", "no flips, runs of two, notices 40 %", False, 2, 0.4, 31)
B: Final = Beginner("B", "no flips, runs up to three, notices 70 %", False, 3, 0.7, 76)
C: Final = Beginner("C", "no flips, sees all", False, 8, 1.0, 100)
D: Final = Beginner("D", "flips, runs up to three, notices 50 %", True, 3, 0.5, 250)
E: Final = Beginner("E", "greedy", True, 8, 1.0, 405)
BEGINNERS: Final = {beginner.name: beginner for beginner in (A, B, C, D, E)}


def choose(view: View, beginner: Beginner, rng: random.Random) -> Move:
    """The move that a beginner makes."""
    legal = plays(view.position.board, view.hand, view.setup.variant)
    for play in legal:  # best first
        if _could_find(play, beginner) and rng.random() < beginner.notices:
            return play.move
    placements = [play.move for play in legal if not play.points] or [legal[0].move]
    addends = [move for move in placements if move.tile.side is Side.ADDEND] or placements
    if not view.turns:
        return rng.choice(addends)
    last = view.turns[-1].move.square
    nearest = min(_distance(move.square, last) for move in addends)
    return rng.choice([move for move in addends if _distance(move.square, last) == nearest])


def make(name: str, seed: int = 0) -> Bot:
    """The beginner with this name as a bot."""
    beginner = BEGINNERS[name]
    return lambda view: choose(view, beginner, turn_rng(seed, view))


def _could_find(play: Play, beginner: Beginner) -> bool:
    if not play.kakuros or (play.move.flips and not beginner.knows_flips):
        return False
    return all(len(kakuro.addends) <= beginner.most_addends for kakuro in play.kakuros)


def _distance(square: Square, other: Square) -> int:
    return abs(square.row - other.row) + abs(square.column - other.column)
