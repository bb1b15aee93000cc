"""The observation holds what its seat sees, in the documented order, and nothing else."""

import numpy as np
import pytest

from riverstones.envs import actions, observation
from riverstones.envs.observation import observe, parts
from riverstones.rules import Deal, Game, Move, Setup, view

DEAL = Deal(tuple(range(1, 10)) * 8)


@pytest.fixture
def game() -> Game:
    """Three seats; the first has scored 11, and the third is to move."""
    return Game.begin(Setup(3), DEAL).play(Move.parse("f5+7")).play(Move.parse("e2=8"))


def test_the_parts_are_those_of_the_table(game: Game) -> None:
    seen = observe(view(game, 2))
    assert {name: (str(array.dtype), array.shape) for name, array in seen.items()} == {
        "observation": ("int16", (109,)),
        "action_mask": ("int8", (3978,)),
    }
    found = {name: array.tolist() for name, array in parts(seen["observation"]).items()}
    board = np.zeros((9, 9), int)
    board[4, 4], board[4, 2], board[2, 4], board[4, 6], board[6, 4] = -1, 2, 3, 4, 5
    board[4, 5], board[1, 4] = 7, -8
    assert found == {
        "board": board.tolist(),
        "hand": [1, 1, 0, 0, 0, 0, 0, 0, 0],
        "unseen": [6, 6, 7, 7, 7, 8, 7, 7, 8],
        "bag": [59],
        "hand_sizes": [2, 2, 2],
        "scores": [0, 11, 0],
        "to_move": [1, 0, 0],
    }


def test_only_the_seat_to_move_has_legal_actions(game: Game) -> None:
    masks = [observe(view(game, seat))["action_mask"] for seat in range(3)]
    assert [int(legal.sum() > 0) for legal in masks] == [0, 0, 1]
    assert np.flatnonzero(masks[2]).tolist() == actions.legal_actions(view(game, 2).position)


def test_after_the_end_nobody_is_to_move(game: Game) -> None:
    while not game.over:
        game = game.play(game.plays()[0].move)
    for seat in range(3):
        seen = observe(view(game, seat))
        last = parts(seen["observation"])
        assert not seen["action_mask"].any()
        assert not any(last[name].any() for name in ("hand", "unseen", "bag", "hand_sizes", "to_move"))
        assert last["scores"].tolist() == [*game.scores[seat:], *game.scores[:seat]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_number_is_within_its_bounds(players: int) -> None:
    low, high = observation.bounds(players)
    assert low.shape == high.shape == (observation.length(players),)
    game = Game.begin(Setup(players), DEAL)
    while not game.over:
        seen = observe(view(game, game.to_move))["observation"]
        assert np.all(low <= seen)
        assert np.all(seen <= high)
        game = game.play(game.plays()[0].move)


def test_a_spectator_has_no_observation(game: Game) -> None:
    with pytest.raises(ValueError, match="not a spectator"):
        observe(view(game, None))
