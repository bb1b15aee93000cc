"""Runs jobs by workers on other machines, and in processes of this machine while there are none."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from typing import Any

from riverstones.notation import NotationError
from riverstones.server.workers.dispatcher import Dispatcher, JobLost, JobRefused
from riverstones.server.workers.fair_queue import FairQueue, Priority
from riverstones.server.workers.interface import NOBODY, WorkerFailed, Workers
from riverstones.server.workers.job_forms import answer_from_json, job_to_json
from riverstones.server.workers.jobs import Job, LongJob, Report
from riverstones.server.workers.pool import WorkerPool
from riverstones.server.workers.requester import Requester

log = logging.getLogger("riverstones.workers")

ATTEMPTS = 2
"""How many workers are asked, one after the other. After that the job is run here."""

ON_THE_WAY = 2
"""Jobs that are sent although all slots are taken: they are at hand when a worker is free."""

NO_LIMIT = 1_000_000
"""Slots while there are no workers: jobs go on at once, to the fair queue of this machine's processes."""


class QueuedWorkers(Workers):
    """One queue of jobs for workers on other machines.

    This server decides whose job is next before it is sent, and sends hardly more jobs than all workers have slots: so
    the shared queue stays short, and the order is as fair as with processes of its own.
    """

    def __init__(self, local: WorkerPool, dispatcher: Dispatcher, queue: str) -> None:
        self._local = local
        self._dispatcher = dispatcher
        self._queue = queue
        self._turns = FairQueue(NO_LIMIT)
        dispatcher.on_change.append(self._resize)

    def _resize(self) -> None:
        slots = self._dispatcher.slots(self._queue)
        self._turns.resize(slots + ON_THE_WAY if slots else NO_LIMIT)

    @property
    def _has_workers(self) -> bool:
        return self._dispatcher.slots(self._queue) > 0

    def warm_up(self) -> None:
        """Compile the engine of this machine, for the time when there are no workers."""
        self._local.warm_up()

    @property
    def compiled(self) -> bool:
        """Whether this machine has a compiled kernel or there are workers, which compile it before they take jobs."""
        return self._has_workers or self._local.compiled

    async def until_compiled(self) -> None:
        """Wait for a running warm-up, unless there are workers."""
        if not self._has_workers:
            await self._local.until_compiled()

    async def close(self) -> None:
        """End the processes of this machine."""
        await self._local.close()

    async def run(
        self,
        job: Job | LongJob,
        who: Requester = NOBODY,
        priority: Priority = Priority.MOVE,
        key: str | None = None,
        report: Report | None = None,
    ) -> Any:
        """Run a job by a worker, or here if there is none or the job is for this machine only."""
        form = job_to_json(job)
        if form is not None and self._has_workers:
            async with self._turns.slot(who, priority):
                for attempt in range(1, ATTEMPTS + 1):
                    if not self._has_workers:
                        break
                    try:
                        name = _name(key, form, attempt)
                        found = await self._dispatcher.run(self._queue, name, form, int(priority), report)
                        return answer_from_json(job, found)
                    except JobLost as lost:
                        log.warning("A job was lost (%s)", lost)
                        if not lost.again:
                            break
                    except NotationError as unreadable:
                        log.warning("The answer of a worker cannot be read; is it of this version? (%s)", unreadable)
                        break
                    except JobRefused as failure:
                        raise WorkerFailed(str(failure)) from None
            await self._local.until_compiled()
        return await self._local.run(job, who, priority, key, report)


def _name(key: str | None, form: Any, attempt: int) -> str:
    """The name of a job in the queue: the same at every server for the same key and the same contents."""
    if key is None:
        key = secrets.token_hex(8)
    digest = hashlib.sha256(json.dumps(form, sort_keys=True).encode()).hexdigest()[:16]
    return f"{key}/{digest}/{attempt}"
