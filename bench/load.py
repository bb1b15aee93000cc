"""Load test of one server process: many tables with socket clients that play random legal moves.

    python bench/load.py                          # 1,000 tables at 30 moves/s in total, then at full speed
    python bench/load.py --tables 200 --seconds 10 --database postgresql://...

The server runs in its own process, on a fresh SQLite file unless a database is given, with durability on. The clients
share another process. The latency of a move is the time from sending it until every client of its table has received
the event.

A move is acknowledged when it is on disk. Before each paced round the same number of small writes is made durable at
the same rate, without a server: no move can be faster than that.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from riverstones.rules import Board

API = "/api/v1"
PLAYERS = 40
SERVER = """
import sys
from riverstones.server.run import serve
from riverstones.server.settings import Settings
database, port, redis = sys.argv[1:]
settings = Settings(database=database, port=int(port), redis=redis or None, limits=False, tables_each=10**6)
serve(settings, warm_up=False)
"""


@contextmanager
def server(database: str, port: int, redis: str = "", source: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a process of its own; `source` is the folder src of another version."""
    environment = os.environ | ({} if source is None else {"PYTHONPATH": str(source)})
    command = [sys.executable, "-c", SERVER, database, str(port), redis]
    process = subprocess.Popen(command, env=environment)
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{port}{API}/health").raise_for_status()
                break
            except httpx.HTTPError:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise SystemExit("The server did not start.") from None
                time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait()


@dataclass
class Moves:
    """The latencies of the moves, in milliseconds."""

    latencies: list[float] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")

    def line(self, seconds: float, unit: str = "moves") -> str:
        shares = ", ".join(f"p{100 * share:g} {self.percentile(share):.1f}" for share in (0.5, 0.9, 0.99, 0.999))
        worst = max(self.latencies, default=float("nan"))
        return f"{len(self.latencies) / seconds:.1f} {unit}/s; latency in ms: {shares}, max {worst:.1f}"


class Table:
    """A table of two clients that play random legal moves when told to."""

    def __init__(self, name: str, sockets: list[ClientConnection], rng: random.Random) -> None:
        self.name = name
        self.sockets = sockets
        self.rng = rng
        self.hands: list[list[int]] = [[], []]
        self.now: dict[str, Any] = {}
        self.seqs = [0, 0]
        self.told = asyncio.Condition()
        self.ids = itertools.count()

    async def listen(self, seat: int) -> None:
        """Process the messages to one client."""
        async for raw in self.sockets[seat]:
            message = json.loads(raw)
            kind = message["type"]
            if kind == "refused":
                raise SystemExit(f"A move was refused: {message['error']['text']}")
            if kind not in ("event", "snapshot"):
                continue
            if kind == "snapshot":
                message = {**message["snapshot"], "hand": message["snapshot"]["you"]["hand"]}
            self.hands[seat] = message["hand"] or []
            self.now = message["now"]
            async with self.told:
                self.seqs[seat] = message["seq"]
                self.told.notify_all()

    async def ready(self) -> None:
        async with self.told:
            await self.told.wait_for(lambda: all(self.seqs))

    @property
    def playing(self) -> bool:
        return self.now["to_move"] is not None

    async def move(self) -> float:
        """Make a move and wait until both clients have received it; returns the latency in milliseconds."""
        seat: int = self.now["to_move"]
        board = Board.parse(self.now["position"].split()[0])
        tile = self.rng.choice("+=") + str(self.rng.choice(self.hands[seat]))
        command = {
            "type": "play",
            "seat": seat,
            "turn": self.now["turn"],
            "move": f"{self.rng.choice(board.frontier())}{tile}",
        }
        before = max(self.seqs)
        text = json.dumps({"type": "do", "id": f"m{next(self.ids)}", "command": command})
        begun = time.perf_counter()
        await self.sockets[seat].send(text)
        async with self.told:
            await self.told.wait_for(lambda: min(self.seqs) > before)
        return (time.perf_counter() - begun) * 1000


