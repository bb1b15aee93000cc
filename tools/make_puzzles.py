"""Make the puzzle file: `python -m tools.make_puzzles`.

The file follows from the seed alone, byte for byte, whatever runs the work: this process, several of them (`--jobs`) or
a Dask cluster (`--dask`). The results of finished blocks of games are kept in a folder, so the script may be stopped at
any time and continues where it was. The folder's name contains a hash of the code that finds puzzles: after a change of
that code everything is computed again.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import riverstones.engine
import riverstones.study.puzzles
from riverstones.engine.arena.cluster import NoCluster, cluster
from riverstones.engine.arena.run import processes, results
from riverstones.study.puzzles.making.jobs import FULL, Plan, do_block
from riverstones.study.puzzles.making.selecting import TooFew, select

SEED: Final = 20261116
PUZZLES: Final = Path(riverstones.study.puzzles.__file__).parent
SHIPPED: Final = PUZZLES / "puzzles.txt"
CACHE: Final = Path("build/puzzles")
QUICK: Final = Plan(games=600, ordinary=100, wins=300, further=40, sprints=40)
QUICK_SHARE: Final = 0.03
ENGINE_PARTS: Final = (
    "careful", "claims", "encoding", "endgame/two_seats", "human", "iterative", "kernel", "levels", "lookahead",
    "ordering", "situation",
)  # fmt: skip
PROGRESS_EVERY_S: Final = 5.0


def fingerprint() -> str:
    """A hash of the code that the result of a block depends on."""
    engine = Path(riverstones.engine.__file__).parent
    sources = [engine / f"{name}.py" for name in ENGINE_PARTS]
    sources += [PUZZLES / f"{name}.py" for name in ("grading", "packing", "file", "puzzle")]
    sources += sorted(PUZZLES.glob("making/*.py"))
    digest = hashlib.sha256()
    for source in sources:
        if source.name != "selecting.py":
            digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def numbered_block(seed: int, plan: Plan, number: int) -> tuple[int, list[str]]:
    """A block with its number, since blocks finish in any order."""
    return number, do_block(seed, plan, number)


def do_missing(seed: int, plan: Plan, folder: Path, executor: Executor | None, places: int) -> None:
    """Do every block that the folder does not hold yet."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [number for number in range(plan.blocks()) if not _file(folder, number).exists()]
    begun = told = time.monotonic()
    print(f"{plan.blocks() - len(missing)} of {plan.blocks()} blocks are there already.", file=sys.stderr)
    for done, (number, lines) in enumerate(
        results(partial(numbered_block, seed, plan), missing, executor, places), start=1
    ):
        # Renamed when it is complete, so that an interrupted run leaves no half of a block.
        part = _file(folder, number).with_suffix(".part")
        part.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        part.replace(_file(folder, number))
        if time.monotonic() - told >= PROGRESS_EVERY_S or done == len(missing):
            told = time.monotonic()
            left_s = (told - begun) / done * (len(missing) - done)
            print(
                f"{done} of {len(missing)} blocks in {told - begun:.0f} s, about {left_s:.0f} s left", file=sys.stderr
            )


def _file(folder: Path, number: int) -> Path:
    return folder / f"block-{number:05}.txt"


def lines_of(plan: Plan, folder: Path) -> Iterator[str]:
    """The candidates of all blocks, in order."""
    for number in range(plan.blocks()):
        yield from _file(folder, number).read_text(encoding="ascii").splitlines()


@contextmanager
def workers(jobs: int, dask: str | None) -> Iterator[tuple[Executor | None, int]]:
    """What does the blocks, and how many at a time."""
    if dask is not None:
        with cluster(dask) as found:
            yield found.executor, 2 * found.places
    elif jobs > 1:
        with processes(jobs) as executor:
            yield executor, 2 * jobs
    else:
        yield None, 1


def main() -> None:
    """Make the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=1, help="the number of processes")
    parser.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster: tcp://machine:8786")
    parser.add_argument("--cache", type=Path, default=CACHE, help="the folder for finished blocks")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="the file to write")
    parser.add_argument("--quick", action="store_true", help="a small file, for trying things out")
    options = parser.parse_args()
    plan, share = (QUICK, QUICK_SHARE) if options.quick else (FULL, 1.0)
    folder = options.cache / f"{options.seed}-{'quick' if options.quick else 'full'}-{fingerprint()}"
    try:
        with workers(options.jobs, options.dask) as (executor, places):
            do_missing(options.seed, plan, folder, executor, places)
        made = select(options.seed, lines_of(plan, folder), share)
    except KeyboardInterrupt:
        sys.exit(f"Stopped; the finished blocks are in {folder}.")
    except (NoCluster, TooFew) as error:
        sys.exit(f"There is no file: {error}.")
    text = str(made)
    options.out.write_text(text, encoding="ascii")
    print(f"{options.out}: {len(made.puzzle_lines)} puzzles, {len(made.sprint_lines)} sprints, {len(text)} bytes")


if __name__ == "__main__":
    main()
