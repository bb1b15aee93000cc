"""Many games at once on one core, in the manner of Gymnasium's vector environments.

    envs = VectorEnv(1024)
    observations, infos = envs.reset(seed=7)
    while learning:
        actions = choose(observations["observation"], observations["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)

Every game is played by one policy, or by several that share the loop: `step` takes an action for the seat to move of
each game, and the observation that it returns is that of the next seat to move, which sees itself as number 0.

Rewards
    The points that the action scored, for the seat that made it: ``infos["seat"]``.

Illegal actions
    They end that game: nothing on its board changes, the reward is `illegal_reward`, ``terminations`` and
    ``infos["illegal"]`` are True there. The other games go on.

Seeds
    ``reset(seed=s)`` gives environment i the seed s + i; a list gives each its own. Game k of a seed (from 0) has the
    deal ``deals.deal(seed, k)``, and seat 0 starts. `reset` without a seed begins the next game of every seed; the
    first time, seeds are drawn at random.

Autoreset
    ``metadata["autoreset_mode"]`` is SAME_STEP unless the constructor is told otherwise: `step` begins the next game at
    once, so that every observation has legal actions and no action is ignored. The last observation is then in
    ``infos["final_obs"]`` and the final scores are in ``infos["final_info"]["scores"]``. NEXT_STEP and DISABLED are
    those of Gymnasium.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from riverstones.rules import Variant

from .actions import ACTION_COUNT
from .extras import needs
from .options import ILLEGAL_REWARD, setup_of

with needs("envs", "VectorEnv"):
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Discrete
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from riverstones.engine.kernel import SAVED_SHAPE

    from . import observation, vector_kernel
    from .game_kernel import GAME_SHAPE, NOTES, SCORES, TO_MOVE
    from .kernel_game import KernelGame
    from .observation import Observation
    from .vector_kernel import SHOWN_SIZE

_LARGEST_SEED: Final = 2**64 - 1

Snapshot = tuple[NDArray[Any], ...]


class VectorEnv(gymnasium.vector.VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """``num_envs`` games of the same players, variant and layout.

    Observations are those of `riverstones.envs.observation`, with one more axis in front. With ``copy=False`` they are
    read-only views of memory that the next `step` overwrites; that is faster if they are used up before it.
    """

    def __init__(
        self,
        num_envs: int,
        players: int = 2,
        variant: str = "standard",
        layout: str = "sides",
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        illegal_reward: float = ILLEGAL_REWARD,
        copy: bool = True,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"a vector has one game or more, not {num_envs}")
        self.num_envs = num_envs
        self.setup = setup_of(players, variant, layout)
        self.copy = copy
        self.illegal_reward = float(illegal_reward)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.single_observation_space = observation.space(players)
        self.single_action_space = Discrete(ACTION_COUNT)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

        self._seeded = False
        self._seeds = np.zeros(num_envs, np.uint64)
        self._begun = np.zeros(num_envs, np.uint64)
        self._sampling = np.zeros(num_envs, np.uint64)
        self._ended = np.ones(num_envs, np.bool_)
        self._games = np.zeros((num_envs, *GAME_SHAPE), np.int32)
        self._numbers = np.zeros((num_envs, observation.length(players)), np.int16)
        self._masks = self._no_masks()
        self._frontiers = np.zeros((num_envs, 81), np.int8)
        self._shown = np.zeros((num_envs, SHOWN_SIZE), np.int16)
        self._stones = np.array(self.setup.layout.stones, np.int64)
        self._board = np.zeros(81, np.uint8)
        self._saved = np.zeros(SAVED_SHAPE, np.int32)
        self._all = np.ones(num_envs, np.bool_)
        self._none = np.zeros(num_envs, np.bool_)

    # Gymnasium ---------------------------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game everywhere, or only where ``options["reset_mask"]`` is True.

        `ValueError` for other options.
        """
        unknown = sorted((options or {}).keys() - {"reset_mask"})
        if unknown:
            raise ValueError(f"reset has only the option reset_mask, not {', '.join(unknown)}")
        chosen = self._all
        if options is not None and "reset_mask" in options:
            chosen = np.asarray(options["reset_mask"])
            if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_ or not chosen.any():
                raise ValueError(f"reset_mask must be {self.num_envs} booleans of which at least one is True")
        begun_before = self._seeded
        self._set_seeds(seed, chosen)
        self._renew_masks()
        self._begin(chosen)
        if self.copy and begun_before and not chosen.all():
            self._show()
        self._ended = self._ended & ~chosen
        return self._observations(), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Make one move in every game. ``actions`` are ``num_envs`` integers; anything else raises `ValueError`."""
        chosen = np.ascontiguousarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions must be {self.num_envs} integers, not {chosen.dtype} of shape {chosen.shape}")
        skipped = self._none
        if self._ended.any():
            if self.autoreset_mode is not AutoresetMode.NEXT_STEP or not self._seeded:
                raise ValueError("games that are over, or have not begun, have to be reset before the next step")
            skipped = self._ended
        self._renew_masks()
        if skipped is not self._none:
            self._begin(skipped)
        rewards = np.empty(self.num_envs, np.float64)
        ended, illegal = np.empty((2, self.num_envs), np.bool_)
        seats = np.empty(self.num_envs, np.int64)
        vector_kernel.step_many(
            self._games,
            chosen.astype(np.int64, copy=False),
            skipped,
            self.illegal_reward,
            rewards,
            ended,
            illegal,
            seats,
            self._numbers,
            self._masks,
            self._frontiers,
            self._shown,
            self._saved,
        )
        final: dict[str, Any] = {}
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._ended = ended
        elif ended.any():
            final = self._final(ended, seats, illegal)
            self._begin(ended)
        infos = {**self._infos(), "seat": seats, "_seat": ~skipped, "illegal": illegal, "_illegal": ~skipped, **final}
        return self._observations(), rewards, ended.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _set_seeds(self, seed: int | Sequence[int | None] | None, chosen: NDArray[np.bool_]) -> None:
        given: Sequence[int | None]
        if seed is None:
            given = [None] * self.num_envs
        elif isinstance(seed, int | np.integer):
            given = [int(seed) + i for i in range(self.num_envs)]
        else:
            given = seed
        if len(given) != self.num_envs:
            raise ValueError(f"{self.num_envs} games need {self.num_envs} seeds, not {len(given)}")
        if any(one is not None and not 0 <= one <= _LARGEST_SEED for one in given):
            raise ValueError(f"seeds go from 0 to {_LARGEST_SEED}")
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
        if not self._seeded:
            self._seeds = self.np_random.integers(0, _LARGEST_SEED, self.num_envs, np.uint64, endpoint=True)
            self._sampling = self._seeds << np.uint64(32)
            self._seeded = True
        for i, one in enumerate(given):
            if one is not None and chosen[i]:
                self._seeds[i] = one
                self._begun[i] = 0
                self._sampling[i] = one << 32 & _LARGEST_SEED

    def _begin(self, chosen: NDArray[np.bool_]) -> None:
        vector_kernel.begin_many(
            self._games,
            chosen,
            self._seeds,
            self._begun,
            self.setup.seats,
            self.setup.variant is Variant.EXPERT,
            self._stones,
            self._numbers,
            self._masks,
            self._frontiers,
            self._shown,
            self._board,
        )

    def _show(self) -> None:
        """Write what every game shows anew."""
        vector_kernel.show_many(self._games, self._numbers, self._masks, self._frontiers, self._shown)

    def _no_masks(self) -> NDArray[np.int8]:
        return np.zeros((self.num_envs, ACTION_COUNT), np.int8)

    def _renew_masks(self) -> None:
        """Leave the masks that were returned to the caller, and go on in new memory.

        Masks are mostly zeros. Setting what a new one has is quicker than copying all of it.
        """
        if self.copy:
            self._masks = self._no_masks()

    def _observations(self) -> Observation:
        if self.copy:
            return {"observation": self._numbers.copy(), "action_mask": self._masks}
        views: Observation = {"observation": self._numbers.view(), "action_mask": self._masks.view()}
        for view in views.values():
            view.flags.writeable = False
        return views

    def _scores(self) -> NDArray[np.int32]:
        return self._games[:, NOTES, SCORES : SCORES + self.setup.seats].copy()

    def _infos(self) -> dict[str, Any]:
        to_move = self._games[:, NOTES, TO_MOVE].copy()
        return {"to_move": to_move, "_to_move": self._all.copy(), "scores": self._scores(), "_scores": self._all.copy()}

    def _final(self, ended: NDArray[np.bool_], seats: NDArray[np.int64], illegal: NDArray[np.bool_]) -> dict[str, Any]:
        observations = np.full(self.num_envs, None, object)
        for i in ended.nonzero()[0]:
            observations[i] = {"observation": self._numbers[i].copy(), "action_mask": self._masks[i].copy()}
        scores = self._scores()
        scores[~ended] = 0
        info = {
            "scores": scores,
            "_scores": ended,
            "seat": seats,
            "_seat": ended,
            "illegal": illegal,
            "_illegal": ended,
        }
        return {"final_obs": observations, "_final_obs": ended, "final_info": info, "_final_info": ended}

    # More than Gymnasium asks for ----------------------------------------------------------------------------------

    def sample_actions(self) -> NDArray[np.int64]:
        """A random legal action of every game, all equally likely: a random player at full speed.

        They follow from the seeds. A game that is over gets 0.
        """
        actions = np.empty(self.num_envs, np.int64)
        vector_kernel.sample_many(self._frontiers, self._shown, self._sampling, actions)
        return actions

    def game(self, index: int) -> KernelGame:
        """A copy of one game, hidden tiles included, to search from."""
        return KernelGame.from_array(self.setup, self._games[index].copy())

    def snapshot(self) -> Snapshot:
        """A copy of everything that decides how the games go on, for `restore`."""
        return self._games.copy(), self._seeds.copy(), self._begun.copy(), self._sampling.copy(), self._ended.copy()

    def restore(self, snapshot: Snapshot) -> tuple[Observation, dict[str, Any]]:
        """Go back to a snapshot of this vector, or of one with the same arguments; returns what `reset` does."""
        if snapshot[0].shape != self._games.shape:
            raise ValueError("this is the snapshot of a vector with another number of games")
        self._games[:], self._seeds[:], self._begun[:], self._sampling[:], ended = snapshot
        self._ended = ended.copy()
        self._seeded = True
        self._renew_masks()
        self._show()
        return self._observations(), self._infos()
