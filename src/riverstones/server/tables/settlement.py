"""Work at the end of a game: its result is rated exactly once, also after failures and restarts."""

from __future__ import annotations

import asyncio
import logging

from riverstones.server.accounts.ratings import Ratings
from riverstones.server.storage import UNAVAILABLE, Store, reason
from riverstones.table import Table, fold

log = logging.getLogger("riverstones.settlement")

RETRY_S = 1.0


class Settlement:
    """Rates finished games."""

    def __init__(self, store: Store, ratings: Ratings) -> None:
        self._store = store
        self._ratings = ratings

    async def settle(self, table: Table) -> None:
        """Rate a game; retry while the database is unavailable."""
        logged = False
        while True:
            try:
                await self._ratings.rate(table)
            except UNAVAILABLE as error:
                if not logged:
                    log.error("Database unavailable, the result of a game is stored later: %s", reason(error))
                logged = True
                await asyncio.sleep(RETRY_S)
            else:
                return

    async def settle_pending(self) -> None:
        """Settle the games that ended just before the server stopped."""
        for table in await self._store.projections.pending_ratings():
            try:
                await self.settle(fold(await self._store.events.read(table)))
            except Exception:
                log.exception("A game that ended before the start could not be rated; the others are rated")
