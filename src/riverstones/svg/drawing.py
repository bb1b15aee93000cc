"""Boards, moves, Kakuros and positions as pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from riverstones.rules import (
    SEAT_COUNTS,
    SQUARES,
    Board,
    Explanation,
    Game,
    Layout,
    Move,
    Position,
    Series,
    Square,
    Tile,
    Variant,
    View,
    explain,
)
from riverstones.words import DEFAULT_LANGUAGE, phrase

from . import descriptions, elements, track
from .colours import Theme, style_sheet
from .elements import SQUARE, TILE, num
from .labels import Area, Box, place_labels

WHOLE = "a1:i9"
FIT = "fit"

MARGIN = 24
"""The space around the squares, for the names of rows and columns."""

SUM_SIZE = 15
"""The size of the type of sums."""

PANEL = 66
"""The height of the row of hands below a position."""


class Picture(str):
    """An SVG document as text. A notebook shows it as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class _Scene:
    """A board with everything that is drawn on it."""

    board: Board
    area: Area
    theme: Theme
    language: str
    stones: Sequence[Square] = ()
    kakuros: Sequence[Series] = ()
    misses: Sequence[Series] = ()
    move: Move | None = None
    """The move to mark: dashed frames while it is considered."""
    last: Move | None = None
    """The last move, marked by corners."""
    labels: list[Box] = field(default_factory=list)

    @property
    def labelled(self) -> list[Series]:
        """The series whose sums are written, Kakuros first."""
        return [*self.kakuros, *(series for series in self.misses if len(series.addends) > 1)]

    def place_labels(self, edge: float) -> None:
        tiles = [square for square, _ in self.board]
        wanted = [(series.squares, *_label_size(descriptions.sum_of(series))) for series in self.labelled]
        self.labels.extend(place_labels(wanted, tiles, self.area, edge))

    def below_tiles(self) -> str:
        """The stones, the lines between the squares and the glow of Kakuros."""
        stones = "".join(elements.pebble(stone) for stone in self.stones if stone in self.area)
        glow = "".join(map(elements.glow, self.kakuros))
        return stones + _grid(self.area) + glow

    def tiles(self) -> str:
        inset = (SQUARE - TILE) / 2
        return "".join(
            elements.tile(
                tile,
                self.theme,
                descriptions.tile_name(tile, self.language, square),
                square.column * SQUARE + inset,
                square.row * SQUARE + inset,
            )
            for square, tile in self.board
            if square in self.area
        )

    def above_tiles(self) -> str:
        """The lines of light, the marks of moves, and the sums."""
        parts = [*map(elements.light, self.kakuros), *map(elements.miss, self.misses)]
        if self.last:
            parts += [elements.corners(square, square == self.last.square) for square in self.last.changed]
        if self.move:
            parts += [elements.tentative(square) for square in self.move.changed]
            parts += map(elements.flip_sign, self.move.flips)
        for n, (box, series) in enumerate(zip(self.labels, self.labelled, strict=True)):
            parts.append(elements.label(box, descriptions.sum_of(series), SUM_SIZE, n < len(self.kakuros)))
        return "".join(parts)


def board(
    board: Board,
    *,
    area: str = WHOLE,
    layout: Layout | None = None,
    last: Move | None = None,
    kakuros: Iterable[Series] = (),
    theme: Theme = Theme.AUTO,
    language: str = DEFAULT_LANGUAGE,
) -> Picture:
    """A board.

    Args:
        board: The tiles.
        area: The part to show, by its corners (`"a3:h5"`), or `"fit"` for the smallest part with all tiles.
        layout: The layout whose river stones are drawn; None draws no stones.
        last: The last move, already on the board, to be marked.
        kakuros: Kakuros to be shown as lines of light with their sums.
        theme: Light, dark, or as the page that shows the picture.
        language: The language of the texts for screen readers.

    Raises:
        ValueError: If `area` has another form.
    """
    shown = _area(area, [square for square, _ in board])
    stones = layout.stones if layout else ()
    scene = _Scene(board, shown, theme, language, stones, tuple(kakuros), last=last)
    tiles = descriptions.board_tiles(board, [square for square in SQUARES if square in shown], language)
    return _framed(scene, phrase("board", language=language), tiles)


