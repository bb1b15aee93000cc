"""What nodes tell each other arrives at the others, also after the connection was broken."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from riverstones.server.fanout import Fanout, fanout_of
from riverstones.server.fanout.queued import LARGEST_PACKET, QueuedFanout
from riverstones.server.settings import Settings
from riverstones.server.storage import Store

from . import postgres
from .redis_server import redis_server
from .running import TIMEOUT_S, free_port


class Heard:
    """What a fan-out has called back with."""

    def __init__(self, fanout: Fanout) -> None:
        self.tables: dict[str, tuple[int, str]] = {}
        self.messages: list[tuple[str, Any]] = []
        self.gaps = 0
        self._changed = asyncio.Event()
        fanout.on_table(self._table)
        fanout.on_message("greeting", self._message)
        fanout.on_gap(self._gap)

    def _table(self, table: str, seq: int, node: str) -> None:
        self.tables[table] = (seq, node)
        self._changed.set()

    def _message(self, node: str, message: Any) -> None:
        self.messages.append((node, message))
        self._changed.set()

    def _gap(self) -> None:
        self.gaps += 1
        self._changed.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while not holds():
                self._changed.clear()
                await self._changed.wait()


@pytest.fixture(params=["postgresql", "redis"])
def site(request: pytest.FixtureRequest, postgres_cluster: str) -> dict[str, Any]:
    """Settings that several nodes share."""
    database = postgres.new_database(postgres_cluster)
    return {"database": database, "redis": request.getfixturevalue("redis_url") if request.param == "redis" else None}


@asynccontextmanager
async def node(name: str, site: dict[str, Any]) -> AsyncIterator[tuple[Fanout, Heard]]:
    """The fan-out of a node that listens."""
    store = Store(site["database"])
    await store.database.open()
    fanout = fanout_of(Settings(node=name, **site), store)
    heard = Heard(fanout)
    await fanout.start()
    try:
        await heard.until(lambda: heard.gaps > 0)
        yield fanout, heard
    finally:
        await fanout.stop()
        await store.database.close()


@pytest.mark.slow
def test_nodes_hear_each_other_but_not_themselves(site: dict[str, Any]) -> None:
    async def run() -> None:
        async with node("a", site) as (a, heard_a), node("b", site) as (b, heard_b):
            a.publish("river", 7)
            b.send("greeting", {"words": ["hello"]})
            a.send("unknown", 1)
            await heard_b.until(lambda: heard_b.tables == {"river": (7, "a")})
            await heard_a.until(lambda: heard_a.messages == [("b", {"words": ["hello"]})])
            assert not heard_a.tables
            assert not heard_b.messages

    asyncio.run(run())


@pytest.mark.slow
def test_many_changes_at_once_all_arrive(site: dict[str, Any]) -> None:
    async def run() -> None:
        async with node("a", site) as (a, _), node("b", site) as (_, heard):
            for seq in (1, 2, 3):
                for table in range(3_000):
                    a.publish(f"table{table:06}", seq)
                    a.send("greeting", [table, seq])
            await heard.until(lambda: len(heard.messages) == 9_000)
            await heard.until(lambda: len(heard.tables) == 3_000)
            assert set(heard.tables.values()) == {(3, "a")}
            assert [message for _, message in heard.messages][:2] == [[0, 1], [1, 1]]

    asyncio.run(run())


@pytest.mark.slow
def test_a_stopping_node_sends_what_waits(site: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.server.fanout.queued.STOP_S", TIMEOUT_S)  # a busy machine may need longer

    async def run() -> None:
        async with node("b", site) as (_, heard):
            async with node("a", site) as (a, _):
                a.send("greeting", "bye")
            await heard.until(lambda: heard.messages == [("a", "bye")])

    asyncio.run(run())


@pytest.mark.slow
def test_a_node_connects_again_when_redis_is_back(postgres_cluster: str) -> None:
    port = free_port()
    site = {"database": postgres.new_database(postgres_cluster), "redis": f"redis://127.0.0.1:{port}"}

    async def run() -> None:
        with redis_server(port) as _:
            nodes = [node(name, site) for name in "ab"]
            (a, _), (_, heard) = [await each.__aenter__() for each in nodes]
        a.publish("river", 7)
        with redis_server(port) as _:
            await heard.until(lambda: heard.gaps > 1)
            while "river" not in heard.tables:  # the first may have been sent before the other had subscribed
                a.publish("river", 7)
                await asyncio.sleep(0.05)
            for each in nodes:
                await each.__aexit__(None, None, None)

    asyncio.run(asyncio.wait_for(run(), TIMEOUT_S))


@pytest.mark.slow
def test_a_node_connects_again_when_postgresql_has_closed_its_connection(postgres_cluster: str) -> None:
    site: dict[str, Any] = {"database": postgres.new_database(postgres_cluster), "redis": None}

    async def run() -> None:
        async with node("a", site) as (a, _), node("b", site) as (_, heard):
            postgres.run_sql(
                site["database"],
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE query LIKE '%LISTEN%' AND pid <> pg_backend_pid()",
            )
            await heard.until(lambda: heard.gaps > 1)
            while "river" not in heard.tables:
                a.publish("river", 7)
                await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(run(), TIMEOUT_S))


def test_packets_fit_into_a_notification() -> None:
    class Fake(QueuedFanout):
        connected = None  # type: ignore[assignment]  # never connects

    async def run() -> None:
        fanout = Fake("a" * 8)
        for number in range(1_000):
            fanout.publish("t" * 12 + str(number), 10**6)
            fanout.send("presence", {"table": "t" * 12, "here": ["p" * 21] * 4, "number": number})
        packets = list(fanout._packets())
        assert max(map(len, packets)) < LARGEST_PACKET + 200 < 8_000
        heard = Heard(other := Fake("b"))
        other.on_message("presence", lambda _, message: heard.messages.append(("", message["number"])))
        for packet in packets:
            other.receive(packet)
        assert len(heard.tables) == 1_000
        assert [number for _, number in heard.messages] == list(range(1_000))

    asyncio.run(run())


def test_a_packet_that_cannot_be_read_is_ignored(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        fanout = QueuedFanout("a")  # type: ignore[abstract]  # never connects
        for packet in ("", "[]", "{}", '"x"'):
            fanout.receive(packet)

    asyncio.run(run())
    assert caplog.text.count("cannot be read") == 4


def test_a_server_on_sqlite_tells_nobody(tmp_path: Any) -> None:
    store = Store(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    assert type(fanout_of(Settings(database="sqlite://"), store)) is Fanout
