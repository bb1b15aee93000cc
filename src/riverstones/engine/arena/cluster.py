"""Matches on a Dask cluster, for people with more than one machine: the extra `dask`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

CONNECT_WITHIN_S = 10


class Cluster(NamedTuple):
    """A cluster as an executor, and how many games it can play at a time."""

    executor: Executor
    places: int


class NoCluster(Exception):
    """There is no cluster to play on; the message says why in one sentence."""


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The cluster whose scheduler has this address. Its workers need this package, in the same version."""
    try:
        # Its functions carry no types, and it need not be there when types are checked.
        distributed: Any = import_module("distributed")
    except ImportError:
        raise NoCluster('A Dask cluster needs the extra “dask”: pip install "riverstones[dask]".') from None
    # What matters to a match comes as an exception; the log would tell of it once more, with tracebacks.
    for log in ("distributed", "distributed.client"):
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
            # Games are not pure: their times differ, and a second match must not be given those of the first.
            yield Cluster(client.get_executor(pure=False), places)
        except (CancelledError, distributed.KilledWorker):
            raise NoCluster(f"The Dask cluster at {address} was lost while it played.") from None