def move(
    board: Board,
    move: Move,
    variant: Variant = Variant.STANDARD,
    *,
    area: str = WHOLE,
    layout: Layout | None = None,
    theme: Theme = Theme.AUTO,
    language: str = DEFAULT_LANGUAGE,
) -> Picture:
    """A move on the board on which it is made, as the web board shows it before it is confirmed.

    The placed and the flipped tiles have dashed frames. Each Kakuro that the move scores is a line of light with its
    sum; if it scores nothing, the series that it just misses have dashed lines. A move that is not legal is drawn
    too, and the description says why it is refused.

    Raises:
        ValueError: If the square is taken, a flipped square is empty, or `area` has another form than `board` takes.
    """
    told = explain(board, move, variant)
    if board[move.square] is not None or any(board[square] is None for square in move.flips):
        raise ValueError(f"{move} cannot be drawn on this board")
    after = move.on(board)
    shown = _area(area, [square for square, _ in after])
    misses = () if told.kakuros else tuple(miss.series for miss in told.near_misses)
    stones = layout.stones if layout else ()
    scene = _Scene(after, shown, theme, language, stones, told.kakuros, misses, move=move)
    return _framed(scene, descriptions.verdict(told, language), _series_and_tiles(told, after, shown, language))


def kakuro(series: Series, *, theme: Theme = Theme.AUTO, language: str = DEFAULT_LANGUAGE) -> Picture:
    """A Kakuro by itself: its tiles, the line of light and its sum. A series that is no Kakuro has a dashed line."""
    drawn = Board.of(" ".join(_tile_texts(series)))
    shown = _area(FIT, series.squares)
    lit, missed = ((series,), ()) if series.is_kakuro else ((), (series,))
    scene = _Scene(drawn, shown, theme, language, (), lit, missed)
    title = f"{series.total} | {descriptions.sum_of(series)}"
    return _framed(scene, title, descriptions.board_tiles(drawn, series.squares, language), named=False)


def tile(tile: Tile, *, theme: Theme = Theme.AUTO, language: str = DEFAULT_LANGUAGE) -> Picture:
    """A tile."""
    name = descriptions.tile_name(tile, language)
    drawn = elements.tile(tile, theme, name, (SQUARE - TILE) / 2, (SQUARE - TILE) / 2)
    return _document((0, 0, SQUARE, SQUARE), drawn, theme, name, "")


def position(
    position: Position,
    *,
    layout: Layout | None = None,
    last: Move | None = None,
    theme: Theme = Theme.AUTO,
    language: str = DEFAULT_LANGUAGE,
) -> Picture:
    """A position: the board inside its score track with a pawn per seat, and below it the hands and the bag.

    The number of a seat, its colour and its pattern are those of its pawn. The seat to move is underlaid; tiles that
    are not known are question marks.

    Raises:
        ValueError: If there are not two to four seats with a score each.
    """
    if len(position.hands) not in SEAT_COUNTS or len(position.scores) != len(position.hands):
        raise ValueError("a position has two to four hands, and a score for each")
    area = _area(WHOLE, ())
    scene = _Scene(position.board, area, theme, language, layout.stones if layout else (), last=last)
    inner = 9 * SQUARE
    width = inner / (1 - 2.92 / 26)
    ring = width / 26
    gutter = 0.46 * ring
    inset = ring + gutter
    body = "".join(
        (
            elements.rect("river", 0, 0, width, width, ring * 0.6),
            elements.rect("pattern", 0, 0, width, width, ring * 0.6, f' fill="url(#rs-{theme.value}-ripple-pattern)"'),
            elements.rect("ground rim", ring, ring, width - 2 * ring, width - 2 * ring, 3),
            f'<g transform="translate({num(inset)} {num(inset)})">',
            _names(area, gutter / 2, 8.5),
            scene.below_tiles(),
            scene.tiles(),
            scene.above_tiles(),
            "</g>",
            track.stones(width),
            track.pawns(position.scores, width, theme),
            _hands(position, width, theme, language),
        )
    )
    tiles = descriptions.board_tiles(position.board, SQUARES, language)
    description = ". ".join((*descriptions.position_facts(position, language), tiles))
    box = (0.0, 0.0, width, width + PANEL)
    return _document(box, body, theme, phrase("board", language=language), description, patterns=True)


