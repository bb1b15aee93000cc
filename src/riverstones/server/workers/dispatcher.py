"""Sends jobs to workers on other machines, and follows them.

The server trusts no clock but its own. Every worker says each second that it is there (`BEAT_S`). A worker that has not
been heard for `SILENCE_S` is taken for dead, and the jobs it had begun are asked for again. A job that no worker begins
within `QUEUE_TIMEOUT_S` is taken back. So no job depends on a worker that was killed, cut off or overloaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from saq import Job, Status

from riverstones.server.workers.job_store import QUEUES, RETRY_S, STORE_ERRORS, JobStore, News
from riverstones.server.workers.jobs import Report

log = logging.getLogger("riverstones.workers")

BEAT_S = 1.0
"""The interval of a worker's heartbeats."""

SILENCE_S = 5.0
"""How long a worker may send no heartbeat before it counts as dead."""

QUEUE_TIMEOUT_S = 5.0
"""How long a job may wait in the queue, and a request to the store for its answer. Servers send hardly more jobs than
there are slots, so a job usually begins soon."""

LOOK_S = 1.0
"""How often the state of the jobs is read, in case that news was lost."""


class JobLost(Exception):
    """Nobody will finish this job; it has to be run again."""

    def __init__(self, why: str, *, again: bool) -> None:
        super().__init__(why)
        self.again = again
        """Whether it should be sent to another worker, if there is one."""


class JobRefused(Exception):
    """A worker has run the job, and it failed."""


@dataclass(slots=True)
class LiveWorker:
    """A worker that was heard lately."""

    slots: dict[str, int]
    """How many jobs of each queue it runs at a time."""
    heard: float


@dataclass(eq=False, slots=True)
class SentJob:
    """A job that was sent, and those who wait for it."""

    queue: str
    name: str
    answer: asyncio.Future[Any]
    reports: list[Report] = field(default_factory=list)
    sending: asyncio.Task[None] | None = None
    waiters: int = 0
    queued_at: float = 0.0
    begun_at: float | None = None
    worker: str | None = None
    missing_since: float | None = None
    """Since when the job could not be read after a worker had begun it."""


