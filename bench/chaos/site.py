"""A site of several nodes and workers on PostgreSQL, and on Redis if wished, whose parts can be made to fail.

Every node has two loopback addresses: at one it listens, at the other it finds PostgreSQL and Redis. Dropping the
packets of both cuts off that node alone. The rules for that are set in the network namespace of this process, which
must be its own.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.server import postgres
from tests.server.redis_server import RedisServer
from tests.server.running import free_port

FAKETIME: Final = max(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), default=None)
SKEWS: Final = ("-30s", "+0s", "+30s")
"""How wrong the clocks of nodes are."""

START_S: Final = 60.0
TABLE: Final = "riverstones_chaos"


def missing() -> list[str]:
    """The programs that are needed and not installed."""
    names = ["redis-server", "nft", "ip", "unshare"]
    lacking = [name for name in names if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is None]
    if postgres.programs() is None:
        lacking.append("postgresql")
    if FAKETIME is None:
        lacking.append("libfaketime")
    return lacking


def nft(*commands: str) -> None:
    """Change the packet filter of this network namespace."""
    subprocess.run(["nft", "; ".join(commands)], check=True, capture_output=True)


@dataclass
class Node:
    """A node: a process that is started again after it has ended."""

    number: int
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        """Where it listens."""
        return f"127.0.2.{self.number + 1}"

    @property
    def way(self) -> str:
        """The address at which it finds PostgreSQL and Redis."""
        return f"127.0.1.{self.number + 1}"

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


@dataclass
class Site:
    """The running site."""

    rng: random.Random
    database: postgres.Cluster
    redis: RedisServer | None
    log: Path
    nodes: list[Node] = field(default_factory=list)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    busy: set[int] = field(default_factory=set)
    """The nodes that a fault is at, so that no second one comes to them."""

    @property
    def database_url(self) -> str:
        return f"{self.database.url}/chaos"

    def any_url(self) -> str:
        """The address of some node; it may be down, as with a proxy that has not noticed."""
        return self.rng.choice(self.nodes).url

    def _spawn(self, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", *command], stdout=log, stderr=log, env={**os.environ, **environment}
            )

    async def start_node(self, node: Node, skew: str | None = None) -> None:
        """Start a node whose clock is wrong by this much, and wait until it can be used."""
        skew = skew or self.rng.choice(SKEWS)
        database = self.database_url.replace("127.0.0.1", node.way)
        redis = self.redis.url.replace("127.0.0.1", node.way) if self.redis else ""
        fake = {"LD_PRELOAD": str(FAKETIME), "FAKETIME": skew, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        node.process = self._spawn("bench.chaos.node", database, redis, node.host, str(node.port), **fake)
        async with asyncio.timeout(START_S):
            while not await answers(node):
                if node.process.poll() is not None:
                    raise SystemExit(f"A node did not start; its log is {self.log}")
                await asyncio.sleep(0.05)

    def start_worker(self) -> None:
        options = ["--redis", self.redis.url] if self.redis else ["--database", self.database_url]
        self.workers.append(self._spawn("riverstones", "worker", *options, "--jobs", "1"))

    def cut_off(self, node: Node) -> None:
        """Drop all packets from and to a node."""
        for address in (node.way, node.host):
            nft(*(f"add rule inet {TABLE} input ip {side} {address} drop" for side in ("saddr", "daddr")))

    def heal(self) -> None:
        """Let all packets pass again."""
        nft(f"flush chain inet {TABLE} input")

    def stop(self) -> None:
        for process in (*(node.process for node in self.nodes), *self.workers):
            if process is not None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()


async def answers(node: Node) -> bool:
    """Whether a node accepts connections."""
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(node.host, node.port), 1)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


@asynccontextmanager
async def site(rng: random.Random, nodes: int, workers: int, with_redis: bool, log: Path) -> AsyncIterator[Site]:
    """Run a site."""
    nft(f"add table inet {TABLE}", f"add chain inet {TABLE} input {{ type filter hook input priority 0 ; }}")
    with ExitStack() as stack:
        cluster = stack.enter_context(postgres.started(addresses="0.0.0.0"))
        postgres.make_database(cluster.url, "chaos")
        redis = stack.enter_context(RedisServer(bind="0.0.0.0")) if with_redis else None
        found = Site(rng, cluster, redis, log)
        stack.callback(found.stop)
        for number in range(nodes):
            found.nodes.append(Node(number, free_port()))
            # One after the other: the first one makes the schema.
            await found.start_node(found.nodes[-1], SKEWS[number % len(SKEWS)])
        for _ in range(workers):
            found.start_worker()
        yield found
