"""The accuracy of every level in games against its like: the table of docs/study.md.

    python -m bench.accuracy --games 50
    python -m bench.accuracy --games 20 --seats 4 --expert stream river

Prints for each level the mean accuracy and its standard error, the standard deviation of single seats' games, and how
often the accuracy of one seat in one game names its level, or a neighbour of it, by the nearest mean.
"""

from __future__ import annotations

import argparse
import hashlib
import platform
import statistics
import time

from riverstones.engine import bots
from riverstones.rules import Game, Seed, Setup, Variant, view
from riverstones.study.review.accuracy import accuracy
from riverstones.study.review.judgement import judge


def accuracies(level: str, games: int, setup: Setup, first: int) -> list[float]:
    """The accuracy of every seat in games between bots of one level."""
    found = []
    for number in range(first, first + games):
        game = Game.begin(setup, Seed(hashlib.sha256(f"accuracy {number}".encode()).digest()).deal())
        players = [bots.make(level, seed=100 * number + seat) for seat in range(setup.seats)]
        losses: list[list[float]] = [[] for _ in players]
        while not game.over:
            known = view(game, game.to_move)
            move = players[game.to_move](known)
            judged = judge(known, move)
            if judged.has_choice:
                losses[game.to_move].append(judged.loss)
            game = game.play(move)
        found += [result for seat in losses if (result := accuracy(seat)) is not None]
    return found


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Measure the accuracy of the levels.")
    parser.add_argument("levels", nargs="*", help="the levels (default: all of them)")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--expert", action="store_true")
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    options = parser.parse_args()
    levels = options.levels or list(bots.offered())
    setup = Setup(options.seats, Variant.EXPERT if options.expert else Variant.STANDARD)
    print(f"{options.games} games per level, {setup.seats} seats, {setup.variant.value}; {platform.machine()}")
    print("level      mean ± error  spread  lowest highest  seconds per game")
    found: dict[str, list[float]] = {}
    for level in levels:
        begun = time.perf_counter()
        found[level] = results = accuracies(level, options.games, setup, options.first)
        seconds = (time.perf_counter() - begun) / options.games
        spread = statistics.stdev(results)
        print(
            f"{level:9} {statistics.mean(results):6.2f} ± {spread / len(results) ** 0.5:4.2f}  {spread:6.2f}"
            f"  {min(results):6.2f}  {max(results):6.2f}  {seconds:6.2f}",
            flush=True,
        )
    means = [statistics.mean(results) for results in found.values()]
    steps = [
        abs(min(range(len(means)), key=lambda each: abs(means[each] - result)) - place)
        for place, results in enumerate(found.values())
        for result in results
    ]
    exact, near = (sum(step <= most for step in steps) / len(steps) for most in (0, 1))
    print(f"named exactly: {exact:.0%}; within one step: {near:.0%}; in order: {means == sorted(means)}")


if __name__ == "__main__":
    main()
