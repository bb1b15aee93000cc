"""The PettingZoo environment passes PettingZoo's own tests, and plays by the rules."""

import copy
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from riverstones.envs import actions, observation, riverstones_v0
from riverstones.envs.deals import deal
from riverstones.envs.kernel_game import KernelGame
from riverstones.envs.riverstones_v0 import RiverstonesEnv
from riverstones.rules import Game, Layout, Position, Setup, Variant, view
from tests.envs.games import with_other_hidden_tiles

EVERY_SETUP = [(2, "standard", "sides"), (3, "expert", "corners"), (4, "standard", "star"), (2, "expert", "edges")]

DICT_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""What `api_test` says of every observation that is a dictionary, as those with an action mask are."""


def play_randomly(env: RiverstonesEnv, moves: int, rng: random.Random) -> list[Any]:
    """Make some moves, and give everything that all agents are told meanwhile."""
    told: list[Any] = []
    for agent in env.agent_iter(moves):
        *_, ended, _, _ = env.last()
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        env.step(None if ended else rng.choice(legal.tolist()))
        told += [(agent, array.tobytes()) for agent in env.possible_agents for array in env.observe(agent).values()]
        told += [dict(env.rewards), dict(env._cumulative_rewards), dict(env.terminations), env.agent_selection]
    return told


@pytest.mark.parametrize(("players", "variant", "layout"), EVERY_SETUP)
def test_it_passes_the_test_of_its_interface(players: int, variant: str, layout: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(riverstones_v0.env(players, variant, layout), num_cycles=100)
    assert {str(warning.message) for warning in caught} == DICT_WARNINGS


def test_a_seed_decides_everything() -> None:
    seed_test(riverstones_v0.env, num_cycles=40)


def test_it_passes_the_test_of_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(riverstones_v0.env)
    assert "> player_0: 0" in capsys.readouterr().out


def test_the_text_shows_the_board_and_no_hand() -> None:
    env = riverstones_v0.env(render_mode="ansi")
    env.reset(options={"deal": deal(16)})
    shown = env.render()
    game = Game.begin(Setup(), deal(16))
    assert shown is not None
    assert [f"{square}{tile}" for square, tile in game.board if str(tile) not in shown] == []
    assert shown.splitlines()[-2:] == ["> player_0: 0", "  player_1: 0"]
    assert shown.count("+") + shown.count("=") == 5


@pytest.mark.parametrize(("players", "variant", "layout"), EVERY_SETUP)
def test_everybody_sees_what_the_rules_say_at_every_ply(players: int, variant: str, layout: str) -> None:
    env, rng = riverstones_v0.env(players, variant, layout), random.Random(16)
    env.reset(seed=5)
    game = Game.begin(Setup(players, Variant(variant), Layout(layout)), deal(5))
    while True:
        for seat, agent in enumerate(env.possible_agents):
            seen, expected = env.observe(agent), observation.observe(view(game, seat))
            assert all(np.array_equal(seen[name], expected[name]) for name in expected)
            assert [array.dtype for array in seen.values()] == [array.dtype for array in expected.values()]
        if game.over:
            break
        agent = env.agent_selection
        assert agent == f"player_{game.to_move}"
        action = rng.choice(actions.legal_actions(Position.of(game)))
        before, game = game, game.play(actions.decode(Position.of(game), action))
        env.step(action)
        assert env.rewards == {
            **dict.fromkeys(env.agents, 0.0),
            agent: float(game.scores[before.to_move] - before.scores[before.to_move]),
        }
    assert all(env.terminations.values())


@pytest.mark.parametrize(("players", "variant"), [(2, "standard"), (3, "expert"), (4, "expert")])
def test_nobody_sees_a_difference_in_what_is_hidden(players: int, variant: str) -> None:
    """Environments in which other tiles are in the bag and in the other hands look the same to a seat."""
    env, other, rng = riverstones_v0.env(players, variant), riverstones_v0.env(players, variant), random.Random(16)
    game, differing = Game.begin(Setup(players, Variant(variant)), deal(7)), 0
    env.reset(seed=7)
    while not game.over:
        for seat, agent in enumerate(env.possible_agents):
            changed = with_other_hidden_tiles(game, seat, rng)
            differing += changed.hands != game.hands
            other.reset()
            other._game = KernelGame.of(changed)
            other.agent_selection = env.agent_selection
            for name, array in env.observe(agent).items():
                assert array.tobytes() == other.observe(agent)[name].tobytes()
                assert array.tobytes() == observation.observe(view(changed, seat))[name].tobytes()
        action = rng.choice(actions.legal_actions(Position.of(game)))
        game = game.play(actions.decode(Position.of(game), action))
        env.step(action)
    assert differing > 30


@pytest.mark.parametrize("moves", [0, 30, 66, 68])
def test_a_copy_and_a_pickle_go_on_as_the_original(moves: int) -> None:
    env = riverstones_v0.env(3, "expert", reward="win")
    env.reset(seed=1)
    play_randomly(env, moves, random.Random(1))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    told = play_randomly(env, 40, random.Random(2))
    env.reset()
    told += play_randomly(env, 3, random.Random(3))
    for twin in twins:
        again = play_randomly(twin, 40, random.Random(2))
        twin.reset()
        assert again + play_randomly(twin, 3, random.Random(3)) == told


def test_each_call_gives_new_arrays() -> None:
    env = riverstones_v0.env()
    env.reset(seed=3)
    first = env.observe("player_0")
    first["observation"][:] = 0
    first["action_mask"][:] = 0
    assert env.observe("player_0")["action_mask"].any()


def test_games_of_a_seed_follow_each_other() -> None:
    env = riverstones_v0.env()
    boards = []
    for seed in (9, None, 9, None):
        env.reset(seed=seed)
        boards.append(env.observe("player_1")["observation"].tolist())
    assert boards[:2] == boards[2:]
    assert boards[0] != boards[1]


@pytest.mark.parametrize("action", [0, 1458])
def test_an_illegal_action_ends_the_game_with_a_penalty(action: int) -> None:
    env = riverstones_v0.env(3, illegal_reward=-5)
    env.reset(seed=0)
    env.step(action)
    assert env.rewards == {"player_0": -5, "player_1": 0, "player_2": 0}
    assert "action" in env.infos["player_0"]["illegal_action"]
    assert all(env.terminations.values())
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert not seen["action_mask"].any()
        assert not observation.parts(seen["observation"])["to_move"].any()
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("action", [None, -1, 3978])
def test_what_is_no_action_is_refused_and_changes_nothing(action: int | None) -> None:
    env = riverstones_v0.env()
    env.reset(seed=0)
    before = env.observe("player_0")["observation"].tolist()
    with pytest.raises(ValueError, match="an action is a number from 0 to 3977"):
        env.step(action)
    assert env.observe("player_0")["observation"].tolist() == before
    assert env.agent_selection == "player_0"


def test_a_win_can_be_the_only_reward() -> None:
    env = riverstones_v0.env(reward="win")
    env.reset(seed=2)
    while not any(env.terminations.values()):
        assert not any(env.rewards.values())
        env.step(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1])
    scores = observation.parts(env.observe("player_0")["observation"])["scores"].tolist()
    assert scores[0] != scores[1]
    assert list(env.rewards.values()) == [float(score == max(scores)) for score in scores]


def test_margins_add_up_to_nothing() -> None:
    env, rng = riverstones_v0.env(3, reward="margin"), random.Random(4)
    env.reset(seed=4)
    totals = np.zeros(3)
    while not any(env.terminations.values()):
        env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()))
        rewards = list(env.rewards.values())
        assert sum(rewards) == 0
        totals += rewards
    scores = observation.parts(env.observe("player_0")["observation"])["scores"]
    assert totals.tolist() == [score - (scores.sum() - score) / 2 for score in scores]
    assert totals.any()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"players": 5}, "players must be one of 2, 3 and 4, not 5"),
        ({"variant": "hard"}, "variant must be one of standard, expert, not 'hard'"),
        ({"layout": "ring"}, "layout must be one of sides, corners, star, edges, not 'ring'"),
        ({"reward": "joy"}, "reward must be one of points, margin, win, not 'joy'"),
        ({"render_mode": "smell"}, "render_mode must be one of human, ansi, not 'smell'"),
    ],
)
def test_an_unknown_option_is_explained(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        riverstones_v0.env(**arguments)


def test_nothing_works_before_the_first_reset() -> None:
    env = riverstones_v0.env(render_mode="ansi")
    for use in (lambda: env.step(0), lambda: env.observe("player_0"), env.render):
        with pytest.raises(RuntimeError, match=r"reset\(\) first"):
            use()
