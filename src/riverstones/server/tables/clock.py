"""Waiting for the times at which something has to happen at a table."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from riverstones.server.settings import Settings
from riverstones.server.tables.live_table import Work
from riverstones.table import BotMove, BotVerdict


class Clock:
    """The server's clock."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def wait_until(self, at_ms: int) -> None:
        """Wait for a time; return at once if it has passed."""
        while (wait_ms := at_ms - self._settings.now_ms()) > 0:
            await asyncio.sleep(wait_ms / 1000)

    async def wait_until_due(self, work: Work) -> None:
        """Wait for the time before which a bot may not act. A change of the table may move it."""
        while (wait_ms := self._wait_ms(work)) > 0:
            work.changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_ms / 1000):
                    await work.changed.wait()

    def _wait_ms(self, work: Work) -> int:
        need = work.need
        due_ms = need.not_before_ms if isinstance(need, BotMove | BotVerdict) else None
        return 0 if due_ms is None else due_ms - self._settings.now_ms()
