"""Mid-game positions per second of `rules.plays` on one core.

The positions come from games of seeded players, who make the best play half of the time and otherwise a random one. For
every position all legal plays are generated, with points and Kakuros. Three states of the caches matter, so all three
are measured: cleared before each position (a single query), cleared once and then filled by the positions themselves (a
stream of queries), and full (the same queries again).
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from riverstones.rules import Board, Deal, Game, Hand, Layout, Setup, Variant, plays

BAR = 1000
"""The target in positions per second."""
MID_GAME = range(20, 46)
"""The placements after which a position counts as mid-game; a game has 67."""

Question = tuple[Board, Hand]


def mid_game_questions(variant: Variant, count: int) -> list[Question]:
    rng = random.Random(f"bench rules {variant.value}")
    found: list[Question] = []
    while len(found) < count:
        tiles = [digit for digit in range(1, 10) for _ in range(8)]
        rng.shuffle(tiles)
        setup = Setup(rng.choice((2, 3, 4)), variant, rng.choice(list(Layout)))
        game = Game.begin(setup, Deal(tuple(tiles)))
        for placed in range(MID_GAME.stop):
            if placed in MID_GAME and placed % 5 == 0:
                found.append((game.board, game.hand))
            choices = game.plays()
            game = game.play((choices[0] if rng.random() < 0.5 else rng.choice(choices)).move)
    return found[:count]


def rule_caches() -> list[Callable[[], None]]:
    """Functions that clear the caches of the rules."""
    modules = [module for name, module in sys.modules.items() if name.startswith("riverstones.rules")]
    cached = {value for module in modules for value in vars(module).values() if hasattr(value, "cache_clear")}
    return [function.cache_clear for function in cached]


def seconds_for(questions: list[Question], variant: Variant, before_each: list[Callable[[], None]]) -> float:
    """The processor time of `plays` over all questions, without the calls before each."""
    total = 0.0
    for board, hand in questions:
        for empty in before_each:
            empty()
        begun = time.process_time()
        plays(board, hand, variant)
        total += time.process_time() - begun
    return total


def measure(questions: list[Question], variant: Variant, runs: int) -> dict[str, list[float]]:
    """Positions per second of each run, by the state of the caches."""
    empty_all = rule_caches()
    rates: dict[str, list[float]] = {"cold": [], "stream": [], "warm": []}
    for _ in range(runs):
        rates["cold"].append(len(questions) / seconds_for(questions, variant, empty_all))
        for empty in empty_all:
            empty()
        rates["stream"].append(len(questions) / seconds_for(questions, variant, []))
        rates["warm"].append(len(questions) / seconds_for(questions, variant, []))
    return rates


def machine() -> str:
    """The processor, the number of cores and the Python version."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {platform.python_implementation()} {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    print(f"machine  {machine()}")
    print(f"method   rules.plays over {options.positions} mid-game positions, {options.runs} runs, processor time")
    print("         cold: caches emptied before each position; stream: emptied before the run; warm: full")
    print(f"\n{'':16}{'plays':>7}{'positions/s':>13}{'spread':>17}{'of target':>12}")
    for variant in Variant:
        questions = mid_game_questions(variant, options.positions)
        plays_each = statistics.mean(len(plays(board, hand, variant)) for board, hand in questions)
        for state, rates in measure(questions, variant, options.runs).items():
            median = statistics.median(rates)
            spread = f"{min(rates):,.0f}-{max(rates):,.0f}"
            print(f"{variant.value:9}{state:7}{plays_each:7.0f}{median:13,.0f}{spread:>17}{median / BAR:11.1f}x")
    print(f"\nThe target is {BAR:,} positions per second.")


if __name__ == "__main__":
    main()
