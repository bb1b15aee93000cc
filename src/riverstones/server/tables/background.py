"""Tasks that nobody waits for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

log = logging.getLogger("riverstones.tables")

Result = TypeVar("Result")


class Background:
    """A set of tasks. An error in one is logged, and all end together."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run this in a task of its own."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("A background task failed", exc_info=error)

    async def stop(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def to_completion(work: Coroutine[Any, Any, Result]) -> Result:
    """Await work that goes on even if the caller is cancelled, because its client has gone for example."""
    task = asyncio.ensure_future(work)
    # Nobody awaits the error of a caller that has gone: it is marked as retrieved, so that asyncio does not log it.
    task.add_done_callback(lambda task: task.cancelled() or task.exception())
    return await asyncio.shield(task)