def game(
    game: Game | View,
    *,
    theme: Theme = Theme.AUTO,
    language: str = DEFAULT_LANGUAGE,
) -> Picture:
    """The position of a game with its river stones and the last move marked.

    A `Game` is drawn with all hands, a `View` with those that its seat may see.
    """
    seen = Position.of(game) if isinstance(game, Game) else game.position
    last = game.turns[-1].standing if game.turns else None
    return position(seen, layout=game.setup.layout, last=last, theme=theme, language=language)


def _area(text: str, squares: Iterable[Square]) -> Area:
    """The rectangle that a text describes; `fit` is the smallest one around these squares."""
    if text == FIT:
        held = list(squares) or SQUARES
        columns, rows = [square.column for square in held], [square.row for square in held]
        return Area(SQUARES[min(rows) * 9 + min(columns)], SQUARES[max(rows) * 9 + max(columns)])
    corners = [Square.parse(corner) for corner in text.split(":")] if ":" in text else []
    if len(corners) != 2 or corners[0].column > corners[1].column or corners[0].row > corners[1].row:
        raise ValueError(f"{text!r} is not an area such as 'a1:i9', nor 'fit'")
    return Area(*corners)


def _tile_texts(series: Series) -> list[str]:
    """The tiles of a series as `Board.of` reads them."""
    first, *others = series.squares
    return [f"{first}={series.total}", *(f"{at}+{digit}" for at, digit in zip(others, series.addends, strict=True))]


def _label_size(content: str) -> tuple[float, float]:
    """Width and height of a sum, in squares."""
    em = SUM_SIZE / SQUARE
    return em * (1.3 + len(content) * 0.536), em * 1.76


def _series_and_tiles(told: Explanation, after: Board, shown: Area, language: str) -> str:
    sums = [f"{series.total} | {descriptions.sum_of(series)}" for series in told.kakuros]
    tiles = descriptions.board_tiles(after, [square for square in SQUARES if square in shown], language)
    return ". ".join((*sums, tiles))


def _grid(area: Area) -> str:
    """The lines between and around the squares."""
    left, right = area.columns[0] * SQUARE, (area.columns[-1] + 1) * SQUARE
    top, bottom = area.rows[0] * SQUARE, (area.rows[-1] + 1) * SQUARE
    across = "".join(f"M{left} {row * SQUARE}H{right}" for row in (*area.rows, area.rows[-1] + 1))
    down = "".join(f"M{column * SQUARE} {top}V{bottom}" for column in (*area.columns, area.columns[-1] + 1))
    return f'<path class="grid" d="{across}{down}" fill="none"/>'


def _names(area: Area, away: float, size: float) -> str:
    """The names of the columns above the squares, and of the rows to their left."""
    columns = [
        elements.text("name", (column + 0.5) * SQUARE, area.rows[0] * SQUARE - away, size, "abcdefghi"[column], 500)
        for column in area.columns
    ]
    rows = [
        elements.text("name", area.columns[0] * SQUARE - away, (row + 0.5) * SQUARE, size, str(row + 1), 500)
        for row in area.rows
    ]
    return "".join(columns + rows)


