"""The OpenSpiel game passes OpenSpiel's own tests, and is the game of the rules."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts

from riverstones.envs import observation
from riverstones.envs.actions import ACTION_COUNT, IllegalAction, decode
from riverstones.envs.drawn_game import Draw, DrawnGame, Made, Terms, miniature, whole_game
from riverstones.envs.open_spiel import RiverstonesState, resampler
from riverstones.rules import Deal, Game, Layout, Position, Setup, Variant, view

PLAYTHROUGHS = sorted((Path(__file__).parent / "open_spiel_playthroughs").glob("*.txt"))
MINIATURE = "python_riverstones(miniature=True)"
GAMES = [
    "python_riverstones",
    "python_riverstones(players=3,variant=expert,layout=star)",
    "python_riverstones(players=4,layout=edges)",
    MINIATURE,
    "python_riverstones(miniature=True,variant=expert)",
]


class PartialTree(api_test.EnforceAPIOnPartialTreeBase):
    game_name = "python_riverstones"
    game = pyspiel.load_game(game_name)


@pytest.mark.slow
class FullTreeOfTheMiniature(api_test.EnforceAPIOnFullTreeBase):
    game_name = MINIATURE
    game = pyspiel.load_game(MINIATURE)

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        # Chance, playable and terminal states; and the information states of players.
        api_test.TOTAL_NUM_STATES[MINIATURE] = (339, 1708, 3184)
        api_test.PERFECT_RECALL_NUM_STATES[MINIATURE] = 1690


def random_moves(game: str, seed: int) -> Any:
    """Every state of a random game at which somebody is to move, and the last one."""
    rng, state = random.Random(seed), pyspiel.load_game(game).new_initial_state()
    while not state.is_terminal():
        if not state.is_chance_node():
            yield state
        state.apply_action(rng.choice(state.legal_actions()))
    yield state


@pytest.mark.parametrize("game", GAMES)
def test_random_games_pass(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_a_playthrough_is_repeated_to_the_letter(path: Path) -> None:
    flags.FLAGS.mark_as_parsed()
    expected, repeated = generate_playthrough.replay(str(path))
    assert repeated.splitlines() == expected.splitlines()


@pytest.mark.parametrize(("players", "variant", "layout"), [(2, "standard", "sides"), (4, "expert", "corners")])
def test_it_is_the_game_of_the_rules(players: int, variant: str, layout: str) -> None:
    """Played again by the rules, with a deal of the tiles in the order in which they were drawn."""
    setup = Setup(players, Variant(variant), Layout(layout))
    played, rng, seen = DrawnGame(whole_game(setup)), random.Random(16), []
    while not played.over:
        if played.draws_next:
            played.draw(rng.choice([digit for digit, _ in played.draws()]))
        else:
            seen.append([played.numbers(seat) for seat in range(players)])
            played.play(rng.choice(played.legal_actions()))
    game = Game.begin(setup, Deal(tuple(event.digit for event in played.events if isinstance(event, Draw))))
    made = [event for event in played.events if isinstance(event, Made)]
    for event, numbers in zip(made, seen, strict=True):
        for seat in range(players):
            assert np.array_equal(numbers[seat], observation.observe(view(game, seat))["observation"])
        move = decode(Position.of(game), event.action)
        assert (event.seat, event.text) == (game.to_move, str(move))
        game = game.play(move)
    assert game.over
    assert list(game.scores) == played.scores
    assert game.board == played.board


@pytest.mark.parametrize("game", ["python_riverstones(players=3)", MINIATURE])
def test_rewards_survive_the_draw_and_add_up(game: str) -> None:
    total = np.zeros(pyspiel.load_game(game).num_players())
    for state in random_moves(game, seed=3):
        total += state.rewards()
        assert total == pytest.approx(state.returns())
        assert sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize("game", ["python_riverstones", "python_riverstones(players=4,variant=expert)", MINIATURE])
def test_a_player_cannot_tell_resampled_states_apart(game: str) -> None:
    resample, different = resampler(seed=1), 0
    for state in random_moves(game, seed=5):
        for player in range(state.num_players()):
            other = resample(state, player)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions(player) == state.legal_actions(player)
            assert [item.player for item in other.full_history()] == [item.player for item in state.full_history()]
            different += str(other) != str(state)
        if state.is_terminal():
            break
        twin = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), other))[1]
        assert str(twin) == str(other)
    assert different > (0 if game == MINIATURE else 50)


def test_resampling_deals_every_arrangement_equally_often() -> None:
    resample, state = resampler(seed=2), pyspiel.load_game(MINIATURE).new_initial_state()
    for digit in (1, 1):  # for each seat
        state.apply_action(digit - 1)
    first = [resample(state, 1).drawn_game.hand(0)[0] for _ in range(600)]
    assert set(first) == {1, 3}
    assert 150 < first.count(1) < 250, "one of the three tiles that the second seat has not seen is a 1"
    state.apply_action(state.legal_actions()[0])
    state.apply_action(3 - 1)
    assert {resample(state, 1).drawn_game.hand(0)[0] for _ in range(20)} == {3}, "both 1s have been seen"


def test_copies_are_independent() -> None:
    state = next(random_moves("python_riverstones", seed=1))
    twin, text = state.clone(), str(state)
    twin.apply_action(twin.legal_actions()[0])
    assert isinstance(twin, RiverstonesState)
    assert str(state) == text != str(twin)


@pytest.mark.parametrize("game", ["python_riverstones", MINIATURE])
def test_information_set_search_plays_with_the_resampler(game: str) -> None:
    loaded = pyspiel.load_game(game)
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(loaded, mcts.RandomRolloutEvaluator(1, rng), 10.0, 4, random_state=rng)
    bot.set_resampler(resampler(seed=1))
    state = next(random_moves(game, seed=2))
    assert bot.step(state) in state.legal_actions()


@pytest.mark.slow
def test_exploitability_falls_with_learning_in_the_miniature() -> None:
    game = pyspiel.load_game(MINIATURE)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    # The exploitability of random play is 6.34.
    assert pyspiel.exploitability(game, solver.average_policy()) == pytest.approx(2.658347, abs=1e-6)


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("python_riverstones(players=5)", "players"),
        ("python_riverstones(variant=hard)", "variant must be one of standard, expert, not 'hard'"),
        ("python_riverstones(players=3,miniature=True)", "the miniature is for 2 players, not 3"),
    ],
)
def test_an_unknown_parameter_is_explained(game: str, sentence: str) -> None:
    with pytest.raises(Exception, match=sentence):
        pyspiel.load_game(game)


def test_a_tile_that_is_not_there_cannot_be_drawn() -> None:
    game = DrawnGame(miniature(Variant.STANDARD))
    with pytest.raises(ValueError, match="no 2 can be drawn now"):
        game.draw(2)
    for digit in (1, 3):
        game.draw(digit)
    with pytest.raises(ValueError, match="no 3 can be drawn now"):
        game.draw(3)


@pytest.mark.parametrize("terms", [miniature(Variant.STANDARD), whole_game(Setup())], ids=["miniature", "whole game"])
def test_what_is_no_legal_action_is_refused_and_changes_nothing(terms: Terms) -> None:
    game = DrawnGame(terms)
    while game.draws_next:
        game.draw(game.draws()[0][0])
    before, legal = game.events.copy(), game.legal_actions()
    illegal = next(action for action in range(ACTION_COUNT) if action not in legal)
    # A negative index of an array counts from its end: this one would be a legal action.
    for action in (illegal, -1, legal[0] - ACTION_COUNT, ACTION_COUNT, 10**6):
        with pytest.raises(IllegalAction, match=f"action {action} is not legal now"):
            game.play(action)
    assert (game.events, game.legal_actions()) == (before, legal)
