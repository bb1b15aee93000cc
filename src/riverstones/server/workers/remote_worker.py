"""A worker for servers on other machines: takes jobs from the shared queue and runs them in processes of this one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import signal
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from saq import Worker

from riverstones.notation import NotationError
from riverstones.server.workers.dispatcher import BEAT_S
from riverstones.server.workers.interface import WorkerFailed
from riverstones.server.workers.job_forms import answer_to_json, job_from_json
from riverstones.server.workers.job_store import FUNCTION, MOVES, REVIEWS, STORE_ERRORS, JobStore
from riverstones.server.workers.pool import WorkerPool, review_pool

log = logging.getLogger("riverstones.workers")

TIMERS: Any = {"abort": 1, "sweep": 30, "schedule": 1, "worker_info": 60}
"""Seconds between saq's rounds: to stop jobs that are not needed any more, and to remove abandoned ones."""

POLL_S = {MOVES: 0.02, REVIEWS: 0.25}
"""How often PostgreSQL is asked for jobs."""

SMALL = 4000
"""The largest result that is published, in bytes; larger ones are read from the queue."""

PROGRESS_S = 0.5
"""The shortest time between two reports of progress."""


class RemoteWorker:
    """Runs the jobs of both queues, each with its own processes: reviews never take the slots of moves."""

    def __init__(self, store: JobStore, count: int) -> None:
        self._store = store
        self._name = secrets.token_hex(8)
        self._count = count
        self._pools = {MOVES: WorkerPool(count), REVIEWS: review_pool(count)}
        self._reachable = True
        self._told: set[str] = set()
        """The jobs whose result was published before it is stored."""

    async def work(self, stop: asyncio.Event, ready: Callable[[], None] = lambda: None) -> None:
        """Run jobs until `stop` is set.

        Raises one of `STORE_ERRORS` if the store cannot be reached at the start, and any exception that ends a part of
        the worker: without it, the worker would promise slots and take no jobs.
        """
        await self._store.open()
        self._pools[MOVES].warm_up()
        tasks: set[asyncio.Task[Any]] = set()
        workers: list[Worker[Any]] = []
        try:
            if not await _first(self._pools[MOVES].until_compiled(), stop.wait()):
                return
            for name, pool in self._pools.items():
                functions = [(FUNCTION, partial(self._run, pool))]
                worker: Worker[Any] = Worker(
                    self._store.queues[name],
                    functions,
                    id=self._name,
                    concurrency=self._count,
                    timers=TIMERS,
                    after_process=self._tell,
                    poll_interval=POLL_S[name],
                )
                worker.SIGNALS = []  # `serve_jobs` handles them for both
                workers.append(worker)
                tasks.add(asyncio.create_task(worker.start()))
            tasks.add(asyncio.create_task(self._beat()))
            tasks.add(asyncio.create_task(stop.wait()))
            ready()
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not stop.is_set():
                for task in ended:
                    task.result()
                raise RuntimeError("a part of the worker has ended")
        finally:
            with contextlib.suppress(*STORE_ERRORS, TimeoutError):
                await asyncio.wait_for(self._store.publish({"bye": self._name}), 2)
            # Running jobs are handed back to the queue.
            await asyncio.gather(*(worker.stop() for worker in workers), return_exceptions=True)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for pool in self._pools.values():
                await pool.close()
            with contextlib.suppress(*STORE_ERRORS):
                await self._store.close()

    async def _run(self, pool: WorkerPool, context: Any, *, form: Any) -> dict[str, Any]:
        """Run one job. Its failure is an answer as well: raising it would make saq log the job."""
        name: str = context["job"].key
        result: dict[str, Any]
        try:
            job = job_from_json(form)
        except NotationError:
            result = {"unreadable": True}  # a server of another version: it runs the job itself
        else:
            try:
                result = {"answer": answer_to_json(job, await pool.run(job, report=self._reporter(name)))}
            except WorkerFailed as failure:
                result = {"error": str(failure)}
        if len(json.dumps(result)) <= SMALL:
            # At once: the servers need not wait until it is stored.
            await self._publish({"job": name, "result": result})
            self._told.add(name)
        return result

    def _reporter(self, name: str) -> Callable[[Any], None]:
        """Publishes the progress of a job, not too often."""
        loop = asyncio.get_running_loop()
        last = -PROGRESS_S
        publishing: set[asyncio.Task[None]] = set()

        def report(progress: tuple[int, int]) -> None:
            nonlocal last
            done, total = progress
            if loop.time() - last < PROGRESS_S:
                return
            last = loop.time()
            task = loop.create_task(self._publish({"progress": name, "done": done, "total": total}))
            publishing.add(task)
            task.add_done_callback(publishing.discard)

        return report

    async def _tell(self, context: Any) -> None:
        """Say that a job is finished, stopped or handed back, unless its result was published."""
        name: str = context["job"].key
        if name in self._told:
            self._told.discard(name)
        else:
            await self._publish({"job": name})

    async def _beat(self) -> None:
        """Say again and again that this worker is there."""
        while True:
            await self._publish({"worker": self._name, "slots": dict.fromkeys(self._pools, self._count)})
            await asyncio.sleep(BEAT_S)

    async def _publish(self, news: dict[str, Any]) -> None:
        try:
            await self._store.publish(news)
        except STORE_ERRORS as error:
            if self._reachable:
                log.warning("The queue cannot be reached: %s", " ".join(str(error).split()) or type(error).__name__)
            self._reachable = False
        else:
            if not self._reachable:
                log.warning("The queue can be reached again")
            self._reachable = True


async def _first(wanted: Coroutine[Any, Any, Any], other: Coroutine[Any, Any, Any]) -> bool:
    """Wait for one of two things; whether it was the first of them."""
    tasks = [asyncio.create_task(wanted), asyncio.create_task(other)]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    done = tasks[0].done()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return done


async def serve_jobs(store: JobStore, count: int, ready: Callable[[], None]) -> None:
    """Run jobs until the process gets a signal to stop."""
    stop = asyncio.Event()
    if sys.platform != "win32":
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await RemoteWorker(store, count).work(stop, ready)
