"""The rules agree with a brute force that knows only their definition.

On each board all placements are tried: in the standard game with no flip and with each single flip, in the expert game
with every subset of the tiles on small boards, and with every subset of a line on boards from whole games. `plays` must
list exactly the legal ones with the same Kakuros and points, and `refusal`, `explain` and `kakuros_made` must agree
about every move that was tried, legal or not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones.rules import (
    SQUARES,
    Board,
    Code,
    Game,
    Move,
    Series,
    Variant,
    explain,
    kakuros,
    kakuros_made,
    plays,
    refusal,
)
from tests.rules import brute_force
from tests.rules.brute_force import ChooseFlips, Judge, Kakuro, every_subset, every_subset_of_a_line, no_flip_or_one
from tests.rules.strategies import boards, games, moves_on, random_board, random_game

MOST_FLIPS = {Variant.STANDARD: 1, Variant.EXPERT: 81}
VARIANTS = [pytest.param(variant, id=variant.value) for variant in Variant]


def as_laid(made: Iterable[Series]) -> frozenset[Kakuro]:
    """Kakuros in the brute force's form."""
    return frozenset(
        (
            f"{kakuro.squares[0]}={kakuro.total}",
            *(f"{square}+{addend}" for square, addend in zip(kakuro.squares[1:], kakuro.addends, strict=True)),
        )
        for kakuro in made
    )


def check_board(board: Board, hand: Iterable[int], variant: Variant, choose_flips: ChooseFlips) -> int:
    """Compare the rules with the brute force for each placement and set of flips; returns the number of moves tried."""
    judge = Judge(brute_force.read_board(str(board)))
    found = plays(board, hand, variant)
    listed = {str(play.move): play for play in found}
    assert len(listed) == len(found), "a play is listed twice"
    tried = 0
    for text, verdict in judge.verdicts(hand, choose_flips, MOST_FLIPS[variant]):
        tried += 1
        move = Move.parse(text)
        play = listed.pop(text, None)
        explained = explain(board, move, variant)
        assert (play is not None, explained.legal) == (verdict is not None, verdict is not None), text
        assert explained.refusal == refusal(board, move, variant)
        if play is not None and verdict is not None:
            assert as_laid(play.kakuros) == verdict, text
            assert play.points == explained.points == sum(map(brute_force.points, verdict)), text
            assert play.kakuros == explained.kakuros == kakuros_made(board, move)
    assert not listed, "plays that the brute force does not know"
    return tried


def check_move(board: Board, move: Move, variant: Variant) -> None:
    """Compare the rules with the brute force for one move."""
    judge = Judge(brute_force.read_board(str(board)))
    verdict = judge.verdict(str(move.square), str(move.tile), tuple(map(str, move.flips)), MOST_FLIPS[variant])
    explained = explain(board, move, variant)
    assert explained.legal == (verdict is not None)
    assert as_laid(explained.kakuros) == (verdict or frozenset())


def check_illegal_scores(board: Board, rng: random.Random, count: int) -> None:
    """The score by the definition is also right for illegal flips."""
    laid = brute_force.read_board(str(board))
    judge = Judge(laid)
    for _ in range(count):
        square = str(rng.choice(board.frontier()))
        tile = rng.choice("+=") + rng.choice("123456789")
        flips = tuple(rng.sample(list(laid), rng.randint(1, min(4, len(laid)))))
        move = Move.parse(brute_force.move_text(square, tile, flips))
        assert as_laid(kakuros_made(board, move)) == judge.scored(square, tile, flips), (str(board), str(move))


