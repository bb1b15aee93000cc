"""Where the sum of a Kakuro is written: next to its tiles, so that it covers neither these nor another sum.

The web board places its labels in a similar way (`web/src/board/labels.ts`). Lengths are in squares, from the top left
corner of the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from riverstones.rules import Square

GAP = 0.06
STEP = 0.5
FURTHEST = 1.5
WIDEST_SHIFT = 3.0


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of squares: the part of the board that a picture shows."""

    first: Square
    """The top left corner."""
    last: Square
    """The bottom right corner."""

    @property
    def columns(self) -> range:
        return range(self.first.column, self.last.column + 1)

    @property
    def rows(self) -> range:
        return range(self.first.row, self.last.row + 1)

    def __contains__(self, square: Square) -> bool:
        return square.column in self.columns and square.row in self.rows


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, by its centre."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: Box) -> bool:
        return (
            abs(self.x - other.x) * 2 < self.width + other.width
            and abs(self.y - other.y) * 2 < self.height + other.height
        )

    def count(self, others: Iterable[Box]) -> int:
        """How many of these rectangles it overlaps."""
        return sum(map(self.overlaps, others))


def _readable_part(square: Square) -> Box:
    """The part of a square that must stay visible for its tile to be readable."""
    return Box(square.column + 0.5, square.row + 0.5, 0.62, 0.62)


def place_labels(
    wanted: Sequence[tuple[Sequence[Square], float, float]], tiles: Iterable[Square], area: Area, edge: float
) -> list[Box]:
    """A place for each label, given the squares it belongs to, its width and its height.

    No label covers its own tiles, and labels keep clear of each other, then of the tiles that other labels belong to,
    then of all `tiles`. A label may reach beyond the area by `edge`.
    """
    lying = [_readable_part(square) for square in tiles]
    told = [_readable_part(square) for square in {square for squares, _, _ in wanted for square in squares}]
    placed: list[Box] = []
    for squares, width, height in wanted:
        own = [_readable_part(square) for square in squares]

        def cost(candidate: tuple[Box, float], own: list[Box] = own) -> float:
            box, far = candidate
            clear = 300 * box.count(own) + 100 * box.count(placed)
            return clear + 4 * box.count(told) + 2 * box.count(lying) + far

        best, _ = min(_candidates(squares, width, height, area, edge), key=cost)
        placed.append(best)
    return placed


def _candidates(
    squares: Sequence[Square], width: float, height: float, area: Area, edge: float
) -> Iterator[tuple[Box, float]]:
    """Places below, above and beside the tiles, each also shifted and further away, with a price for the distance."""
    left, right = min(square.column for square in squares), max(square.column for square in squares) + 1
    top, bottom = min(square.row for square in squares), max(square.row for square in squares) + 1
    x, y = (left + right) / 2, (top + bottom) / 2
    low, high = area.columns[0] + width / 2, area.columns[-1] + 1 - width / 2
    yield Box(x, bottom + height / 2 + GAP, width, height), 50  # always possible: the picture grows
    for away in _steps(FURTHEST):
        for shift in sorted({way * step for step in _steps(WIDEST_SHIFT) for way in (-1, 1)}, key=abs):
            price = abs(shift) * 0.5
            kept = min(max(x + shift, low), high)
            for box, extra in (
                (Box(kept, bottom + height / 2 + GAP + away, width, height), 0.0),
                (Box(kept, top - height / 2 - GAP - away, width, height), 0.1),
                (Box(right + width / 2 + GAP + away, y + shift, width, height), 0.2),
                (Box(left - width / 2 - GAP - away, y + shift, width, height), 0.3),
            ):
                out = max(area.rows[0] - box.y + height / 2, box.y + height / 2 - area.rows[-1] - 1)
                if low - 0.1 <= box.x <= high + 0.1 and out <= edge:
                    beside = max(0.0, left - box.x - width / 2, box.x - width / 2 - right)
                    over = max(0.0, top - box.y - height / 2, box.y - height / 2 - bottom)
                    yield box, price + extra + hypot(beside, over) * 1.6 + (0.9 if out > 0 else 0)


def _steps(end: float) -> Iterator[float]:
    return (step * STEP for step in range(int(end / STEP) + 1))
