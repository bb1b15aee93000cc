"""Moves per second of this server compared with boardgame.io, on the same machine in the same run.

    python bench/peer.py                          # 200 tables, seven rounds of each server in turn
    python bench/peer.py --rounds 10 --moves 30
    python bench/peer.py --before ../earlier/src  # an earlier version of Riverstones as well

Riverstones runs as it is served: SQLite with every move durable before it is told, a real game, over WebSockets.
boardgame.io (npm) runs in memory with a trivial game: its state is one number. Both are played by the same Node program
(peer.mjs) over bare WebSockets, two sockets per table, and a table makes its next move when both of its sockets know of
the last one. Every table makes the same number of moves in a round. The servers take turns, and another one begins each
round, so that noise on the machine and the place in the round meet all of them. Processor time per move is a better
measure than the rate on a machine that does other work as well; that of the client shows whether one server is favoured
by a cheaper client.

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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load import cpu_seconds, server

PEER = "boardgame.io@0.50.2"
SCRIPT = Path(__file__).with_name("peer.mjs")


@dataclass(frozen=True)
class Contender:
    """A server to be played."""

    name: str
    client: str
    """Its name in peer.mjs."""
    url: str
    process: subprocess.Popen[bytes]


@dataclass(frozen=True)
class Round:
    """One round of one server."""

    rate: float
    """Moves per second."""
    server_ms: float
    """The server's processor time per move."""
    client_ms: float
    """The client's processor time per move."""


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


def play(contender: Contender, folder: Path, options: argparse.Namespace) -> Round:
    """Make new tables and let them play as fast as they can."""
    command = ["node", "peer.mjs", "play", contender.client, contender.url, str(options.tables), str(options.moves)]
    client = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert client.stdin is not None
    assert client.stdout is not None
    if client.stdout.readline() != "ready\n":
        raise SystemExit("The client could not open its tables.")
    used = cpu_seconds(contender.process.pid)
    client.stdin.write("go\n")
    client.stdin.flush()
    result = json.loads(client.stdout.readline())
    used = cpu_seconds(contender.process.pid) - used
    client.wait()
    moves = options.tables * options.moves
    return Round(moves / result["seconds"], 1000 * used / moves, 1000 * result["cpuSeconds"] / moves)


def spread(values: list[float], digits: int = 0) -> str:
    """The median, and the smallest and the largest value."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--moves", type=int, default=60, help="moves per table in a round; a game lasts 67")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--port", type=int, default=18770)
    parser.add_argument("--before", type=Path, help="the folder src of an earlier version of Riverstones")
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
        with ExitStack() as running:
            measure(list(contenders(running, Path(name), folder, options)), folder, options)


def contenders(running: ExitStack, databases: Path, folder: Path, options: argparse.Namespace) -> Iterator[Contender]:
    """Start the servers."""
    sources = {"Riverstones": None} | ({"before": options.before} if options.before else {})
    for number, (name, source) in enumerate(sources.items()):
        port = options.port + 1 + number
        process = running.enter_context(server(f"sqlite:///{databases}/{port}.sqlite3", port, source=source))
        yield Contender(name, "riverstones", f"http://127.0.0.1:{port}", process)
    process = running.enter_context(boardgame_server(folder, options.port))
    yield Contender("boardgame.io", "boardgame", f"http://localhost:{options.port}", process)


def install(folder: Path) -> Path:
    """Install boardgame.io into this folder."""
    (folder / "package.json").write_text("{}", encoding="utf-8")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", PEER, "ws@8"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder


def measure(servers: list[Contender], folder: Path, options: argparse.Namespace) -> None:
    """Let the servers play in turn, and print their rates and costs, and how boardgame.io compares."""
    rounds: dict[str, list[Round]] = {contender.name: [] for contender in servers}
    for number in range(options.rounds):
        begin = number % len(servers)
        for contender in servers[begin:] + servers[:begin]:
            rounds[contender.name].append(play(contender, folder, options))
            last = rounds[contender.name][-1]
            costs = f"CPU per move {last.server_ms:.3f} ms, of the client {last.client_ms:.3f} ms"
            print(f"round {number + 1}, {contender.name}: {last.rate:,.0f} moves/s, {costs}", flush=True)
    print("median (lowest to highest)")
    peer = rounds["boardgame.io"]
    for name, made in rounds.items():
        print(f"  {name}: {spread([each.rate for each in made])} moves/s")
        print(f"    CPU per move, ms: {spread([each.server_ms for each in made], 3)}")
        print(f"    of the client:    {spread([each.client_ms for each in made], 3)}")
        if made is not peer:
            pairs = list(zip(made, peer, strict=True))
            print(f"    ratio of the rates to boardgame.io: {spread([a.rate / b.rate for a, b in pairs], 2)}")
            print(f"    boardgame.io's cost as a multiple:  {spread([b.server_ms / a.server_ms for a, b in pairs], 2)}")


if __name__ == "__main__":
    main()