@pytest.mark.parametrize("seed", range(10))
def test_standard_plays_of_reachable_positions_are_those_of_the_brute_force(seed: int) -> None:
    rng = random.Random(f"standard {seed}")
    game = random_game(rng, rng.randrange(67), Variant.STANDARD)
    check_board(game.board, game.hand, Variant.STANDARD, no_flip_or_one)
    check_illegal_scores(game.board, rng, 200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_standard_plays_of_many_more_reachable_positions_are_those_of_the_brute_force(seed: int) -> None:
    rng = random.Random(f"more standard {seed}")
    game = random_game(rng, rng.randrange(67), Variant.STANDARD)
    assert check_board(game.board, game.hand, Variant.STANDARD, no_flip_or_one) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_expert_plays_of_openings_are_those_of_every_subset_of_flips(seed: int) -> None:
    rng = random.Random(f"openings {seed}")
    game = random_game(rng, rng.randint(0, 3), Variant.EXPERT)
    check_board(game.board, game.hand, Variant.EXPERT, every_subset)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_expert_plays_of_reachable_positions_are_those_of_every_subset_of_a_line(seed: int) -> None:
    rng = random.Random(f"expert {seed}")
    game = random_game(rng, rng.randrange(5, 67), Variant.EXPERT)
    check_board(game.board, game.hand, Variant.EXPERT, every_subset_of_a_line)


@pytest.mark.parametrize("shape", [(1, 9), (9, 1), (2, 5), (3, 3), (4, 2)], ids="{0[0]}x{0[1]}".format)
@pytest.mark.parametrize("variant", VARIANTS)
def test_plays_of_crowded_corners_are_those_of_every_subset_of_flips(variant: Variant, shape: tuple[int, int]) -> None:
    """Small boards that no game leads to, full enough for long Kakuros, crossings and several flips at once."""
    width, height = shape
    rng = random.Random(f"crowded {variant.value} {shape}")
    for _ in range(4):
        board = random_board(rng, rng.randint(3, 6), width, height)
        hand = rng.sample(range(1, 10), 2)
        check_board(board, hand, variant, every_subset)


RICH_BOARDS = [
    Board.parse(text)
    for text in (
        ".E...BE../....G.8B./A921452.3/.G893..5./....16.../....7..../........./........./.........",
        "......B9./....G667./E821452../..B.3..../4..278.../....1..../...64..../........./.........",
        ".....C.I./.....F39./....6.92./...C2183./...8D.1E./....F9.../...C57.../........./.........",
        "......3.H/....284F8/...F1E.1./...I6G9../..B7...2./......FE1/......E../........./.........",
        "......8../.....6E../...BG.9../...E9F.../...AHG..E/...G.DE.B/....DA85./......F../.........",
        ".....3I../....DH6I./......A../...CBF.../....GE.H./....I1HG./....EIB../......63./.........",
        "......I../.....63.H/....6.IB./..CE2F7I./...CF7H../.....156./....AH.../........./.........",
    )
]
"""Boards composed to be rich: random play seldom makes two Kakuros in one move."""

rich_boards = pytest.mark.parametrize("board", RICH_BOARDS, ids=range(len(RICH_BOARDS)))


@pytest.mark.slow
@rich_boards
def test_plays_of_rich_boards_are_those_of_the_brute_force_for_every_digit(board: Board) -> None:
    check_board(board, range(1, 10), Variant.STANDARD, no_flip_or_one)
    check_illegal_scores(board, random.Random(str(board)), 200)


@pytest.mark.slow
@rich_boards
def test_expert_plays_of_rich_boards_are_those_of_every_subset_of_a_line_for_every_digit(board: Board) -> None:
    check_board(board, range(1, 10), Variant.EXPERT, every_subset_of_a_line)


def test_the_rich_boards_show_all_that_a_move_can_do() -> None:
    """Checks that the boards above show something."""
    seen: Counter[str] = Counter()
    for board in RICH_BOARDS:
        for play in plays(board, range(1, 10), Variant.EXPERT):
            flips, after = play.move.flips, play.move.on(board)
            reasons = {miss.reason.code for miss in explain(board, play.move, Variant.EXPERT).near_misses}
            seen[f"{len(play.kakuros)} Kakuros"] += 1
            seen[f"{len(play.kakuros)} Kakuros by one flip"] += len(flips) == 1
            seen[f"{len(flips)} flips"] += 1
            seen["a tile flipped to red"] += any(tile.is_total for square, tile in after if square in flips)
            seen["a tile flipped to yellow"] += any(tile.is_total for square, tile in board if square in flips)
            seen["a Kakuro that a flipped tile stops"] += Code.STOPPED_BY_FLIPPED in reasons
    wanted = [f"{count} Kakuros" for count in range(4)] + [f"{count} Kakuros by one flip" for count in range(1, 4)]
    wanted += [f"{count} flips" for count in range(5)]
    wanted += ["a tile flipped to red", "a tile flipped to yellow", "a Kakuro that a flipped tile stops"]
    assert [kind for kind in wanted if seen[kind] < 3] == []


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(9, 1), (1, 9)], ids=["row", "column"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_plays_in_a_crowded_line_are_those_of_every_subset_of_flips(variant: Variant, shape: tuple[int, int]) -> None:
    """Seven tiles and two gaps: long Kakuros, and many flips."""
    rng = random.Random(f"line {variant.value} {shape}")
    for _ in range(3):
        board = random_board(rng, 7, *shape)
        check_board(board, rng.sample(range(1, 10), 3), variant, every_subset)


@given(boards)
def test_a_board_has_the_kakuros_that_the_brute_force_sees(board: Board) -> None:
    assert as_laid(kakuros(board)) == set(brute_force.kakuros(brute_force.read_board(str(board))))


@given(boards, st.data(), st.sampled_from(Variant))
def test_any_move_on_any_board_is_judged_as_the_brute_force_judges_it(
    board: Board, data: st.DataObject, variant: Variant
) -> None:
    check_move(board, data.draw(moves_on(board)), variant)


@given(games(), st.data())
def test_any_move_in_any_game_is_judged_as_the_brute_force_judges_it(game: Game, data: st.DataObject) -> None:
    check_move(game.board, data.draw(moves_on(game.board)), game.setup.variant)


@given(boards)
def test_tiles_may_be_placed_exactly_on_empty_squares_beside_a_tile(board: Board) -> None:
    judge = Judge(brute_force.read_board(str(board)))
    for square in SQUARES:
        legal = judge.verdict(str(square), "+1") is not None
        reason = refusal(board, Move.parse(f"{square}+1"))
        assert (reason is None) == legal == (square in board.frontier())
        assert reason is None or reason.code in {Code.SQUARE_TAKEN, Code.NOT_ADJACENT}
