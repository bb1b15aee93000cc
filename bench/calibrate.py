"""Calibration of the levels below `stream`: the beginners of `beginners.py` against their levels, in one run.

    python -m bench.calibrate --games 400

It prints the tables of docs/engine.md: the points of each beginner against its like, how often it beats its level (the
aim is 40 to 60 %), how often a level beats the one below it, and how the levels do with three and four seats and in the
expert variant (the first and the last two in a quarter of the games). Deals are played in every seating, and their
seeds follow from `--seed`, so the run can be repeated.
"""

from __future__ import annotations

import argparse
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Final

from bench import beginners
from riverstones.engine import bots
from riverstones.engine.arena import Match, Pairing, Result, Standing, Tally, standings
from riverstones.engine.arena.game import play
from riverstones.engine.arena.report import Estimate
from riverstones.engine.human import PERSONAS
from riverstones.engine.levels import STREAM
from riverstones.rules import Move, Variant

LEVEL_OF: Final = dict(zip("ABCDE", (*PERSONAS, STREAM.name), strict=True))
"""The level that each beginner should beat in about half of the games."""
CALIBRATED: Final = (*PERSONAS, STREAM.name)


def make(name: str, seed: int) -> bots.Bot:
    """A beginner or a level."""
    return beginners.make(name, seed) if name in beginners.BEGINNERS else bots.make(name, seed)


def one_game(match: Match, pairing: Pairing) -> Result:
    """One game in which beginners may take part."""
    return play(match, pairing, make=make)


def played(match: Match, games: int, executor: Executor) -> Tally:
    """The results of at least this many games."""
    return Tally(match, executor.map(partial(one_game, match), match.pairings(games), chunksize=8))


def flip_rate(tally: Tally, bot: int) -> float:
    """The share of a bot's moves that flip a tile."""
    moves = [
        Move.parse(move)
        for deal in tally.deals()
        for result in deal
        for number, move in enumerate(result.moves)
        if result.order[number % len(result.order)] == bot
    ]
    return sum(bool(move.flips) for move in moves) / len(moves)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games per match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as executor:
        seed = 10_000 * options.seed

        def match(*names: str, number: int, variant: Variant = Variant.STANDARD, share: int = 1) -> Tally:
            return played(Match(names, seed + number, variant), options.games // share, executor)

        print(f"{options.games} games per match, seed {options.seed}; in brackets the 95 % interval\n")
        print(
            "| beginner | points against its like | its level | it wins, % | points | flips of the level, % of moves |"
        )
        print("|---|---|---|---|---|---|")
        for number, (name, level) in enumerate(LEVEL_OF.items()):
            beginner = beginners.BEGINNERS[name]
            alike = standing(match(name, name, number=100 + number, share=4))
            tally = match(name, level, number=number)
            mine, theirs = standings(tally.match, tally.deals())
            print(
                f"| {name}: {beginner.about} | {points(alike.points)} | `{level}` | {percent(mine.win_rate)} "
                f"| {mine.points.mean:.0f} : {theirs.points.mean:.0f} | {100 * flip_rate(tally, 1):.0f} |",
                flush=True,
            )

        print("\n| level | against the one below, % | expert, % | ms per move |\n|---|---|---|---|")
        for number, (low, high) in enumerate(pairwise(CALIBRATED)):
            step = standing(match(high, low, number=200 + number))
            expert = standing(match(high, low, number=300 + number, variant=Variant.EXPERT, share=4))
            print(
                f"| `{high}` | {percent(step.win_rate)} | {percent(expert.win_rate)} | {step.ms_per_move:.1f} |",
                flush=True,
            )

        print("\n| seats | points of each level |\n|---|---|")
        for number, table in enumerate((CALIBRATED[:3], CALIBRATED[1:4], CALIBRATED[:4], CALIBRATED[1:])):
            tally = match(*table, number=400 + number, share=4)
            results = standings(tally.match, tally.deals())
            cells = ", ".join(f"`{each.name}` {points(each.points)}" for each in results)
            print(f"| {len(table)} | {cells} |", flush=True)


def standing(tally: Tally) -> Standing:
    """The standing of the first bot."""
    return standings(tally.match, tally.deals())[0]


def percent(share: Estimate) -> str:
    return f"{100 * share.mean:.1f} [{100 * share.interval.low:.1f}, {100 * share.interval.high:.1f}]"


def points(estimate: Estimate) -> str:
    return f"{estimate.mean:.0f} [{estimate.interval.low:.0f}, {estimate.interval.high:.0f}]"


if __name__ == "__main__":
    main()
