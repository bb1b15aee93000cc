"""Simulation: the worlds are possible, the play is greedy, and the win probability follows."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from statistics import fmean

import pytest

from riverstones.engine.analysis import Progress
from riverstones.engine.choose import analyse
from riverstones.engine.levels import OCEAN, Heat, Simulation, Stage
from riverstones.engine.situation import Situation
from riverstones.rules import Deal, Variant
from tests.engine.positions import game_after, seen

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.engine import iterative, simulation
from riverstones.engine.arrays import read
from riverstones.engine.win_probability import win_probabilities

LITTLE = Simulation(3, (Heat(None, 4), Heat(10, 8)))
QUICK = replace(OCEAN, many=(Stage(1, fade=0.55),), simulation=LITTLE, inference=None)


def sampled(situation: Situation, count: int, seed: int = 1) -> list[list[int]]:
    """The worlds that a simulation with this seed begins with."""
    size = sum(situation.unseen)
    tiles = read(simulation._worlds(situation, count, random.Random(seed)), 0, count * size)
    return [tiles[world * size : (world + 1) * size] for world in range(count)]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("turns", [5, 40, 60])
def test_every_world_holds_the_unseen_tiles(seats: int, turns: int) -> None:
    situation = Situation.of(seen(game_after(turns, seats=seats)))
    unseen = Counter({digit: count for digit, count in enumerate(situation.unseen) if count})
    worlds = sampled(situation, 50)
    assert all(Counter(world) == unseen for world in worlds)
    assert len({tuple(world) for world in worlds}) > 20


def test_kept_tiles_are_as_frequent_as_they_are_likely() -> None:
    situation = Situation.of(seen(game_after(20, seats=3)))
    likely = [0.0] * 10
    likely[2], likely[7] = 0.75, 0.25
    situation = replace(situation, kept=(situation.kept[0], situation.kept[1], tuple(likely)))
    worlds = sampled(situation, 4000)
    kept = Counter(world[2] for world in worlds)
    assert kept.keys() == {2, 7}
    assert kept[2] / 4000 == pytest.approx(0.75, abs=0.03)
    for place in (0, 1, len(worlds[0]) // 2, len(worlds[0]) - 1):
        others = Counter(world[place] for world in worlds)
        for digit, count in enumerate(situation.unseen):
            likely_here = count / sum(situation.unseen)
            assert others[digit] / 4000 == pytest.approx(likely_here, abs=0.03)


@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize(("seats", "turns"), [(3, 5), (4, 30), (3, 55), (4, 58)])
def test_the_worlds_are_played_on_as_the_rules_play_greedily(seats: int, turns: int, variant: Variant) -> None:
    game = game_after(turns, seats=seats, variant=variant)
    situation = Situation.of(seen(game))
    table = simulation._Table(situation, Simulation(2, (Heat(None, 6),)), seed=3)
    turns_left = (situation.tiles_left - 1 - min(2 * seats, situation.tiles_left - 1)) / seats
    for candidate in iterative.look_ahead(situation, (Stage(1),)).candidates[:3]:
        finals = []
        for world in sampled(situation, 6, seed=3):
            # The same world as a deal of the whole game: what has been drawn, in any order, then the bag.
            hands = [list(game.hand)]
            for size in situation.sizes[1:]:
                hands.append(world[:size])
                world = world[size:]
            seated = tuple(tuple(sorted(hands[(seat - game.to_move) % seats])) for seat in range(seats))
            drawn = Counter(game.deal.digits) - Counter(world)
            deal = Deal((*drawn.elements(), *world))
            after = replace(game, deal=deal, hands=seated).play(candidate.move)
            for _ in range(2 * seats):
                if not after.over:
                    after = after.play(after.plays()[0].move)
            finals.append([after.scores[(game.to_move + n) % seats] for n in range(seats)])
        expected = fmean(shares[0] for shares in win_probabilities(finals, turns_left))
        assert table.play_on(candidate, 0).win == pytest.approx(expected)


@pytest.mark.parametrize("seats", [3, 4])
def test_every_play_is_ranked_by_its_win_probability(seats: int) -> None:
    game = game_after(20, seats=seats)
    found = analyse(seen(game), QUICK)
    assert found.method == "simulation"
    assert found.complete
    assert sorted(str(c.move) for c in found.candidates) == sorted(str(p.move) for p in game.plays())
    assert all(c.win is not None and 0.0 <= c.win <= 1.0 for c in found.candidates)
    worths = [simulation.worth(candidate) for candidate in found.candidates[:10]]
    assert worths == sorted(worths, reverse=True)
    assert found.best.variation


def test_the_same_seed_gives_the_same_answer_and_another_one_other_worlds() -> None:
    known = seen(game_after(20, seats=4))
    assert analyse(known, QUICK, seed=1) == analyse(known, QUICK, seed=1)
    assert analyse(known, QUICK, seed=1) != analyse(known, QUICK, seed=2)


def test_two_seats_are_not_simulated() -> None:
    assert analyse(seen(game_after(20)), OCEAN).method == "look-ahead"


def test_a_simulation_that_is_stopped_says_so_and_keeps_the_heats_before() -> None:
    known = seen(game_after(20, seats=4))
    plays = len(game_after(20, seats=4).plays())
    questions: list[bool] = []

    def stop() -> bool:
        questions.append(True)
        # The look-ahead asks before every play but the first, the first heat before every play.
        return len(questions) > 2 * plays - 1 + 5

    stopped = analyse(known, QUICK, stop=stop)
    first = analyse(known, replace(QUICK, simulation=Simulation(3, LITTLE.heats[:1])))
    assert not stopped.complete
    assert [c.move for c in stopped.candidates] == [c.move for c in first.candidates]


def test_a_budget_of_nodes_is_kept_within_one_play() -> None:
    known = seen(game_after(20, seats=4))
    whole = analyse(known, QUICK)
    tree = analyse(known, replace(QUICK, simulation=None))
    for nodes in (tree.nodes + 100, tree.nodes + 3_000):
        part = analyse(known, QUICK, nodes=nodes)
        assert not part.complete
        assert nodes <= part.nodes <= nodes + 8 * 12
        assert part == analyse(known, QUICK, nodes=nodes)
    assert analyse(known, QUICK, nodes=10**9) == whole


def test_progress_is_reported_for_every_heat() -> None:
    steps: list[Progress] = []
    analyse(seen(game_after(20, seats=4)), QUICK, progress=steps.append)
    last = [step for step in steps if step.step == "heat 2 of 2"]
    assert [(step.done, step.total) for step in last] == [(done, 10) for done in range(10)]
