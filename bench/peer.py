"""Moves per second of this server compared with boardgame.io, on the same machine in the same run.

    python bench/peer.py                          # 200 tables, six rounds of each server in turn
    python bench/peer.py --rounds 10 --seconds 4

Riverstones runs as it is served: SQLite with every move durable before it is told, a real game, over WebSockets.
boardgame.io (npm) runs in memory with a trivial game: its state is one number. Both are played by the same Node program
(peer.mjs) over bare WebSockets, two sockets per table, and a table makes its next move when both of its sockets know of
the last one. The rounds alternate, so that noise on the machine meets both.

boardgame.io is installed into a temporary folder with npm, and not into the project.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load import cpu_seconds, server

PEER = "boardgame.io@0.50.2"
SCRIPT = Path(__file__).with_name("peer.mjs")


@dataclass(frozen=True)
class Round:
    """One round of one server."""

    rate: float
    """Moves per second."""
    cost_ms: float
    """The server's processor time per move."""


@contextmanager
def boardgame_server(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run boardgame.io until the block ends."""
    process = subprocess.Popen(["node", "peer.mjs", "serve", str(port)], cwd=folder, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                httpx.get(f"http://localhost:{port}/")  # any answer will do
                break
            except httpx.HTTPError:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise SystemExit("boardgame.io did not start.") from None
                time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait()


def play(name: str, url: str, process: subprocess.Popen[bytes], folder: Path, options: argparse.Namespace) -> Round:
    """Make new tables and let them play as fast as they can."""
    command = ["node", "peer.mjs", "play", name, url, str(options.tables), str(options.seconds)]
    client = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert client.stdin is not None
    assert client.stdout is not None
    if client.stdout.readline() != "ready\n":
        raise SystemExit("The client could not open its tables.")
    used = cpu_seconds(process.pid)
    client.stdin.write("go\n")
    client.stdin.flush()
    result = json.loads(client.stdout.readline())
    used = cpu_seconds(process.pid) - used
    client.wait()
    return Round(result["moves"] / result["seconds"], 1000 * used / max(1, result["moves"]))


def spread(values: list[float], digits: int = 0) -> str:
    """The median, and the smallest and the largest value."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=3.0, help="duration of a round; a game lasts 67 moves")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--port", type=int, default=18770)
    parser.add_argument("--installed", type=Path, help="folder that has boardgame.io and ws from an earlier run")
    options = parser.parse_args()
    if shutil.which("npm") is None:
        raise SystemExit("This benchmark needs Node.js and npm.")
    node = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    machine = f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    print(f"{machine}, Python {platform.python_version()}, Node {node}, {PEER}; {options.tables} tables", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = options.installed or install(Path(name))
        shutil.copy(SCRIPT, folder)
        with (
            server(f"sqlite:///{name}/peer.sqlite3", options.port) as ours,
            boardgame_server(folder, options.port + 1) as theirs,
        ):
            measure(folder, ours, theirs, options)


def install(folder: Path) -> Path:
    """Install boardgame.io into this folder."""
    (folder / "package.json").write_text("{}", encoding="utf-8")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", PEER, "ws@8"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder


def measure(
    folder: Path, ours: subprocess.Popen[bytes], theirs: subprocess.Popen[bytes], options: argparse.Namespace
) -> None:
    """Let both servers play in turn, and print their rates and the ratio."""
    rounds: dict[str, list[Round]] = {"riverstones": [], "boardgame": []}
    for number in range(options.rounds):
        own = play("riverstones", f"http://127.0.0.1:{options.port}", ours, folder, options)
        peer = play("boardgame", f"http://localhost:{options.port + 1}", theirs, folder, options)
        rounds["riverstones"].append(own)
        rounds["boardgame"].append(peer)
        print(
            f"round {number + 1}: Riverstones {own.rate:,.0f} moves/s (server CPU {own.cost_ms:.2f} ms per move), "
            f"boardgame.io {peer.rate:,.0f} moves/s ({peer.cost_ms:.2f} ms), ratio {own.rate / peer.rate:.2f}",
            flush=True,
        )
    pairs = list(zip(rounds["riverstones"], rounds["boardgame"], strict=True))
    print("median (lowest to highest)")
    print(f"  Riverstones, durable:     {spread([own.rate for own, _ in pairs])} moves/s")
    print(f"  boardgame.io, in memory:  {spread([peer.rate for _, peer in pairs])} moves/s")
    print(f"  ratio of the rates:       {spread([own.rate / peer.rate for own, peer in pairs], 2)}")
    print(f"  ratio of the costs:       {spread([peer.cost_ms / own.cost_ms for own, peer in pairs], 2)}")


if __name__ == "__main__":
    main()
