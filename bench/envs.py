"""Moves per second of environments on one core: ours beside those of other projects, in one run.

    python bench/envs.py
    python bench/envs.py --only riverstones --seconds 2

Every environment is played by a random player that chooses among the legal moves, and begins the next game by itself.
Choosing is part of the measured time, and so is everything the environment returns: observations, masks, rewards. The
process is bound to one core and its processor time counts, so that other work on the machine matters less. The rounds
of all environments alternate; the table has the median and the spread.

Games differ: a move of chess is more work than one of tic-tac-toe. The figures say what a learner has to wait for, not
whose code is better. What is not installed is listed with the command that installs it.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

Batch = Callable[[], int]
"""Makes some moves and returns their number."""


@dataclass(frozen=True)
class Contestant:
    """An environment in the table."""

    project: str
    game: str
    requirement: str
    """What `pip install` needs."""
    prepare: Callable[[], Batch]


def ours_vector(variant: str, num_envs: int, copy: bool) -> Batch:
    envs = import_module("riverstones.envs").VectorEnv(num_envs, variant=variant, copy=copy)
    envs.reset(seed=1)

    def batch() -> int:
        for _ in range(67):
            envs.step(envs.sample_actions())
        return 67 * num_envs

    return batch


def ours_search(variant: str) -> Batch:
    """A snapshot, a move and the way back, as a tree search does it."""
    rules, envs = import_module("riverstones.rules"), import_module("riverstones.envs.kernel_game")
    deals = import_module("riverstones.envs.deals")
    game = envs.KernelGame(rules.Setup(variant=rules.Variant(variant)), deals.deal(1))
    rng = random.Random(1)
    for _ in range(30):
        game.play(rng.choice(game.legal_actions().tolist()))
    legal = game.legal_actions().tolist()

    def batch() -> int:
        for action in legal:
            before = game.snapshot()
            game.play(action)
            game.restore(before)
        return len(legal)

    return batch


def aec(module: str, **options: Any) -> Batch:
    """A PettingZoo environment, played as its documentation does."""
    env = import_module(module).env(**options)
    rng = random.Random(1)
    seeds = iter(range(1, 10**9))
    np = import_module("numpy")

    def batch() -> int:
        moves = 0
        env.reset(seed=next(seeds))
        for _ in env.agent_iter():
            seen, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
            moves += 1
        return moves

    return batch


def gymnasium_seat(opponent: str) -> Batch:
    import_module("riverstones.envs.one_seat")
    env = import_module("gymnasium").make("riverstones/Riverstones-v0", opponent=opponent)
    rng = random.Random(1)
    seeds = iter(range(1, 10**9))
    np = import_module("numpy")

    def batch() -> int:
        moves = 0
        terminated = truncated = False
        seen, _ = env.reset(seed=next(seeds))
        while not (terminated or truncated):
            seen, _, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            moves += 1
        return moves

    return batch


def open_spiel(name: str, module: str = "pyspiel") -> Batch:
    """A game of OpenSpiel: legal actions, a move and, as an environment would give it, the observation."""
    import_module(module)
    game = import_module("pyspiel").load_game(name)
    rng = random.Random(1)

    def batch() -> int:
        moves = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            state.observation_tensor()
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return batch


def pgx(name: str, size: int = 1024, steps: int = 32) -> Batch:
    jax, pgx = import_module("jax"), import_module("pgx")
    wrappers = import_module("pgx.experimental.wrappers")
    env = pgx.make(name)
    step = jax.vmap(wrappers.auto_reset(env.step, env.init))

    def move(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choosing, beginning = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(choosing, logits, axis=-1)
        return (step(state, action, jax.random.split(beginning, size)), key), None

    advance = jax.jit(lambda carry: jax.lax.scan(move, carry, None, length=steps)[0])
    key = jax.random.PRNGKey(1)
    carry = (jax.jit(jax.vmap(env.init))(jax.random.split(key, size)), key)

    def batch() -> int:
        nonlocal carry
        carry = jax.block_until_ready(advance(carry))
        return size * steps

    return batch


def contestants() -> Iterator[Contestant]:
    """Every environment, ours first."""
    vector = '"riverstones[envs]"'
    for variant in ("standard", "expert"):
        for size, copy in ((1024, True), (1024, False), (128, False)):
            yield Contestant(
                "riverstones",
                f"vector of {size:,}, {variant}, {'new arrays' if copy else 'copy=False'}",
                vector,
                partial(ours_vector, variant, size, copy),
            )
    yield Contestant("riverstones", "KernelGame: snapshot, move, restore", vector, partial(ours_search, "standard"))
    yield Contestant("riverstones", "PettingZoo AEC", vector, partial(aec, "riverstones.envs.riverstones_v0"))
    yield Contestant("riverstones", "Gymnasium against greedy", vector, partial(gymnasium_seat, "greedy"))
    yield Contestant(
        "riverstones",
        "OpenSpiel",
        '"riverstones[openspiel]"',
        partial(open_spiel, "python_riverstones", "riverstones.envs.open_spiel"),
    )
    for name in ("tictactoe_v3", "chess_v6"):
        yield Contestant("PettingZoo", name, '"pettingzoo[classic]"', partial(aec, f"pettingzoo.classic.{name}"))
    for name in ("tic_tac_toe", "chess", "backgammon"):
        yield Contestant("OpenSpiel", name, "open_spiel", partial(open_spiel, name))
    yield Contestant(
        "OpenSpiel",
        "python_tic_tac_toe",
        "open_spiel",
        partial(open_spiel, "python_tic_tac_toe", "open_spiel.python.games"),
    )
    for name in ("tic_tac_toe", "go_9x9"):
        yield Contestant("pgx", f"{name}, batch of 1,024", "pgx", partial(pgx, name))


def rate(batch: Batch, seconds: float) -> float:
    """The moves per second of processor time."""
    moves = 0
    begun = time.process_time()
    while True:
        moves += batch()
        taken = time.process_time() - begun
        if taken >= seconds:
            return moves / taken


def bind_to_one_core() -> str:
    """Bind this process, and the threads that libraries start, to one core; says whether that was possible."""
    if not hasattr(os, "sched_setaffinity"):
        return "not bound to one core, which this system does not offer"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return "bound to one core"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5, help="per environment and round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="only the environments of this project")
    options = parser.parse_args()
    bound = bind_to_one_core()
    ready: list[tuple[Contestant, Batch]] = []
    missing: list[str] = []
    for contestant in contestants():
        if options.only not in (None, contestant.project):
            continue
        try:
            batch = contestant.prepare()
        except ImportError as error:
            missing.append(f"{contestant.project}, {contestant.game}: {error}; pip install {contestant.requirement}")
            continue
        batch()  # whatever has to be compiled or loaded
        ready.append((contestant, batch))
    rates: list[list[float]] = [[] for _ in ready]
    for _ in range(options.rounds):
        for (_, batch), found in zip(ready, rates, strict=True):
            found.append(rate(batch, options.seconds))
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, {bound}.")
    print(
        f"Random legal moves; processor time; {options.rounds} rounds of {options.seconds} s, median (lowest, highest)."
    )
    print()
    print("| project | environment | moves per second |")
    print("|---|---|---:|")
    for (contestant, _), found in zip(ready, rates, strict=True):
        middle = f"{statistics.median(found):,.0f} ({min(found):,.0f}, {max(found):,.0f})"
        print(f"| {contestant.project} | {contestant.game} | {middle} |")
    for line in missing:
        print(f"Not installed: {line}")


if __name__ == "__main__":
    main()
