"""The game for OpenSpiel: importing this module registers `python_riverstones`.

    import pyspiel
    import riverstones.envs.open_spiel
    game = pyspiel.load_game("python_riverstones(players=3,variant=expert)")

| | |
|---|---|
| parameters | `players` (2 to 4), `variant`, `layout`; `miniature=True` for the small game of `drawn_game.miniature` |
| actions | the ids of `riverstones.envs.actions` |
| chance | one node for each tile that is drawn, stones and hands included; outcome 0-8 is the digit 1-9 |
| rewards | the margin: the points of the last move for the seat that made it, and minus an equal share for the others |
| observations | the numbers of `riverstones.envs.observation` as floats, and which player sees them |
| information states | the stones, one's own tiles in the order drawn (the first hand ascending), and all moves |

`rewards()` gives those of the last move also after the draw that follows it, so that they add up to `returns()` over
the nodes at which somebody moves or the game ends. `resampler` is for `ISMCTSBot.set_resampler`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar, Final

from riverstones.rules import DIGITS, SEAT_COUNTS, Variant
from riverstones.rules.squares import SIZE

from .extras import needs
from .options import rewards_of, setup_of

with needs("openspiel", "The OpenSpiel game"):
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray

    from .actions import ACTION_COUNT
    from .drawn_game import Draw, DrawnGame, Made, Terms, allowed_ids, miniature, resampled, whole_game
    from .observation import parts

__all__ = ["RiverstonesGame", "RiverstonesObserver", "RiverstonesState", "resampler"]

_MOST_POINTS: Final = 440
"""The upper bound of the points of a move: ten Kakuros of 44 points."""

_TYPE: Final = pyspiel.GameType(
    short_name="python_riverstones",
    long_name="Python Riverstones",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=max(SEAT_COUNTS),
    min_num_players=min(SEAT_COUNTS),
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"players": 2, "variant": "standard", "layout": "sides", "miniature": False},
)


@cache
def _allowed(terms: Terms) -> NDArray[np.bool_] | None:
    return None if terms.squares is None else allowed_ids(terms.squares)


class RiverstonesGame(pyspiel.Game):
    """The game with its parameters; `ValueError` for one that is not known."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**_TYPE.parameter_specification, **(params or {})}
        setup = setup_of(chosen["players"], chosen["variant"], chosen["layout"])
        if chosen["miniature"] and setup.seats != 2:
            raise ValueError(f"the miniature is for 2 players, not {setup.seats}")
        self.terms = miniature(Variant(chosen["variant"])) if chosen["miniature"] else whole_game(setup)
        most = float((self.terms.moves + 1) // 2 * _MOST_POINTS)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTION_COUNT,
            max_chance_outcomes=len(DIGITS),
            num_players=setup.seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.terms.moves,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> RiverstonesState:
        """A game in which nothing has been drawn."""
        return RiverstonesState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The number of tiles that are drawn in a game."""
        return sum(self.terms.tiles)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RiverstonesObserver:
        """An observer of this game's states."""
        return RiverstonesObserver(self.terms, iig_obs_type, params)


class RiverstonesState(pyspiel.State):
    """A state: what OpenSpiel asks, answered by a `DrawnGame`."""

    def __init__(self, game: RiverstonesGame) -> None:
        super().__init__(game)
        self.drawn_game = DrawnGame(game.terms, _allowed(game.terms))

    def current_player(self) -> int:
        """The seat to move, chance while a tile has to be drawn, or the sign of the end."""
        if self.drawn_game.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.drawn_game.draws_next else self.drawn_game.to_move

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.drawn_game.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The digits that may be drawn, less one, and their probabilities."""
        return [(digit - 1, probability) for digit, probability in self.drawn_game.draws()]

    def rewards(self) -> list[float]:
        """The rewards of the last move, also after the draw that followed it."""
        gained = self.drawn_game.gained
        return rewards_of("margin", [0] * len(gained), gained, over=False)

    def returns(self) -> list[float]:
        """The margin of each seat so far."""
        scores = self.drawn_game.scores
        return rewards_of("margin", [0] * len(scores), scores, over=False)

    def _legal_actions(self, player: int) -> list[int]:
        return self.drawn_game.legal_actions()

    def _apply_action(self, action: int) -> None:
        if self.drawn_game.draws_next:
            self.drawn_game.draw(action + 1)
        else:
            self.drawn_game.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action + 1}" if player == pyspiel.PlayerId.CHANCE else self.drawn_game.text(action)

    def __str__(self) -> str:
        game = self.drawn_game
        hands = "/".join("".join(map(str, game.hand(seat))) or "-" for seat in range(game.terms.setup.seats))
        scores = "/".join(map(str, game.scores))
        return f"{game.board} to move {game.to_move}, hands {hands}, scores {scores}, bag {sum(game.left)}"


class RiverstonesObserver:
    """What a seat sees, as a tensor with named pieces and as text."""

    def __init__(self, terms: Terms, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters, but {params} was passed")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        self._public = wanted.public_info
        self._private = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = wanted.perfect_recall
        self._terms = terms
        shapes = dict(self._pieces(terms.setup.seats))
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        start = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    _PUBLIC: ClassVar = ("board", "bag", "hand_sizes", "scores", "to_move")
    _PRIVATE: ClassVar = ("hand", "unseen")

    def _pieces(self, players: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield "player", (players,)
        if self._recall:
            if self._public:
                yield "stones", (len(self._terms.stones),)
                yield "moves", (self._terms.moves,)
            if self._private:
                yield "drawn", (self._terms.hand_size + self._terms.moves,)
            return
        sizes = {"board": (SIZE, SIZE), "hand": (9,), "unseen": (9,), "bag": (1,)}
        for name in (*self._PUBLIC * self._public, *self._PRIVATE * self._private):
            yield name, sizes.get(name, (players,))

    def set_from(self, state: RiverstonesState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        game = state.drawn_game
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if not self._recall:
            seen = parts(game.numbers(player))
            for name in self.dict.keys() & seen.keys():
                self.dict[name][...] = seen[name]
            return
        if self._public:
            self.dict["stones"][: len(game.stones)] = game.stones
            made = [event.action + 1 for event in game.events if isinstance(event, Made)]
            self.dict["moves"][: len(made)] = made
        if self._private:
            drawn = _own_draws(game, player)
            self.dict["drawn"][: len(drawn)] = drawn

    def string_from(self, state: RiverstonesState, player: int) -> str:
        """What a player sees, as text."""
        game, words = state.drawn_game, []
        if self._private:
            words.append(f"player {player}")
            words.append(
                "drawn " + "".join(map(str, _own_draws(game, player))) if self._recall else _hand(game, player)
            )
        if self._public and self._recall:
            words.append("stones " + "".join(map(str, game.stones)))
            words += [event.text for event in game.events if isinstance(event, Made)]
        elif self._public:
            scores = "/".join(map(str, game.scores))
            words.append(f"{game.board} to move {game.to_move}, scores {scores}, bag {sum(game.left)}")
        return ", ".join(words)


def _hand(game: DrawnGame, player: int) -> str:
    return "hand " + "".join(map(str, game.hand(player)))


def _own_draws(game: DrawnGame, player: int) -> list[int]:
    """The tiles that a seat has drawn: those of the first hand ascending, the others in their order."""
    drawn = [event.digit for event in game.events if isinstance(event, Draw) and event.seat == player]
    first = game.terms.hand_size
    return sorted(drawn[:first]) + drawn[first:]


def resampler(seed: int | None = None) -> Callable[[RiverstonesState, int], RiverstonesState]:
    """For `ISMCTSBot.set_resampler`: a function from a state and a player to a state that looks the same to the player.

    The tiles that the player cannot see are dealt anew, all arrangements being equally likely. The new state has a
    history of its own, in which every move is the same and legal.
    """
    rng = np.random.default_rng(seed)

    def resample(state: RiverstonesState, player: int) -> RiverstonesState:
        fresh: RiverstonesState = state.get_game().new_initial_state()
        for action in resampled(state.drawn_game, player, rng):
            fresh.apply_action(action)
        return fresh

    return resample


pyspiel.register_game(_TYPE, RiverstonesGame)
