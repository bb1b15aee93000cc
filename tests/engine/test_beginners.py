"""Every model of a beginner in `bench/beginners.py` has a level that it beats in about half of the games."""

import pytest

from bench.calibrate import LEVEL_OF, one_game
from riverstones.engine.arena import Match, Tally, standings
from riverstones.engine.bots import DEFAULT_LEVEL

pytestmark = pytest.mark.slow

GAMES = 40
"""Enough to find a level that is far off. `python -m bench.calibrate` measures closely; the aim is 40 to 60 %."""


@pytest.mark.parametrize(("beginner", "level"), LEVEL_OF.items())
def test_a_beginner_wins_about_half_of_the_games_against_its_level(beginner: str, level: str) -> None:
    match = Match((beginner, level), 70_000 + ord(beginner))
    tally = Tally(match, [one_game(match, pairing) for pairing in match.pairings(GAMES)])
    mine, theirs = standings(match, tally.deals())
    assert 0.3 < mine.win_rate.mean < 0.7
    assert 0.7 < mine.points.mean / theirs.points.mean < 1.4


def test_the_first_opponent_is_the_level_of_a_beginner_who_does_not_know_flips() -> None:
    assert LEVEL_OF["B"] == DEFAULT_LEVEL
