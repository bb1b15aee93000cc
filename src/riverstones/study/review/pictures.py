"""Pictures of a review as inline SVG: boards with a move, and curves over the turns. They need no other file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from riverstones.rules import DIGITS, SQUARES, Board, Move, Side, Square, Tile, kakuros_made

CELL = 40
"""The side of a square; all lengths are in the units of the picture."""
_EDGE = 22
"""The margin with the coordinates."""
_SIDE = 9 * CELL + _EDGE
_DIGIT = 'text-anchor="middle" dominant-baseline="central"'

CURVE_WIDTH, CURVE_HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 120, 14, 28
DASHES = ("none", "7 4", "2 4", "10 3 2 3")
"""The stroke of each seat's curve: the seats differ in more than colour."""


def symbols() -> str:
    """The definitions of all tiles, once per page."""
    tiles = "".join(_symbol(Tile(digit, side)) for digit in DIGITS for side in Side)
    return f'<svg width="0" height="0" aria-hidden="true" class="symbols"><defs>{tiles}</defs></svg>'


def _id(tile: Tile) -> str:
    return f"{'total' if tile.side is Side.TOTAL else 'addend'}-{tile.digit}"


def _symbol(tile: Tile) -> str:
    middle, size = CELL / 2, CELL - 4
    total = tile.side is Side.TOTAL
    kind = "total" if total else "addend"
    body = f'<rect x="2" y="2" width="{size}" height="{size}" rx="{2 if total else 12}" class="{kind}"/>'
    mark = f'<text x="{9 if total else 10}" y="11" class="mark {kind}-ink" {_DIGIT}>{"=" if total else "+"}</text>'
    digit = f'<text x="{middle}" y="{middle + 1}" class="digit {kind}-ink" {_DIGIT}>{tile.digit}</text>'
    # 6 and 9 are underlined, as on the tiles; arrowheads show where the addends of a total go.
    line = f'<path d="M{middle - 6} {middle + 12}h12" class="line {kind}-line"/>' if tile.digit in (6, 9) else ""
    arrows = '<path d="M34 17l3 3-3 3z M17 34l3 3 3-3z" class="total-arrow"/>' if total else ""
    return f'<symbol id="{_id(tile)}" viewBox="0 0 {CELL} {CELL}">{body}{mark}{digit}{line}{arrows}</symbol>'


def board_with(board: Board, move: Move, label: str) -> str:
    """A board after a move: the placed tile and the flips are marked, and a line runs through each new Kakuro."""
    after = move.on(board)
    parts = [
        f'<svg viewBox="0 0 {_SIDE} {_SIDE}" class="board" role="img" aria-label="{escape(label)}">',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{9 * CELL}" height="{9 * CELL}" class="river"/>',
    ]
    for step in range(9):
        middle = _EDGE + step * CELL + CELL / 2
        parts.append(f'<text x="{middle}" y="{_EDGE / 2}" class="coordinate" {_DIGIT}>{"abcdefghi"[step]}</text>')
        parts.append(f'<text x="{_EDGE / 2}" y="{middle}" class="coordinate" {_DIGIT}>{step + 1}</text>')
    for square in SQUARES:
        x, y = _corner(square)
        parts.append(f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="4" class="square"/>')
        tile = after[square]
        if tile is not None:
            parts.append(f'<use href="#{_id(tile)}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>')
    for kakuro in kakuros_made(board, move):
        (x1, y1), (x2, y2) = (_corner(square) for square in (kakuro.squares[0], kakuro.squares[-1]))
        half = CELL / 2
        parts.append(f'<path d="M{x1 + half} {y1 + half}L{x2 + half} {y2 + half}" class="light"/>')
    for square in (move.square, *move.flips):
        x, y = _corner(square)
        name = "placed" if square == move.square else "flipped"
        parts.append(f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="6" class="{name}"/>')
    return "".join((*parts, "</svg>"))


def _corner(square: Square) -> tuple[int, int]:
    return _EDGE + square.column * CELL, _EDGE + square.row * CELL


def curves(
    label: str,
    names: Sequence[str],
    values: Sequence[Sequence[float]],
    ticks: Sequence[tuple[float, str]],
    marks: Sequence[int],
) -> str:
    """A curve per seat over the turns, from before the first; `marks` are turns that link to what mattered."""
    turns = len(values[0]) - 1
    top = max(max(map(max, values)), max(value for value, _ in ticks), 1e-9)
    wide, high = CURVE_WIDTH - _LEFT - _RIGHT, CURVE_HEIGHT - _TOP - _BOTTOM

    def point(turn: int, value: float) -> tuple[float, float]:
        return round(_LEFT + wide * turn / max(turns, 1), 1), round(_TOP + high * (1 - value / top), 1)

    parts = [
        f'<svg viewBox="0 0 {CURVE_WIDTH} {CURVE_HEIGHT}" class="curves" role="group" aria-label="{escape(label)}">'
    ]
    for value, text in ticks:
        y = point(0, value)[1]
        parts.append(f'<path d="M{_LEFT} {y}H{_LEFT + wide}" class="grid"/>')
        parts.append(
            f'<text x="{_LEFT - 6}" y="{y}" class="tick end" dominant-baseline="central">{escape(text)}</text>'
        )
    for turn in range(0, turns + 1, 10):
        parts.append(f'<text x="{point(turn, 0)[0]}" y="{CURVE_HEIGHT - 8}" class="tick middle">{turn}</text>')
    for turn in sorted(marks):
        x = point(turn, 0)[0]
        parts.append(f'<a href="#turn-{turn}"><path d="M{x} {_TOP}V{_TOP + high}" class="mattered"/>')
        parts.append(f'<circle cx="{x}" cy="{_TOP + high}" r="5" class="mattered-dot"/><title>{turn}</title></a>')
    ends = _apart([point(turns, line[-1])[1] for line in values], least=16)
    for seat, (name, line) in enumerate(zip(names, values, strict=True)):
        path = "M" + "L".join("{} {}".format(*point(turn, value)) for turn, value in enumerate(line))
        parts.append(f'<path d="{path}" class="curve seat-{seat}" stroke-dasharray="{DASHES[seat]}"/>')
        place = f'x="{_LEFT + wide + 8}" y="{ends[seat]}" class="name seat-{seat}"'
        parts.append(f'<text {place} dominant-baseline="central">{escape(name)}</text>')
    return "".join((*parts, "</svg>"))


def _apart(places: Sequence[float], least: float) -> list[float]:
    """The places moved down so that they are this far apart, for labels that must not overlap."""
    moved = list(places)
    for before, after in pairwise(sorted(range(len(places)), key=lambda each: places[each])):
        moved[after] = max(moved[after], moved[before] + least)
    return moved
