"""What bots claim and object to: most are exact, the levels below stream make human errors."""

import hashlib
import random
from dataclasses import replace

import pytest

from riverstones.engine.claims import claim, objects
from riverstones.engine.human import PERSONAS, choose
from riverstones.rules import (
    Board,
    Game,
    Held,
    Move,
    Position,
    Scoring,
    Seed,
    Setup,
    Variant,
    View,
    kakuros_made,
    refusal,
    view,
)

SETUP = Setup(seats=3, scoring=Scoring.CLAIMS)
EXACT = "river"


def begin(number: int, setup: Setup = SETUP) -> Game:
    return Game.begin(setup, Seed(hashlib.sha256(f"claims {number}".encode()).digest()).deal())


def points(game: Game, move: Move) -> int:
    return sum(kakuro.sum for kakuro in kakuros_made(game.board, move))


def with_a_scoring_move(number: int) -> tuple[Game, Move]:
    """A game in which the seat to move has a good play, and that play."""
    game = begin(number)
    while (best := game.plays()[0]).points < 10:
        game = game.play(best.move, claim=best.points)
    return game, best.move


def composed(board: str) -> View:
    position = Position(Board.of(board), 0, (Held((5, 7)), Held((), 2)), (0, 0), 40)
    return View(0, Setup(scoring=Scoring.CLAIMS), position, (), over=False)


def claims_of(level: str, board: str, move: str, times: int = 2000) -> dict[int, float]:
    """The frequency of each claim for one move."""
    situation = composed(board)
    made = [claim(situation, Move.parse(move), level, random.Random(seed)) for seed in range(times)]
    return {amount: made.count(amount) / times for amount in set(made)}


def test_the_exact_levels_claim_what_the_move_scores() -> None:
    game = begin(0)
    rng = random.Random(0)
    while not game.over:
        move = rng.choice(game.plays()[:5]).move
        claimed = claim(view(game, game.to_move), move, EXACT, rng)
        assert claimed == points(game, move)
        game = game.play(move, claim=claimed)
        assert not objects(view(game, game.to_move), EXACT, rng)


def test_the_exact_levels_object_to_every_error_and_to_nothing_else() -> None:
    """One seat makes the moves and claims of pebble, so that there is something to catch."""
    errors = 0
    for number in range(5):
        game, rng = begin(number), random.Random(number)
        while not game.over:
            situation = view(game, game.to_move)
            move = choose(situation, PERSONAS["pebble"], rng)
            claimed = claim(situation, move, "pebble", rng)
            wrong = refusal(game.board, move, Variant.STANDARD) is not None or claimed != points(game, move)
            before = game.board
            game = game.play(move, claim=claimed)
            assert view(game, game.to_move).board_before_last() == before
            assert objects(view(game, game.to_move), EXACT, rng) == wrong
            if wrong:
                errors += 1
                game = game.object(game.to_move)
                assert game.turns[-1].upheld
                assert view(game, game.to_move).board_before_last() == before
    assert errors > 10


@pytest.mark.parametrize(("level", "most"), [("pebble", 0.15), ("brook", 0.1)])
def test_personas_err_sometimes(level: str, most: float) -> None:
    errors = moves = 0
    for number in range(6):
        game, rng = begin(number), random.Random(number)
        while not game.over:
            situation = view(game, game.to_move)
            move = choose(situation, PERSONAS[level], rng)
            claimed = claim(situation, move, level, rng)
            moves += 1
            errors += refusal(game.board, move, Variant.STANDARD) is not None or claimed != points(game, move)
            game = game.play(move, claim=claimed)
    assert most / 5 < errors / moves < most


def test_personas_forget_an_addend_or_a_ten() -> None:
    """4 | 9 + 5 = 14."""
    made = claims_of("pebble", "a1=4 b1+9", "c1+5")
    assert set(made) == {14, 14 - 9, 14 - 5, 14 - 10, 14 + 10}
    assert made[14] > 0.9
    assert claims_of("brook", "a1=4 b1+9", "c1+5")[14] > made[14]


def test_personas_overlook_the_second_kakuro_of_a_move() -> None:
    """On e5 a five makes 9 | 4 + 5 and 8 | 3 + 5; the better one is never forgotten."""
    made = claims_of("pebble", "c5=9 d5+4 e3=8 e4+3", "e5+5")
    assert made[17] > made[9] > 0.1
    assert made.get(8, 0) < 0.02


def test_personas_accept_a_repeated_digit() -> None:
    """1 | 5 + 1 + 5 is not a Kakuro, but the move makes no sense otherwise."""
    assert claims_of("pebble", "a1=1 b1+5 c1+1", "d1+5")[11] > 0.85
    assert claims_of("river", "a1=1 b1+5 c1+1", "d1+5") == {0: 1}


def test_personas_sometimes_count_a_mirage_beside_a_kakuro() -> None:
    """To the right 9 | 4 + 5 is a Kakuro, downwards 1 | 5 + 1 + 5 is not."""
    made = claims_of("pebble", "c5=9 d5+4 e2=1 e3+5 e4+1", "e5+5")
    assert made[9] > made[20] > 0.1


def test_personas_sometimes_count_a_total_after_its_addends() -> None:
    made = claims_of("pebble", "a1+3 b1+4", "c1=7")
    assert made[0] > made[7] > 0.1


@pytest.mark.parametrize("level", [*PERSONAS, EXACT])
def test_nobody_objects_to_a_right_claim(level: str) -> None:
    game, move = with_a_scoring_move(1)
    game = game.play(move, claim=points(game, move))
    assert not any(objects(view(game, game.to_move), level, random.Random(seed)) for seed in range(100))


def test_personas_miss_small_errors_more_often_than_large_ones() -> None:
    game, move = with_a_scoring_move(2)
    right = points(game, move)

    def caught(level: str, error: int) -> float:
        after = game.play(move, claim=right + error)
        return sum(objects(view(after, after.to_move), level, random.Random(seed)) for seed in range(1000)) / 1000

    assert 0.2 < caught("pebble", 1) < caught("pebble", 30) < caught("pebble", 60) == 1
    assert caught("pebble", 1) + 0.1 < caught("brook", 1) < 1
    assert caught(EXACT, 1) == 1


def test_there_is_nothing_to_object_to_before_the_first_move_or_with_automatic_scoring() -> None:
    rng = random.Random(0)
    assert not objects(view(begin(0), 0), EXACT, rng)
    automatic = begin(0, Setup())
    automatic = automatic.play(automatic.plays()[0].move)
    assert not objects(view(automatic, automatic.to_move), EXACT, rng)


def test_bots_do_not_object_to_their_own_move_or_twice_or_after_an_upheld_objection() -> None:
    rng = random.Random(0)
    game, move = with_a_scoring_move(3)
    wrong = game.play(move, claim=points(game, move) + 1)
    assert not objects(view(wrong, game.to_move), EXACT, rng)
    assert not objects(view(wrong, None), EXACT, rng)
    assert objects(view(wrong, wrong.to_move), EXACT, rng)
    taken_back = wrong.object(wrong.to_move)
    others = {0, 1, 2} - {game.to_move}
    assert not any(objects(view(taken_back, seat), EXACT, rng) for seat in others)


def test_an_illegal_flip_is_an_error_even_if_nothing_is_claimed() -> None:
    game = begin(4)
    square = game.board.frontier()[0]
    stone = next(stone for stone, _ in game.board)
    move = replace(game.plays()[-1].move, square=square, flips=(stone,))
    assert refusal(game.board, move, Variant.STANDARD) is not None
    game = game.play(move, claim=0)
    assert objects(view(game, game.to_move), EXACT, random.Random(0))
