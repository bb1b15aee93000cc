"""Learns from the other nodes that tables have changed, and reads what is new.

The fan-out says so at once. A message that is lost is made up for by comparing all live tables with the database at an
interval, and after every new connection of the fan-out.
"""

from __future__ import annotations

import asyncio
import logging

from riverstones.server.fanout import Fanout
from riverstones.server.storage import UNAVAILABLE, Store, reason
from riverstones.server.tables.background import Background
from riverstones.server.tables.executor import Executor
from riverstones.server.tables.feed import ProgramFeed
from riverstones.server.tables.registry import Registry

log = logging.getLogger("riverstones.tables")

POLL_S = 5.0
"""The interval at which live tables are compared with the database."""

TELL_S = 0.05
"""How long changes at tables elsewhere are gathered before programs are told of them."""

TOGETHER = 1_000
"""How many tables one query asks for."""


class Reader:
    """Keeps the live tables of this node up to date with what other nodes store."""

    def __init__(
        self, executor: Executor, store: Store, registry: Registry, programs: ProgramFeed, fanout: Fanout
    ) -> None:
        self._executor = executor
        self._store = store
        self._registry = registry
        self._programs = programs
        self._elsewhere: set[str] = set()
        """Tables that have changed and are not live here: only programs are told of them."""
        self._poll_now = asyncio.Event()
        fanout.on_table(self._heard)
        fanout.on_gap(self._poll_now.set)

    def start(self, background: Background) -> None:
        """Compare in the background."""
        background.start(self._poll_regularly())
        background.start(self._tell_programs())

    def _heard(self, table: str, seq: int, node: str) -> None:
        live = self._registry.get(table)
        if live is None:
            if self._programs.is_followed:
                self._elsewhere.add(table)
        elif live.table.seq < seq:
            self._executor.read_on(live, seq).add_done_callback(_note)

    async def _poll_regularly(self) -> None:
        while True:
            try:
                async with asyncio.timeout(POLL_S):
                    await self._poll_now.wait()
            except TimeoutError:
                pass
            self._poll_now.clear()
            try:
                await self.poll()
            except UNAVAILABLE as error:
                log.error("The database does not answer: %s", reason(error))

    async def poll(self) -> None:
        """Compare all live tables with the database, and read what is missing."""
        tables = [live.table.id for live in self._registry]
        for start in range(0, len(tables), TOGETHER):
            last = await self._store.projections.last_events(tables[start : start + TOGETHER])
            for table, seq in last.items():
                self._heard(table, seq, "")

    async def _tell_programs(self) -> None:
        """Tell programs of changes at tables that are not live here."""
        while True:
            await asyncio.sleep(TELL_S)
            if not self._elsewhere:
                continue
            changed, self._elsewhere = list(self._elsewhere), set()
            try:
                for start in range(0, len(changed), TOGETHER):
                    for listed in await self._store.projections.summaries(changed[start : start + TOGETHER]):
                        self._programs.show(listed)
            except UNAVAILABLE as error:
                log.error("The database does not answer: %s", reason(error))


def _note(reading: asyncio.Future[None]) -> None:
    """The next poll tries again if the database did not answer."""
    if not reading.cancelled() and (error := reading.exception()) is not None:
        log.error("New events of a table could not be read: %s", reason(error))