class Dispatcher:
    """The jobs of this server that workers on other machines run."""

    def __init__(self, store: JobStore) -> None:
        self._store = store
        self._connected = False
        self._workers: dict[str, LiveWorker] = {}
        self._sent: dict[str, SentJob] = {}
        self._changed: set[str] = set()
        """Jobs of which there is news."""
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.on_change: list[Callable[[], None]] = []
        """Called when workers come or go."""

    def start(self) -> None:
        """Listen for workers. The store need not be reachable."""
        self._start(self._listen())
        self._start(self._watch())
        self._start(self._follow())

    async def close(self) -> None:
        """Stop the jobs of this server, and close the connections."""
        for sent in tuple(self._sent.values()):
            self._lose(sent, JobLost("the server is stopping", again=False))
        # Jobs are taken back first: their tasks are among those that end here.
        aborting = [task for task in self._tasks if task.get_name() == "take back a job"]
        if aborting:
            await asyncio.wait(aborting, timeout=2)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(*STORE_ERRORS):
            await self._store.close()

    def _start(self, work: Coroutine[Any, Any, None], name: str = "dispatcher") -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Workers

    def slots(self, queue: str) -> int:
        """How many jobs of this queue the live workers run at a time; 0 if there is no worker."""
        return sum(worker.slots.get(queue, 0) for worker in self._workers.values())

    async def _listen(self) -> None:
        while True:
            try:
                async for news in self._store.news():
                    try:
                        self._hear(news)
                    except Exception:
                        log.exception("News of the workers could not be handled")
            except Exception:
                log.exception("The connection for news of the workers broke")
            await asyncio.sleep(RETRY_S)

    def _hear(self, news: News) -> None:
        match news:
            case {"worker": str(name), "slots": dict(slots)}:
                known = self._workers.get(name)
                heard = asyncio.get_running_loop().time()
                counts = {queue: slots[queue] for queue in QUEUES if type(slots.get(queue)) is int}
                self._workers[name] = LiveWorker(counts, heard)
                if known is None or known.slots != counts:
                    self._workers_changed()
            case {"bye": str(name)}:
                if self._workers.pop(name, None) is not None:
                    self._workers_changed()
            case {"job": str(name), "result": dict(result)} if name in self._sent:
                self._settle(self._sent[name], result)
            case {"job": str(name)} if name in self._sent:
                self._changed.add(name)
                self._wake.set()
            case {"progress": str(name), "done": int(done), "total": int(total)} if name in self._sent:
                for report in self._sent[name].reports:
                    report((done, total))

    def _workers_changed(self) -> None:
        if not self._workers:
            log.warning("No engine worker answers; computing in this server's own processes")
        for tell in self.on_change:
            tell()

    async def _watch(self) -> None:
        """Notice workers that have fallen silent, and look after all jobs."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                self._drop_silent_workers()
            except Exception:
                log.exception("The loss of a worker could not be handled")
            self._changed.update(self._sent)
            self._wake.set()

    def _drop_silent_workers(self) -> None:
        now = asyncio.get_running_loop().time()
        silent = [name for name, worker in self._workers.items() if now - worker.heard > SILENCE_S]
        for name in silent:
            del self._workers[name]
        if silent:
            self._workers_changed()

    # Jobs

    async def run(self, queue: str, name: str, form: Any, priority: int, report: Report | None = None) -> Any:
        """Send a job, unless one with this name is under way, and return its answer as JSON.

        Raises `JobLost` if it has to be run again, and `JobRefused` if it failed. When nobody waits for it any more, it
        is stopped.
        """
        sent = self._sent.get(name)
        if sent is None:
            loop = asyncio.get_running_loop()
            sent = self._sent[name] = SentJob(queue, name, loop.create_future(), queued_at=loop.time())
            sent.sending = self._start(self._send(sent, form, priority))
        if report is not None:
            sent.reports.append(report)
        sent.waiters += 1
        try:
            return await asyncio.shield(sent.answer)
        finally:
            sent.waiters -= 1
            if not sent.waiters and not sent.answer.done():
                self._lose(sent, JobLost("nobody waits for it", again=False))

    async def _send(self, sent: SentJob, form: Any, priority: int) -> None:
        try:
            async with asyncio.timeout(QUEUE_TIMEOUT_S):
                if not self._connected:
                    await self._store.open()
                    self._connected = True
                if not await self._store.add(sent.queue, sent.name, form, priority):
                    self._changed.add(sent.name)  # another server has asked for it, and it may be finished
                    self._wake.set()
        except STORE_ERRORS as error:
            self._settle(sent, JobLost(f"it could not be queued: {type(error).__name__}", again=False))

    async def _follow(self) -> None:
        """Read the jobs of which there is news, all at once."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            changed, self._changed = self._changed, set()
            for queue in QUEUES:
                sent = [job for name in changed if (job := self._sent.get(name)) and job.queue == queue]
                if sent:
                    try:
                        await self._look(queue, sent)
                    except Exception:
                        log.exception("The state of jobs could not be handled")

    async def _look(self, queue: str, sent: list[SentJob]) -> None:
        try:
            async with asyncio.timeout(QUEUE_TIMEOUT_S):
                found = await self._store.look(queue, [each.name for each in sent]) if self._connected else {}
        except STORE_ERRORS:
            found = {}
        except Exception:  # they are lost in time, as if they were not there
            log.exception("The state of jobs could not be read")
            found = {}
        for each in sent:
            self._judge(each, found.get(each.name))

    def _judge(self, sent: SentJob, job: Job | None) -> None:
        """Finish, lose or keep waiting for a job, given its present state; None if it could not be read."""
        now = asyncio.get_running_loop().time()
        status = None if job is None else job.status
        if job is not None:
            sent.missing_since = None
        if job is not None and status is Status.COMPLETE:
            self._settle(sent, job.result)
        elif status in (Status.FAILED, Status.ABORTED, Status.ABORTING):
            self._lose(sent, JobLost("it was stopped", again=True))
        elif job is not None and status is Status.ACTIVE and job.worker_id:
            if sent.worker != job.worker_id:
                sent.worker, sent.begun_at = job.worker_id, now
            self._check_worker(sent, now)
        elif sent.worker is not None and job is None:
            sent.missing_since = sent.missing_since or now
            if now - sent.missing_since > SILENCE_S:
                self._lose(sent, JobLost("the queue has lost it", again=True))
        else:
            if sent.worker is not None:
                sent.worker, sent.begun_at, sent.queued_at = None, None, now  # the worker has handed it back
            if not self._workers:
                self._lose(sent, JobLost("there is no worker", again=False))
            elif now - sent.queued_at > QUEUE_TIMEOUT_S:
                self._lose(sent, JobLost("no worker has begun it", again=False))

    def _check_worker(self, sent: SentJob, now: float) -> None:
        """Lose a job whose worker has been silent for too long."""
        if sent.worker not in self._workers and now - (sent.begun_at or now) > SILENCE_S:
            self._lose(sent, JobLost("its worker is silent", again=True))

    def _lose(self, sent: SentJob, why: JobLost) -> None:
        """Give a job up: stop it wherever it is."""
        self._settle(sent, why)
        self._start(self._take_back(sent), "take back a job")

    def _settle(self, sent: SentJob, answer: Any) -> None:
        self._sent.pop(sent.name, None)
        if sent.answer.done():
            return
        if isinstance(answer, Exception):
            sent.answer.set_exception(answer)
            sent.answer.exception()  # it may be that nobody waits for it
        elif isinstance(answer, dict) and isinstance(answer.get("error"), str):
            sent.answer.set_exception(JobRefused(answer["error"][:200]))
        elif isinstance(answer, dict) and answer.get("unreadable") is True:
            sent.answer.set_exception(JobLost("the worker cannot read it; is it of this version?", again=False))
            sent.answer.exception()
        else:
            sent.answer.set_result(answer.get("answer") if isinstance(answer, dict) else None)

    async def _take_back(self, sent: SentJob) -> None:
        if sent.sending is not None:
            await asyncio.wait([sent.sending])  # it ends soon, and a job that is not there yet cannot be stopped
        with contextlib.suppress(*STORE_ERRORS):
            async with asyncio.timeout(QUEUE_TIMEOUT_S):
                if self._connected:
                    await self._store.abort(sent.queue, sent.name)
