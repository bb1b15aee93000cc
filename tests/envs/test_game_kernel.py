"""Games in compiled code are those of the rules, move for move, for every seat."""

import pickle
import random

import numpy as np
import pytest

from riverstones.envs import actions, game_kernel
from riverstones.envs.actions import ACTION_COUNT, IllegalAction
from riverstones.envs.deals import deal, mix
from riverstones.envs.kernel_game import KernelGame
from riverstones.envs.observation import observe
from riverstones.rules import Game, Layout, Position, Setup, Variant, view

SETUPS = [
    Setup(2),
    Setup(2, Variant.EXPERT, Layout.EDGES),
    Setup(3, Variant.STANDARD, Layout.CORNERS, start=2),
    Setup(4, Variant.EXPERT, Layout.STAR, start=1),
]


def name(setup: Setup) -> str:
    return f"{setup.seats} {setup.variant.value} {setup.layout.value}"


def random_action(game: KernelGame, rng: random.Random) -> int:
    """A legal action, with flips half of the time where there are any."""
    ids = game.legal_actions().tolist()
    flips = [action for action in ids if action >= actions.FLIPS_START]
    return int(rng.choice(flips if flips and rng.random() < 0.5 else ids))


def assert_equal(game: KernelGame, rules: Game) -> None:
    """Compare what is cheap to compare: everything but the plays."""
    assert game.board == rules.board
    assert game.position == Position.of(rules)
    assert (game.over, game.moves_made) == (rules.over, len(rules.turns))


def test_mixing_is_splitmix64() -> None:
    """The first outputs of SplitMix64 with the seed 0, as published with it."""
    assert [mix(number) for number in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_deals_are_those_of_the_documents() -> None:
    assert str(deal(0)) == "151641889891983676423492952947391987237547852215587263547623171863564346"
    assert str(deal(7, 3)) == "272444398527316749567199628844757652963313527235731411826656581998941838"
    with pytest.raises(ValueError, match="from 0 to"):
        deal(-1)


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_compiled_deals_are_the_same(seed: int) -> None:
    game = game_kernel.new_game()
    for number in range(20):
        game_kernel.shuffle(game, np.uint64(seed), np.uint64(number))
        assert tuple(game[game_kernel.DEAL :].reshape(-1)[:72].tolist()) == deal(seed, number).digits


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("setup", SETUPS, ids=name)
def test_a_game_is_that_of_the_rules(setup: Setup, seed: int) -> None:
    rng = random.Random(seed)
    rules = Game.begin(setup, deal(seed))
    game = KernelGame(setup, rules.deal)
    while not rules.over:
        assert_equal(game, rules)
        # All seats' observations cost most of the time, so they are compared every third move.
        for seat in range(setup.seats) if rules.bag % 3 == 0 else [rules.to_move]:
            seen, expected = game.observation(seat), observe(view(rules, seat))
            assert np.array_equal(seen["observation"], expected["observation"])
            assert np.array_equal(seen["action_mask"], expected["action_mask"])
        action = random_action(game, rng)
        rules = rules.play(game.move(action))
        points = game.points(action)
        assert game.play(action) == points == rules.turns[-1].points
    assert_equal(game, rules)
    assert len(game.legal_actions()) == 0
    for seat in range(setup.seats):
        assert np.array_equal(game.observation(seat)["observation"], observe(view(rules, seat))["observation"])


def test_legal_actions_are_sorted() -> None:
    rng = random.Random(1)
    game = KernelGame(Setup(variant=Variant.EXPERT), deal(1))
    while not game.over:
        assert game.legal_actions().tolist() == sorted(set(game.legal_actions().tolist()))
        game.play(random_action(game, rng))


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    rng = random.Random(2)
    game = KernelGame(Setup(), deal(2))
    for _ in range(40):
        game.play(random_action(game, rng))
    before = game.snapshot()
    legal = set(game.legal_actions().tolist())
    for action in set(range(-1, ACTION_COUNT + 1)) - legal:
        assert game_kernel.play_of(game.array, action) == 0
    for action in (-1, ACTION_COUNT, min(set(range(ACTION_COUNT)) - legal)):
        with pytest.raises(IllegalAction):
            game.play(action)
    assert np.array_equal(game.array, before)


def test_no_action_is_legal_after_the_end() -> None:
    rng = random.Random(3)
    game = KernelGame(Setup(), deal(3))
    while not game.over:
        last = random_action(game, rng)
        game.play(last)
    with pytest.raises(IllegalAction, match="the game is over"):
        game.play(last)


def test_a_game_goes_on_from_any_moment_of_a_game_of_the_rules() -> None:
    rng = random.Random(4)
    rules = Game.begin(SETUPS[3], deal(4))
    while len(rules.turns) < 50:
        rules = rules.play(rng.choice(rules.plays()).move)
    game = KernelGame.of(rules)
    while not game.over:
        action = random_action(game, rng)
        rules = rules.play(game.move(action))
        game.play(action)
    assert_equal(game, rules)


def test_a_restored_game_goes_on_identically() -> None:
    game = KernelGame(Setup(3, Variant.EXPERT), deal(5))
    rng = random.Random(5)
    for _ in range(30):
        game.play(random_action(game, rng))
    snapshot = pickle.loads(pickle.dumps(game.snapshot()))
    twin = game.copy()
    played = []
    while not game.over:
        action = random_action(game, rng)
        played.append((action, game.play(action)))
    end = game.snapshot()
    assert not np.array_equal(end, snapshot)
    assert np.array_equal(twin.array, snapshot)
    game.restore(snapshot)
    assert [(action, game.play(action)) for action, _ in played] == played
    # Entries after the last flip of a line may be stale, so the whole arrays need not be equal.
    assert (game.position, game.over) == (KernelGame.from_array(game.setup, end).position, True)
    assert [(action, twin.play(action)) for action, _ in played] == played


@pytest.mark.parametrize("setup", SETUPS, ids=name)
def test_what_a_seat_cannot_see_changes_nothing_that_it_sees(setup: Setup) -> None:
    rng, shuffler = random.Random(6), np.random.default_rng(6)
    game = KernelGame(setup, deal(6))
    changed = 0
    while not game.over:
        for seat in range(setup.seats):
            other = game.copy()
            other.resample(seat, shuffler)
            changed += not np.array_equal(other.array, game.array)
            assert sorted(_tiles(other)) == sorted(_tiles(game))
            seen, expected = other.observation(seat), game.observation(seat)
            assert all(seen[part].tobytes() == expected[part].tobytes() for part in expected)
        game.play(random_action(game, rng))
    assert changed > 50 * setup.seats


def _tiles(game: KernelGame) -> list[int]:
    """The tiles that are not on the board."""
    drawn = int(game.array[game_kernel.NOTES, game_kernel.DRAWN])
    hands = [digit for seat in range(game.setup.seats) for digit in game.hand(seat)]
    return [*hands, *game.array[game_kernel.DEAL :].reshape(-1)[drawn:72].tolist()]
