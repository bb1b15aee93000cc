"""The parts of a picture as SVG elements: tiles, river stones, lines of light, labels, marks. A square is 60 units."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, floor, pi, sin
from xml.sax.saxutils import escape

from riverstones.rules import Series, Square, Tile

from .colours import SEATS, Theme
from .labels import Box

SQUARE = 60
TILE = 0.87 * SQUARE


def num(value: float) -> str:
    """A coordinate, as short as possible."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def rect(classes: str, x: float, y: float, width: float, height: float, radius: float = 0, more: str = "") -> str:
    """A rectangle."""
    corner = f' rx="{num(radius)}"' if radius else ""
    return (
        f'<rect class="{classes}" x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"{corner}{more}/>'
    )


def text(classes: str, x: float, y: float, size: float, content: str, weight: int = 600, anchor: str = "middle") -> str:
    """A text whose capitals and digits are centred at this height."""
    return (
        f'<text class="{classes}" x="{num(x)}" y="{num(y + size * 0.355)}" font-size="{num(size)}" '
        f'font-weight="{weight}" text-anchor="{anchor}">{escape(content)}</text>'
    )


def grain(n: float) -> float:
    """A pseudo-random number between 0 and 1 for n, so that each stone has its own constant shape."""
    x = sin(n * 127.1 + 11.7) * 43758.5453
    return x - floor(x)


def definitions(theme: Theme, patterns: bool) -> str:
    """The gradients of tiles and, if wanted, the patterns of seats, whose names contain the theme."""
    gradients = "".join(
        f'<linearGradient id="rs-{theme.value}-{side}" x1="0" y1="0" x2=".36" y2="1">'
        f'<stop class="{side}-light" offset="0"/><stop class="{side}" offset=".6"/></linearGradient>'
        for side in ("addend", "total")
    )
    if not patterns:
        return f"<defs>{gradients}</defs>"
    drawn = {
        "ripple": ("12", '<path class="ripple" d="M0 3.6q3-2.1 6 0t6 0M0 9.6q3-2.1 6 0t6 0" fill="none"/>'),
        "teal": ("8", '<circle cx="4" cy="4" r="1.8" fill="#fff" fill-opacity=".34"/>'),
        "plum": ("6", '<path d="M-1 7L7-1M-1 1L1-1M5 7L7 5" stroke="#fff" stroke-opacity=".28" stroke-width="1.8"/>'),
        "ochre": (
            "9",
            '<path d="M0 7q2.25-5 4.5 0t4.5 0" fill="none" stroke="#fff" stroke-opacity=".34" stroke-width="1.5"/>',
        ),
    }
    shapes = "".join(
        f'<pattern id="rs-{theme.value}-{name}-pattern" width="{size}" height="{size}" '
        f'patternUnits="userSpaceOnUse">{shape}</pattern>'
        for name, (size, shape) in drawn.items()
    )
    return f"<defs>{gradients}{shapes}</defs>"


def tile(tile: Tile, theme: Theme, name: str, x: float, y: float, size: float = TILE, marked: bool = True) -> str:
    """A tile with its upper left corner here: yellow, rounded and with a +, or red, square and with = and arrowheads.

    Its 6 and 9 are underlined. `name` is its accessible name; `marked` is whether it has the signs.
    """
    side = "total" if tile.is_total else "addend"
    radius = size * (0.04 if tile.is_total else 0.33)
    scale = size / TILE
    line = 2 * scale
    digit = 0.64 * size
    face = f' fill="url(#rs-{theme.value}-{side})"'
    centre = size / 2 - line / 2
    parts = [
        f'<g class="tile" transform="translate({num(x)} {num(y)})"><title>{escape(name)}</title>',
        rect("shade", 0, 1.6 * scale, size, size, radius, ' fill-opacity=".3"'),
        rect(f"{side}-edge", 0, 0, size, size, radius),
        rect("shine", 0, 0, size, size - line, radius, ' fill="#fff" fill-opacity=".42"'),
        rect("face", 0, scale, size, size - line - scale, radius, face),
        text(f"{side}-ink", size / 2, centre, digit, str(tile.digit), 640),
    ]
    if tile.digit in (6, 9):
        width = 0.5 * digit
        parts.append(rect(f"{side}-ink", size / 2 - width / 2, centre + 0.43 * digit, width, 0.07 * digit, 1 * scale))
    if marked:
        parts.append(_signs(tile, scale))
    return "".join(parts) + "</g>"


def _signs(tile: Tile, scale: float) -> str:
    """The + of an addend, or the = of a total and its arrowheads to the right and downwards."""
    if not tile.is_total:
        sign, heads = "M6.4 10.2h7.4M10.1 6.5v7.4", ""
    else:
        sign = "M4.6 6.6h7.2M4.6 10.2h7.2"
        heads = '<path class="total-ink" fill-opacity=".9" d="M47 22.5l3 3.2-3 3.2zM22.8 46l3.2 2.9 3.2-2.9z"/>'
    side = "total" if tile.is_total else "addend"
    pen = f'<path class="{side}-mark" d="{sign}" stroke-width="1.9" stroke-linecap="round" stroke-opacity=".85"/>'
    return f'<g transform="scale({num(scale)})">{pen}{heads}</g>' if scale != 1 else pen + heads


def unknown_tile(x: float, y: float, size: float) -> str:
    """A tile whose digit is not known."""
    face = rect("sunk rim", x, y, size, size, size * 0.2)
    return face + text("faint", x + size / 2, y + size / 2, size * 0.55, "?")


