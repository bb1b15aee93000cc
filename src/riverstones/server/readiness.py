"""Whether the server can take work: it answers, and its database stores what is written."""

from __future__ import annotations

import asyncio
import time

from riverstones.server.storage import Store

VALID_S = 1.0
"""How long a result is reused: checking writes to the disk, and anybody may ask."""


class Readiness:
    """Checks that the database can be written to, at most once per `VALID_S`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = asyncio.Lock()
        self._checked_s: float | None = None
        self._failure: Exception | None = None

    async def check(self) -> None:
        """Raise one of `UNAVAILABLE` if the database does not store a write, because its disk is full for example."""
        async with self._turn:
            now_s = time.monotonic()
            if self._checked_s is None or now_s - self._checked_s >= VALID_S:
                self._failure = None
                try:
                    await self._store.database.check_writable()
                except Exception as error:
                    self._failure = error
                self._checked_s = time.monotonic()
            if self._failure is not None:
                raise self._failure
