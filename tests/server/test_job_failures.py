"""Unexpected exceptions neither stop the dispatcher of a server nor leave a worker that takes no jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest
from saq import Job as QueuedJob
from saq import Worker

from riverstones.rules import Game, Seed, Setup, view
from riverstones.server.workers import WorkerPool, dispatcher
from riverstones.server.workers.dispatcher import Dispatcher, JobLost
from riverstones.server.workers.job_store import MOVES, JobStore, News, RedisStore
from riverstones.server.workers.jobs import FindHint
from riverstones.server.workers.queued import QueuedWorkers
from riverstones.server.workers.remote_worker import RemoteWorker

TIMEOUT_S = 60


class StubStore(JobStore):
    """A store without a queue. Its news come from the test."""

    def __init__(self) -> None:
        super().__init__()
        self.told: asyncio.Queue[str] = asyncio.Queue()
        self.looked = 0

    async def open(self) -> None:
        self.queues = dict.fromkeys(("moves", "reviews"))  # type: ignore[assignment]

    async def close(self) -> None:
        pass

    async def publish(self, news: News) -> None:
        pass

    async def listen(self) -> AsyncIterator[str]:
        while True:
            yield await self.told.get()

    def _due(self) -> int:
        return 0

    async def add(self, queue: str, name: str, form: Any, priority: int) -> bool:
        return True

    async def look(self, queue: str, names: Iterable[str]) -> dict[str, QueuedJob | None]:
        self.looked += 1
        raise ValueError("a job that saq cannot decode")

    async def abort(self, queue: str, name: str) -> None:
        pass


WORKER = '{"worker": "w", "slots": {"moves": 1}}'


async def until_heard(found: Dispatcher) -> None:
    while not found.slots(MOVES):
        await asyncio.sleep(0.01)


def test_a_job_that_cannot_be_decoded_is_lost_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "LOOK_S", 0.01)
    monkeypatch.setattr(dispatcher, "QUEUE_TIMEOUT_S", 0.5)
    monkeypatch.setattr(dispatcher, "SILENCE_S", TIMEOUT_S)

    async def run() -> None:
        store = StubStore()
        found = Dispatcher(store)
        found.start()
        store.told.put_nowait(WORKER)
        async with asyncio.timeout(TIMEOUT_S):
            await until_heard(found)
            for name in ("one", "two"):
                with pytest.raises(JobLost, match="no worker has begun it"):
                    await found.run(MOVES, name, {}, 0)
        assert store.looked > 1
        await found.close()

    asyncio.run(run())


def test_after_a_report_that_fails_news_are_still_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "QUEUE_TIMEOUT_S", TIMEOUT_S)
    monkeypatch.setattr(dispatcher, "SILENCE_S", TIMEOUT_S)

    async def run() -> None:
        store = StubStore()
        found = Dispatcher(store)
        found.start()
        store.told.put_nowait(WORKER)

        def report(progress: object) -> None:
            raise ZeroDivisionError

        async with asyncio.timeout(TIMEOUT_S):
            await until_heard(found)
            job = asyncio.create_task(found.run(MOVES, "one", {}, 0, report))
            await asyncio.sleep(0)
            store.told.put_nowait('{"progress": "one", "done": 1, "total": 2}')
            store.told.put_nowait('{"job": "one", "result": {"answer": 7}}')
            assert await job == 7
        await found.close()

    asyncio.run(run())


def test_an_answer_that_cannot_be_read_is_computed_by_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreadable(*_: object) -> Any:
        return {"of": "another version"}

    async def own(*_: object) -> str:
        return "computed here"

    async def compiled(_: object) -> None:
        pass

    monkeypatch.setattr(Dispatcher, "run", unreadable)
    monkeypatch.setattr(Dispatcher, "slots", lambda *_: 1)
    monkeypatch.setattr(WorkerPool, "run", own)
    monkeypatch.setattr(WorkerPool, "until_compiled", compiled)

    async def run() -> None:
        workers = QueuedWorkers(WorkerPool(1), Dispatcher(StubStore()), MOVES)
        seen = view(Game.begin(Setup(), Seed(bytes(32)).deal()), 0)
        assert await workers.run(FindHint(seen, "pebble")) == "computed here"

    asyncio.run(run())


def test_a_worker_ends_when_a_part_of_it_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def compiled(_: object) -> None:
        pass

    async def crash(_: object) -> None:
        raise ZeroDivisionError("a part of saq")

    monkeypatch.setattr(WorkerPool, "warm_up", lambda _: None)
    monkeypatch.setattr(WorkerPool, "until_compiled", compiled)
    monkeypatch.setattr(Worker, "__init__", lambda *_, **__: None)
    monkeypatch.setattr(Worker, "start", crash)
    monkeypatch.setattr(Worker, "stop", compiled)

    async def run() -> None:
        async with asyncio.timeout(TIMEOUT_S):
            with pytest.raises(ZeroDivisionError, match="a part of saq"):
                await RemoteWorker(StubStore(), 1).work(asyncio.Event())

    asyncio.run(run())


@pytest.mark.parametrize(("url", "number"), [("", 0), ("/0", 0), ("/7", 7), ("?db=3", 3)])
def test_each_database_of_a_redis_has_its_own_news(url: str, number: int) -> None:
    assert RedisStore(f"redis://127.0.0.1:1{url}")._channel == f"riverstones_jobs_{number}"
