"""What a worker on another machine adds to an engine job, on PostgreSQL and on Redis.

    python bench/jobs.py                       # 50 jobs/s for 30 s on each store, then a worker is killed

A job is the move of a bot of the weakest level, which takes a few milliseconds. It is asked for at random moments, at
the given rate on average, and timed from the request to its answer, once in processes of the server and once through
the queue and a worker. The difference of the percentiles is the overhead. Both stores are started for this run, on this
machine, and the worker shares its processors.

Then two workers run, a search of the strongest level begins, and its worker is killed with SIGKILL: the time until the
move arrives, with a search without a kill for comparison.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from riverstones.rules import Game, Seed, Setup, View, view
from riverstones.server.workers import WorkerPool, Workers
from riverstones.server.workers.dispatcher import Dispatcher
from riverstones.server.workers.job_store import MOVES, store_of
from riverstones.server.workers.queued import QueuedWorkers
from tests.server import postgres, redis_server

PROCESSES = 2


def positions(count: int) -> list[View]:
    """Views of the seat to move in random games."""
    rng = random.Random(5)
    found: list[View] = []
    while len(found) < count:
        game = Game.begin(Setup(), Seed(rng.randbytes(32)).deal())
        while not game.over and len(found) < count:
            found.append(view(game, game.to_move))
            game = game.play(rng.choice(game.plays()[:8]).move)
    return found


async def latencies(workers: Workers, rate: float, seconds: float, name: str) -> list[float]:
    """The seconds that each of these jobs takes."""
    rng = random.Random(1)
    views = positions(200)
    took: list[float] = []

    async def ask(number: int) -> None:
        begun = time.perf_counter()
        await workers.choose(views[number % len(views)], "pebble", number, key=f"{name}/{number}")
        took.append(time.perf_counter() - begun)

    for start in range(0, 400, 4 * PROCESSES):  # start all processes
        await asyncio.gather(*map(ask, range(start, start + 4 * PROCESSES)))
    took.clear()
    end = time.perf_counter() + seconds
    asked: list[asyncio.Task[None]] = []
    due = time.perf_counter()
    while due < end:
        due += rng.expovariate(rate)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        asked.append(asyncio.create_task(ask(1000 + len(asked))))
    await asyncio.gather(*asked)
    return took


def told(took: list[float]) -> str:
    marks = statistics.quantiles(took, n=100)
    return "  ".join(f"p{n} {marks[n - 1] * 1000:6.1f} ms" for n in (50, 90, 99)) + f"  most {max(took) * 1000:.0f} ms"


def start_worker(options: list[str], jobs: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "riverstones", "worker", *options, "--jobs", str(jobs)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not reached():
            await asyncio.sleep(0.01)


async def time_of_a_kill(
    workers: Workers, number: int, started: list[subprocess.Popen[bytes]], options: list[str]
) -> tuple[float, float]:
    """The seconds that a search takes, and that it takes if its worker is killed; a new worker is started then."""
    seen = positions(20)[-1]
    for attempt in range(5):  # the first ones load the engine into each process
        begun = time.perf_counter()
        await workers.choose(seen, "ocean", number, key=f"plain/{number}/{attempt}")
        plain = time.perf_counter() - begun
    asked = asyncio.create_task(workers.choose(seen, "ocean", number, key=f"kill/{number}"))
    await asyncio.sleep(plain / 3)
    begun = time.perf_counter()
    started[-1].kill()
    started.append(start_worker(options, PROCESSES))
    await asked
    return plain, time.perf_counter() - begun


async def measure(name: str, database: str, redis: str | None, rate: float, seconds: float, kills: int) -> None:
    options = ["--redis", redis] if redis is not None else ["--database", database]
    store = store_of(database, redis)
    assert store is not None
    dispatcher, own = Dispatcher(store), WorkerPool(PROCESSES)
    workers = QueuedWorkers(own, dispatcher, MOVES)
    dispatcher.start()
    started = [start_worker(options, PROCESSES)]
    try:
        here = await latencies(own, rate, seconds, "here")
        await until(lambda: dispatcher.slots(MOVES) == PROCESSES)
        there = await latencies(workers, rate, seconds, "there")
        print(f"{name}\n  own processes  {told(here)}\n  worker         {told(there)}   {len(there)} jobs")
        overhead = statistics.quantiles(there, n=100)[98] - statistics.quantiles(here, n=100)[98]
        print(f"  overhead at p99 {overhead * 1000:.1f} ms, at p50", end=" ")
        print(f"{(statistics.median(there) - statistics.median(here)) * 1000:.1f} ms")
        for number in range(kills):
            plain, killed = await time_of_a_kill(workers, number, started, options)
            print(f"  its worker killed: {killed:.1f} s; the same search without: {plain:.2f} s")
            await until(lambda: dispatcher.slots(MOVES) == PROCESSES)
    finally:
        for process in started:
            process.kill()
            process.wait()
        await own.close()
        await dispatcher.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=float, default=50.0, help="jobs per second")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--kills", type=int, default=2)
    given = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} processors")
    print(f"{given.rate:.0f} jobs/s for {given.seconds:.0f} s, {PROCESSES} processes\n")
    with postgres.cluster() as url:
        database = postgres.make_database(url, "jobs")
        asyncio.run(measure("PostgreSQL", database, None, given.rate, given.seconds, given.kills))
    with redis_server.redis_server() as url:
        asyncio.run(measure("Redis", "", url, given.rate, given.seconds, given.kills))


if __name__ == "__main__":
    main()
