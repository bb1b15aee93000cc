"""Speed of this machine: the figures of `riverstones bench` and bench/bench_kernel.py.

The method is the same for the kernel and for the rules: greedy two-seat games from the default layout, on seeded deals,
on one core. For each position every play of the hand is generated and scored, the best one is made and the next tile is
drawn; all of this is timed. The kernel is warm: compiled or loaded before timing starts.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverstones.rules import Deal, Game, Setup, Variant

PLACEMENTS = 67


@dataclass(frozen=True, slots=True)
class Rates:
    """Positions per second, one figure per run, and the mean number of plays per position."""

    positions_per_second: tuple[float, ...]
    plays_per_position: float

    @property
    def median(self) -> float:
        """The median over the runs."""
        return statistics.median(self.positions_per_second)

    def __str__(self) -> str:
        slowest, fastest = min(self.positions_per_second), max(self.positions_per_second)
        return (
            f"{self.median:,.0f} positions per second ({slowest:,.0f} to {fastest:,.0f} in "
            f"{len(self.positions_per_second)} runs), {self.plays_per_position:.1f} plays per position"
        )


def kernel_rates(variant: Variant = Variant.STANDARD, games: int = 3000, runs: int = 7) -> Rates:
    """Measure the kernel. This loads Numba and compiles the kernel if necessary."""
    import numpy as np

    from .greedy import greedy_games

    deals = np.array([deal.digits for deal in _deals(games)], dtype=np.uint8)
    expert = variant is Variant.EXPERT
    greedy_games(deals[: games // 10], 2, expert)
    return _rates(lambda: greedy_games(deals, 2, expert)[1], games, runs)


def rules_rates(variant: Variant = Variant.STANDARD, games: int = 5, runs: int = 3) -> Rates:
    """Measure the readable rules."""
    deals = _deals(games)
    return _rates(lambda: sum(_greedy_game(deal, variant) for deal in deals), games, runs)


def machine() -> str:
    """The processor, the number of cores and the Python version."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        processor = platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {platform.python_implementation()} {platform.python_version()}"


def figures(kernel: bool = True) -> dict[str, Any]:
    """The output of `riverstones bench --json`; without the kernel, only the rules."""
    rules = rules_rates()
    found: dict[str, Any] = {"machine": machine(), "rules": _summary(rules)}
    fastest = rules
    if kernel:
        fastest = kernel_rates()
        found["kernel"] = _summary(fastest) | {"times_the_rules": round(fastest.median / rules.median, 1)}
        found["kernel_expert"] = _summary(kernel_rates(Variant.EXPERT))
    found["greedy_games_per_second"] = round(fastest.median / PLACEMENTS, 1)
    found["method"] = "greedy games of two seats, every play of every position generated and scored, one core"
    return found


def _summary(rates: Rates) -> dict[str, Any]:
    return {
        "positions_per_second": round(rates.median),
        "runs": [round(rate) for rate in rates.positions_per_second],
        "plays_per_position": round(rates.plays_per_position, 1),
    }


def _deals(count: int) -> list[Deal]:
    rng = random.Random("riverstones bench")
    tiles = [digit for digit in range(1, 10) for _ in range(8)]
    return [Deal(tuple(rng.sample(tiles, len(tiles)))) for _ in range(count)]


def _rates(play_all: Callable[[], int], games: int, runs: int) -> Rates:
    rates = []
    plays = 0
    for _ in range(runs):
        begun = time.perf_counter()
        plays = play_all()
        rates.append(games * PLACEMENTS / (time.perf_counter() - begun))
    return Rates(tuple(rates), plays / (games * PLACEMENTS))


def _greedy_game(deal: Deal, variant: Variant) -> int:
    """Play a game on the rules and return the number of plays generated."""
    game = Game.begin(Setup(variant=variant), deal)
    generated = 0
    while not game.over:
        plays = game.plays()
        generated += len(plays)
        game = game.play(plays[0].move)
    return generated
