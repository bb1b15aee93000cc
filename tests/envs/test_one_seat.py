"""The Gymnasium environment passes Gymnasium's own test; the bots in it play as they do everywhere."""

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from riverstones.engine import bots
from riverstones.envs import GYMNASIUM_ID, actions, observation
from riverstones.envs.deals import bot_seed, deal, mix
from riverstones.envs.one_seat import OneSeatEnv
from riverstones.rules import Deal, Game, Position, Setup, Variant, view
from tests.envs.games import with_other_hidden_tiles


def first_legal(seen: dict[str, Any]) -> np.int64:
    return np.int64(np.flatnonzero(seen["action_mask"])[0])


@pytest.mark.parametrize(
    "arguments",
    [
        {"opponent": "brook"},
        {"opponent": "greedy", "players": 3, "variant": "expert", "layout": "star", "seat": 2, "render_mode": "ansi"},
    ],
)
def test_it_passes_the_test_of_its_interface(arguments: dict[str, Any]) -> None:
    env = gymnasium.make(GYMNASIUM_ID, **arguments)
    assert isinstance(env.unwrapped, OneSeatEnv)
    check_env(env.unwrapped)  # with all warnings as errors


def test_a_whole_game_is_one_episode() -> None:
    env = gymnasium.make(GYMNASIUM_ID, opponent="greedy")
    seen, _ = env.reset(seed=16)
    total, ended, moves = 0.0, False, 0
    while not ended:
        seen, reward, ended, truncated, info = env.step(first_legal(seen))
        assert (truncated, info) == (False, {})
        total += float(reward)
        moves += 1
    parts = observation.parts(seen["observation"])
    assert moves == 34
    assert parts["scores"][0] == total
    assert not parts["hand_sizes"].any()


@pytest.mark.parametrize(("players", "seat", "variant"), [(2, 1, "standard"), (4, 2, "expert")])
def test_the_bots_move_as_on_a_table(players: int, seat: int, variant: str) -> None:
    env = OneSeatEnv("greedy", players, variant, seat=seat, reward="margin")
    seen, _ = env.reset(options={"deal": deal(3)})
    game, greedy, total, ended = Game.begin(Setup(players, Variant(variant)), deal(3)), bots.make("greedy"), 0.0, False
    while not ended:
        while game.to_move != seat:
            game = game.play(greedy(view(game, game.to_move)))
        expected = observation.observe(view(game, seat))
        assert all(np.array_equal(seen[name], expected[name]) for name in expected)
        assert np.array_equal(env.action_masks(), expected["action_mask"].astype(bool))
        action = first_legal(seen)
        game = game.play(actions.decode(Position.of(game), int(action)))
        seen, reward, ended, _, _ = env.step(action)
        total += reward
    while not game.over:
        game = game.play(greedy(view(game, game.to_move)))
    own = game.scores[seat]
    assert total == pytest.approx(own - (sum(game.scores) - own) / (players - 1))
    assert observation.parts(seen["observation"])["scores"].tolist() == [*game.scores[seat:], *game.scores[:seat]]


def test_the_agent_sees_no_difference_in_what_is_hidden() -> None:
    env, other, rng = OneSeatEnv("greedy", 3), OneSeatEnv("greedy", 3), random.Random(16)
    seen, _ = env.reset(seed=7)
    other.reset()
    ended = False
    while not ended:
        assert env._game is not None
        other._game = with_other_hidden_tiles(env._game, 0, rng)
        changed = other._observe(other._game)
        assert all(seen[name].tobytes() == changed[name].tobytes() for name in seen)
        assert env.action_masks().tobytes() == other.action_masks().tobytes()
        seen, _, ended, _, _ = env.step(first_legal(seen))


@pytest.mark.parametrize("action", [0, 1458, 3977])
def test_an_illegal_action_ends_the_episode_with_a_penalty(action: int) -> None:
    env = OneSeatEnv("greedy", illegal_reward=-7)
    env.reset(seed=1)
    seen, reward, ended, truncated, info = env.step(np.int64(action))
    assert (reward, ended, truncated) == (-7, True, False)
    assert info["illegal_action"].startswith(f"action {action} ")
    assert not seen["action_mask"].any()
    assert not observation.parts(seen["observation"])["to_move"].any()
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        env.step(np.int64(action))
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        env.action_masks()


def test_a_copy_goes_on_as_the_original() -> None:
    env = OneSeatEnv("pebble")
    seen, _ = env.reset(seed=2)
    for _ in range(5):
        seen, *_ = env.step(first_legal(seen))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    after, *_ = env.step(first_legal(seen))
    fresh, _ = env.reset()
    for twin in twins:
        assert np.array_equal(twin.step(first_legal(seen))[0]["observation"], after["observation"])
        assert np.array_equal(twin.reset()[0]["observation"], fresh["observation"])


def test_a_given_deal_does_not_count_as_a_game_of_the_seed() -> None:
    env, given = OneSeatEnv("greedy"), {"deal": deal(9)}
    resets: list[dict[str, Any]] = [{"seed": 5}, {"options": given}, {}, {"options": given}, {}]
    dealt: list[Deal] = []
    for arguments in resets:
        env.reset(**arguments)
        assert env._game is not None
        dealt.append(env._game.deal)
    assert dealt == [deal(5, 0), deal(9), deal(5, 1), deal(9), deal(5, 2)]


def test_the_bots_seeds_are_those_of_the_game_and_no_key_of_a_deal() -> None:
    env, numbers = OneSeatEnv("greedy", 4, seat=1), range(20)
    env.reset(seed=5)
    env.reset()
    assert env._bot_seeds == {seat: bot_seed(5, 1, seat) for seat in (2, 3, 0)}
    seeds = {bot_seed(5, number, seat) for number in numbers for seat in range(4)}
    assert len(seeds) == 80
    assert not seeds & {mix(mix(5) + number) >> shift for number in range(80) for shift in (0, 16)}


def test_the_board_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    env = OneSeatEnv("greedy", seat=1, render_mode="human")
    seen, _ = env.reset(seed=0)
    env.step(first_legal(seen))
    shown = capsys.readouterr().out
    assert shown.count("> player_1") == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"opponent": "puddle"}, "There is no bot called “puddle”"),
        ({"players": 3, "opponent": ["brook"]}, "3 players have 2 opponents, not 1"),
        ({"seat": 2}, "seat must be from 0 to 1, not 2"),
        ({"players": 1}, "players must be one of 2, 3 and 4, not 1"),
        ({"reward": "joy"}, "reward must be one of points, margin, win, not 'joy'"),
        ({"render_mode": "smell"}, "render_mode must be one of human, ansi, not 'smell'"),
    ],
)
def test_an_unknown_option_is_explained(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        OneSeatEnv(**arguments)
