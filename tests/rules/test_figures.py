"""The worked figures of docs/rules.md, each with its points, its near misses, and the reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from riverstones.rules import Board, Code, Explanation, Move, Reason, Variant, explain, kakuros, plays, refusal

FIGURE_2 = "a2=9 b2+8 c2+3 c4=3 c5+9 d4=5 e4+2 e5=6 f5+7 f6+1 g6+5 h6+8"
FIGURE_3 = "g1=9 f2+6 g2+3 h2+9 e3+6 g3+9 d4=5 e4+2 f4+6 e5=6 f5+7 f6+1 g6+5 h6+8 e7+4 f7=8"
FIGURE_7 = "a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1"


@dataclass(frozen=True)
class Figure:
    """A position, a move and its result. Kakuros and near misses are written with the square of their total."""

    name: str
    position: str
    move: str
    kakuros: tuple[str, ...] = ()
    points: int = 0
    near_misses: tuple[tuple[str, Code], ...] = ()
    refusal: Reason | None = None


FIGURES = [
    Figure("in the text, the last addend", "a1=8 b1+3", "c1+5", ("a1: 8 | 3 + 5",), 8),
    Figure("in the text, an addend between", "a1=8 c1+5", "b1+3", ("a1: 8 | 3 + 5",), 8),
    Figure("in the text, the total", "b1+3 c1+5", "a1=8", ("a1: 8 | 3 + 5",), 8),
    Figure(
        "in the text, a total behind its addends",
        "a1+7 b1+1",
        "c1=8",
        near_misses=(("c1: 8 | 7 + 1", Code.TOTAL_FOLLOWS),),
    ),
    Figure("2, an addend downwards", FIGURE_2, "c6+4", ("c4: 3 | 9 + 4",), 13),
    Figure("2, a total", FIGURE_2, "e6=4", ("e6: 4 | 1 + 5 + 8",), 14),
    Figure(
        "2, an addend twice",
        FIGURE_2,
        "d2+8",
        near_misses=(("a2: 9 | 8 + 3 + 8", Code.REPEATED_ADDEND),),
    ),
    Figure("2, a wrong sum", FIGURE_2, "f4+6", near_misses=(("d4: 5 | 2 + 6", Code.WRONG_SUM),)),
    Figure("2, a total below its addends", FIGURE_2, "f7=8", near_misses=(("f7: 8 | 7 + 1", Code.TOTAL_FOLLOWS),)),
    Figure("3, one total in both directions", FIGURE_3, "e2=8", ("e2: 8 | 6 + 3 + 9", "e2: 8 | 6 + 2"), 26),
    Figure(
        "3, one addend alone is not enough",
        FIGURE_3,
        "e6=4",
        ("e6: 4 | 1 + 5 + 8",),
        14,
        near_misses=(("e6: 4 | 4", Code.ONE_ADDEND),),
    ),
    Figure("3, one addend in both directions", FIGURE_3, "g4+7", ("g1: 9 | 3 + 9 + 7", "d4: 5 | 2 + 6 + 7"), 34),
    Figure("4, an addend turned into the total", "a1+2 b1+6 c1+4", "d1+2~a1", ("a1: 2 | 6 + 4 + 2",), 12),
    Figure(
        "5, a total turned into an addend",
        "a1=3 b1+9 c1+3 d1=2 e1+5 f1+1 g1+6",
        "h1+7~d1",
        ("a1: 3 | 9 + 3 + 2 + 5 + 1 + 6 + 7",),
        33,
    ),
    Figure(
        "6, the flipped tile only stops the run",
        "a1=2 c1+1 d1+6 e1+5",
        "b1+5~e1",
        near_misses=(("a1: 2 | 5 + 1 + 6", Code.STOPPED_BY_FLIPPED),),
        refusal=Reason.of(Code.STOPPED_BY_FLIPPED, square="e1"),
    ),
    Figure(
        "7, the flipped tile makes two and stops one",
        FIGURE_7,
        "h3+7~e3",
        ("e3: 4 | 5 + 2 + 7", "e3: 4 | 3 + 1"),
        18,
        near_misses=(("a3: 1 | 8 + 2 + 1", Code.STOPPED_BY_FLIPPED),),
    ),
    Figure(
        "8, and the placed tile one more",
        f"{FIGURE_7} h1=9 h2+2",
        "h3+7~e3",
        ("h1: 9 | 2 + 7", "e3: 4 | 5 + 2 + 7", "e3: 4 | 3 + 1"),
        27,
        near_misses=(("a3: 1 | 8 + 2 + 1", Code.STOPPED_BY_FLIPPED),),
    ),
]

CONSEQUENCES = [
    Figure(
        "a total placed at the end of a run scores nothing there",
        "a1=8 b1+3 c1+5",
        "d1=8",
        near_misses=(("d1: 8 | 3 + 5", Code.TOTAL_FOLLOWS),),
    ),
    Figure(
        "a Kakuro that the placement makes and the flip destroys does not score",
        "a1=6 b1=8 c1+3",
        "d1+5~b1",
        ("a1: 6 | 8 + 3 + 5",),
        16,
    ),
    Figure(
        "a longer series that swallows a Kakuro is new and scores in full",
        "a1=8 b1+3 c1+5 e1+4",
        "d1+6",
        ("a1: 8 | 3 + 5 + 6 + 4",),
        18,
    ),
    Figure(
        "a placement may destroy a Kakuro",
        "a1=8 b1+3 c1+5",
        "d1+2",
        near_misses=(("a1: 8 | 3 + 5 + 2", Code.WRONG_SUM),),
    ),
    Figure("a placement may have nothing to do with any series", "a1=8 b1+3 c1+5", "c2+5"),
    Figure("the smallest Kakuro is worth 3", "a1=3 b1+1", "c1+2", ("a1: 3 | 1 + 2",), 3),
    Figure(
        "the largest Kakuro is worth 44",
        "e1=4 e2+9 e3+8 e4+7 e5+6 e6+5 e7+4 e8+3",
        "e9+2",
        ("e1: 4 | 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2",),
        44,
    ),
    Figure("a total may equal one of its addends", "a1=2 b1+6 c1+4", "d1+2", ("a1: 2 | 6 + 4 + 2",), 12),
    Figure(
        "a red tile that was there before may stop a new Kakuro",
        "a1=8 b1+3 d1=1",
        "c1+5",
        ("a1: 8 | 3 + 5",),
        8,
    ),
    Figure(
        "a Kakuro across the flip counts beside the one that allows it",
        "a5=7 b5+3 c5=4 c6+8 c7+6",
        "c4=8~c5",
        ("c4: 8 | 4 + 8 + 6", "a5: 7 | 3 + 4"),
        25,
    ),
]


def explained(figure: Figure, variant: Variant) -> Explanation:
    return explain(Board.of(figure.position), Move.parse(figure.move), variant)


every_figure = pytest.mark.parametrize("figure", [*FIGURES, *CONSEQUENCES], ids=lambda figure: figure.name)
both_variants = pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)


@every_figure
@both_variants
def test_the_figure_scores_exactly_its_kakuros(figure: Figure, variant: Variant) -> None:
    found = explained(figure, variant)
    assert tuple(f"{kakuro.squares[0]}: {kakuro}" for kakuro in found.kakuros) == figure.kakuros
    assert found.points == figure.points


@every_figure
def test_the_figure_names_its_near_misses_with_their_reasons(figure: Figure) -> None:
    misses = explained(figure, Variant.STANDARD).near_misses
    assert (
        tuple((f"{miss.series.squares[0]}: {miss.series}", miss.reason.code) for miss in misses) == figure.near_misses
    )


@every_figure
@both_variants
def test_the_figure_is_legal_or_refused_with_its_reason(figure: Figure, variant: Variant) -> None:
    assert explained(figure, variant).refusal == figure.refusal
    assert refusal(Board.of(figure.position), Move.parse(figure.move), variant) == figure.refusal


@every_figure
@both_variants
def test_the_figure_is_among_the_plays_exactly_if_it_is_legal(figure: Figure, variant: Variant) -> None:
    move = Move.parse(figure.move)
    listed = [play for play in plays(Board.of(figure.position), [move.tile.digit], variant) if play.move == move]
    expected = [(figure.points, explained(figure, variant).kakuros)] if figure.refusal is None else []
    assert [(play.points, play.kakuros) for play in listed] == expected


def exchanged(text: str) -> str:
    """A position or a move with rows and columns swapped: `b3+8` becomes `c2+8`."""
    return re.sub(
        r"([a-i])([1-9])(?=[+=~ ]|$)", lambda name: "abcdefghi"[int(name[2]) - 1] + str(ord(name[1]) - 96), text
    )


@every_figure
@both_variants
def test_the_figure_holds_with_rows_and_columns_exchanged(figure: Figure, variant: Variant) -> None:
    found = explain(Board.of(exchanged(figure.position)), Move.parse(exchanged(figure.move)), variant)
    assert (found.legal, found.points) == (figure.refusal is None, figure.points)
    assert sorted(str(kakuro) for kakuro in found.kakuros) == sorted(kakuro[4:] for kakuro in figure.kakuros)
    misses = [(str(miss.series), miss.reason.code) for miss in found.near_misses]
    assert misses == [(series[4:], code) for series, code in figure.near_misses]


def figures_of_the_page() -> list[tuple[str, str, str]]:
    """Position, move and result of each row of the page's table of examples."""
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:text|\d) \| (`[^`]+`|the same) \| `([^`]+)` \| ([^|]+) \|", page, re.MULTILINE)
    found: list[tuple[str, str, str]] = []
    for position, move, result in rows:
        found.append((found[-1][0] if position == "the same" else position.strip("`"), move, result))
    return found


def test_the_page_of_the_rules_shows_exactly_these_figures() -> None:
    stated = [
        (figure.position, figure.move, "illegal flip" if figure.refusal else str(figure.points)) for figure in FIGURES
    ]
    assert figures_of_the_page() == stated


def test_a_kakuro_that_was_destroyed_and_is_made_again_scores_again() -> None:
    board = Board.of("a5=7 b5+3 c6+8")
    story = [
        ("c5+4", ["7 | 3 + 4"], 7),
        ("c7+6~c5", ["4 | 8 + 6"], 14),
        ("c4=8~c5", ["8 | 4 + 8 + 6", "7 | 3 + 4"], 25),
    ]
    for text, made, points in story:
        found = explain(board, Move.parse(text))
        assert ([str(kakuro) for kakuro in found.kakuros], found.points) == (made, points)
        board = Move.parse(text).on(board)


def test_a_destroyed_kakuro_is_gone_from_the_board() -> None:
    board = Board.of("a1=8 b1+3 c1+5")
    assert [str(kakuro) for kakuro in kakuros(board)] == ["8 | 3 + 5"]
    assert kakuros(Move.parse("d1+2").on(board)) == []


@both_variants
def test_no_total_stands_for_a_sum_that_ends_in_0(variant: Variant) -> None:
    found = [play for play in plays(Board.of("b1+4 c1+6"), range(1, 10), variant) if str(play.move).startswith("a1=")]
    assert [(str(play.move), play.points) for play in found] == [(f"a1={digit}", 0) for digit in range(1, 10)]


def test_figure_6_becomes_legal_when_the_run_stops_by_itself() -> None:
    """The same Kakuro scores without the flip if the tile behind it was red all along."""
    found = explain(Board.of("a1=2 c1+1 d1+6 e1=5"), Move.parse("b1+5"))
    assert (found.legal, found.points) == (True, 12)


def test_several_tiles_may_be_flipped_in_the_expert_game_only() -> None:
    board, move = Board.of("a1+3 b1=9 c1=3"), Move.parse("d1+1~a1~b1~c1")
    assert explain(board, move, Variant.EXPERT).points == 13
    assert refusal(board, move, Variant.STANDARD) == Reason.of(Code.TOO_MANY_FLIPS, count=3)
