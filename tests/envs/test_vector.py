"""The games of a vector are those of the rules, move for move, through as many games as one likes."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from riverstones import envs
from riverstones.envs import actions
from riverstones.envs.actions import ACTION_COUNT, decode
from riverstones.envs.deals import deal
from riverstones.envs.observation import Observation, length, observe
from riverstones.envs.options import ILLEGAL_REWARD
from riverstones.envs.vector import VectorEnv
from riverstones.rules import Game, Layout, Position, Setup, Variant, view

SETUPS = [
    Setup(2),
    Setup(2, Variant.EXPERT, Layout.EDGES),
    Setup(3, Variant.STANDARD, Layout.CORNERS),
    Setup(4, Variant.EXPERT, Layout.STAR),
]
GAME_MOVES = 67


def name(setup: Setup) -> str:
    return f"{setup.seats} {setup.variant.value} {setup.layout.value}"


def vector(num_envs: int, setup: Setup = SETUPS[0], **options: Any) -> VectorEnv:
    return VectorEnv(num_envs, setup.seats, setup.variant.value, setup.layout.value, **options)


def same(seen: Observation, index: int, expected: Observation) -> bool:
    return all(np.array_equal(seen[part][index], expected[part]) for part in ("observation", "action_mask"))


def seen_by_next(game: Game) -> Observation:
    return observe(view(game, game.to_move))


@pytest.mark.parametrize("setup", SETUPS, ids=name)
def test_games_are_those_of_the_rules_across_resets(setup: Setup) -> None:
    seeds = [7, 8, 9]
    vec = vector(3, setup)
    observations, _ = vec.reset(seed=7)
    games = [Game.begin(setup, deal(seed)) for seed in seeds]
    for move in range(2 * GAME_MOVES + 10):
        assert all(same(observations, i, seen_by_next(game)) for i, game in enumerate(games))
        chosen = vec.sample_actions()
        movers = [game.to_move for game in games]
        games = [game.play(decode(Position.of(game), int(action))) for game, action in zip(games, chosen, strict=True)]
        observations, rewards, terminations, truncations, infos = vec.step(chosen)
        assert rewards.tolist() == [game.turns[-1].points for game in games]
        assert infos["seat"].tolist() == movers
        assert terminations.tolist() == [game.over for game in games]
        assert not truncations.any()
        assert not infos["illegal"].any()
        if games[0].over:
            final = infos["final_info"]
            assert final["scores"].tolist() == [list(game.scores) for game in games]
            for i, game in enumerate(games):
                assert all(
                    np.array_equal(infos["final_obs"][i][part], array) for part, array in seen_by_next(game).items()
                )
            number = move // GAME_MOVES + 1
            games = [Game.begin(setup, deal(seed, number)) for seed in seeds]
        assert infos["scores"].tolist() == [list(game.scores) for game in games]
        assert infos["to_move"].tolist() == [game.to_move for game in games]


def test_the_package_has_it() -> None:
    assert envs.VectorEnv is VectorEnv
    with pytest.raises(AttributeError):
        envs.NoSuchEnv  # noqa: B018


def test_observations_lie_in_their_spaces() -> None:
    vec = vector(2, SETUPS[3])
    observations, _ = vec.reset(seed=1)
    assert vec.observation_space.contains(observations)
    for _ in range(70):
        chosen = vec.sample_actions()
        assert vec.action_space.contains(chosen)
        observations, *_ = vec.step(chosen)
        assert vec.observation_space.contains(observations)
    assert observations["observation"].shape == (2, length(4))
    assert vec.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_a_random_player_chooses_evenly_among_the_legal_actions() -> None:
    vec = vector(2000)
    observations, _ = vec.reset(seed=[5] * 2000)
    legal = observations["action_mask"][0].nonzero()[0]
    vec._sampling[:] = np.arange(2000, dtype=np.uint64) << np.uint64(32)
    counts = np.bincount(vec.sample_actions(), minlength=ACTION_COUNT)
    assert set(counts.nonzero()[0]) <= set(legal)
    expected = 2000 / len(legal)
    # The sum of squares has a chi-squared distribution; it exceeds this with a probability below one in a million.
    freedom = len(legal) - 1
    assert ((counts[legal] - expected) ** 2 / expected).sum() < freedom + 5 * (2 * freedom) ** 0.5 + 12


def play_on(vec: VectorEnv, moves: int) -> list[NDArray[Any]]:
    seen = []
    for _ in range(moves):
        chosen = vec.sample_actions()
        observations, rewards, *_ = vec.step(chosen)
        seen += [chosen, *observations.values(), rewards]
    return seen


def assert_same(first: list[NDArray[Any]], second: list[NDArray[Any]]) -> None:
    assert len(first) == len(second)
    assert all(map(np.array_equal, first, second))


def test_the_same_seed_gives_the_same_games() -> None:
    vec, other = vector(4), vector(4, copy=False)
    vec.reset(seed=3)
    other.reset(seed=3)
    for _ in range(150):
        chosen = vec.sample_actions()
        assert np.array_equal(other.sample_actions(), chosen)
        first, second = vec.step(chosen), other.step(chosen)
        assert all(np.array_equal(first[0][part], second[0][part]) for part in first[0])
        assert np.array_equal(first[1], second[1])


def test_seeds_are_given_to_environments_and_games_counted() -> None:
    vec = vector(3)
    first, _ = vec.reset(seed=[11, 5, 11])
    assert np.array_equal(first["observation"][0], first["observation"][2])
    assert same(first, 1, seen_by_next(Game.begin(Setup(), deal(5))))
    second, _ = vec.reset()
    assert same(second, 1, seen_by_next(Game.begin(Setup(), deal(5, 1))))
    third, _ = vec.reset(seed=[None, 6, None], options={"reset_mask": np.array([False, True, True])})
    assert same(third, 0, seen_by_next(Game.begin(Setup(), deal(11, 1))))
    assert same(third, 1, seen_by_next(Game.begin(Setup(), deal(6))))
    assert same(third, 2, seen_by_next(Game.begin(Setup(), deal(11, 2))))


def test_without_a_seed_games_differ() -> None:
    first, _ = vector(2).reset()
    second, _ = vector(2).reset()
    assert not np.array_equal(first["observation"][0], first["observation"][1])
    assert not np.array_equal(first["observation"], second["observation"])


@pytest.mark.parametrize("bad", [-1, ACTION_COUNT, 2**40, 0])
def test_an_illegal_action_ends_that_game_and_changes_nothing_else(bad: int) -> None:
    vec, other = vector(3), vector(3)
    before, _ = vec.reset(seed=4)
    other.reset(seed=4)
    chosen = other.sample_actions()
    expected, *_ = other.step(chosen)
    assert not before["action_mask"][1, 0]
    observations, rewards, terminations, _, infos = vec.step(np.array([chosen[0], bad, chosen[2]]))
    assert infos["illegal"].tolist() == [False, True, False]
    assert terminations.tolist() == [False, True, False]
    assert rewards[1] == ILLEGAL_REWARD
    for i in (0, 2):
        assert same(observations, i, {part: array[i] for part, array in expected.items()})
    final = infos["final_obs"][1]
    assert infos["final_obs"][0] is None
    assert np.array_equal(final["observation"][:-2], before["observation"][1][:-2])
    assert not final["observation"][-2:].any()
    assert not final["action_mask"].any()
    assert same(observations, 1, seen_by_next(Game.begin(Setup(), deal(5, 1))))


def test_actions_that_are_no_numbers_are_refused() -> None:
    vec = vector(2)
    vec.reset(seed=1)
    before = vec.snapshot()
    for wrong in (np.zeros(3, np.int64), np.zeros(2), np.zeros((2, 1), np.int64)):
        with pytest.raises(ValueError, match="actions must be 2 integers"):
            vec.step(wrong)
    assert_same(list(before), list(vec.snapshot()))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((0,), "one game or more"), ((1, 5), "not 5"), ((1, 2, "easy"), "easy"), ((1, 2, "expert", "none"), "none")],
)
def test_options_that_do_not_exist_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        VectorEnv(*arguments)


def test_wrong_seeds_and_masks_are_refused() -> None:
    vec = vector(2)
    with pytest.raises(ValueError, match="need 2 seeds, not 3"):
        vec.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="seeds go from 0"):
        vec.reset(seed=[1, -1])
    with pytest.raises(ValueError, match="reset_mask must be 2 booleans"):
        vec.reset(options={"reset_mask": np.array([False, False])})
    with pytest.raises(ValueError, match="reset has only the option reset_mask, not deal"):
        vec.reset(options={"deal": deal(1)})
    with pytest.raises(ValueError, match="have to be reset"):
        vec.step(np.zeros(2, np.int64))


def test_next_step_resets_in_the_step_after_the_last_and_ignores_its_action() -> None:
    vec = vector(2, autoreset_mode=AutoresetMode.NEXT_STEP)
    vec.reset(seed=9)
    for _ in range(GAME_MOVES):
        observations, _, terminations, _, infos = vec.step(vec.sample_actions())
    assert terminations.all()
    assert not observations["action_mask"].any()
    assert infos["scores"].any()
    assert vec.sample_actions().tolist() == [0, 0]
    observations, rewards, terminations, _, infos = vec.step(np.array([-5, 3000]))
    assert not rewards.any()
    assert not terminations.any()
    assert infos["_seat"].tolist() == [False, False]
    assert same(observations, 1, seen_by_next(Game.begin(Setup(), deal(10, 1))))
    vec.step(vec.sample_actions())


def test_without_autoreset_finished_games_have_to_be_reset() -> None:
    vec = vector(2, autoreset_mode="Disabled")
    vec.reset(seed=9)
    vec.step(np.array([-1, vec.sample_actions()[1]]))
    with pytest.raises(ValueError, match="have to be reset"):
        vec.step(vec.sample_actions())
    observations, _ = vec.reset(options={"reset_mask": np.array([True, False])})
    assert same(observations, 0, seen_by_next(Game.begin(Setup(), deal(9, 1))))
    vec.step(vec.sample_actions())


def test_without_copies_observations_are_read_only_views() -> None:
    vec = vector(2, copy=False)
    first, _ = vec.reset(seed=1)
    with pytest.raises(ValueError, match="read-only"):
        first["action_mask"][0, 0] = 1
    kept = first["observation"].copy()
    vec.step(vec.sample_actions())
    assert not np.array_equal(first["observation"], kept)


def test_with_copies_observations_stay_as_they_were() -> None:
    vec = vector(2)
    first, _ = vec.reset(seed=1)
    kept = first["observation"].copy()
    first["action_mask"][:] = 1
    second, *_ = vec.step(vec.sample_actions())
    assert np.array_equal(first["observation"], kept)
    assert not second["action_mask"].all()
    # What the caller writes into the arrays is kept there, and is not seen again.
    mask, snapshot = second["action_mask"].copy(), vec.snapshot()
    second["action_mask"][:] = 1
    third, _ = vec.reset(options={"reset_mask": np.array([True, False])})
    assert np.array_equal(third["action_mask"][1], mask[1])
    third["action_mask"][:] = 1
    fourth, _ = vec.restore(snapshot)
    assert np.array_equal(fourth["action_mask"], mask)
    assert first["action_mask"].all()
    assert second["action_mask"].all()
    assert third["action_mask"].all()


def test_a_restored_vector_goes_on_identically() -> None:
    vec = vector(3, SETUPS[1])
    vec.reset(seed=2)
    play_on(vec, 60)
    snapshot = vec.snapshot()
    first = play_on(vec, 30)
    observations, _ = vec.restore(snapshot)
    assert vec.observation_space.contains(observations)
    assert_same(play_on(vec, 30), first)
    other = vector(3, SETUPS[1])
    other.restore(snapshot)
    assert_same(play_on(other, 30), first)
    with pytest.raises(ValueError, match="another number of games"):
        vector(2).restore(snapshot)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda vec: pickle.loads(pickle.dumps(vec))])
def test_a_copied_vector_goes_on_identically(duplicate: Any) -> None:
    vec = vector(2)
    vec.reset(seed=2)
    play_on(vec, 20)
    twin = duplicate(vec)
    assert_same(play_on(twin, 60), play_on(vec, 60))


def test_one_game_can_be_searched_apart_from_the_vector() -> None:
    vec = vector(2)
    observations, _ = vec.reset(seed=2)
    game = vec.game(1)
    assert same(observations, 1, game.observation())
    game.play(int(game.legal_actions()[0]))
    assert vec.game(1).moves_made == 0


@pytest.mark.parametrize("setup", SETUPS, ids=name)
def test_observations_do_not_depend_on_what_the_seat_cannot_see(setup: Setup) -> None:
    """Shuffle the bag and the other hands: what the seat to move sees must have the same bytes at every move."""
    rng = np.random.default_rng(1)
    vec, other = vector(8, setup), vector(8, setup)
    observations, _ = vec.reset(seed=1)
    changed = 0
    for _ in range(GAME_MOVES - 1):
        games, *rest = vec.snapshot()
        for i in range(8):
            game = vec.game(i)
            game.resample(game.to_move, rng)
            changed += not np.array_equal(game.array, games[i])
            games[i] = game.array
        permuted, _ = other.restore((games, *rest))
        assert {part: array.tobytes() for part, array in permuted.items()} == {
            part: array.tobytes() for part, array in observations.items()
        }
        observations, *_ = vec.step(vec.sample_actions())
    assert changed > 8 * 55


def test_what_is_shown_after_a_move_is_what_is_shown_from_scratch() -> None:
    """The incremental frontier and mask, against the ids of `actions`, where flips come and go."""
    vec = vector(4, SETUPS[1])
    observations, _ = vec.reset(seed=21)
    for _ in range(GAME_MOVES - 1):
        observations, *_ = vec.step(vec.sample_actions())
        for i in range(4):
            legal = actions.legal_actions(vec.game(i).position)
            assert observations["action_mask"][i].nonzero()[0].tolist() == legal
