"""Run engine jobs for servers on other machines."""

from __future__ import annotations

import asyncio
import os
import traceback
from pathlib import Path

from riverstones.engine.levels import has_kernel
from riverstones.server.logs import LogFormat, configure
from riverstones.server.workers.job_store import STORE_ERRORS, store_of
from riverstones.server.workers.remote_worker import serve_jobs

from .complaint import Complaint
from .words import words_for

CONNECTIONS = 8
"""Connections to PostgreSQL besides one for each job."""


def work(database: str | None, redis: str | None, jobs: int | None, log_format: LogFormat = "plain") -> None:
    """Run jobs until the process is stopped."""
    count = jobs or max(1, os.cpu_count() or 1)
    if not has_kernel():
        raise Complaint(words_for(None)("needs_extra", command="worker", extra="engine"))
    try:
        store = store_of(database or "", redis or None, CONNECTIONS + 2 * count)
    except STORE_ERRORS as error:
        raise _unreachable(error) from None
    except ValueError as error:
        raise Complaint(f"The URL cannot be used: {error}.") from None
    if store is None:
        raise Complaint("A worker needs the servers' PostgreSQL or Redis: give --database or --redis.")
    configure(log_format)

    def ready() -> None:
        print(f"Riverstones runs engine jobs, {count} at a time  (Ctrl+C to stop)", flush=True)

    try:
        asyncio.run(serve_jobs(store, count, ready))
    except STORE_ERRORS as error:
        raise _unreachable(error) from None
    except Exception as error:
        raise _failed(error) from None


def _unreachable(error: Exception) -> Complaint:
    return Complaint(f"The queue of jobs cannot be reached: {' '.join(str(error).split()) or type(error).__name__}.")


def _failed(error: Exception) -> Complaint:
    """A failure of the worker itself, with the place in the code for a report."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    told = ": ".join(filter(None, (type(error).__name__, " ".join(str(error).split()))))
    return Complaint(f"The worker has failed: {told} ({Path(place.filename).name}, line {place.lineno}).")
