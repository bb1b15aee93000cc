"""The fan-out of PostgreSQL: LISTEN and NOTIFY, on a connection of its own.

A NOTIFY inside the transaction of an append would hold a lock of the whole database at its commit. Here each packet is
a transaction of its own, after the commit, and writes nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from riverstones.server.fanout.queued import QueuedFanout, Send
from riverstones.server.storage import Store

CHANNEL = "riverstones"
NOTIFY = "SELECT pg_notify($1, $2)"


class PostgresFanout(QueuedFanout):
    """Notifies through the database that has the events."""

    def __init__(self, node: str, store: Store) -> None:
        super().__init__(node)
        self._store = store

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Send]:
        """Listen on a new connection."""
        connection = await self._store.database.listen()
        try:
            connection.add_termination_listener(lambda _: self.lose())
            await connection.add_listener(CHANNEL, lambda *heard: self.receive(heard[-1]))
            yield partial(connection.execute, NOTIFY, CHANNEL)
        finally:
            connection.terminate()