def pebble(square: Square) -> str:
    """The river stone of a square; each has its own shape."""
    points = []
    for n in range(9):
        turn, reach = n / 9 * 2 * pi, 41 + grain(square + n * 7) * 9
        points.append((50 + cos(turn) * reach, 50 + sin(turn) * reach * 0.92))
    ends = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True)]
    curve = "".join(f"Q{num(x)} {num(y)} {num(u)} {num(v)}" for (x, y), (u, v) in zip(points, ends, strict=True))
    path = f"M{num(ends[-1][0])} {num(ends[-1][1])}{curve}"
    size = SQUARE * 1.14
    place = (square.column * SQUARE - SQUARE * 0.07, square.row * SQUARE - SQUARE * 0.07)
    return (
        f'<g transform="translate({num(place[0])} {num(place[1])}) scale({num(size / 100)})">'
        f'<path class="pebble-dark" d="{path}" transform="translate(0 3)"/><path class="pebble" d="{path}"/>'
        f'<path class="pebble-light" fill-opacity=".75" d="{path}" transform="translate(17 13) scale(.62)"/></g>'
    )


def frame(classes: str, squares: Sequence[Square], more: str) -> str:
    """A frame around squares of one line."""
    columns, rows = [square.column for square in squares], [square.row for square in squares]
    inset = 0.03 * SQUARE
    return rect(
        classes,
        min(columns) * SQUARE + inset,
        min(rows) * SQUARE + inset,
        (max(columns) - min(columns) + 1) * SQUARE - 2 * inset,
        (max(rows) - min(rows) + 1) * SQUARE - 2 * inset,
        0.14 * SQUARE,
        more,
    )


def glow(kakuro: Series) -> str:
    """The glow around a Kakuro, which lies under the tiles."""
    return frame("glow", kakuro.squares, ' fill-opacity=".35" stroke-opacity=".5" stroke-width="12"')


def light(kakuro: Series) -> str:
    """The line of light around a Kakuro."""
    return frame("light", kakuro.squares, ' fill="none" stroke-width="4.2"')


def miss(series: Series) -> str:
    """The dashed line around a series that is not a Kakuro."""
    return frame("miss", series.squares, ' fill="none" stroke-width="2.6" stroke-dasharray="7 5"')


def label(box: Box, content: str, size: float, made: bool) -> str:
    """A sum at its place: light on ink if it is made, else ink on paper."""
    x, y = (box.x - box.width / 2) * SQUARE, (box.y - box.height / 2) * SQUARE
    width, height = box.width * SQUARE, box.height * SQUARE
    pill = rect("label" if made else "miss-label", x, y, width, height, 6)
    return pill + text("label-text" if made else "miss-text", box.x * SQUARE, box.y * SQUARE, size, content)


def corners(square: Square, all_four: bool) -> str:
    """The marks of the last move: four corners around its tile, two around a tile that it flipped."""
    x, y, arm, end = square.column * SQUARE, square.row * SQUARE, 13, SQUARE - 1.2
    upper_right = f"M{num(x + end - arm)} {num(y + 1.2)}H{num(x + end)}v{arm}"
    lower_left = f"M{num(x + 1.2)} {num(y + end - arm)}V{num(y + end)}h{arm}"
    upper_left = f"M{num(x + 1.2)} {num(y + 1.2 + arm)}V{num(y + 1.2)}h{arm}"
    lower_right = f"M{num(x + end - arm)} {num(y + end)}H{num(x + end)}v-{arm}"
    path = upper_right + lower_left + (upper_left + lower_right if all_four else "")
    return f'<path class="pen" d="{path}" fill="none" stroke-width="2.6"/>'


def tentative(square: Square) -> str:
    """The dashed frame around a tile that is being placed or flipped."""
    return rect(
        "pen",
        square.column * SQUARE + 1,
        square.row * SQUARE + 1,
        SQUARE - 2,
        SQUARE - 2,
        4,
        ' fill="none" stroke-width="2" stroke-dasharray="6 4"',
    )


def flip_sign(square: Square) -> str:
    """The round arrow on a tile that a move flips."""
    x, y = (square.column + 1) * SQUARE - 9, square.row * SQUARE + 9
    arrow = "M-3.2 2.9A4.3 4.3 0 1 1 3.9 1.9"
    return (
        f'<g transform="translate({num(x)} {num(y)})"><circle class="mark" r="8.6"/>'
        f'<path class="ground-pen" d="{arrow}" fill="none" stroke-width="1.7" stroke-linecap="round"/>'
        f'<path class="ground" d="M6.4 .7L3.4 4.7 1.5 .2z"/></g>'
    )


def pawn(seat: int, x: float, y: float, size: float, theme: Theme) -> str:
    """The pawn of a seat: its colour, its pattern and its number."""
    colour = SEATS[seat]
    disc = f'<circle class="{{}}" cx="{num(x)}" cy="{num(y)}" r="{num(size / 2)}"{{}}/>'
    parts = [
        f'<circle class="shade" cx="{num(x)}" cy="{num(y + 1.5)}" r="{num(size / 2 + 0.6)}" fill-opacity=".35"/>',
        disc.format(f"{colour} pawn", f' stroke-width="{num(size * 0.06)}"'),
    ]
    if seat:
        parts.append(disc.format("pattern", f' fill="url(#rs-{theme.value}-{colour}-pattern)"'))
    return "".join(parts) + text("on-seat", x, y, size * 0.58, str(seat + 1), 700)
