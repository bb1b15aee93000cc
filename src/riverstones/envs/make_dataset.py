"""Write a dataset of games between bots: `python -m riverstones.envs.make_dataset FOLDER LEVEL LEVEL`.

    python -m riverstones.envs.make_dataset games brook stream --games 1000 --processes 2
    python -m riverstones.envs.make_dataset games --check
    python -m riverstones.envs.make_dataset games --river 17

The games follow from levels, seed, variant and layout, whatever the number of processes. Ctrl-C stops the program; the
same command goes on where it stopped. `--check` verifies all games of a dataset and plays some again by the rules.
`--river N` prints game N as a `.river` file. The form of a dataset is described in `dataset`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Final

from riverstones.engine import bots, loading
from riverstones.engine.arena import run
from riverstones.engine.levels import STREAM
from riverstones.notation import write_record
from riverstones.rules import Game, view

from . import deals
from .actions import encode
from .extras import needs

with needs("envs", "make_dataset"):
    import numpy as np
    from numpy.typing import NDArray

    from .dataset import (
        DESCRIPTION,
        DatasetError,
        Plan,
        check,
        checksum,
        read,
        read_plan,
        record,
        replay,
        shard_path,
    )
    from .dataset_kernel import play_games

COMPILED: Final = frozenset({bots.GREEDY, STREAM.name})
"""Levels that always play for the most points. Games between them are played in compiled code, with the same moves."""


class Stopped(Exception):
    """The program was stopped during this file."""


def play_game(plan: Plan, number: int) -> np.void:
    """The row of one game."""
    row: np.void = np.zeros(1, plan.row_type)[0]
    deal = deals.deal(plan.seed, number)
    seating = plan.seating(number)
    seeds = [deals.bot_seed(plan.seed, number, seat) for seat in range(len(seating))]
    players = [bots.make(plan.levels[level], seed) for level, seed in zip(seating, seeds, strict=True)]
    game = Game.begin(plan.setup, deal)
    while not game.over:
        move = players[game.to_move](view(game, game.to_move))
        row["actions"][len(game.turns)] = encode(game.board, move)
        game = game.play(move)
        row["points"][len(game.turns) - 1] = game.turns[-1].points
    row["number"], row["levels"], row["deal"], row["scores"] = number, seating, deal.digits, game.scores
    return row


def play_compiled(plan: Plan, numbers: range) -> NDArray[Any]:
    """The rows of games in which every seat plays for the most points: those of `play_game`, much faster."""
    rows = np.zeros(len(numbers), plan.row_type)
    deal, actions, points, scores = (np.zeros_like(rows[name]) for name in ("deal", "actions", "points", "scores"))
    play_games(plan.seed, numbers, plan.setup, deal, actions, points, scores)
    rows["number"], rows["levels"] = numbers, [plan.seating(number) for number in numbers]
    rows["deal"], rows["actions"], rows["points"], rows["scores"] = deal, actions, points, scores
    return rows


def play_shard(plan: Plan, shard: int) -> NDArray[Any]:
    """The rows of the games of one file; `Stopped` if the program is stopped."""
    numbers = plan.numbers(shard)
    if COMPILED.issuperset(plan.levels):
        return play_compiled(plan, numbers)
    rows = np.zeros(len(numbers), plan.row_type)
    for place, number in enumerate(numbers):
        if run.stopping():
            raise Stopped
        rows[place] = play_game(plan, number)
    return rows


def write_shard(folder: Path, plan: Plan, shard: int) -> int:
    """Play the games of one file and write it, whole or not at all; returns their number."""
    rows = play_shard(plan, shard)
    path = shard_path(folder, shard)
    unfinished = path.with_suffix(f".{os.getpid()}.part")
    with unfinished.open("wb") as file:
        np.save(file, rows)
    unfinished.replace(path)
    return len(rows)


def prepare(folder: Path, plan: Plan) -> list[int]:
    """Describe the dataset, or check that it is the same one; returns the numbers of the missing files.

    `DatasetError` if the folder has another dataset.
    """
    description = folder / DESCRIPTION
    if description.exists():
        if read_plan(folder) != plan:
            raise DatasetError(f"{folder} has a dataset with another plan: see {description}")
    else:
        folder.mkdir(parents=True, exist_ok=True)
        description.write_text(plan.to_json(), encoding="utf-8")
    return [shard for shard in range(plan.shards) if not shard_path(folder, shard).exists()]


def make(folder: Path, plan: Plan, processes: int, report: Callable[[int], None]) -> None:
    """Write what is missing of a dataset; ``report`` gets the number of games written so far."""
    missing = prepare(folder, plan)
    have = plan.games - sum(len(plan.numbers(shard)) for shard in missing)
    report(have)
    with nullcontext() if processes == 1 else run.processes(processes) as executor:
        for written in run.results(partial(write_shard, folder, plan), missing, executor, 2 * processes):
            have += written
            report(have)


def main(arguments: list[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m riverstones.envs.make_dataset",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("levels", nargs="*", help=f"two to four of {', '.join((*bots.LEVELS, bots.GREEDY))}")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--layout", default="sides")
    parser.add_argument("--shard", type=int, default=100, help="games per file")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--check", type=int, nargs="?", const=100, metavar="N", help="verify the dataset; N games by the rules (100)"
    )
    parser.add_argument("--river", type=int, metavar="N", help="print game N instead")
    options = parser.parse_args(arguments)
    try:
        if options.river is not None:
            return _print_game(options.folder, options.river)
        if options.check is not None:
            return _check(options.folder, options.check)
        for level in options.levels:
            bots.check(level)
        plan = Plan(tuple(options.levels), options.games, options.seed, options.variant, options.layout, options.shard)
        deals.deal(plan.seed)
        loading.load(plan.levels)
        make(options.folder, plan, max(options.processes, 1), _progress(plan.games))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        return 130
    print(file=sys.stderr)
    return 0


def _print_game(folder: Path, number: int) -> int:
    plan, rows = read(folder)
    found = rows[rows["number"] == number]
    if not len(found):
        raise DatasetError(f"game {number} is not in {folder}")
    print(write_record(record(plan, found[0])), end="")
    return 0


def _check(folder: Path, by_the_rules: int) -> int:
    """Verify a dataset and print what is in it; the status is 1 if games are missing."""
    if by_the_rules < 0:
        raise DatasetError(f"cannot play {by_the_rules} games again")
    plan, rows = read(folder)
    check(plan, rows)
    print(f"{len(rows):,} of {plan.games:,} games; deals, moves, points and scores are right")
    chosen = rows[:: max(len(rows) // max(by_the_rules, 1), 1)][:by_the_rules]
    for row in chosen:
        replay(plan, row)
    print(f"{len(chosen):,} of them played again by the rules")
    if len(rows):
        means = ", ".join(f"{mean:.2f}" for mean in rows["scores"].mean(axis=0))
        print(f"mean score of each seat: {means}")
    print(f"SHA-256 of the rows: {checksum(rows)}")
    if missing := plan.games - len(rows):
        print(f"The dataset is not complete: {missing:,} games are missing.", file=sys.stderr)
    return 1 if missing else 0


def _progress(games: int) -> Callable[[int], None]:
    """A function that prints how many games there are, on one line."""
    begun = time.monotonic()
    first: list[int] = []

    def report(have: int) -> None:
        first.append(have)
        made = have - first[0]
        seconds = time.monotonic() - begun
        left = f", {_duration((games - have) * seconds / made)} left" if made else ""
        print(f"\r{have:,} of {games:,} games{left}    ", end="", file=sys.stderr, flush=True)

    return report


def _duration(seconds: float) -> str:
    """A time in its most fitting unit."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.1f} hours"


if __name__ == "__main__":
    sys.exit(main())
