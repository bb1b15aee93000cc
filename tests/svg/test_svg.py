"""Pictures of boards, moves, Kakuros and positions: complete, readable by machines and people, and without secrets."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverstones import svg
from riverstones.rules import (
    Board,
    Deal,
    Game,
    Layout,
    Malformed,
    Move,
    Position,
    Seed,
    Series,
    Setup,
    Square,
    Tile,
    Variant,
    explain,
    kakuros,
    view,
)
from riverstones.svg.colours import DARK, LIGHT
from riverstones.svg.labels import Area, place_labels
from riverstones.words import LANGUAGES
from tests.rules.strategies import boards

SVG = "{http://www.w3.org/2000/svg}"
TOKENS = Path(__file__).parents[2] / "web" / "src" / "style" / "tokens.css"
SITE_STYLE = Path(__file__).parents[2] / "tools" / "site" / "riverstones.css"
FIGURE_7 = Board.of("a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1")
few = settings(max_examples=30)


def parse(picture: str) -> ElementTree.Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def written(root: ElementTree.Element) -> list[str]:
    """Every text that the picture shows."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def tiles_of(root: ElementTree.Element) -> dict[Square, tuple[str, str]]:
    """The square, by its place, of each tile: its digit and its name."""
    found = {}
    for group in of_class(root, "tile"):
        numbers = re.findall(r"[-\d.]+", group.get("transform", ""))
        column, row = (round((float(number) - 3.9) / 60) for number in numbers)
        digit = "".join(element.text or "" for element in group.iter(f"{SVG}text"))
        found[Square(row * 9 + column)] = digit, group.findtext(f"{SVG}title") or ""
    return found


def played(seats: int, turns: int, deal: Deal | None = None) -> Game:
    game = Game.begin(Setup(seats=seats), deal or Seed(bytes(32)).deal())
    for _ in range(turns):
        game = game.play(game.plays()[0].move)
    return game


@few
@given(boards)
def test_every_tile_of_a_board_lies_on_its_square_with_its_digit_and_its_name(board: Board) -> None:
    root = parse(svg.board(board))
    names = {True: "total", False: "addend"}
    assert tiles_of(root) == {
        square: (str(tile.digit), f"{names[tile.is_total]} {tile.digit} on {square}") for square, tile in board
    }
    assert Counter(written(root))["a"] == 1
    assert {*"abcdefghi", *"123456789"} <= set(written(root))


@few
@given(boards)
def test_the_sides_differ_in_more_than_colour(board: Board) -> None:
    root = parse(svg.board(board))
    for side, total in (("addend", False), ("total", True)):
        count = sum(tile.is_total is total for _, tile in board)
        assert len(of_class(root, f"{side}-mark")) == count
        corners = {element.get("rx") for element in of_class(root, f"{side}-edge")}
        assert corners <= {"2.09" if total else "17.23"}


def test_only_six_and_nine_are_underlined() -> None:
    def rectangles(digit: int) -> int:
        return len(list(parse(svg.tile(Tile.parse(f"+{digit}"))).iter(f"{SVG}rect")))

    plain = rectangles(1)
    assert [digit for digit in range(1, 10) if rectangles(digit) == plain + 1] == [6, 9]


@few
@given(boards)
def test_the_description_names_every_tile(board: Board) -> None:
    root = parse(svg.board(board))
    first, second = root[0], root[1]
    assert (root.get("role"), first.tag, first.text, second.tag) == ("img", f"{SVG}title", "Board", f"{SVG}desc")
    assert (second.text or "").count(" on ") == len(board)


@few
@given(st.integers(0, 40), st.integers(2, 4))
def test_a_move_shows_each_kakuro_with_its_sum(turns: int, seats: int) -> None:
    game = played(seats, turns)
    best = game.plays()[0]
    root = parse(svg.move(game.board, best.move))
    assert len(of_class(root, "light")) == len(of_class(root, "glow")) == len(best.kakuros)
    sums = [f"{' + '.join(map(str, kakuro.addends))} = {kakuro.sum}" for kakuro in best.kakuros]
    assert Counter(sums) == Counter(text for text in written(root) if "=" in text and best.kakuros)
    assert f"{best.points} point" in (root[0].text or "")
    assert len(of_class(root, "pen")) == len(best.move.changed)
    assert len(tiles_of(root)) == len(game.board) + 1


