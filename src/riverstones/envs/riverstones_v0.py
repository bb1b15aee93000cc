"""The game for PettingZoo: `env()` is an AEC environment with one agent for each seat.

| | |
|---|---|
| agents | `player_0` to `player_3`, who move in this order |
| actions | `Discrete(3978)`: see `riverstones.envs.actions` |
| observations | a dictionary of `observation` and `action_mask`: see `riverstones.envs.observation` |
| rewards | the points of each move, for the agent that made it; or `reward="margin"` or `"win"`: `options.REWARDS` |
| illegal actions | end the game; the agent gets `illegal_reward`, the others 0 |

`observe` answers for every agent at any time; the mask of an agent that is not to move is all 0. Environments can be
copied and pickled in the middle of a game and go on as the original does. docs/environments.md has an example.
"""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from . import deals
from .extras import needs
from .options import ILLEGAL_REWARD, REWARDS, one_of, rewards_of, setup_of
from .render import render

with needs("envs", "The PettingZoo environment"):
    from gymnasium import spaces
    from pettingzoo import AECEnv

    from .actions import ACTION_COUNT, IllegalAction
    from .kernel_game import KernelGame
    from .observation import Observation, space

__all__ = ["RiverstonesEnv", "env", "raw_env"]


class RiverstonesEnv(AECEnv):
    """An environment for 2, 3 or 4 players; `ValueError` for an option that is not known.

    It checks actions and order itself and needs no wrapper.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "riverstones_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 2,
        variant: str = "standard",
        layout: str = "sides",
        *,
        reward: str = "points",
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.setup = setup_of(players, variant, layout)
        self.reward = one_of("reward", reward, REWARDS)
        if render_mode is not None:
            one_of("render_mode", render_mode, self.metadata["render_modes"])
        self.illegal_reward = illegal_reward
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: space(players) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents}
        self._seed = secrets.randbits(64)
        self._games_begun = 0
        self._game: KernelGame | None = None
        self._ended = False

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        With a seed from 0 to 2**64 - 1 it is the first game of that seed, without one the next game: `deals.deal` has
        them all. `options={"deal": deal}` begins with this `rules.Deal` instead, for duplicate play, and does not
        count as a game of the seed.
        """
        if seed is not None:
            self._seed, self._games_begun = seed, 0
        deal = (options or {}).get("deal")
        if deal is None:
            deal = deals.deal(self._seed, self._games_begun)
            self._games_begun += 1
        self._game = KernelGame(self.setup, deal)
        self.agents = self.possible_agents.copy()
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ended = False
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Make the move with this id for the agent `agent_selection`; None for an agent whose game is over."""
        if self._game is None or not self.agents:
            raise RuntimeError("there is no game to play: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < ACTION_COUNT:
            raise ValueError(f"an action is a number from 0 to {ACTION_COUNT - 1}, not {action!r}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            before = self._game.scores
            self._game.play(action)
        except IllegalAction as error:
            self.infos[agent] = {"illegal_action": str(error)}
            self.rewards[agent] = self.illegal_reward
            self._ended = True
        else:
            self._ended = self._game.over
            rewards = rewards_of(self.reward, before, self._game.scores, self._ended)
            self.rewards = dict(zip(self.agents, rewards, strict=True))
        if self._ended:
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, as new arrays."""
        if self._game is None:
            raise RuntimeError("there is nothing to observe: call reset() first")
        seen = self._game.observation(self.possible_agents.index(agent))
        if self._ended:  # perhaps by an illegal action, of which the game itself knows nothing
            seen["observation"][-len(self.possible_agents) :] = 0
            seen["action_mask"][:] = 0
        return seen

    def render(self) -> str | None:
        """The board and the scores as text: returned in the mode `ansi`, printed in the mode `human`."""
        return render(self._game, self.render_mode, ended=self._ended)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


env = raw_env = RiverstonesEnv
"""The names that PettingZoo's modules have; they are the same, since no wrapper is needed."""
