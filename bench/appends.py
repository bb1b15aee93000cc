"""How many events per second PostgreSQL stores, with and without telling other nodes of them.

    python bench/appends.py            # seven rounds of each, alternating

The moves of random games are appended as a server does it: one at a time for each of many tables, each acknowledged
after its commit. With the fan-out on, every append is published, as `NOTIFY` or on Redis, and a second node listens.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from riverstones.server.fanout import Fanout, fanout_of
from riverstones.server.settings import Settings
from riverstones.server.storage import Store
from riverstones.table import Entry, Table
from tests.server import postgres, redis_server
from tests.table.helpers import Played, table_of

TABLES: Final = 100
MOVES: Final = 40


class Log:
    """The log of a game, to be appended move by move."""

    def __init__(self, played: Played) -> None:
        self.entries: list[Entry] = played.log
        self.states: list[Table] = list(played.states())


async def append_all(store: Store, fanout: Fanout | None, logs: list[Log], prefix: str) -> float:
    """Append all logs at the same time; returns events per second."""

    async def one(number: int, log: Log) -> None:
        name = f"{prefix}{number}"
        states = [replace(state, id=name) for state in log.states]
        for n, entry in enumerate(log.entries):
            await store.events.append([entry], states[n - 1] if n else None, states[n], None)
            if fanout is not None:
                fanout.publish(name, entry.seq)

    begun = time.perf_counter()
    await asyncio.gather(*(one(number, log) for number, log in enumerate(logs)))
    return sum(len(log.entries) for log in logs) / (time.perf_counter() - begun)


async def measure(database: str, redis: str | None, logs: list[Log], rounds: int) -> None:
    settings = [Settings(database=database, redis=redis, node=name) for name in ("here", "there")]
    stores = [Store(each.database, each.node) for each in settings]
    for store in stores:
        await store.database.open()
    fanouts = [fanout_of(each, store) for each, store in zip(settings, stores, strict=True)]
    heard = 0

    def hear(*_: object) -> None:
        nonlocal heard
        heard += 1

    fanouts[1].on_table(hear)
    for fanout in fanouts:
        await fanout.start()
    rates: dict[bool, list[float]] = {False: [], True: []}
    await append_all(stores[0], None, logs[:10], "warm")
    for number in range(rounds):
        for on in (False, True):
            rate = await append_all(stores[0], fanouts[0] if on else None, logs, f"{'f' if on else 'p'}{number}x")
            rates[on].append(rate)
    for fanout in fanouts:
        await fanout.stop()
    for store in stores:
        await store.database.close()
    ratios = [on / off for off, on in zip(rates[False], rates[True], strict=True)]
    name = "Redis" if redis else "NOTIFY"
    print(f"{name}: without {_spread(rates[False])}, with {_spread(rates[True])} events/s", end="; ")
    print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}); {heard} messages heard")


def _spread(rates: list[float]) -> str:
    return f"{statistics.median(rates):.0f} ({min(rates):.0f} to {max(rates):.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {TABLES} tables")
    logs = []
    for seed in range(TABLES):
        played = table_of("ann", "bob", seed=seed)
        played.play_on(MOVES)
        logs.append(Log(played))
    with postgres.cluster() as url, redis_server.redis_server() as redis:
        for each in (None, redis):
            asyncio.run(measure(postgres.new_database(url), each, logs, given.rounds))


if __name__ == "__main__":
    main()
