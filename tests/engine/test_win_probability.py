"""Win probability: certain at the end, more certain the fewer turns are left, and part of every play of two seats."""

from __future__ import annotations

import pytest

from riverstones.engine.choose import analyse
from riverstones.engine.levels import OCEAN, RAPIDS, RIVER, Level
from riverstones.rules import Outcome, Play, Position
from tests.engine.positions import game_after, seen

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.engine.win_probability import win_probabilities


def test_a_game_that_is_over_is_won_by_the_one_with_most_points() -> None:
    scores = [[30, 20, 10], [20, 30, 10], [30, 30, 10], [30, 30, 30]]
    win_probability = [shares[0] for shares in win_probabilities(scores, 0.0)]
    assert win_probability == pytest.approx(
        [float(0 in (o := Outcome.of(tuple(s))).winners) / len(o.winners) for s in scores]
    )


def test_a_lead_is_worth_the_more_the_fewer_turns_are_left() -> None:
    early, late = (win_probabilities([(40, 30, 30, 30)], turns)[0][0] for turns in (15.0, 1.0))
    assert 0.25 < early < late < 1.0


@pytest.mark.parametrize("level", [OCEAN, RAPIDS], ids=lambda level: level.name)
def test_with_two_seats_the_better_play_has_the_higher_win_probability(level: Level) -> None:
    found = analyse(seen(game_after(40)), level)
    reached = [candidate for candidate in found.candidates if candidate.standard_error == found.best.standard_error]
    win_probability = [candidate.win or 0.0 for candidate in reached]
    assert len(set(win_probability)) > 5
    assert win_probability == sorted(win_probability, reverse=True)
    assert all(candidate.win is not None for candidate in found.candidates)


@pytest.mark.parametrize(("lead", "low", "high"), [(-500, 0.0, 0.001), (0, 0.1, 0.9), (500, 0.999, 1.0)])
def test_a_decided_game_is_recognised_and_still_played_well(lead: int, low: float, high: float) -> None:
    position = Position.of(game_after(40))
    scores = (1000 + lead, 1000) if position.to_move == 0 else (1000, 1000 + lead)
    found = analyse(Position(position.board, position.to_move, position.hands, scores, position.bag), OCEAN)
    assert found.best.win is not None
    assert low <= found.best.win <= high
    assert found.best.mean == max(candidate.mean for candidate in found.candidates[:12])


def test_values_that_stop_at_ones_own_next_play_have_no_win_probability() -> None:
    assert analyse(seen(game_after(40)), RIVER).best.win is None


@pytest.mark.parametrize(("seats", "turns"), [(2, 30), (2, 62), (2, 64), (3, 30), (3, 65), (4, 64)])
def test_the_win_probabilities_of_all_seats_sum_to_one(seats: int, turns: int) -> None:
    found = analyse(seen(game_after(turns, seats=seats)), OCEAN)
    for candidate in found.candidates:
        assert candidate.wins is not None
        assert len(candidate.wins) == seats
        assert sum(candidate.wins) == pytest.approx(1)
        assert candidate.win == candidate.wins[0]


@pytest.mark.parametrize(("seats", "turns"), [(2, 30), (2, 64), (3, 30)])
def test_a_play_that_is_asked_for_is_searched_as_deeply_as_the_best(seats: int, turns: int) -> None:
    game = game_after(turns, seats=seats)
    last = game.plays()[-1]
    plain, asked = (analyse(seen(game), OCEAN, also=also) for also in ([], [last]))
    found = next(each for each in asked.candidates if (each.move, each.points) == (last.move, last.points))
    assert found.standard_error == asked.best.standard_error
    assert (asked.best.move, asked.best.mean) == (plain.best.move, plain.best.mean)
    assert len(asked.candidates) == len(plain.candidates)


def test_a_play_that_is_asked_for_need_not_be_legal() -> None:
    game = game_after(30)
    best = game.plays()[0]
    assert best.points
    unscored = Play(best.move, (), 0)
    found = analyse(seen(game), OCEAN, also=[unscored])
    scored, other = (
        next(each for each in found.candidates if (each.move, each.points) == (play.move, play.points))
        for play in (best, unscored)
    )
    assert other.mean == pytest.approx(scored.mean - best.points)
