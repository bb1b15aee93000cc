"""Puts together the workers of a server: its own processes, and workers on other machines where it can have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riverstones.server.metrics import Metrics
from riverstones.server.settings import Settings
from riverstones.server.workers.interface import Workers
from riverstones.server.workers.measured import MeasuredWorkers
from riverstones.server.workers.pool import WorkerPool, review_pool

if TYPE_CHECKING:
    from riverstones.server.workers.dispatcher import Dispatcher


@dataclass(frozen=True, slots=True)
class ServerWorkers:
    """The workers of a server."""

    engine: Workers
    """For what somebody waits for."""
    reviews: Workers
    """For the background."""
    dispatcher: Dispatcher | None = None
    """Follows the jobs on other machines; None if all are run here."""

    def start(self) -> None:
        """Listen for workers on other machines."""
        if self.dispatcher is not None:
            self.dispatcher.start()

    async def close(self) -> None:
        """Stop all jobs."""
        await self.engine.close()
        await self.reviews.close()
        if self.dispatcher is not None:
            await self.dispatcher.close()


def workers_of(settings: Settings, metrics: Metrics) -> ServerWorkers:
    """The workers for these settings, measured.

    Workers on other machines need a store that they can reach, PostgreSQL or Redis, and the extra `cluster`.
    """
    found = _workers_of(settings)
    return ServerWorkers(
        MeasuredWorkers(found.engine, metrics), MeasuredWorkers(found.reviews, metrics), found.dispatcher
    )


def _workers_of(settings: Settings) -> ServerWorkers:
    engine, reviews = WorkerPool(settings.workers), review_pool(settings.workers)
    try:
        from riverstones.server.workers.dispatcher import Dispatcher
        from riverstones.server.workers.job_store import MOVES, REVIEWS, store_of
        from riverstones.server.workers.queued import QueuedWorkers
    except ModuleNotFoundError as error:
        if (error.name or "riverstones").partition(".")[0] == "riverstones":
            raise
        return ServerWorkers(engine, reviews)
    store = store_of(settings.database, settings.redis)
    if store is None:
        return ServerWorkers(engine, reviews)
    dispatcher = Dispatcher(store)
    return ServerWorkers(
        QueuedWorkers(engine, dispatcher, MOVES), QueuedWorkers(reviews, dispatcher, REVIEWS), dispatcher
    )
