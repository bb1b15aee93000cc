"""Matches on a Dask cluster, to use several machines. Needs the extra `dask`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

CONNECT_WITHIN_S = 10


class Cluster(NamedTuple):
    """A cluster as an executor, and the number of games it can play at a time."""

    executor: Executor
    places: int


class NoCluster(Exception):
    """No cluster is available; the message says why in one sentence."""


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Connect to the scheduler at this address. The workers need this package, in the same version."""
    try:
        # Dask has no type hints and may be missing when types are checked.
        distributed: Any = import_module("distributed")
    except ImportError:
        raise NoCluster('A Dask cluster needs the extra “dask”: pip install "riverstones[dask]".') from None
    # Everything that matters to a match arrives as an exception; the logs of Dask and its event loop would repeat
    # it with tracebacks.
    for log in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(log).setLevel(logging.CRITICAL)
    try:
        distributed.comm.get_address_host_port(address)
    except ValueError:
        raise NoCluster(f"The address of a Dask scheduler looks like tcp://machine:8786, not “{address}”.") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_WITHIN_S, set_as_default=False)
    except OSError as error:
        raise NoCluster(f"There is no Dask cluster at {address}: {error}.") from None
    with client:
        places = sum(client.nthreads().values())
        if not places:
            raise NoCluster(f"The Dask cluster at {address} has no workers.")
        try:
            # Games are not pure: their times differ, and a second match must not get cached results of the first.
            yield Cluster(client.get_executor(pure=False), places)
        except (CancelledError, distributed.KilledWorker):
            raise NoCluster(f"The Dask cluster at {address} was lost during the match.") from None
