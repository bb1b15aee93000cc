"""Several nodes of one site in this process: services without a network, each with its own connections and clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from riverstones.server.services import Services
from riverstones.server.tables.feed import Listener
from riverstones.server.tables.live_table import LiveTable
from riverstones.server.tables.outbox import Outbox
from riverstones.table import Actor, Chair, Viewer

from .running import TIMEOUT_S, settings_for

ANN, BOB = Actor("ann", "Ann"), Actor("bob", "Bob")
CHAIRS = tuple(Chair(person=name, name=name.title(), colour="teal") for name in ("ann", "bob"))


@dataclass
class Node:
    """One node."""

    services: Services
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    async def live(self, table: str) -> LiveTable:
        return await self.services.tables.get(table)

    async def watch(self, table: str, person: str | None = None) -> Listener:
        """A viewer at a table."""
        listener = Listener(Viewer(person), Outbox(10_000, 1 << 30))
        (await self.live(table)).feed.join(listener)
        return listener


async def start(folder: Path, **site: Any) -> Node:
    """Start a node; `site` has the settings that nodes share, and changes."""
    services = Services.of(settings_for(folder, **site))
    services.store.nodes.announce(services.settings.node)
    await services.store.database.open()
    await services.accounts.open()
    await services.tables.start()
    return Node(services)


async def stop(node: Node) -> None:
    await node.services.tables.stop()
    await node.services.accounts.close()
    await node.services.limits.close()
    await node.services.workers.close()
    await node.services.store.database.close()


async def crash(node: Node) -> None:
    """End a node as if it were killed: without a word to the others or to the database."""
    services = node.services
    await services.tables._background.stop()
    await services.tables.nodes._background.stop()
    await services.accounts.close()
    await services.limits.close()
    if (sending := getattr(services.fanout, "_task", None)) is not None:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    await services.workers.close()
    await services.store.database.close()


@asynccontextmanager
async def nodes(folder: Path, count: int, **site: Any) -> AsyncIterator[list[Node]]:
    """Nodes that know each other."""
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(count):
            node = await start(folder, **site)
            stack.push_async_callback(stop, node)
            found.append(node)
        for node in found:
            await node.services.tables.nodes.beat()
        yield found


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(TIMEOUT_S):
        while not holds():
            await asyncio.sleep(0.005)
