"""Every bot by its name: it plays whole games, from its view and its seed alone."""

import hashlib
import random
import subprocess
import sys
from dataclasses import replace

import pytest

from riverstones.engine import bots
from riverstones.rules import Game, Seed, Setup, View, plays, view


def begun(moves: int, setup: Setup | None = None) -> View:
    """A seat's view of a game after this many greedy moves."""
    game = Game.begin(setup or Setup(), Seed(hashlib.sha256(b"bots").digest()).deal())
    for _ in range(moves):
        game = game.play(game.plays()[0].move)
    return view(game, game.to_move)


@pytest.mark.parametrize("name", [*bots.offered(), bots.GREEDY])
def test_a_bot_answers_the_same_for_the_same_view_and_seed(name: str) -> None:
    late = begun(50)
    move = bots.make(name, 5)(late)
    assert move == bots.make(name, 5)(late)
    assert move in {play.move for play in late.position.plays()}


def test_another_seed_gives_other_moves() -> None:
    middle = begun(20)
    assert len({bots.make("pebble", seed)(middle) for seed in range(20)}) > 3


def test_the_random_generator_differs_from_turn_to_turn() -> None:
    draws = {bots.turn_rng(1, begun(turn)).random() for turn in range(5)}
    assert len(draws) == 5
    assert bots.turn_rng(1, begun(3)).random() == bots.turn_rng(1, begun(3)).random()


def test_greedy_makes_the_first_of_the_best_plays() -> None:
    middle = begun(20)
    best = plays(middle.position.board, middle.hand)[0]
    assert bots.make("greedy")(middle) == best.move
    assert best.points > 0


def test_an_unknown_bot_is_named() -> None:
    with pytest.raises(
        bots.UnknownBot, match=r"There is no bot called “lake”; the bots are drop, pebble, .*, ocean, greedy"
    ):
        bots.make("lake")


def test_without_the_compiled_kernel_only_quick_levels_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "has_kernel", lambda: False)
    assert [name for name in bots.LEVELS if name not in bots.offered()] == ["rapids", "ocean"]
    with pytest.raises(bots.UnknownBot, match="The level ocean needs the extra “engine”"):
        bots.make("ocean")


def test_bots_on_the_rules_load_no_compiled_code() -> None:
    program = """
import sys
from riverstones.engine import bots, claims, protocol
session = protocol.Session("brook")
board = "........./........./....6..../........./..9.D.7../........./....4..../........./........."
answers = list(session.answer('{"type": "go", "position": "%s 0 27,?? 0,0 63 standard"}' % board))
assert answers[-1]["type"] == "move", answers
assert not {"numba", "numpy"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_bot_cannot_use_hidden_information() -> None:
    """Games that differ only in hidden tiles give equal views, hence equal moves."""
    deal = Seed(hashlib.sha256(b"bots").digest()).deal()
    seen, hidden = deal.digits[:7], list(deal.digits[7:])
    random.Random(0).shuffle(hidden)
    other = replace(deal, digits=(*seen, *hidden))
    views = [view(Game.begin(Setup(), dealt), 0) for dealt in (deal, other)]
    assert views[0] == views[1]
