"""Workers whose jobs are counted and timed for the metrics."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from riverstones.server.metrics import Metrics
from riverstones.server.workers.fair_queue import Priority
from riverstones.server.workers.interface import NOBODY, Workers
from riverstones.server.workers.jobs import Job, LongJob, Report
from riverstones.server.workers.requester import Requester


class MeasuredWorkers(Workers):
    """Passes every job on to other workers, and measures it from the request to its result, waiting included."""

    def __init__(self, workers: Workers, metrics: Metrics) -> None:
        self._workers = workers
        self._metrics = metrics

    async def run(
        self,
        job: Job | LongJob,
        who: Requester = NOBODY,
        priority: Priority = Priority.MOVE,
        key: str | None = None,
        report: Report | None = None,
    ) -> Any:
        """Run a job; see `Workers.run`."""
        kind = priority.name.lower()
        outcome, begun = "failed", time.perf_counter()
        with self._metrics.open_jobs.labels(kind).track_inprogress():
            try:
                answer = await self._workers.run(job, who, priority, key, report)
                outcome = "done"
            except asyncio.CancelledError:
                outcome = "cancelled"
                raise
            finally:
                self._metrics.jobs.labels(kind, outcome).inc()
        self._metrics.job_seconds.labels(kind).observe(time.perf_counter() - begun)
        return answer

    def warm_up(self) -> None:
        """See `Workers.warm_up`."""
        self._workers.warm_up()

    @property
    def compiled(self) -> bool:
        """See `Workers.compiled`."""
        return self._workers.compiled

    async def until_compiled(self) -> None:
        """See `Workers.until_compiled`."""
        await self._workers.until_compiled()

    async def close(self) -> None:
        """See `Workers.close`."""
        await self._workers.close()
