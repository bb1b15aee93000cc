"""Every reason for a refusal, with its parameters."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones.rules import Board, Code, Game, Move, Reason, Refused, Scoring, Setup, Tile, Variant, explain, refusal
from tests.rules.strategies import PLACEMENTS, boards, moves, moves_on, random_deal, random_game

# Refusals that depend on a board and a move only: position, move, reason.
REFUSED_MOVES = [
    ("e5=8", "e5+3", Reason.of(Code.SQUARE_TAKEN, square="e5")),
    ("e5=8", "a1+3", Reason.of(Code.NOT_ADJACENT, square="a1")),
    ("e5=8", "d4+3", Reason.of(Code.NOT_ADJACENT, square="d4")),
    ("e5=8", "e6+3~e8", Reason.of(Code.FLIP_EMPTY, square="e8")),
    ("e5=8", "e6+3~e6", Reason.of(Code.FLIP_PLACED, square="e6")),
    ("a1=8 b1+3 b2+4", "c1+5~b2", Reason.of(Code.NO_SHARED_LINE, square="c1", flip="b2")),
    ("a1+8 c1+3", "d1+5~a1", Reason.of(Code.GAP, square="b1")),
    ("a1+8 b1+3", "c1=5~a1", Reason.of(Code.TWO_TOTALS, square="a1", other="c1")),
    ("b1=3 c1+2", "d1+5~b1", Reason.of(Code.NO_TOTAL, square="b1")),
    ("b1+3 c1=2", "d1+5~c1", Reason.of(Code.NO_TOTAL, square="b1")),
    ("a1=8 b1=3", "c1=5~b1", Reason.of(Code.TOTAL_FOLLOWS, square="c1")),
    ("a1=2 c1+1 d1+6 e1+5", "b1+5~e1", Reason.of(Code.STOPPED_BY_FLIPPED, square="e1")),
    ("a1+8 b1=3 c1+5", "d1+2~a1", Reason.of(Code.STOPPED_BY_TOTAL, square="b1")),
    ("a1+8 b1=3 c1=5", "d1+2~a1", Reason.of(Code.STOPPED_BY_TOTAL, square="b1")),
    ("a1+8", "b1+3~a1", Reason.of(Code.ONE_ADDEND, series="8 | 3")),
    ("a1+8 b1+3", "c1+3~a1", Reason.of(Code.REPEATED_ADDEND, series="8 | 3 + 3", digit=3)),
    ("a1+8 b1+3", "c1+4~a1", Reason.of(Code.WRONG_SUM, series="8 | 3 + 4", sum=7, total=8)),
    ("e1+8 e2+3", "e3+4~e1", Reason.of(Code.WRONG_SUM, series="8 | 3 + 4", sum=7, total=8)),
]


@pytest.mark.parametrize(("position", "move", "reason"), REFUSED_MOVES)
@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
def test_a_move_is_refused_with_its_reason(position: str, move: str, reason: Reason, variant: Variant) -> None:
    board = Board.of(position)
    assert refusal(board, Move.parse(move), variant) == reason
    found = explain(board, Move.parse(move), variant)
    assert (found.legal, found.refusal, found.kakuros, found.points) == (False, reason, (), 0)


# Refusals that depend on the variant.
REFUSED_IN_ONE_VARIANT = [
    (Variant.STANDARD, "a1=8 b1=3", "c1+5~a1~b1", Reason.of(Code.TOO_MANY_FLIPS, count=2)),
    (Variant.EXPERT, "a1=8 b1=3", "c1+5~a1~b1", Reason.of(Code.NO_TOTAL, square="a1")),
    (Variant.EXPERT, "a2=8 b1=3", "b2+5~a2~b1", Reason.of(Code.NO_SHARED_LINE, square="b2", flip="a2")),
    (Variant.EXPERT, "b1+3 b2+4 c2+5", "c1+5~b2~c2", Reason.of(Code.NO_SHARED_LINE, square="c1", flip="b2")),
    (Variant.EXPERT, "a1+8 b1+3 c1=4", "d1+6~a1~b1~c1", Reason.of(Code.TWO_TOTALS, square="a1", other="b1")),
]


@pytest.mark.parametrize(("variant", "position", "move", "reason"), REFUSED_IN_ONE_VARIANT)
def test_several_flips_are_refused_according_to_the_variant(
    variant: Variant, position: str, move: str, reason: Reason
) -> None:
    assert refusal(Board.of(position), Move.parse(move), variant) == reason


# Refusals that depend on a game.


def begun(scoring: Scoring = Scoring.AUTOMATIC) -> Game:
    return Game.begin(Setup(2, scoring=scoring), random_deal(random.Random("refusals")))


def plain_move(game: Game) -> Move:
    """The first tile in hand, yellow, on the first free square."""
    return Move(game.board.frontier()[0], Tile.parse(f"+{game.hand[0]}"))


def true_claim(game: Game, move: Move) -> int:
    return explain(game.board, move, game.setup.variant).points


def claimed(amount: int) -> Game:
    """A game in which seat 0 has just claimed this many points more than its move scores."""
    game = begun(Scoring.CLAIMS)
    move = plain_move(game)
    return game.play(move, claim=true_claim(game, move) + amount)


def play_on_after_the_end() -> None:
    game = random_game(random.Random("to the end"), PLACEMENTS)
    game.play(Move.parse("a1+1"))


def play_a_tile_of_the_other_hand() -> None:
    game = begun()
    foreign = next(digit for digit in range(1, 10) if digit not in game.hand)
    game.play(Move(game.board.frontier()[0], Tile.parse(f"+{foreign}")))


def play_without_a_claim() -> None:
    game = begun(Scoring.CLAIMS)
    game.play(plain_move(game))


def claim_where_the_software_counts() -> None:
    game = begun()
    game.play(plain_move(game), claim=3)


def claim_a_thousand() -> None:
    game = begun(Scoring.CLAIMS)
    game.play(plain_move(game), claim=1000)


def claim_less_than_nothing() -> None:
    game = begun(Scoring.CLAIMS)
    game.play(plain_move(game), claim=-1)


def object_before_the_first_move() -> None:
    begun(Scoring.CLAIMS).object(1)


def object_where_the_software_counts() -> None:
    game = begun()
    game.play(plain_move(game)).object(1)


def object_to_ones_own_move() -> None:
    claimed(1).object(0)


def object_twice() -> None:
    claimed(0).object(1).object(1)


def object_to_what_was_taken_back() -> None:
    claimed(1).object(1).object(1)


REFUSED_BY_GAMES: list[tuple[Callable[[], None], Code]] = [
    (play_on_after_the_end, Code.GAME_OVER),
    (play_a_tile_of_the_other_hand, Code.TILE_NOT_IN_HAND),
    (play_without_a_claim, Code.CLAIM_MISSING),
    (claim_where_the_software_counts, Code.CLAIM_UNWANTED),
    (claim_a_thousand, Code.CLAIM_OUT_OF_RANGE),
    (claim_less_than_nothing, Code.CLAIM_OUT_OF_RANGE),
    (object_before_the_first_move, Code.NOTHING_TO_OBJECT_TO),
    (object_where_the_software_counts, Code.NOTHING_TO_OBJECT_TO),
    (object_to_ones_own_move, Code.OWN_MOVE),
    (object_twice, Code.ALREADY_OBJECTED),
    (object_to_what_was_taken_back, Code.ALREADY_UPHELD),
]


@pytest.mark.parametrize(
    ("attempt", "code"), REFUSED_BY_GAMES, ids=lambda value: getattr(value, "__name__", str(value))
)
def test_a_game_refuses_with_its_reason(attempt: Callable[[], None], code: Code) -> None:
    with pytest.raises(Refused) as refused:
        attempt()
    assert refused.value.reason.code is code


@pytest.mark.parametrize(("position", "move", "reason"), REFUSED_MOVES)
def test_a_game_refuses_what_its_board_refuses(position: str, move: str, reason: Reason) -> None:
    at_start, wanted = begun(), Move.parse(move)
    hands = ((wanted.tile.digit, 9), at_start.hands[1])
    game = Game(at_start.setup, at_start.deal, Board.of(position), hands, at_start.drawn, (0, 0), 0)
    with pytest.raises(Refused) as refused:
        game.play(wanted)
    assert refused.value.reason == reason


def test_every_code_is_reached() -> None:
    """A new reason for a refusal needs a row in one of the tables above."""
    reasons = [*(row[2] for row in REFUSED_MOVES), *(row[3] for row in REFUSED_IN_ONE_VARIANT)]
    assert {reason.code for reason in reasons} | {code for _, code in REFUSED_BY_GAMES} == set(Code)


# Properties of every reason.


@given(boards, moves, st.sampled_from(Variant), st.data())
def test_the_parameters_of_a_reason_are_plain_values(
    board: Board, anywhere: Move, variant: Variant, data: st.DataObject
) -> None:
    for move in (anywhere, data.draw(moves_on(board))):
        found = explain(board, move, variant)
        for reason in filter(None, [found.refusal, *(miss.reason for miss in found.near_misses)]):
            assert hash(reason) == hash(Reason.of(reason.code, **dict(reason.params)))
            assert all(type(value) in (int, str) for _, value in reason.params)
            assert str(reason).startswith(reason.code)
            assert all(reason[name] == value for name, value in reason.params)
