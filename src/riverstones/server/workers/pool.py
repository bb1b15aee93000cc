"""Runs jobs in worker processes of this machine, and replaces processes that fail."""

from __future__ import annotations

import asyncio
import logging
import pickle
from typing import Any

from riverstones.server.workers.fair_queue import FairQueue, Priority
from riverstones.server.workers.interface import NOBODY, WorkerFailed, Workers
from riverstones.server.workers.jobs import Job, LongJob, Report, WarmUp
from riverstones.server.workers.process import Process
from riverstones.server.workers.requester import Requester

log = logging.getLogger("riverstones.workers")

LONGEST_S = 30.0
"""The timeout of a job. Budgets are nodes, so a job that takes this long has failed."""

LONGEST_COMPILATION_S = 600.0
"""The timeout of the warm-up: the first search on a machine compiles the kernel, which may take minutes."""

LONGEST_REVIEW_S = 900.0
"""The timeout of a review; most take some seconds."""

REVIEW_NICENESS = 10
"""Reviews give way to the moves of bots and to the study board."""

PROCESS_ERRORS = (OSError, EOFError, TimeoutError, pickle.UnpicklingError)
"""Exceptions of a call to a process that dies, hangs or writes garbage."""


class WorkerPool(Workers):
    """A number of worker processes, started when they are first needed."""

    def __init__(self, count: int, longest_s: float = LONGEST_S, niceness: int = 0) -> None:
        self._longest_s = longest_s
        self._niceness = niceness
        self._queue = FairQueue(count)
        self._idle: list[Process] = []
        self._living: set[Process] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False
        self._compiled = asyncio.Event()
        self._warming: asyncio.Task[None] | None = None

    def warm_up(self) -> None:
        """Compile the engine in the background; levels that search wait for it."""
        self._warming = asyncio.create_task(self._warm_up(), name="warm-up")

    async def _warm_up(self) -> None:
        """Compile in an extra process, so that bots that do not search need not wait."""
        process = self._new_process()
        try:
            await asyncio.wait_for(process.run(WarmUp()), LONGEST_COMPILATION_S)
        except (WorkerFailed, *PROCESS_ERRORS) as failure:
            log.warning("Engine warm-up failed: %s", failure)
        finally:
            self._compiled.set()
            self._end(process)

    async def close(self) -> None:
        """End all processes and wait for them. Running jobs are lost."""
        self._closed = True
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        for process in tuple(self._living):
            self._end(process)
        await asyncio.gather(*self._ending)

    def _new_process(self) -> Process:
        process = Process(self._niceness)
        self._living.add(process)
        return process

    def _end(self, process: Process) -> None:
        """End a process in a separate task, so that it ends even if the caller is cancelled."""
        if process in self._living:
            self._living.remove(process)
            ending = asyncio.create_task(process.end(), name="end a worker process")
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def run(
        self,
        job: Job | LongJob,
        who: Requester = NOBODY,
        priority: Priority = Priority.MOVE,
        key: str | None = None,
        report: Report | None = None,
    ) -> Any:
        """Run a job in a process. Cancelling it ends the process."""
        async with self._queue.slot(who, priority):
            if self._closed:
                raise WorkerFailed("the server is stopping")
            process = self._idle.pop() if self._idle else self._new_process()
            try:
                answer = await asyncio.wait_for(process.run(job, report), self._longest_s)
            except WorkerFailed:
                self._idle.append(process)
                raise
            except PROCESS_ERRORS as error:
                self._end(process)
                raise WorkerFailed(f"{type(error).__name__} while running a job") from error
            except BaseException:
                self._end(process)
                raise
            self._idle.append(process)
            return answer

    @property
    def compiled(self) -> bool:
        """Whether no warm-up is running."""
        return self._warming is None or self._compiled.is_set()

    async def until_compiled(self) -> None:
        """Wait for a running warm-up."""
        if self._warming is not None:
            await self._compiled.wait()


def review_pool(count: int) -> WorkerPool:
    """Processes for reviews, which run in the background."""
    return WorkerPool(count, LONGEST_REVIEW_S, REVIEW_NICENESS)