@few
@given(boards)
def test_no_sum_covers_its_own_tiles_or_leaves_the_picture(board: Board) -> None:
    found = kakuros(board)[:4]
    root = parse(svg.board(board, kakuros=found))
    x, y, width, height = (float(number) for number in root.get("viewBox", "").split())
    for element in of_class(root, "label"):
        left, top = float(element.get("x", "")), float(element.get("y", ""))
        assert x <= left <= left + float(element.get("width", "")) <= x + width
        assert y <= top <= top + float(element.get("height", "")) <= y + height
    sizes = [(kakuro.squares, 2.0, 0.4) for kakuro in found]
    whole = Area(Square.parse("a1"), Square.parse("i9"))
    for box, kakuro in zip(place_labels(sizes, [], whole, 0.5), found, strict=True):
        assert not any(
            abs(box.x - square.column - 0.5) < (box.width + 0.62) / 2
            and abs(box.y - square.row - 0.5) < (box.height + 0.62) / 2
            for square in kakuro.squares
        )


def test_a_move_that_scores_nothing_shows_what_it_misses() -> None:
    root = parse(svg.move(Board.of("a1=5 b1+2"), Move.parse("c1+6"), area="a1:d1"))
    assert [element.get("class") for element in of_class(root, "miss")] == ["miss"]
    assert "2 + 6 = 8" in written(root)
    assert root[0].text == "addend 6 on c1: 0 points"


def test_a_move_that_is_not_legal_is_drawn_with_the_reason() -> None:
    board, move = Board.of("a1=2 c1+1 d1+6 e1+5"), Move.parse("b1+5~e1")
    root = parse(svg.move(board, move, area="fit"))
    assert explain(board, move).refusal
    assert (root[0].text or "").startswith("addend 5 on b1, flipping e1: ")
    assert not of_class(root, "light")


@pytest.mark.parametrize("move", ["a3+5", "i9+5~i8"])
def test_a_move_that_cannot_be_made_is_refused(move: str) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        svg.move(FIGURE_7, Move.parse(move))


def test_a_kakuro_shows_its_tiles_and_its_sum() -> None:
    (series,) = kakuros(Board.of("c2=4 c3+1 c4+9 c5+4"))
    root = parse(svg.kakuro(series))
    assert [digit for digit, _ in tiles_of(root).values()] == ["4", "1", "9", "4"]
    assert root[0].text == "4 | 1 + 9 + 4 = 14"
    assert len(of_class(root, "light")) == 1


