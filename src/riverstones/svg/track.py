"""The score track: a hundred stepping stones around the board, clockwise from the top left corner."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from .colours import Theme
from .elements import grain, num, pawn, text

SIDE = 25
"""Steps along one side: 26 stones a side, the corners shared, make a hundred."""

SPACES = 4 * SIDE

_GROUPS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((0, 0),),
    ((0, -1), (0, 1)),
    ((-1, -1), (1, -1), (0, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
)
"""Offsets of the pawns that share a stone, along the track and across it, by their number."""


def space_at(space: int, width: float) -> tuple[float, float]:
    """The centre of a space on a track of this width."""
    side, step = divmod(space, SIDE)
    column, row = ((step, 0), (SIDE, step), (SIDE - step, SIDE), (0, SIDE - step))[side]
    pitch = width / (SIDE + 1)
    return (column + 0.5) * pitch, (row + 0.5) * pitch


def stones(width: float) -> str:
    """All stones, with a number every ten."""
    tens = [_outline(space, width) for space in range(SPACES) if space % 10 == 0]
    others = [_outline(space, width) for space in range(SPACES) if space % 10]
    size = width / (SIDE + 1)
    numbers = [
        text("figure", x, y, size * 0.46, str(space))
        for space in range(0, SPACES, 10)
        for x, y in [space_at(space, width)]
    ]
    every = "".join(tens + others)
    return (
        f'<path class="shade" fill-opacity=".2" d="{every}" transform="translate(0 1.3)"/>'
        f'<path class="step" d="{"".join(others)}"/><path class="step-ten" d="{"".join(tens)}"/>{"".join(numbers)}'
    )


def _outline(space: int, width: float) -> str:
    """The outline of one stone: an ellipse, those between the tens each at its own tilt."""
    x, y = space_at(space, width)
    ten = space % 10 == 0
    reach = width / (SIDE + 1) * (0.47 if ten else 0.3 + grain(space + 50) * 0.06)
    tilt = 0 if ten else round(grain(space) * 180)
    dx, dy = reach * cos(tilt * pi / 180), reach * sin(tilt * pi / 180)
    half = f"a{num(reach)} {num(reach * 0.88)} {tilt} 1 1 "
    return f"M{num(x - dx)} {num(y - dy)}{half}{num(2 * dx)} {num(2 * dy)}{half}{num(-2 * dx)} {num(-2 * dy)}"


def pawns(scores: Sequence[int], width: float, theme: Theme) -> str:
    """The pawns at these scores. Pawns that share a stone are grouped around its centre."""
    pitch = width / (SIDE + 1)
    drawn = []
    for seat, score in enumerate(scores):
        space = score % SPACES
        mates = [other for other, points in enumerate(scores) if points % SPACES == space]
        group = _GROUPS[len(mates) - 1]
        scale = 0.84 if len(mates) > 1 else 1
        x, y = space_at(space, width)
        level = space // SIDE % 2 == 0
        offsets = [(along, across) if level else (across, along) for along, across in group]
        size, stride = 1.22 * scale * pitch, 0.4 * pitch
        reaches = [max(offset[axis] for offset in offsets) * stride + size / 2 + 1 for axis in (0, 1)]
        middle = [min(max(at, reach), width - reach) for at, reach in zip((x, y), reaches, strict=True)]
        dx, dy = offsets[mates.index(seat)]
        drawn.append(pawn(seat, middle[0] + dx * stride, middle[1] + dy * stride, size, theme))
    return "".join(drawn)
