"""What is left to do when a game has ended: its result is counted for the ratings, once, whatever fails meanwhile."""

from __future__ import annotations

import asyncio
import logging

from riverstones.server.accounts.ratings import Ratings
from riverstones.server.storage import UNAVAILABLE, Store, reason
from riverstones.table import Table, fold

log = logging.getLogger("riverstones.settlement")

RETRY_S = 1.0


class Settlement:
    """Settles games that have ended."""

    def __init__(self, store: Store, ratings: Ratings) -> None:
        self._store = store
        self._ratings = ratings

    async def settle(self, table: Table) -> None:
        """Count the result, as soon as the database can be reached."""
        logged = False
        while True:
            try:
                await self._ratings.rate(table)
            except UNAVAILABLE as error:
                if not logged:
                    log.error("The database did not store the result of a game: %s", reason(error))
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
                log.exception("A game that ended before the start could not be settled; the others are")
