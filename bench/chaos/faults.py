"""What can go wrong at a site. Each fault mends itself and returns a description of what it did."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable

from bench.chaos.site import Node, Site

Fault = Callable[[Site, random.Random], Awaitable[str]]


def _free_node(site: Site, rng: random.Random) -> Node:
    node = rng.choice([node for node in site.nodes if node.number not in site.busy])
    site.busy.add(node.number)
    return node


async def _ended(node: Node) -> None:
    assert node.process is not None
    while node.process.poll() is None:
        await asyncio.sleep(0.02)


async def _end_node(site: Site, rng: random.Random, by: signal.Signals, how: str) -> str:
    """End a node by a signal, and start it again some time later."""
    node = _free_node(site, rng)
    assert node.process is not None
    node.process.send_signal(by)
    await _ended(node)
    await asyncio.sleep(rng.uniform(0.0, 2.0))
    await site.start_node(node)
    site.busy.discard(node.number)
    return f"node {node.number} {how}"


async def kill_node(site: Site, rng: random.Random) -> str:
    return await _end_node(site, rng, signal.SIGKILL, "killed")


async def kill_after_commit(site: Site, rng: random.Random) -> str:
    """A node dies after it has stored an event and before it tells the others: see `bench.chaos.node`."""
    return await _end_node(site, rng, signal.SIGUSR1, "killed between commit and publish")


async def restart_node(site: Site, rng: random.Random) -> str:
    return await _end_node(site, rng, signal.SIGTERM, "restarted")


async def freeze_node(site: Site, rng: random.Random) -> str:
    node = _free_node(site, rng)
    assert node.process is not None
    seconds = rng.uniform(1.0, 10.0)
    node.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    node.process.send_signal(signal.SIGCONT)
    site.busy.discard(node.number)
    return f"node {node.number} frozen for {seconds:.1f} s"


async def cut_off_node(site: Site, rng: random.Random) -> str:
    node = _free_node(site, rng)
    seconds = rng.uniform(2.0, 15.0)
    site.cut_off(node)
    await asyncio.sleep(seconds)
    site.heal()
    site.busy.discard(node.number)
    return f"node {node.number} cut off for {seconds:.1f} s"


async def kill_worker(site: Site, rng: random.Random) -> str:
    worker = site.workers.pop(rng.randrange(len(site.workers)))
    worker.kill()
    worker.wait()
    await asyncio.sleep(rng.uniform(0.0, 2.0))
    site.start_worker()
    return "worker killed"


async def restart_database(site: Site, rng: random.Random) -> str:
    """PostgreSQL stops at once, as in a crash, or after it has ended its sessions."""
    mode = rng.choice(["fast", "immediate"])
    await asyncio.to_thread(site.database.restart, mode)
    return f"PostgreSQL restarted ({mode})"


async def kill_redis(site: Site, rng: random.Random) -> str:
    assert site.redis is not None
    site.redis.kill()
    await asyncio.sleep(rng.uniform(0.0, 3.0))
    await asyncio.to_thread(site.redis.start)
    return "Redis killed"


def faults_of(site: Site) -> list[Fault]:
    """The faults that a site can have."""
    found: list[Fault] = [kill_node, kill_after_commit, restart_node, freeze_node, cut_off_node, restart_database]
    if site.workers:
        found.append(kill_worker)
    if site.redis is not None:
        found.append(kill_redis)
    return found
