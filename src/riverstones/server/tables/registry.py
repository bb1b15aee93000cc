"""The registry of live tables: those that this server has in memory."""

from __future__ import annotations

from collections.abc import Iterator

from riverstones.server.metrics import Metrics
from riverstones.server.tables.live_table import LiveTable

IDLE_MS = 15 * 60_000
"""How long a table without viewers stays in memory."""


class Registry:
    """The live tables by their ids."""

    def __init__(self, metrics: Metrics) -> None:
        self._tables: dict[str, LiveTable] = {}
        self._metrics = metrics

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(tuple(self._tables.values()))

    def __contains__(self, table: str) -> bool:
        return table in self._tables

    def get(self, table: str) -> LiveTable | None:
        """A live table by its id."""
        return self._tables.get(table)

    def add(self, live: LiveTable) -> None:
        """Add a table, in the place of an older copy of it if there is one."""
        self._tables[live.table.id] = live
        self._metrics.live_tables.set(len(self._tables))

    def remove(self, live: LiveTable) -> None:
        """Remove a table."""
        self._tables.pop(live.table.id, None)
        self._metrics.live_tables.set(len(self._tables))

    def remove_idle(self, now_ms: int) -> None:
        """Remove the tables that nobody looks at and for which there is nothing to do."""
        for live in self:
            idle = live.changed_ms < now_ms - IDLE_MS and not live.feed.listeners
            if idle and not live.updating and not live.is_busy:
                self.remove(live)
