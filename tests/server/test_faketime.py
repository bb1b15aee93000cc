"""Nodes whose system clocks are half a minute wrong, in both directions, by libfaketime."""

import os
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from riverstones.server.storage import Store
from riverstones.table import Entry
from riverstones.table.events import Moved

from . import postgres
from .running import clients
from .test_shutdown import served
from .test_storage import with_store

pytestmark = pytest.mark.slow
LIBRARY = max(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), default=None)


@pytest.mark.long
@pytest.mark.skipif(LIBRARY is None and "CI" not in os.environ, reason="libfaketime is not installed")
def test_a_clock_expires_once_and_on_time_on_nodes_with_wrong_clocks(postgres_cluster: str) -> None:
    database = postgres.new_database(postgres_cluster)
    ahead, behind = ({"LD_PRELOAD": str(LIBRARY), "FAKETIME": skew} for skew in ("+30s", "-30s"))
    with (
        served(database, **ahead) as (_, url),
        served(database, **behind) as (_, other),
        clients(url, other) as (ann, bob),
    ):
        for client, name in ((ann, "Ann"), (bob, "Bob")):
            client.person = client.post("/me", {"name": name, "colour": "teal"})["person"]
        tables = []
        for host, guest in ((ann, bob), (bob, ann)):
            table = host.make_table("me", "open", clock="strict", seconds=5, start=0)
            begun_ms = time.time() * 1000
            guest.do(table, "sit")
            viewer = host.socket(table)
            viewer.wait("snapshot")
            while viewer.now["turn"] == 0:
                viewer.receive()
            tables.append((table, begun_ms, time.time() * 1000))
    for table, begun_ms, ended_ms in tables:
        entries: list[Entry] = with_store(database, partial(read, table=table))
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        times_ms = [entry.at_ms for entry in entries if isinstance(entry.event, Moved)]
        # The time of the database, not of a node that is 30 s off; a node knows it to half a round trip.
        assert begun_ms + 5_000 - 1_000 <= times_ms[0] <= ended_ms + 1_000
        assert all(later_ms - ms >= 5_000 - 1_000 for ms, later_ms in pairwise(times_ms))


async def read(store: Store, table: str) -> list[Entry]:
    return await store.events.read(table)
