"""Speed of the WebAssembly kernel in Node compared with the native one, function by function, in one run.

The same recorded calls (`tests.wasm.recording`: positions of games of two to four seats, both variants) run natively
and in Node, several times each, in turns. Each function's time is the sum over its calls; the first run of each side is
not counted. Functions that only take a microsecond or two are left out: natively most of that time is spent on passing
arguments from Python.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections import defaultdict
from pathlib import Path

from riverstones.engine.benchmark import machine
from tests.wasm import recording
from tests.wasm.node import run
from tools.build_kernel import OUTPUT

TARGET = 0.4
"""The share of the native speed that the kernel should reach."""
FUNCTIONS = {
    "lookahead.expected_value": "look-ahead",
    "simulation._play_on": "simulation",
    "endgame.two_seats.solve": "endgame of two",
    "endgame.last_round.final_scores": "last round of three or four",
}
OCEAN = ((2, 0, 0.0), (4, 0, 0.0005), (3, 2, 0.002))
"""The look-aheads of `ocean`: the plies, how many of them are careful, and the cutoff."""


def native(positions: int) -> recording.Recorder:
    recorder = recording.Recorder(checksums=False)
    recording.record_games(recorder, seed=1, positions=positions, worlds=40)
    return recorder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    recording.STAGES = OCEAN
    print(machine())
    speeds: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        steps = Path(folder, "recording.json")
        steps.write_text(json.dumps(native(options.positions).steps), encoding="utf-8")
        for _ in range(options.runs):
            # Two runs in Node: the first makes V8 optimize.
            wasm_ms = run("replay_in_node.mjs", OUTPUT, steps, "2")[-1]["spent"]
            native_ms = native(options.positions).spent_ms
            called = [name for name in FUNCTIONS if name in wasm_ms]
            for name in called:
                speeds[FUNCTIONS[name]].append(native_ms[name] / wasm_ms[name])
            speeds["all of these"].append(
                sum(native_ms[name] for name in called) / sum(wasm_ms[name] for name in called)
            )
    print(f"{options.positions} positions; speed in Node as a share of the native one, {options.runs} runs:")
    for label, found in speeds.items():
        print(f"  {label}: {statistics.median(found):.2f} ({min(found):.2f} to {max(found):.2f})")
    print(f"The target is {TARGET}.")


if __name__ == "__main__":
    main()