def _framed(scene: _Scene, title: str, description: str, *, named: bool = True) -> Picture:
    """A scene on its piece of paper, which grows if a label needs room beyond the squares."""
    area = scene.area
    scene.place_labels(edge=0.5 if len(area.rows) > 2 else 2)
    margin = MARGIN if named else 12
    left, top = float(area.columns[0] * SQUARE - margin), float(area.rows[0] * SQUARE - margin)
    right, bottom = float((area.columns[-1] + 1) * SQUARE + margin), float((area.rows[-1] + 1) * SQUARE + margin)
    for box in scene.labels:
        left = min(left, (box.x - box.width / 2) * SQUARE - 8)
        right = max(right, (box.x + box.width / 2) * SQUARE + 8)
        top = min(top, (box.y - box.height / 2) * SQUARE - 8)
        bottom = max(bottom, (box.y + box.height / 2) * SQUARE + 8)
    body = "".join(
        (
            elements.rect("ground grid", left + 0.5, top + 0.5, right - left - 1, bottom - top - 1, 10),
            _names(area, 12, 12) if named else "",
            scene.below_tiles(),
            scene.tiles(),
            scene.above_tiles(),
        )
    )
    return _document((left, top, right - left, bottom - top), body, scene.theme, title, description)


def _hands(position: Position, width: float, theme: Theme, language: str) -> str:
    """The row below the board: for each seat its pawn, its score and its hand; then the bag."""
    top, seats = width + 8, len(position.hands)
    bag = 70
    room = (width - bag) / seats
    small = 25
    over = not any(map(len, position.hands))
    parts = []
    for seat, (score, held) in enumerate(zip(position.scores, position.hands, strict=True)):
        left = seat * room
        if seat == position.to_move and not over:
            parts.append(elements.rect("wash", left, top, room - 8, PANEL - 12, 12))
        middle = top + (PANEL - 12) / 2
        parts.append(elements.pawn(seat, left + 18, middle, 25, theme))
        parts.append(elements.text("figure", left + 35, middle, 18, str(score), 640, "start"))
        x = left + 40 + 11.6 * max(2, len(str(score)))
        for digit in held.known:
            held_tile = Tile.parse(f"+{digit}")
            parts.append(elements.tile(held_tile, theme, str(digit), x, middle - small / 2, small, marked=False))
            x += small + 2
        for _ in range(held.unknown):
            parts.append(elements.unknown_tile(x, middle - small / 2, small))
            x += small + 2
    name = phrase("bag", {"count": position.bag}, language)
    parts.append(_bag(width - bag / 2 + 2, top + (PANEL - 12) / 2, position.bag, name))
    return "".join(parts)


def _bag(x: float, y: float, count: int, name: str) -> str:
    """The bag with the number of tiles in it."""
    outline = "M-9-16q9 4 18 0l-4 7q12 9 12 18 0 11-17 11T-17 9q0-9 12-18z"
    return (
        f'<g transform="translate({num(x)} {num(y)})"><title>{escape(name)}</title>'
        f'<path class="sunk rim" d="{outline}" stroke-linejoin="round"/>'
        f"{elements.text('figure', 0, 6, 16, str(count))}</g>"
    )


def _document(
    box: tuple[float, float, float, float],
    body: str,
    theme: Theme,
    title: str,
    description: str,
    *,
    patterns: bool = False,
) -> Picture:
    """The whole document. It never grows wider than the page that shows it."""
    view = " ".join(map(num, box))
    about = f"<desc>{escape(description)}</desc>" if description else ""
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{num(box[2])}" height="{num(box[3])}" '
        f'class="rs-{theme.value}" style="max-width:100%;height:auto" role="img"><title>{escape(title)}</title>{about}'
        f"<style>{style_sheet(theme)}</style>{elements.definitions(theme, patterns)}{body}</svg>\n"
    )
