"""Scoring by claims: players declare their points, and opponents may object."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from riverstones.rules import (
    Board,
    Game,
    Layout,
    Malformed,
    Move,
    Objection,
    Refused,
    Scoring,
    Setup,
    Turn,
    Variant,
    explain,
    view,
)
from tests.rules.strategies import random_deal
from tests.rules.walker import walk


def at_figure_7(seats: int = 2, variant: Variant = Variant.STANDARD) -> Game:
    """Seat 0 holds a 7 and figure 7 lies on the board, where h3+7~e3 scores 18."""
    game = Game.begin(Setup(seats, variant, scoring=Scoring.CLAIMS), random_deal(random.Random("figure 7")))
    board = Board.of("a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1")
    return Game(game.setup, game.deal, board, ((6, 7), *game.hands[1:]), game.drawn, game.scores, 0)


RIGHT = Move.parse("h3+7~e3")
WRONG_FLIP = Move.parse("h3+7~b3")


def test_a_claim_stands_if_nobody_objects() -> None:
    game = at_figure_7().play(WRONG_FLIP, claim=29)
    assert game.scores == (29, 0)
    assert game.board == WRONG_FLIP.on(at_figure_7().board)
    assert game.turns[-1] == Turn(0, (6, 7), WRONG_FLIP, 29, claim=29)


def test_unclaimed_points_are_lost() -> None:
    assert at_figure_7().play(RIGHT, claim=0).scores == (0, 0)


@pytest.mark.parametrize(
    ("move", "claim"),
    [
        pytest.param(RIGHT, 29, id="one Kakuro too many"),
        pytest.param(RIGHT, 14, id="one Kakuro forgotten"),
        pytest.param(RIGHT, 0, id="nothing claimed"),
        pytest.param(WRONG_FLIP, 0, id="an illegal flip"),
        pytest.param(Move.parse("h3+7~e3~b3"), 18, id="one flip too many"),
        pytest.param(Move.parse("h3+7"), 7, id="a Kakuro that is not there"),
    ],
)
def test_an_upheld_objection_cancels_the_points_and_the_flips(move: Move, claim: int) -> None:
    before = at_figure_7()
    played = before.play(move, claim=claim)
    game = played.object(1)
    assert game.scores == (0, 0)
    assert game.board == before.board.place(move.square, move.tile), "the placed tile stays"
    assert game.hands == played.hands, "the player still draws"
    assert (game.drawn, game.to_move) == (before.drawn + 1, 1), "play goes on"
    turn = game.turns[-1]
    assert (turn.points, turn.claim, turn.move, turn.upheld) == (0, claim, move, True)
    assert turn.objections == (Objection(1, upheld=True),)


@pytest.mark.parametrize(
    ("move", "claim"),
    [
        pytest.param(RIGHT, 18, id="all Kakuros"),
        pytest.param(Move.parse("h3+7"), 0, id="nothing, rightly"),
    ],
)
def test_an_objection_that_is_not_upheld_changes_nothing(move: Move, claim: int) -> None:
    played = at_figure_7().play(move, claim=claim)
    game = played.object(1)
    assert (game.board, game.scores, game.hands, game.to_move) == (
        played.board,
        played.scores,
        played.hands,
        played.to_move,
    )
    assert game.turns[-1].objections == (Objection(1, upheld=False),)
    assert not game.turns[-1].upheld


def test_any_opponent_may_object_and_each_of_them_once() -> None:
    game = at_figure_7(seats=4).play(RIGHT, claim=18)
    for seat in (3, 1, 2):
        game = game.object(seat)
    assert game.turns[-1].objections == tuple(Objection(seat, upheld=False) for seat in (3, 1, 2))
    with pytest.raises(ValueError, match="already_objected"):
        game.object(3)


@pytest.mark.parametrize("seat", [-1, 3])
def test_an_objection_from_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    game = at_figure_7(seats=3).play(RIGHT, claim=17)
    with pytest.raises(Malformed, match=f"seat_number: seat {seat}, seats 3"):
        game.object(seat)


def test_no_more_objections_after_one_was_upheld() -> None:
    game = at_figure_7(seats=3).play(RIGHT, claim=17).object(2)
    assert game.turns[-1].upheld
    with pytest.raises(ValueError, match="already_upheld"):
        game.object(1)


def test_the_next_move_ends_the_time_to_object() -> None:
    game = at_figure_7().play(RIGHT, claim=29)
    reply = game.plays()[-1]
    game = game.play(reply.move, claim=reply.points)
    assert game.object(0).scores == game.scores, "the objection is to the last move only"
    with pytest.raises(ValueError, match="own_move"):
        game.object(1)


def test_the_board_before_the_last_move_is_known_before_and_after_an_upheld_objection() -> None:
    before = at_figure_7()
    played = before.play(RIGHT, claim=99)
    for game in (played, played.object(1)):
        assert game.board_before_last() == before.board
        assert all(view(game, seat).board_before_last() == before.board for seat in (0, 1, None))


def test_every_view_knows_who_may_object() -> None:
    rng = random.Random("who may object")
    allowed = []
    for game in walk(Setup(3, scoring=Scoring.CLAIMS), random_deal(rng), rng):
        for seat in range(3):
            reason = game.objection_refusal(seat)
            allowed.append(reason is None)
            assert view(game, seat).may_object == allowed[-1]
            if reason is None:
                assert game.object(seat).objection_refusal(seat) is not None
            else:
                with pytest.raises(Refused, match=reason.code):
                    game.object(seat)
        assert not view(game, None).may_object
    assert len(set(allowed)) == 2


def test_the_expert_game_judges_claims_by_its_own_flips() -> None:
    board = Board.of("a1+3 b1=9 c1=3")
    move = Move.parse("d1+1~a1~b1~c1")
    for variant, upheld in ((Variant.EXPERT, False), (Variant.STANDARD, True)):
        game = at_figure_7(variant=variant)
        game = Game(game.setup, game.deal, board, ((1, 6), game.hands[1]), game.drawn, (0, 0), 0)
        assert game.play(move, claim=13).object(1).turns[-1].upheld == upheld


def test_a_move_by_the_clock_is_marked() -> None:
    assert at_figure_7().play(Move.parse("h3+6"), claim=0, timed_out=True).turns[-1].timed_out


@pytest.mark.parametrize("layout", Layout, ids=lambda layout: layout.value)
def test_an_objection_is_upheld_exactly_if_the_move_or_the_claim_is_wrong(layout: Layout) -> None:
    rng = random.Random(f"claims {layout.value}")
    verdicts = []
    for before, after in pairwise(walk(Setup(3, Variant.EXPERT, layout, 1, Scoring.CLAIMS), random_deal(rng), rng)):
        last = after.turns[-1]
        if len(after.turns) > len(before.turns):
            found = explain(before.board, last.move, Variant.EXPERT)
            right = found.legal and found.points == last.claim
        else:
            assert last.objections[-1].upheld == (not right)
            assert after.scores[last.seat] == before.scores[last.seat] - (0 if right else last.claim or 0)
            verdicts.append(right)
    assert len(set(verdicts)) == 2, "both kinds of objections came up"
