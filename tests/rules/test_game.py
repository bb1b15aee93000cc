"""How a game begins and ends, and how its score is shown on the track."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones.rules import (
    Board,
    Fault,
    FaultFound,
    Game,
    Held,
    Layout,
    Malformed,
    Outcome,
    Position,
    Setup,
    Square,
    Track,
    Variant,
    plays,
    track,
)
from tests.rules.strategies import PLACEMENTS, games, random_deal, random_game


def names(squares: tuple[Square, ...]) -> str:
    return " ".join(map(str, squares))


RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
LAYOUTS = re.findall(r"^\| `(\w+)`[^|]*\| ((?:[a-i][1-9] ?){4}) \|$", RULES, re.MULTILINE)


def test_the_documentation_lists_every_layout() -> None:
    assert [name for name, _ in LAYOUTS] == [layout.value for layout in Layout]


@pytest.mark.parametrize(("layout", "side_stones"), LAYOUTS)
def test_the_stones_of_a_layout_take_the_first_five_tiles(layout: str, side_stones: str) -> None:
    deal = random_deal(random.Random(layout))
    stones = f"e5 {side_stones}"
    assert names(Layout(layout).stones) == stones
    centre, *sides = zip(stones.split(), deal.digits[:5], strict=True)
    position = " ".join([f"{centre[0]}={centre[1]}", *(f"{square}+{digit}" for square, digit in sides)])
    assert Layout(layout).board(deal.digits) == Board.of(position)


def test_the_default_setup_is_two_seats_standard_sides() -> None:
    setup = Setup()
    assert (setup.seats, setup.variant, setup.layout, setup.start) == (2, Variant.STANDARD, Layout.SIDES, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_draws_two_tiles_seat_by_seat_from_the_first(seats: int) -> None:
    deal = random_deal(random.Random(f"hands {seats}"))
    game = Game.begin(Setup(seats, start=seats - 1), deal)
    assert game.hands == tuple(tuple(sorted(deal.digits[5 + 2 * seat : 7 + 2 * seat])) for seat in range(seats))
    assert game.bag == 67 - 2 * seats
    assert game.scores == (0,) * seats
    assert game.to_move == seats - 1, "who starts has no say in who draws which tiles"


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_other_seat_counts_are_refused(seats: int) -> None:
    with pytest.raises(Malformed, match="seat_count"):
        Setup(seats)


@pytest.mark.parametrize("start", [-1, 3])
def test_the_start_is_a_seat_of_the_game(start: int) -> None:
    with pytest.raises(Malformed, match="start_seat"):
        Setup(3, start=start)


def test_the_winner_has_the_most_points() -> None:
    assert Outcome.of((29, 30, 20)) == Outcome((29, 30, 20), (1,))


@pytest.mark.parametrize(
    ("scores", "winners"),
    [((5, 5), (0, 1)), ((7, 3, 7), (0, 2)), ((0, 0, 0, 0), (0, 1, 2, 3)), ((1, 9, 9, 9), (1, 2, 3))],
)
def test_equal_points_share_the_win(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert Outcome.of(scores).winners == winners


def test_a_seat_that_resigned_does_not_win() -> None:
    assert Outcome.of((29, 30, 20), resigned=(1,)) == Outcome((29, 30, 20), (0,))


def test_the_outcome_is_known_at_the_end_and_not_before() -> None:
    rng = random.Random("outcome")
    assert random_game(rng, PLACEMENTS - 1).outcome is None
    game = random_game(rng, PLACEMENTS)
    assert game.outcome == Outcome.of(game.scores)
    assert game.bag == 0
    assert set(game.hands) == {()}


@pytest.mark.parametrize(
    ("score", "stands"),
    [
        (0, Track(0, 0)),
        (99, Track(99, 0)),
        (100, Track(0, 1)),
        (345, Track(45, 3)),
        (999, Track(99, 9)),
        (1003, Track(3, 10)),
    ],
)
def test_the_track_shows_units_and_tens_by_the_pawn_and_hundreds_beside(score: int, stands: Track) -> None:
    assert track(score) == stands


@given(games())
def test_a_position_has_the_same_plays_as_its_game(game: Game) -> None:
    position = Position.of(game)
    assert position.plays() == game.plays() == plays(game.board, game.hand, game.setup.variant)
    seen = position.seen_by(game.to_move)
    assert seen.plays() == game.plays()


def test_plays_of_an_unknown_hand_cannot_be_listed() -> None:
    game = random_game(random.Random("unknown"), 10)
    with pytest.raises(ValueError, match="not known"):
        Position.of(game).seen_by(None).plays()


SOUND = Position(Board.of("e5=4 c5+9 e3+6 g5+7 e7+4"), 0, (Held((2, 7)), Held((), 2)), (0, 0), 63)


def test_a_sound_position_has_no_faults() -> None:
    assert SOUND.faults() == []


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        (Position(SOUND.board, 0, (Held((2, 7)),), (0,), 65), FaultFound.of(Fault.SEATS, count=1)),
        (Position(SOUND.board, 0, SOUND.hands, (0, 0, 0), 63), FaultFound.of(Fault.SCORES, count=3, seats=2)),
        (Position(SOUND.board, 2, SOUND.hands, (0, 0), 63), FaultFound.of(Fault.TURN, seat=2, seats=2)),
        (Position(SOUND.board, -1, SOUND.hands, (0, 0), 63), FaultFound.of(Fault.TURN, seat=-1, seats=2)),
        (
            Position(SOUND.board, 0, (Held((2, 7)), Held((1,), 2)), (0, 0), 62),
            FaultFound.of(Fault.HAND_TOO_LARGE, seat=1, count=3),
        ),
        (
            Position(Board.of(" ".join(f"{column}1+5" for column in "abcdefghi")), 0, SOUND.hands, (0, 0), 59),
            FaultFound.of(Fault.TOO_MANY_OF_A_DIGIT, digit=5, count=9),
        ),
        (Position(SOUND.board, 0, SOUND.hands, (0, 0), 64), FaultFound.of(Fault.TILE_COUNT, count=73)),
    ],
    ids=lambda value: value.fault.value if isinstance(value, FaultFound) else "",
)
def test_an_impossible_position_names_its_fault(position: Position, fault: FaultFound) -> None:
    assert position.faults() == [fault]


def test_every_fault_is_named_at_once() -> None:
    position = Position(SOUND.board, 5, (Held((1, 2, 3)),), (), -1)
    assert [found.fault for found in position.faults()] == [
        Fault.SEATS,
        Fault.SCORES,
        Fault.TURN,
        Fault.HAND_TOO_LARGE,
        Fault.TILE_COUNT,
    ]


@given(st.lists(st.integers(1, 9), max_size=8))
def test_tiles_held_count_against_the_eight_of_their_digit(digits: list[int]) -> None:
    position = Position(SOUND.board, 0, (Held(tuple(sorted(digits))), Held()), (0, 0), 0)
    expected = [8 - digits.count(digit) - (digit in {6, 7, 9}) - 2 * (digit == 4) for digit in range(1, 10)]
    assert list(position.unseen) == expected
