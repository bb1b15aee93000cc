"""This node among the nodes of its site: its heartbeat, which nodes are alive, and which of them drives a table.

Any node may do what a table needs, because the number of an event can be taken only once. So that not every node
searches for the same bot's move, one of them drives each table: the node that wrote its last event, as long as that is
alive, and then the one that rendezvous hashing chooses among those that are. All nodes come to the same answer.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging

from riverstones.server.settings import Settings
from riverstones.server.steady_clock import SteadyClock
from riverstones.server.storage import UNAVAILABLE, Outage, Store, reason
from riverstones.server.tables.background import Background
from riverstones.server.tables.registry import Registry
from riverstones.table import Table

log = logging.getLogger("riverstones.nodes")

BEAT_S = 2.0
"""The interval of heartbeats. A killed node is replaced within this time, one that hangs within `FRESH_MS` more."""


class Nodes:
    """The heartbeat of this node, and what it knows of the others."""

    def __init__(self, settings: Settings, store: Store, registry: Registry) -> None:
        self._settings = settings
        self._store = store
        self._registry = registry
        self._background = Background()
        self._beating = asyncio.Lock()
        self.node = settings.node
        self.alive = frozenset({self.node})
        self.outage = Outage()
        """The last time when no node was running."""
        self.changed = asyncio.Event()
        """Set when the nodes that are alive, or the last outage, have changed."""

    async def start(self) -> None:
        """Write the first heartbeat, and go on in the background."""
        clock = self._settings.now_ms
        if isinstance(clock, SteadyClock) and not self._store.database.is_shared:
            clock.advance_to(await self._store.nodes.last_seen_ms())
        await self.beat(starting=True)
        self._background.start(self._beat_regularly())

    async def stop(self) -> None:
        """Write the last heartbeat, unless the database does not answer soon."""
        await self._background.stop()
        try:
            async with asyncio.timeout(BEAT_S / 4):
                await self.beat(stopping=True)
        except (TimeoutError, *UNAVAILABLE) as error:
            log.warning("The last heartbeat could not be written: %s", reason(error))

    async def beat(self, *, starting: bool = False, stopping: bool = False) -> None:
        """Write a heartbeat, set the clock by the database's, and note which nodes are alive."""
        async with self._beating:
            clock = self._settings.now_ms
            asked_ms = clock.monotonic_ms() if isinstance(clock, SteadyClock) else 0.0
            pulse = await self._store.nodes.beat(self.node, clock(), starting=starting, stopping=stopping)
            if isinstance(clock, SteadyClock) and self._store.database.is_shared:
                clock.synchronise(pulse.database_ms, asked_ms)
            before = (self.alive, self.outage)
            self.alive, self.outage = pulse.alive, pulse.outage
        if before != (self.alive, self.outage) and not stopping:
            self.changed.set()

    async def _beat_regularly(self) -> None:
        logged = False
        while True:
            await asyncio.sleep(BEAT_S)
            if not self._store.database.is_shared and not any(live.table.has_clock for live in self._registry):
                continue  # SQLite is written only while somebody's clock is running
            try:
                await self.beat()
                logged = False
            except UNAVAILABLE as error:
                if not logged:
                    log.error("The database does not answer a heartbeat: %s", reason(error))
                logged = True

    def drives(self, table: str, last_writer: str | None) -> bool:
        """Whether this node does what a table needs; `last_writer` is the node that wrote its last event."""
        if last_writer in self.alive:
            return last_writer == self.node
        return max(self.alive, key=lambda node: _weight(node, table), default=self.node) == self.node

    def was_down_for(self, table: Table) -> bool:
        """Whether no node was running at some time since the table's turn, or the rest of it, began."""
        return table.turn_ms < self.outage.to_ms


def _weight(node: str, table: str) -> bytes:
    return hashlib.blake2b(f"{node} {table}".encode(), digest_size=8).digest()
