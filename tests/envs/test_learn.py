"""The recipe that learns: it begins as greedy, improves with a few games, and sees nothing that it must not see."""

import random

import numpy as np

from bench.learn import CHUNK, FEATURES, bot, fit, self_play
from riverstones.engine import bots
from riverstones.envs.deals import deal
from riverstones.rules import Game, Setup, view
from tests.envs.games import with_other_hidden_tiles


def trained() -> np.ndarray:
    """The weights after one iteration of 100 games."""
    zero = np.zeros(FEATURES)
    return fit([self_play(1, 6, zero, first) for first in (0, CHUNK)])


def margin(weights: np.ndarray, seat: int, number: int) -> int:
    """By how many points the learned player beats greedy in this seat."""
    greedy = bots.make("greedy")
    game = Game.begin(Setup(), deal(99, number))
    while not game.over:
        seen = view(game, game.to_move)
        game = game.play(bot(weights, seen) if game.to_move == seat else greedy(seen))
    return game.scores[seat] - game.scores[1 - seat]


def test_without_training_it_is_greedy() -> None:
    game = Game.begin(Setup(), deal(1))
    greedy = bots.make("greedy")
    while not game.over:
        seen = view(game, game.to_move)
        assert bot(np.zeros(FEATURES), seen) == greedy(seen)
        game = game.play(greedy(seen))


def test_the_same_seed_gives_the_same_weights_in_any_order() -> None:
    zero = np.zeros(FEATURES)
    first, second = self_play(1, 6, zero, 0), self_play(1, 6, zero, CHUNK)
    assert np.array_equal(fit([first, second]), fit([second, first]))
    assert np.array_equal(fit([first, second]), trained())


def test_a_hundred_games_are_enough_to_beat_greedy_on_duplicate_deals() -> None:
    weights = trained()
    margins = [margin(weights, 0, number) + margin(weights, 1, number) for number in range(6)]
    assert sum(margins) > 0


def test_it_plays_the_same_whatever_is_hidden() -> None:
    weights, rng = np.random.default_rng(16).normal(size=FEATURES), random.Random(16)
    game, different = Game.begin(Setup(), deal(2)), 0
    while not game.over:
        other = with_other_hidden_tiles(game, game.to_move, rng)
        different += other.hands != game.hands
        move = bot(weights, view(game, game.to_move))
        assert bot(weights, view(other, game.to_move)) == move
        game = game.play(move)
    assert different > 30
