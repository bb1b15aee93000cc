"""One process on SQLite, one node and three nodes on PostgreSQL, without and with Redis: speed, cost and memory.

    python bench/scale.py                                  # all five, 300 tables, then sockets by the thousand
    python bench/scale.py --tables 60 --seconds 3 --idle 0

Every table has two players, at different nodes if there are several, who play random legal moves. For each site:
latency at a steady rate, from sending a move until both players have it; moves per second with all tables playing as
fast as they can, with the processor time of nodes and of PostgreSQL and Redis for each move; and the memory that a
table with two sockets takes. The clients share the machine with all of this.

At the end one node on SQLite gets idle sockets by the thousand, from client processes of their own, while a thousand
tables with 2,000 sockets play on.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx
from websockets.asyncio.client import ClientConnection, connect

from bench.load import API, Table, cpu_seconds, make_tables, paced, saturated, server
from tests.server import postgres, redis_server
from tests.server.running import free_port

IDLE_STEPS: Final = (1_000, 3_000, 10_000)
IDLE_EACH: Final = 2_500
"""Idle sockets of one client process."""
IDLE_TABLES: Final = 500
"""Tables that wait for a second player, whose sockets are idle."""
PLAYING: Final = 1_000


@dataclass
class Site:
    """Running nodes, and the processes of their stores."""

    name: str
    urls: list[str]
    nodes: list[subprocess.Popen[bytes]]
    stores: list[int]

    def cpu_s(self) -> tuple[float, float]:
        """The processor time of nodes and of stores so far."""
        stores = [pid for store in self.stores for pid in (store, *children(store))]
        return sum(cpu_seconds(node.pid) for node in self.nodes), sum(map(cpu_seconds, stores))

    def memory_kb(self) -> int:
        return sum(resident_kb(node.pid) for node in self.nodes)


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def resident_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


@contextmanager
def site(name: str, nodes: int, database: str, redis: str, stores: list[int]) -> Iterator[Site]:
    with ExitStack() as stack:
        ports = [free_port() for _ in range(nodes)]
        processes = [stack.enter_context(server(database, port, redis)) for port in ports]
        yield Site(name, [f"http://127.0.0.1:{port}" for port in ports], processes, stores)


async def listening(tables: list[Table]) -> list[asyncio.Task[None]]:
    """Tasks that take the messages of all tables, whose snapshots have arrived."""
    tasks = [asyncio.create_task(table.listen(seat)) for table in tables for seat in range(2)]
    await asyncio.gather(*(table.ready() for table in tables))
    return tasks


async def leave(tables: list[Table], tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*(socket.close() for table in tables for socket in table.sockets))


async def measure(found: Site, given: argparse.Namespace) -> None:
    before_kb = found.memory_kb()
    tables = await make_tables(found.urls, given.tables)
    tasks = await listening(tables)
    each_kb = (found.memory_kb() - before_kb) / len(tables)
    print(f"\n{found.name}: {each_kb:.1f} kB for a table with two sockets")
    moves = await paced(tables, given.rate, given.seconds)
    print(f"  paced: {moves.line(given.seconds)}")
    (nodes_s, stores_s), begun = found.cpu_s(), time.perf_counter()
    moves = await saturated(tables, given.seconds)
    seconds, count = time.perf_counter() - begun, max(1, len(moves.latencies))
    costs = [1000 * (after - before) / count for before, after in zip((nodes_s, stores_s), found.cpu_s(), strict=True)]
    print(f"  saturated: {moves.line(seconds)}; ms of processor time per move: nodes {costs[0]:.2f}", end=", ")
    print(f"stores {costs[1]:.2f}", flush=True)
    await leave(tables, tasks)


def waiting_tables(url: str, count: int) -> list[str]:
    """The names of new tables that wait for a second player."""
    with httpx.Client(base_url=url + API, timeout=60) as client:
        client.post("/me", json={"name": "Waiting"}).raise_for_status()
        made = (client.post("/tables", json={"seats": [{"who": "me"}, {"who": "open"}]}) for _ in range(count))
        return [answer.raise_for_status().json()["table"] for answer in made]


async def hold_idle(url: str, names: list[str], count: int) -> None:
    """Open sockets that only listen, say so, and keep them until standard input is closed."""
    origin: Any = url
    hello = '{"type": "hello", "protocol": 1}'

    async def idle(number: int) -> ClientConnection:
        address = f"{url.replace('http', 'ws')}{API}/tables/{names[number % len(names)]}/socket"
        socket = await connect(address, origin=origin, compression=None, ping_interval=None)
        await socket.send(hello)
        await socket.recv()
        return socket

    sockets: list[ClientConnection] = []
    for start in range(0, count, 50):
        sockets += await asyncio.gather(*(idle(number) for number in range(start, min(start + 50, count))))
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def grow(found: Site, given: argparse.Namespace) -> None:
    """Idle sockets by the thousand beside tables that play."""
    url = found.urls[0]
    waiting = waiting_tables(url, IDLE_TABLES)
    tables = await make_tables(found.urls, PLAYING)
    tasks = await listening(tables)
    holders: list[subprocess.Popen[str]] = []
    held, empty_kb = 0, found.memory_kb()
    print(f"\nidle sockets at one node beside {PLAYING} tables with {2 * PLAYING} sockets that play")
    try:
        for step in [0, *(step for step in IDLE_STEPS if step <= given.idle)]:
            while held < step:
                count = min(IDLE_EACH, step - held)
                command = [sys.executable, __file__, "--hold", url, ",".join(waiting), str(count)]
                holders.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
                held += count
                await asyncio.to_thread(holders[-1].stdout.readline)  # type: ignore[union-attr]  # it has a pipe
            each_kb = (found.memory_kb() - empty_kb) / max(1, held)
            moves = await paced(tables, given.rate, given.seconds)
            print(f"  {held} idle: {each_kb:.1f} kB each; {moves.line(given.seconds)}", flush=True)
    finally:
        for holder in holders:
            holder.communicate("")
        await leave(tables, tasks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=300, help="tables that play; 0 leaves out all but idle sockets")
    parser.add_argument("--rate", type=float, default=30.0, help="moves per second in the paced part")
    parser.add_argument("--seconds", type=float, default=10.0, help="duration of each part")
    parser.add_argument("--idle", type=int, default=IDLE_STEPS[-1], help="most idle sockets; 0 leaves that part out")
    parser.add_argument("--hold", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.hold is not None:
        asyncio.run(hold_idle(given.hold[0], given.hold[1].split(","), int(given.hold[2])))
        return
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {given.tables} tables")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        cluster = stack.enter_context(postgres.started())
        redis = stack.enter_context(redis_server.RedisServer())
        sites = [("one process on SQLite", 1, False, "")]
        for nodes in (1, 3):
            sites += [(f"{nodes} on PostgreSQL", nodes, True, ""), (f"{nodes} with Redis", nodes, True, redis.url)]
        for name, nodes, shared, redis_url in sites if given.tables else ():
            database = postgres.new_database(cluster.url) if shared else f"sqlite:///{folder}/scale.sqlite3"
            stores = [cluster.pid] * shared + [redis.pid] * bool(redis_url)
            with site(name, nodes, database, redis_url, stores) as found:
                asyncio.run(measure(found, given))
        if given.idle:
            with site("SQLite", 1, f"sqlite:///{folder}/idle.sqlite3", "", []) as found:
                asyncio.run(grow(found, given))


if __name__ == "__main__":
    main()