async def make_tables(urls: Sequence[str], count: int) -> list[Table]:
    """Create tables with two players each, out of forty players, each with a socket at every table of theirs.

    With several servers, the two players of a table are at different ones.
    """
    rng = random.Random(1)
    clients = []
    for number in range(PLAYERS):
        # The server closes idle connections after five seconds.
        limits = httpx.Limits(keepalive_expiry=1)
        client = httpx.AsyncClient(base_url=urls[number % len(urls)] + API, timeout=60, limits=limits)
        (await client.post("/me", json={"name": f"Person {number}"})).raise_for_status()
        clients.append(client)

    async def make(number: int) -> Table:
        pair = clients[2 * number % PLAYERS], clients[(2 * number + 1) % PLAYERS]
        made = await pair[0].post("/tables", json={"seats": [{"who": "me"}, {"who": "open"}]})
        name = made.raise_for_status().json()["table"]
        sit = {"id": "sit", "command": {"type": "sit"}}
        (await pair[1].post(f"/tables/{name}/do", json=sit)).raise_for_status()
        sockets = []
        for client in pair:
            headers = {"cookie": f"riverstones={client.cookies['riverstones']}"}
            origin: Any = str(client.base_url).removesuffix("/").removesuffix(API)
            address = f"{origin.replace('http', 'ws')}{API}/tables/{name}/socket"
            socket = await connect(
                address, origin=origin, additional_headers=headers, compression=None, ping_interval=None
            )
            await socket.send(json.dumps({"type": "hello", "protocol": 1}))
            sockets.append(socket)
        return Table(name, sockets, rng)

    tables = []
    for start in range(0, count, 20):
        tables += await asyncio.gather(*(make(number) for number in range(start, min(start + 20, count))))
    for client in clients:
        await client.aclose()
    return tables


async def paced(tables: list[Table], rate: float, seconds: float) -> Moves:
    """Make moves at a steady rate, each at the next table."""
    moves, tasks = Moves(), set()

    async def one(table: Table) -> None:
        moves.latencies.append(await table.move())

    begun = time.perf_counter()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
        table = tables[number % len(tables)]
        if table.playing:
            task = asyncio.create_task(one(table))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    return moves


def durable_writes(folder: Path, rate: float, seconds: float) -> Moves:
    """Write two pages at a steady rate, and wait each time until they are on disk."""
    writes = Moves()
    file = os.open(folder / "writes", os.O_RDWR | os.O_CREAT)
    begun = time.perf_counter()
    for number in range(int(rate * seconds)):
        due = begun + number / rate
        time.sleep(max(0.0, due - time.perf_counter()))
        os.pwrite(file, bytes(8192), number * 8192)
        os.fsync(file)
        writes.latencies.append((time.perf_counter() - due) * 1000)
    os.close(file)
    return writes


async def saturated(tables: list[Table], seconds: float) -> Moves:
    """Play at every table as fast as possible."""
    moves = Moves()
    until = time.perf_counter() + seconds

    async def on(table: Table) -> None:
        while table.playing and time.perf_counter() < until:
            moves.latencies.append(await table.move())

    await asyncio.gather(*(on(table) for table in tables))
    return moves


def cpu_seconds(pid: int) -> float:
    """The processor time used by a process so far, if the system provides it."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return float("nan")
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(options: argparse.Namespace, folder: Path, process: subprocess.Popen[bytes], url: str) -> None:
    begun = time.perf_counter()
    tables = await make_tables([url], options.tables)
    listening = [asyncio.create_task(table.listen(seat)) for table in tables for seat in range(2)]
    await asyncio.gather(*(table.ready() for table in tables))
    print(f"{len(tables)} tables with {len(listening)} sockets created in {time.perf_counter() - begun:.1f} s")
    for number in range(options.rounds):
        writes = durable_writes(folder, options.rate, options.seconds)
        print(f"disk alone {number + 1}: {writes.line(options.seconds, 'writes')}", flush=True)
        used = cpu_seconds(process.pid)
        moves = await paced(tables, options.rate, options.seconds)
        share = (cpu_seconds(process.pid) - used) / options.seconds
        print(f"paced {number + 1}: {moves.line(options.seconds)}; server at {100 * share:.0f}% of a core", flush=True)
    for number in range(options.rounds):
        # Different tables each time: at this speed a game is over within seconds.
        busy = [table for table in tables[number * options.busy :] if table.playing][: options.busy]
        used, begun = cpu_seconds(process.pid), time.perf_counter()
        moves = await saturated(busy, options.seconds / 2)
        seconds = time.perf_counter() - begun
        cost = 1000 * (cpu_seconds(process.pid) - used) / max(1, len(moves.latencies))
        print(f"saturated {number + 1}: {moves.line(seconds)}; {cost:.2f} ms of server time per move", flush=True)
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    await asyncio.gather(*(socket.close() for table in tables for socket in table.sockets))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=30.0, help="moves per second in total")
    parser.add_argument("--seconds", type=float, default=20.0, help="duration of a paced round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--busy", type=int, default=200, help="number of tables playing in a saturated round")
    parser.add_argument("--database", default="")
    parser.add_argument("--port", type=int, default=18765)
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or f"sqlite:///{folder}/load.sqlite3"
        with server(database, options.port) as process:
            asyncio.run(measure(options, Path(folder), process, f"http://127.0.0.1:{options.port}"))


if __name__ == "__main__":
    main()
