"""A worker process as the server sees it: started, asked, and ended without leaking anything."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from typing import Any, cast

from riverstones.server.workers.jobs import Job
from riverstones.server.workers.worker import LENGTH, frame

PROGRAM = "from riverstones.server.workers.worker import main; main()"


class WorkerFailed(Exception):
    """A job failed: the process died, took too long, or raised an error."""


class Process(asyncio.SubprocessProtocol):
    """One process. It is killed with a job that it could not finish.

    It starts in a task of its own: whoever waits for it may be cancelled at any moment, and a process that is half
    started could be neither used nor ended.
    """

    def __init__(self) -> None:
        self._said = asyncio.StreamReader()
        self._gone = asyncio.Event()
        self._starting = asyncio.create_task(self._start(), name="start a worker process")

    async def _start(self) -> asyncio.SubprocessTransport:
        # A session of its own: Ctrl-C in the server's terminal is for the server, also while this process starts.
        transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: self, sys.executable, "-c", PROGRAM, stderr=None, start_new_session=True
        )
        return transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take what the process says."""
        self._said.feed_data(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Note that it will say nothing more."""
        self._said.feed_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it has ended and all its pipes are closed."""
        self._gone.set()

    async def run(self, job: Job) -> Any:
        """Run a job and return its result; `EOFError` or `OSError` if the process dies first."""
        transport = await asyncio.shield(self._starting)
        cast(asyncio.WriteTransport, transport.get_pipe_transport(0)).write(frame(pickle.dumps(job)))
        head = await self._said.readexactly(LENGTH.size)
        good, answer = pickle.loads(await self._said.readexactly(LENGTH.unpack(head)[0]))
        if not good:
            raise WorkerFailed(answer)
        return answer

    async def end(self) -> None:
        """End the process, and wait until it and its pipes are gone."""
        try:
            transport = await asyncio.shield(self._starting)
        except OSError:
            return  # it never began
        with contextlib.suppress(ProcessLookupError):
            transport.kill()
        transport.close()
        await self._gone.wait()
