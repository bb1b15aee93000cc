"""The strength of the levels: every level against the one below it, and against greedy.

    python bench/ladder.py --games 400 --folder ladder      # after Ctrl-C, the same command resumes

It prints the table of docs/engine-results.md. Elo is relative to `river`, in the middle: the differences between
neighbours add up, and so do the squares of their intervals, since no deal is used in two matches. Points are those of a
game against greedy, which is the same opponent for all.
"""

from __future__ import annotations

import argparse
from concurrent.futures import Executor
from itertools import pairwise
from math import hypot
from pathlib import Path

from riverstones.engine.arena import Match, ResultFile, Standing, Tally, compete, processes, standings
from riverstones.engine.bots import GREEDY, offered
from riverstones.engine.loading import load
from riverstones.rules import Variant

ZERO = "river"


def held(match: Match, games: int, folder: Path, executor: Executor, jobs: int) -> Standing:
    """The standing of the first bot, from the file of the match, playing the missing games."""
    path = folder / f"{'-'.join(match.bots)}-{match.variant.value}.jsonl"
    with ResultFile.resume(path, match) as file:
        tally = Tally(match, file.results)
        compete(tally, games, executor=executor, in_flight=2 * jobs, on_result=file.add)
    return standings(match, tally.deals())[0]


def rungs(steps: dict[str, Standing]) -> dict[str, tuple[float, float]]:
    """Each level's Elo and half of its interval, given the standing of each level against the one below it."""
    names = [next(iter(offered())), *steps]
    places = {ZERO: (0.0, 0.0)}
    for walk in (names[names.index(ZERO) :], names[names.index(ZERO) :: -1]):
        for near, far in pairwise(walk):
            step = steps[max(near, far, key=names.index)].elo
            sign = 1 if names.index(far) > names.index(near) else -1
            elo, half = places[near]
            places[far] = elo + sign * step.mean, hypot(half, (step.interval.high - step.interval.low) / 2)
    return places


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=400, help="games per match")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", choices=[variant.value for variant in Variant], default="standard")
    parser.add_argument("--folder", type=Path, default=Path("ladder"), help="folder for the result files")
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    load(offered())

    with processes(options.jobs) as executor:

        def standing(level: str, other: str, number: int) -> Standing:
            match = Match((level, other), 1000 * options.seed + number, Variant(options.variant))
            return held(match, options.games, options.folder, executor, options.jobs)

        steps = {high: standing(high, low, n) for n, (low, high) in enumerate(pairwise(offered()))}
        common = {level: standing(level, GREEDY, 100 + n) for n, level in enumerate(offered())}

    print(f"{options.variant}, two seats, {options.games} games per match; in brackets the 95 % interval\n")
    print("| level | against the one below, % | Elo | against greedy, % | points against greedy | ms per move |")
    print("|---|---|---|---|---|---|")
    for level, (elo, half) in sorted(rungs(steps).items(), key=lambda rung: rung[1][0]):
        below = steps.get(level)
        against = "" if below is None else percent(below)
        yard = common[level]
        print(
            f"| `{level}` | {against} | {elo:.0f} ± {half:.0f} | {percent(yard)} "
            f"| {yard.points.mean:.0f} | {yard.ms_per_move:.1f} |"
        )


def percent(standing: Standing) -> str:
    rate = standing.win_rate
    return f"{100 * rate.mean:.1f} [{100 * rate.interval.low:.1f}, {100 * rate.interval.high:.1f}]"


if __name__ == "__main__":
    main()
