"""The report of a match."""

import random
from itertools import pairwise
from math import inf
from statistics import fmean

import pytest

from riverstones.engine.arena import Forfeit, Match, Pairing, Result, Sprt, Tally, Trial, standings, to_json
from riverstones.engine.arena.run import compete
from riverstones.engine.arena.statistics import elo, expected_score, mean_interval, share_interval

PAIR = Match(("a", "b"))


def games(match: Match, *scores: tuple[int, ...]) -> Tally:
    """A match with these final scores, in the order of the bots and not of the seats."""
    tally = Tally(match)
    for pairing, points in zip(match.pairings(len(scores)), scores, strict=True):
        order = match.order(pairing)
        seat_scores = tuple(points[bot] for bot in order)
        tally.add(Result(pairing, order, seat_scores, ("",) * 67, (34.0,) * match.seats))
    return tally


def test_wins_draws_points_and_margin_are_counted() -> None:
    first, second = standings(PAIR, games(PAIR, (10, 4), (7, 7), (3, 8), (9, 8)).deals())
    assert (first.name, first.wins, first.draws) == ("a", 2, 1)
    assert (second.name, second.wins, second.draws) == ("b", 1, 1)
    assert first.win_rate.mean == pytest.approx(2.5 / 4)
    assert second.win_rate.mean == pytest.approx(1.5 / 4)
    assert first.points.mean == pytest.approx(29 / 4)
    assert first.margin.mean == pytest.approx(2 / 4) == -second.margin.mean
    assert first.elo.mean == pytest.approx(-second.elo.mean) == pytest.approx(elo(2.5 / 4))
    assert first.ms_per_move == pytest.approx(4 * 34 / (4 * 33.5))


def test_only_deals_that_were_played_in_every_seating_count() -> None:
    tally = games(PAIR, (10, 4), (3, 8))
    tally.add(Result(Pairing(1, 0), (0, 1), (99, 0), (), (0, 0)))
    assert len(tally) == 3
    assert to_json(PAIR, tally.deals())["games"] == 2


def test_a_win_shared_by_three_counts_a_third() -> None:
    match = Match(("a", "b", "b", "b"))
    first, *others = standings(match, games(match, (5, 5, 5, 1), *[(1, 2, 3, 4)] * 3).deals())
    assert first.win_rate.mean == pytest.approx(1 / 3 / 4)
    assert (first.wins, first.draws) == (0, 1)
    assert sum(other.win_rate.mean for other in others) == pytest.approx(1 - 1 / 12)
    assert first.score.mean == pytest.approx((0.5 + 0.5 + 1) / 3 / 4)


def test_a_forfeit_loses_whatever_the_score() -> None:
    tally = Tally(PAIR)
    for seating, order in enumerate(((0, 1), (1, 0))):
        seat = order.index(0)
        scores = tuple(50 if bot == 0 else 3 for bot in order)
        tally.add(Result(Pairing(0, seating), order, scores, ("x",) * 9, (1, 1), Forfeit(seat, "it fell asleep")))
    first, second = standings(PAIR, tally.deals())
    assert (first.wins, first.forfeits, second.wins, second.forfeits) == (0, 2, 2, 0)
    assert first.score.mean == first.win_rate.mean == 0
    assert [forfeit["reason"] for forfeit in to_json(PAIR, tally.deals())["forfeits"]] == ["it fell asleep"] * 2


def test_the_report_for_programs_has_its_fixed_fields() -> None:
    report = to_json(PAIR, games(PAIR, (10, 4), (9, 4), (5, 8), (3, 2)).deals())
    assert (report["games"], report["seats"], report["deals"]) == (4, 2, 2)
    fixed = {"name", "wins", "draws", "win_rate", "win_rate_ci95", "mean_points", "ms_per_move"}
    assert all(fixed <= set(bot) for bot in report["bots"])
    low, high = report["bots"][0]["win_rate_ci95"]
    assert 0 <= low < report["bots"][0]["win_rate"] < high <= 1


def test_infinite_values_are_null_in_the_report() -> None:
    bot = to_json(PAIR, games(PAIR, (10, 4), (9, 4)).deals())["bots"][0]
    assert bot["elo"] is None
    assert bot["elo_ci95"][1] is None
    assert bot["margin_ci95"] == [None, None]


def test_a_match_without_a_complete_deal_reports_no_bots() -> None:
    assert to_json(PAIR, [])["bots"] == []


# Statistics -------------------------------------------------------------------------------------------------


def test_elo_and_score_convert_into_each_other() -> None:
    assert str(elo(0.5)) == "0.0"
    assert elo(10 / 11) == pytest.approx(400)
    assert (elo(0), elo(1)) == (-inf, inf)
    for difference in (-300, -10, 0, 50, 700):
        assert elo(expected_score(difference)) == pytest.approx(difference)


def test_an_interval_of_single_games_is_the_textbook_one() -> None:
    """Agresti and Coull for 8 of 10."""
    assert list(share_interval([1] * 8 + [0] * 2)) == pytest.approx([0.4794, 0.9541], abs=1e-4)


