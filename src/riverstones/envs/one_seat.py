"""The game for Gymnasium: one seat against bots.

`import riverstones.envs` registers it, then `gymnasium.make("riverstones/Riverstones-v0", opponent="brook")` makes one.

| | |
|---|---|
| actions | `Discrete(3978)`: see `riverstones.envs.actions` |
| observations | a dictionary of `observation` and `action_mask`: see `riverstones.envs.observation` |
| reward | the points of the move; or `reward="margin"` or `"win"`: `options.REWARDS` |
| illegal actions | end the episode with `illegal_reward`; `info["illegal_action"]` says why |

A step is a move of the agent and those of the bots until it is the agent's turn again. A game has 67 moves, so an
episode is never truncated.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from riverstones.engine import bots
from riverstones.rules import Game, Position, view

from . import deals
from .extras import needs
from .options import ILLEGAL_REWARD, REWARDS, one_of, rewards_of, setup_of
from .render import render

with needs("envs", "The Gymnasium environment"):
    import numpy as np
    from gymnasium import Env, spaces
    from numpy.typing import NDArray

    from .actions import ACTION_COUNT, IllegalAction, decode, mask
    from .observation import Observation, observe, space

__all__ = ["OneSeatEnv"]


class OneSeatEnv(Env[Observation, np.int64]):
    """One seat of a game whose other seats are played by bots."""

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        opponent: str | Sequence[str] = bots.DEFAULT_LEVEL,
        players: int = 2,
        variant: str = "standard",
        layout: str = "sides",
        *,
        seat: int = 0,
        reward: str = "points",
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        """An environment; `ValueError` for an option that is not known.

        `opponent` is the level of all other seats, or one level for each in the order of play after the agent. The
        agent has the seat `seat`; seat 0 starts.
        """
        self.setup = setup_of(players, variant, layout)
        if not 0 <= seat < players:
            raise ValueError(f"seat must be from 0 to {players - 1}, not {seat!r}")
        names = [opponent] * (players - 1) if isinstance(opponent, str) else list(opponent)
        if len(names) != players - 1:
            raise ValueError(f"{players} players have {players - 1} opponents, not {len(names)}")
        for name in names:
            bots.check(name)
        self.seat = seat
        self.opponents = {(seat + number) % players: name for number, name in enumerate(names, 1)}
        self.reward = one_of("reward", reward, REWARDS)
        self.illegal_reward = illegal_reward
        if render_mode is not None:
            one_of("render_mode", render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.observation_space = space(players)  # type: ignore[assignment]  # a Dict is a Space of dictionaries
        self.action_space = spaces.Discrete(ACTION_COUNT)
        self._seed = secrets.randbits(63)
        self._games_begun = 0
        self._bot_seeds: dict[int, int] = {}
        self._rewarded: tuple[int, ...] = ()
        """The scores that the rewards so far account for; bots may score before the agent's first move."""
        self._game: Game | None = None
        self._ended = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and let the bots move that come before the agent.

        With a seed it is the first game of that seed, without one the next game: `deals.deal` has them all. The bots'
        seeds follow from the same numbers: `deals.bot_seed`. `options={"deal": deal}` begins with this `rules.Deal`
        instead, against the bots of the next game, and does not count as a game of the seed.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._games_begun = seed, 0
        self._bot_seeds = {seat: deals.bot_seed(self._seed, self._games_begun, seat) for seat in self.opponents}
        deal = (options or {}).get("deal")
        if deal is None:
            deal = deals.deal(self._seed, self._games_begun)
            self._games_begun += 1
        self._ended = False
        self._rewarded = (0,) * self.setup.seats
        self._game = self._after_the_bots(Game.begin(self.setup, deal))
        self._show()
        return self._observe(self._game), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the move with this id, and then the bots' moves."""
        game = self._running()
        try:
            move = decode(Position.of(game), int(action))
        except IllegalAction as error:
            self._ended = True
            return self._observe(game), self.illegal_reward, True, False, {"illegal_action": str(error)}
        self._game = self._after_the_bots(game.play(move))
        self._ended = self._game.over
        self._show()
        reward = rewards_of(self.reward, self._rewarded, self._game.scores, self._ended)[self.seat]
        self._rewarded = self._game.scores
        return self._observe(self._game), reward, self._ended, False, {}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as sb3-contrib's MaskablePPO asks for them."""
        return mask(Position.of(self._running())).astype(np.bool_)

    def render(self) -> str | None:
        """The board and the scores as text: returned in the mode `ansi`, printed in the mode `human`."""
        return render(self._game, self.render_mode, ended=self._ended)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _running(self) -> Game:
        if self._game is None or self._ended:
            raise RuntimeError("there is no game to play: call reset() first")
        return self._game

    def _after_the_bots(self, game: Game) -> Game:
        """The game when it is the agent's turn, or over."""
        while not game.over and game.to_move != self.seat:
            seat = game.to_move
            move, _ = bots.take_turn(view(game, seat), self.opponents[seat], self._bot_seeds[seat])
            game = game.play(move)
        return game

    def _observe(self, game: Game) -> Observation:
        seen = observe(view(game, self.seat))
        if self._ended:  # perhaps by an illegal action, of which the game itself knows nothing
            seen["observation"][-self.setup.seats :] = 0
            seen["action_mask"][:] = 0
        return seen