def test_a_series_that_is_no_kakuro_has_no_light() -> None:
    series = Series((Square(0), Square(1)), 4, (4,))
    root = parse(svg.kakuro(series))
    assert (len(of_class(root, "light")), len(of_class(root, "miss"))) == (0, 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_position_shows_scores_hands_and_bag(seats: int) -> None:
    game = played(seats, 9)
    root = parse(svg.game(game))
    texts = Counter(written(root))
    for score in game.scores:
        assert texts[str(score)] >= 1
    assert texts[str(game.bag)] >= 1
    assert len(of_class(root, "pawn")) == 2 * seats  # on the track, and beside the hand
    assert len(of_class(root, "tile")) == len(game.board) + 2 * seats
    assert len(of_class(root, "wash")) == 1
    description = root[1].text or ""
    for seat, (score, hand) in enumerate(zip(game.scores, game.hands, strict=True), 1):
        assert f"Seat {seat}: {score} point" in description
        assert ", ".join(map(str, hand)) in description


def test_a_finished_game_has_nobody_to_move() -> None:
    game = played(2, 67)
    root = parse(svg.game(game))
    assert (of_class(root, "wash"), "to move" in (root[1].text or "")) == ([], False)


@few
@given(st.permutations(range(12)))
def test_the_picture_of_a_view_shows_nothing_hidden(order: list[int]) -> None:
    game = played(2, 0)
    first, own = 5, slice(7, 9)
    digits = list(game.deal.digits)
    hidden = [n for n in range(first, 20) if not own.start <= n < own.stop][:12]
    for place, source in zip(hidden, order, strict=True):
        digits[place] = game.deal.digits[hidden[source]]
    other = Game.begin(game.setup, Deal(tuple(digits)))
    assert svg.game(view(game, 1)) == svg.game(view(other, 1))
    assert svg.position(Position.public(game)) == svg.position(Position.public(other))


def test_a_position_needs_two_to_four_seats_with_scores() -> None:
    good = Position.of(played(2, 0))
    for bad in (replace(good, scores=(0,)), replace(good, scores=(0,) * 5, hands=good.hands[:1] * 5)):
        with pytest.raises(ValueError, match="two to four"):
            svg.position(bad)


def test_stones_are_drawn_where_the_layout_has_them() -> None:
    for layout in Layout:
        assert len(of_class(parse(svg.board(Board(), layout=layout)), "pebble")) == 5
    assert len(of_class(parse(svg.board(Board(), layout=Layout.SIDES, area="a1:e5")), "pebble")) == 3


def test_an_area_shows_a_part_of_the_board() -> None:
    assert set(tiles_of(parse(svg.board(FIGURE_7, area="a3:d3")))) == {Square(18), Square(19), Square(20), Square(21)}
    assert svg.board(FIGURE_7, area="fit") == svg.board(FIGURE_7, area="a3:g5")
    for bad in ("", "c3", "c3:a1", "a3:c1"):
        with pytest.raises(ValueError, match="is not an area"):
            svg.board(FIGURE_7, area=bad)
    with pytest.raises(Malformed):
        svg.board(FIGURE_7, area="a1:z9")


def test_the_colours_are_those_of_the_web_board() -> None:
    light, dark = TOKENS.read_text(encoding="utf-8").split('[data-theme="dark"]')
    for colours, css in ((LIGHT, light), (DARK, light + dark)):
        tokens = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", css))
        tokens["ripple"] = "#" + re.findall(r"stroke='%23([0-9a-f]{6})'", css)[-1]
        tokens["shadow"] = "#" + "".join(f"{int(n):02x}" for n in re.findall(r"--shadow: (\d+) (\d+) (\d+)", css)[-1])
        assert colours == {name: tokens[name] for name in colours}


def test_the_documentation_site_has_the_colours_of_the_web_app() -> None:
    light, dark = SITE_STYLE.read_text(encoding="utf-8").split('[data-md-color-scheme="slate"]')
    for colours, css in ((LIGHT, light), (DARK, dark)):
        found = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", css))
        shared = colours.keys() & found.keys()
        assert {"paper", "ink", "water"} <= shared
        assert {name: found[name] for name in shared} == {name: colours[name] for name in shared}


def test_a_theme_decides_the_colours() -> None:
    light, dark, auto = (
        svg.board(FIGURE_7, theme=theme) for theme in (svg.Theme.LIGHT, svg.Theme.DARK, svg.Theme.AUTO)
    )
    assert (LIGHT["paper-raised"] in light, DARK["paper-raised"] in light) == (True, False)
    assert (LIGHT["paper-raised"] in dark, DARK["paper-raised"] in dark) == (False, True)
    assert "prefers-color-scheme:dark" in auto
    for picture, name in ((light, "light"), (dark, "dark"), (auto, "auto")):
        assert set(re.findall(r"\brs-(\w+)", picture)) == {name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_speaks_every_language(language: str) -> None:
    root = parse(svg.move(FIGURE_7, Move.parse("h3+7~e3"), language=language))
    title = root[0].text or ""
    assert "18" in title
    assert "h3" in title
    assert language == "en" or "addend " not in title


def test_pictures_need_nothing_from_elsewhere() -> None:
    pictures = [svg.game(played(4, 20)), svg.move(FIGURE_7, Move.parse("h3+7~e3"), Variant.EXPERT)]
    for picture in pictures:
        root = parse(picture)
        assert not {"script", "image", "a", "foreignObject", "use"} & {e.tag.removeprefix(SVG) for e in root.iter()}
        ids = {element.get("id") for element in root.iter()}
        assert set(re.findall(r"url\(([^)]*)\)", picture)) <= {f"#{name}" for name in ids}
        assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]


def test_a_notebook_shows_the_values_of_the_rules() -> None:
    game = played(2, 3)
    (series,) = kakuros(Board.of("a1=3 b1+1 c1+2"))
    for value in (game, view(game, 0), Position.of(game), game.board, Tile.parse("+6"), series):
        assert parse(value._repr_svg_())
    assert svg.board(game.board)._repr_svg_() == svg.board(game.board)
