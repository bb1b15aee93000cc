"""Positions per second of the kernel on one core, compared with the target and with the rules.

The method is described in `riverstones.engine.benchmark`. The script also prints the time to the first move of
`riverstones engine`, from the start of its process: when the engine has to be compiled, and when compiled code is
cached.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

from riverstones.engine.benchmark import PLACEMENTS, kernel_rates, machine, rules_rates
from riverstones.rules import Variant

BAR = 400_000
"""The target in positions per second, standard variant."""

MOST_S = 1.5
"""The target for the first move of a new process, once the engine is compiled."""

GO = {
    "type": "go",
    "position": "........./........./....6..../........./..9.D.7../........./....4..../........./......... "
    "0 27,?? 0,0 63 standard",
}


def seconds_to_first_move(cache: str) -> float:
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "riverstones", "engine", "--level", "ocean"],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(json.dumps(GO) + "\n")
        engine.stdin.flush()
        while json.loads(engine.stdout.readline())["type"] != "move":
            pass
        return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=3000, help="games per run")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()

    print(machine())
    print(f"Greedy games of two seats, sides layout; {options.games} games of {PLACEMENTS} positions per run.")
    rules = rules_rates()
    for variant in Variant:
        rates = kernel_rates(variant, options.games, options.runs)
        print(f"kernel, {variant.value}: {rates}; {rates.median / PLACEMENTS:,.0f} games per second")
        if variant is Variant.STANDARD:
            ratio = rates.median / rules.median
            print(f"  {rates.median / BAR:.1f} times the target of {BAR:,}, {ratio:,.0f} times the rules")
    print(f"rules, standard: {rules}")

    with tempfile.TemporaryDirectory() as cache:
        cold = seconds_to_first_move(cache)
        warm = sorted(seconds_to_first_move(cache) for _ in range(options.runs))
    print(f"A new process has its first ocean move after {cold:.1f} s if it has to compile,")
    print(
        f"else after {warm[len(warm) // 2]:.2f} s ({warm[0]:.2f} to {warm[-1]:.2f} in {len(warm)} runs; "
        f"target: {MOST_S})."
    )


if __name__ == "__main__":
    main()
