"""The biggest miss of a seat is a move that the review, too, would call a mistake."""

import pytest

from riverstones.engine.choose import choose
from riverstones.engine.levels import has_kernel
from riverstones.rules import Game, Play, Seed, Setup, view
from riverstones.rules.deal import SEED_BYTES
from riverstones.study.hints import hint_level
from riverstones.study.review.judgement import JUDGE
from riverstones.study.review.misses import biggest_misses

pytestmark = pytest.mark.skipif(not has_kernel(), reason="the engine is not installed")

TURNS = 36


@pytest.fixture(scope="module")
def games() -> list[Game]:
    """A game in which the first seat makes the judge's move and the second the one with the fewest points."""
    game = Game.begin(Setup(), Seed(bytes(SEED_BYTES)).deal())
    found = [game]
    for turn in range(TURNS):
        known = view(game, game.to_move)
        game = game.play(game.plays()[-1].move if turn % 2 else choose(known, JUDGE))
        found.append(game)
    return found


def most_of(games: list[Game]) -> list[Play]:
    return [game.plays()[0] for game in games[:-1]]


def test_a_move_that_gives_up_points_for_something_better_is_no_miss(games: list[Game]) -> None:
    by_points = biggest_misses(games, most_of(games), judged=False)
    assert by_points[0] is not None
    assert by_points[1] is not None
    judged = biggest_misses(games, most_of(games), judged=True)
    assert judged == (None, by_points[1])


def test_hints_come_from_the_judge_of_reviews() -> None:
    assert JUDGE.name == hint_level()


def test_nobody_misses_anything_in_a_game_without_turns(games: list[Game]) -> None:
    assert biggest_misses(games[:1], [], judged=True) == (None, None)
