"""Accuracy: how close the moves of a seat came to the best it could have found with its tiles.

A move loses so many points to the best play. Its accuracy is ``100 * exp(-loss / 8)``, and the accuracy of a seat is
the mean over its counted moves. docs/study.md explains the formula with an example.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from math import fsum
from typing import Final

SCALE: Final = 8.0
"""The loss in points that divides the accuracy of a move by e."""
AS_GOOD: Final = 0.05
"""A move that loses less than this is as good as the best."""
FEWEST: Final = 10
"""The fewest counted moves that give an accuracy."""


class MoveClass(StrEnum):
    """How good a move was, by its loss."""

    BEST = "best"
    GOOD = "good"
    DUBIOUS = "dubious"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


CLASSES: Final = (
    (20.0, MoveClass.BLUNDER),
    (10.0, MoveClass.MISTAKE),
    (4.0, MoveClass.DUBIOUS),
    (0.5, MoveClass.GOOD),
    (0.0, MoveClass.BEST),
)
"""The smallest loss of each class, in points."""
GLYPHS: Final = {MoveClass.BLUNDER: "??", MoveClass.MISTAKE: "?", MoveClass.DUBIOUS: "?!"}
"""The annotation glyph of each class that has one."""


def class_of(loss: float) -> MoveClass:
    """The class of a move that loses this many points."""
    return next(name for least, name in CLASSES if loss >= least)


def accuracy_of_move(loss: float) -> float:
    """The accuracy of one move, from 0 to 100."""
    # `math.exp` differs in the last bit from one machine to the next.
    return 100.0 if loss < AS_GOOD else 100.0 * float(Decimal(-loss / SCALE).exp())


def accuracy(losses: Sequence[float]) -> float | None:
    """The accuracy of a seat from the losses of its counted moves; None if there are too few."""
    return fsum(map(accuracy_of_move, losses)) / len(losses) if len(losses) >= FEWEST else None


@dataclass(frozen=True, slots=True)
class Usual:
    """The accuracy of a level: the mean over games, and the standard deviation of single games."""

    mean: float
    spread: float


LEVEL_ACCURACY: Final = {
    "drop": Usual(19.1, 4.4),
    "pebble": Usual(24.4, 5.8),
    "spring": Usual(29.0, 5.8),
    "brook": Usual(43.7, 6.8),
    "stream": Usual(74.7, 5.4),
    "river": Usual(82.0, 4.9),
    "rapids": Usual(89.2, 3.9),
    "ocean": Usual(100.0, 0.0),
}
"""The accuracy of each level in games against its like, two seats, measured by bench/accuracy.py."""
