"""The mean luck over many games is zero, also for a level that plays nothing like the engine expects."""

from __future__ import annotations

import statistics

import pytest

from riverstones.rules import Setup

pytest.importorskip("numba", reason="Numba is not installed")

from bench.luck import luck_of

GAMES = 240


@pytest.mark.long
@pytest.mark.slow
def test_the_mean_luck_of_pebble_over_240_games_is_zero() -> None:
    """One turn of each game, so that all are independent. Later turns take longer to infer hands from; `test_draws`
    has some of them."""
    lucks = []
    for number in range(GAMES):
        seat, luck = next(luck_of("pebble", number, Setup(), {number % 40}))
        lucks.append(luck if seat == 0 else -luck)
    error = statistics.stdev(lucks) / GAMES**0.5
    assert 0 < error < 0.0025  # so that a bias of one hundredth per tile is noticed
    assert abs(statistics.mean(lucks)) < 4 * error
