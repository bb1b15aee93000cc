"""The server's handle of a worker process: starts it, runs jobs in it, and ends it without leaks."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from typing import Any, cast

from riverstones.server.workers.interface import WorkerFailed
from riverstones.server.workers.jobs import Job, LongJob, Report
from riverstones.server.workers.worker import LENGTH, Answer, frame

PROGRAM = "from riverstones.server.workers.worker import main; main()"


class Process(asyncio.SubprocessProtocol):
    """One worker process. It runs one job at a time.

    It starts in a separate task: a caller may be cancelled at any moment, and a half-started process could be neither
    used nor ended.
    """

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._output = asyncio.StreamReader()
        self._ended = asyncio.Event()
        self._starting = asyncio.create_task(self._start(), name="start a worker process")

    async def _start(self) -> asyncio.SubprocessTransport:
        # A new session: Ctrl-C in the server's terminal must not reach this process, not even while it starts.
        transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: self, sys.executable, "-c", PROGRAM, str(self._niceness), stderr=None, start_new_session=True
        )
        return transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Buffer output of the process."""
        self._output.feed_data(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Mark the end of the output."""
        self._output.feed_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        """Mark the process as ended, with all its pipes closed."""
        self._ended.set()

    async def run(self, job: Job | LongJob, report: Report | None = None) -> Any:
        """Run a job and return its result; `report` receives its progress.

        Raises `WorkerFailed` if the job raises an error, `EOFError` or `OSError` if the process dies.
        """
        transport = await asyncio.shield(self._starting)
        cast(asyncio.WriteTransport, transport.get_pipe_transport(0)).write(frame(pickle.dumps(job)))
        while True:
            head = await self._output.readexactly(LENGTH.size)
            kind, value = pickle.loads(await self._output.readexactly(LENGTH.unpack(head)[0]))
            if kind is Answer.DONE:
                return value
            if kind is Answer.FAILED:
                raise WorkerFailed(value)
            if report is not None:
                report(value)

    async def end(self) -> None:
        """Kill the process, and wait until it and its pipes are closed."""
        try:
            transport = await asyncio.shield(self._starting)
        except OSError:
            return  # it never started
        with contextlib.suppress(ProcessLookupError):
            transport.kill()
        transport.close()
        await self._ended.wait()