def test_all_games_won_are_not_a_certain_win() -> None:
    low, high = share_interval([1.0] * 20)
    assert 0.75 < low < 0.9
    assert high == 1


@pytest.mark.parametrize("count", [2, 5, 11, 12, 60])
def test_the_interval_of_a_mean_has_95_percent_coverage(count: int) -> None:
    rng = random.Random(count)
    tries = 4000
    held = 0
    for _ in range(tries):
        low, high = mean_interval([rng.gauss(3, 2) for _ in range(count)])
        held += low < 3 < high
    assert 0.935 < held / tries < 0.965


@pytest.mark.parametrize("strength", [0.5, 0.8, 0.95])
def test_the_interval_of_a_win_rate_has_coverage_although_games_of_a_deal_are_correlated(strength: float) -> None:
    """In half of the deals the tiles decide: the good seat wins. In the other half the better bot wins."""
    rng = random.Random(1)

    def deal() -> float:
        return 0.5 if rng.random() < 0.5 else float(rng.random() < strength)

    truth, tries = 0.25 + strength / 2, 2000
    intervals = [share_interval([deal() for _ in range(40)]) for _ in range(tries)]
    assert 0.935 < sum(low < truth < high for low, high in intervals) / tries < 0.985


def test_duplicate_deals_narrow_the_interval() -> None:
    """The same games as deals of two seatings each, where luck cancels, and as if they were unrelated."""
    rng = random.Random(2)
    luck = [rng.gauss(0, 50) for _ in range(100)]
    single = [fortune + rng.gauss(5, 10) for fortune in luck for fortune in (fortune, -fortune)]
    paired = [fmean(pair) for pair in zip(single[::2], single[1::2], strict=True)]
    one, two = mean_interval(single), mean_interval(paired)
    assert two.high - two.low < (one.high - one.low) / 3


def test_one_deal_says_nothing_about_the_margin() -> None:
    assert mean_interval([7.0]) == (-inf, inf)


# The sequential test ----------------------------------------------------------------------------------------


def trial(difference: float, seed: int, most: int = 5000) -> Trial:
    """A test of 0 against 50 Elo on deals of two independent games at this true difference."""
    rng, tested = random.Random(seed), Trial(Sprt(0, 50))
    while tested.decision is None and tested.deals < most:
        tested.add(sum(rng.random() < expected_score(difference) for _ in range(2)) / 2)
    return tested


def test_the_sequential_test_decides_and_is_seldom_wrong() -> None:
    weak = [trial(0, seed).decision for seed in range(40)]
    strong = [trial(50, seed).decision for seed in range(40)]
    assert weak.count("elo1") <= 5
    assert strong.count("elo0") <= 5
    assert None not in weak + strong


def test_a_clear_case_is_decided_sooner_than_a_close_one() -> None:
    clear, close = (fmean(trial(difference, seed).deals for seed in range(10)) for difference in (250, 25))
    assert clear < close / 2


def test_the_ratio_agrees_with_the_plain_likelihood_of_coin_tosses() -> None:
    """With wins and losses alone there is one distribution for each mean, so the ratio is known."""
    from math import log

    p0, p1 = expected_score(0), expected_score(50)
    expected = 30 * log(p1 / p0) + 20 * log((1 - p1) / (1 - p0))
    assert Sprt(0, 50).log_ratio({1.0: 30, 0.0: 20}) == pytest.approx(expected)


def test_deals_that_always_split_speak_for_equal_strength() -> None:
    tested = Trial(Sprt(0, 50))
    ratios = []
    for _ in range(50):
        tested.add(0.5)
        ratios.append(tested.log_ratio)
    assert all(later < sooner for sooner, later in pairwise(ratios))


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta"),
    [
        (5, 5, 0.05, 0.05),
        (5, 0, 0.05, 0.05),
        (0, 5, 0, 0.05),
        (0, 5, 0.05, 0.5),
        (0, inf, 0.05, 0.05),
        (-1e6, 0, 0.05, 0.05),
    ],
)
def test_an_impossible_test_is_refused(elo0: float, elo1: float, alpha: float, beta: float) -> None:
    with pytest.raises(ValueError, match=r"elo0 must be less|between 0 and 0\.5|between -4000 and 4000"):
        Sprt(elo0, elo1, alpha, beta)


def test_the_widest_test_is_still_finite() -> None:
    tested = Trial(Sprt(-4000, 4000))
    tested.add(0.75)
    assert 0 < tested.log_ratio < inf


def test_a_match_ends_when_its_test_is_decided() -> None:
    match = Match(("pebble", "greedy"), seed=1)
    tested, tally = Trial(Sprt(0, 100)), Tally(match)
    compete(tally, 10_000, trial=tested)
    assert tested.decision == "elo0"
    assert len(tally) == 2 * tested.deals < 200
    again = Trial(Sprt(0, 100))
    compete(tally, 10_000, trial=again)
    assert again.to_json() == tested.to_json()
    assert to_json(match, tally.deals(), tested)["sprt"]["decision"] == "elo0"
