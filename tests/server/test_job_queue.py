"""Workers on other machines, on real PostgreSQL and Redis: jobs arrive, are stopped, survive crashes and are shared.

`job_store` builds on how saq names its states, finishes jobs and calls `after_process`: a new minor version of saq has
to pass these tests first.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import multiprocessing
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis import Redis

from riverstones.notation import NotationError
from riverstones.rules import Game, Scoring, Seed, Setup, view
from riverstones.server.services import Services
from riverstones.server.workers import NOBODY, Requester, WorkerPool, dispatcher, queued
from riverstones.server.workers.dispatcher import Dispatcher, JobLost
from riverstones.server.workers.fair_queue import Priority
from riverstones.server.workers.interface import Workers
from riverstones.server.workers.job_forms import answer_from_json, answer_to_json, job_from_json, job_to_json
from riverstones.server.workers.job_store import MOVES, REVIEWS, JobStore, store_of
from riverstones.server.workers.jobs import ChooseMove, FindHint, Job, JudgeClaim, LongJob, RankPlays, ReviewRecord
from riverstones.server.workers.queued import ON_THE_WAY, QueuedWorkers
from tests.server import holding_worker
from tests.server.jobs import Hold, Judge

from . import postgres
from .redis_server import redis_server
from .running import free_port, running, settings_for

ROOT = Path(__file__).parents[2]
GAME = Game.begin(Setup(), Seed(bytes(32)).deal())
CLAIMED = Game.begin(Setup(scoring=Scoring.CLAIMS), Seed(bytes(32)).deal())
TIMEOUT_S = 300

# Workers are forked by a process that has imported everything, as starting one takes longer than most tests.
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload([holding_worker.__name__, "riverstones.server.workers.remote_worker"])

_NUMBERS = itertools.count()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Call to deprecated setex"),  # saq's call to redis
]


@dataclass(frozen=True)
class Where:
    """A store, as the options of a command and of a server."""

    database: str
    redis: str | None

    @property
    def options(self) -> list[str]:
        return ["--redis", self.redis] if self.redis is not None else ["--database", self.database]

    def store(self) -> JobStore:
        found = store_of(self.database, self.redis)
        assert found is not None
        return found


@pytest.fixture(params=["postgresql", "redis"])
def where(request: pytest.FixtureRequest) -> Where:
    """An empty store: PostgreSQL, then Redis."""
    if request.param == "redis":
        numbered = f"{request.getfixturevalue('redis_url')}/{next(_NUMBERS) % 16}"
        with Redis.from_url(numbered) as database:
            database.flushdb()
        return Where("sqlite://", numbered)
    url: str = request.getfixturevalue("postgres_cluster")
    return Where(postgres.make_database(url, f"jobs{next(_NUMBERS)}"), None)


@pytest.fixture(autouse=True)
def _workers_find_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(queued, "job_to_json", holding_worker.form_of)


@pytest.fixture(autouse=True)
def _the_machine_may_be_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """No job is taken back because a process starts slowly, and no worker is taken for dead because it is slow."""
    monkeypatch.setattr(dispatcher, "QUEUE_TIMEOUT_S", 60)
    monkeypatch.setattr(dispatcher, "SILENCE_S", 60)


@pytest.fixture
def notices_dead_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests in which the silence of a worker counts."""
    monkeypatch.setattr(dispatcher, "SILENCE_S", 10)


class OwnPool(WorkerPool):
    """The processes of a server, which note what they have to run."""

    def __init__(self) -> None:
        super().__init__(1)
        self.ran: list[Any] = []

    async def run(
        self, job: Any, who: Requester = NOBODY, priority: Priority = Priority.MOVE, key: Any = None, report: Any = None
    ) -> Any:
        self.ran.append(job)
        return await super().run(job, who, priority, key, report)


@dataclass
class Server:
    """The workers of a server."""

    own: OwnPool
    dispatcher: Dispatcher
    workers: Workers
    reviews: Workers


@dataclass
class Site:
    """Workers and servers that share a store."""

    where: Where
    folder: Path
    processes: list[ForkServerProcess] = field(default_factory=list)
    servers: list[Server] = field(default_factory=list)

    def server(self) -> Server:
        found = Dispatcher(self.where.store())
        own = OwnPool()
        workers, reviews = QueuedWorkers(own, found, MOVES), QueuedWorkers(own, found, REVIEWS)
        found.start()
        self.servers.append(Server(own, found, workers, reviews))
        return self.servers[-1]

    async def worker(self, jobs: int = 1) -> ForkServerProcess:
        """A worker in a process of its own, once all servers have heard of it."""
        wanted = [server.dispatcher.slots(MOVES) + jobs for server in self.servers]
        process = start_worker(self.folder, *self.where.options, "--jobs", str(jobs))
        self.processes.append(process)
        await until(lambda: [server.dispatcher.slots(MOVES) for server in self.servers] == wanted)
        return process

    def begun(self, name: str = "*") -> list[str]:
        """The names of the jobs that were begun, once for each process."""
        return sorted(path.stem for path in self.folder.glob(f"{name}.*"))

    def release(self) -> None:
        (self.folder / "go").touch()

    async def close(self) -> None:
        self.release()
        for server in self.servers:
            await server.own.close()
            await server.dispatcher.close()
        for process in self.processes:
            process.kill()
            process.join()
            process.close()


def start_worker(folder: Path, *options: str) -> ForkServerProcess:
    process = FORKING.Process(target=holding_worker.main, args=(folder, options))
    process.start()
    return process


@asynccontextmanager
async def site(where: Where, folder: Path) -> AsyncIterator[Site]:
    found = Site(where, folder)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            yield found
    finally:
        await found.close()


async def until(reached: Callable[[], object]) -> None:
    while not reached():
        await asyncio.sleep(0.02)


def is_running(pid: int) -> bool:
    """Whether a process exists; one that nobody has waited for does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def processes_of(folder: Path, name: str) -> list[int]:
    return [int(path.suffix[1:]) for path in folder.glob(f"{name}.*")]


def test_every_kind_of_job_returns_what_it_would_return_here(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            await found.worker()
            seen = view(CLAIMED.play(CLAIMED.plays()[0].move, claim=3), 1)
            for job in (
                ChooseMove(view(GAME, 0), "stream", 5),
                ChooseMove(view(CLAIMED, 0), "pebble", 5),
                JudgeClaim(seen, "pebble", 5),
                FindHint(view(GAME, 0), "pebble"),
                RankPlays(view(GAME, 0).position, compiled=False),
            ):
                assert await server.workers.run(job, key="t/1") == job.answer()
            assert server.own.ran == []

    asyncio.run(run())


def test_the_progress_of_a_review_reaches_the_server(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            await found.worker()
            reports: list[Any] = []
            counting = asyncio.create_task(server.reviews.run(Judge(tmp_path, 3), report=reports.append))
            await until(lambda: reports)
            assert reports[0] == (1, 3)
            for number in (1, 2, 3):
                (tmp_path / str(number)).touch()
            await counting

    asyncio.run(run())


def test_a_job_that_is_not_needed_any_more_is_really_stopped(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            await found.worker()
            running = asyncio.create_task(server.workers.run(Hold(tmp_path, "search"), key="t/1"))
            await until(lambda: found.begun("search"))
            (process,) = processes_of(tmp_path, "search")
            running.cancel()
            await until(lambda: not is_running(process))
            found.release()
            assert await server.workers.run(Hold(tmp_path, "next"), key="t/2") == "next"
            assert server.own.ran == []

    asyncio.run(run())


def test_a_job_that_waits_in_the_queue_is_withdrawn(where: Where, tmp_path: Path) -> None:
    """Of a second server, which does not know what the first has sent."""

    async def run() -> None:
        async with site(where, tmp_path) as found:
            one, other = found.server(), found.server()
            await found.worker()
            busy = asyncio.create_task(one.workers.run(Hold(tmp_path, "busy")))
            await until(lambda: found.begun("busy"))
            unwanted = asyncio.create_task(other.workers.run(Hold(tmp_path, "unwanted")))
            await until(lambda: other.dispatcher._sent)
            await asyncio.sleep(0.3)  # it may be sent or not; neither may leave anything behind
            unwanted.cancel()
            await until(lambda: not other.dispatcher._sent)
            await until(lambda: all(task.get_name() != "take back a job" for task in other.dispatcher._tasks))
            found.release()
            await busy
            await other.workers.run(Hold(tmp_path, "last"))
            assert found.begun() == ["busy", "last"]

    asyncio.run(run())


def make_undecodable(where: Where, store: JobStore, name: str) -> None:
    """Overwrite a queued job."""
    if where.redis is None:
        with psycopg.connect(where.database) as connection:
            assert connection.execute("UPDATE saq_jobs SET job = '?' WHERE key = %s", (name,)).rowcount == 1
    else:
        with Redis.from_url(where.redis) as database:
            assert database.set(store.queues[MOVES].job_id(name), "?", xx=True)


def test_a_job_that_cannot_be_decoded_does_not_hold_up_the_others(where: Where) -> None:
    async def run() -> None:
        store = where.store()
        await store.open()
        queue = store.queues[MOVES]
        for name in ("bad", "good"):
            await store.add(MOVES, name, {}, 0)
        make_undecodable(where, store, "bad")
        assert await store.look(MOVES, ["bad"]) == {"bad": None}
        taken = None
        while taken is None:
            taken = await queue.dequeue(timeout=10, poll_interval=0.01)
        assert taken.key == "good"
        assert await queue.count("queued") == 0
        await store.close()

    asyncio.run(asyncio.wait_for(run(), TIMEOUT_S))


@pytest.mark.long
@pytest.mark.usefixtures("notices_dead_workers")
def test_after_the_kill_of_a_worker_another_one_finishes_its_job(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            first = await found.worker()
            running = asyncio.create_task(server.workers.run(Hold(tmp_path, "search"), key="t/1"))
            await until(lambda: found.begun("search"))
            await found.worker()
            first.kill()
            await until(lambda: len(found.begun("search")) == 2)
            found.release()
            assert await running == "search"
            assert server.own.ran == []

    asyncio.run(run())


@pytest.mark.long
@pytest.mark.usefixtures("notices_dead_workers")
def test_after_the_kill_of_the_last_worker_the_server_computes_itself(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            worker = await found.worker()
            jobs = [asyncio.create_task(server.workers.run(Hold(tmp_path, name))) for name in ("a", "b")]
            await until(lambda: found.begun())
            worker.kill()
            await until(lambda: server.own.ran)
            found.release()
            assert await asyncio.gather(*jobs) == ["a", "b"]

    asyncio.run(run())


def test_a_worker_that_is_told_to_stop_hands_its_job_back(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            first = await found.worker()
            running = asyncio.create_task(server.workers.run(Hold(tmp_path, "search")))
            await until(lambda: found.begun("search"))
            await found.worker()
            (process,) = processes_of(tmp_path, "search")
            first.terminate()
            await until(lambda: not first.is_alive())
            assert first.exitcode == 0
            assert not is_running(process)
            await until(lambda: len(found.begun("search")) == 2)
            found.release()
            assert await running == "search"

    asyncio.run(run())


def test_without_a_worker_the_server_computes_itself_at_once(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            found.release()
            assert await server.workers.run(Hold(tmp_path, "own")) == "own"
            assert server.own.ran == [Hold(tmp_path, "own")]

    asyncio.run(run())


@pytest.mark.long
@pytest.mark.usefixtures("notices_dead_workers")
def test_without_the_store_the_server_computes_itself(tmp_path: Path) -> None:
    """A worker is heard, and then Redis is gone: with the job that waits there, and for the next one."""

    async def run() -> None:
        port = free_port()
        with contextlib.ExitStack() as redis:
            url = redis.enter_context(redis_server(port))
            async with site(Where("sqlite://", url), tmp_path) as found:
                server = found.server()
                await found.worker()
                running = asyncio.create_task(server.workers.run(Hold(tmp_path, "lost")))
                await until(lambda: found.begun("lost"))
                redis.close()
                another = asyncio.create_task(server.workers.run(Hold(tmp_path, "next")))
                await until(lambda: server.own.ran)
                found.release()
                assert [await running, await another] == ["lost", "next"]

    asyncio.run(run())


def test_the_same_job_of_two_servers_is_run_once(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            one, other = found.server(), found.server()
            await found.worker(jobs=2)
            job = Hold(tmp_path, "same")
            asked = [asyncio.create_task(server.workers.run(job, key="t/7")) for server in (one, other, one)]
            await until(lambda: found.begun("same"))
            await until(lambda: any(sent.sending and sent.sending.done() for sent in other.dispatcher._sent.values()))
            found.release()
            assert await asyncio.gather(*asked) == ["same"] * 3
            assert found.begun() == ["same"]

    asyncio.run(run())


def test_a_job_stays_while_another_server_waits_for_it(where: Where, tmp_path: Path) -> None:
    """One server stops its copy; the other gets an answer all the same."""

    async def run() -> None:
        async with site(where, tmp_path) as found:
            one, other = found.server(), found.server()
            await found.worker(jobs=2)
            job = Hold(tmp_path, "same")
            first, second = (asyncio.create_task(server.workers.run(job, key="t/7")) for server in (one, other))
            await until(lambda: found.begun("same"))
            await until(lambda: other.dispatcher._sent)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            found.release()
            assert await second == "same"
            assert other.own.ran == []

    asyncio.run(run())


def test_many_guests_from_one_address_delay_others_by_a_job_only(where: Where, tmp_path: Path) -> None:
    """Besides the jobs that were sent before."""

    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            await found.worker()
            done: list[str] = []

            async def ask(who: Requester, priority: Priority = Priority.MOVE) -> None:
                name = f"{who.person}-{priority.name}"
                await server.workers.run(Hold(tmp_path, name), who, priority)
                done.append(name)

            sent = [asyncio.create_task(ask(Requester(f"busy{n}", "192.0.2.1"))) for n in range(1 + ON_THE_WAY)]
            await until(lambda: found.begun())
            ann = Requester("ann", "198.51.100.7")
            jobs = [asyncio.create_task(ask(ann, Priority.HINT))]
            jobs += [asyncio.create_task(ask(Requester(f"guest{n}", "192.0.2.9"))) for n in range(29)]
            jobs += [asyncio.create_task(ask(ann))]
            await asyncio.sleep(0)
            found.release()
            await asyncio.gather(*sent, *jobs)
            # Those that are in the shared queue together may overtake each other.
            assert done.index("ann-MOVE") <= len(sent) + 1 + ON_THE_WAY
            assert done.index("ann-HINT") > done.index("ann-MOVE")
            assert server.own.ran == []

    asyncio.run(run())


def test_a_review_does_not_take_the_slot_of_a_move(where: Where, tmp_path: Path) -> None:
    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            await found.worker()
            review = asyncio.create_task(server.reviews.run(Hold(tmp_path, "review"), priority=Priority.REVIEW))
            await until(lambda: found.begun("review"))
            move, _ = await server.workers.choose(view(GAME, 0), "pebble", 1)
            assert move in {play.move for play in GAME.plays()}
            found.release()
            await review
            assert server.own.ran == []

    asyncio.run(run())


def test_the_bots_of_a_server_are_played_by_its_workers(
    where: Where, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(*_: object, **__: object) -> None:
        raise AssertionError("a process of the server was used")

    monkeypatch.setattr(WorkerPool, "run", run)
    database = {} if where.redis is not None else {"database": where.database}
    with running(settings_for(tmp_path, redis=where.redis, **database)) as server:
        worker = start_worker(tmp_path, *where.options)
        try:
            services: Services = server.server.config.app.state.services  # type: ignore[union-attr]
            listening = services.all_workers.dispatcher
            assert listening is not None
            deadline = time.monotonic() + TIMEOUT_S
            while not listening.slots(MOVES):
                assert time.monotonic() < deadline
                time.sleep(0.02)
            ann = server.client("Ann")
            socket = ann.socket(ann.make_table("me", "stream", "pebble", hints=True))
            socket.wait("snapshot")
            for turn in (0, 3, 6):
                socket.play(0, socket.plays()[0].move)
                while socket.now["turn"] < turn + 3:
                    socket.receive()
        finally:
            worker.terminate()
            worker.join(TIMEOUT_S)


def test_a_worker_refuses_what_is_not_a_job(where: Where, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever can write to the queue cannot run code; and the server runs the job itself, as the worker may be old."""
    forms: list[Any] = [{"kind": "wrong"}, [], {"kind": "choose"}, {"kind": "__reduce__", "args": ["id"]}]

    async def run() -> None:
        async with site(where, tmp_path) as found:
            server = found.server()
            await found.worker()
            found.release()
            for number, form in enumerate(forms):
                monkeypatch.setattr(queued, "job_to_json", lambda job, form=form: form)
                with pytest.raises(JobLost, match="cannot read it") as lost:
                    await server.dispatcher.run(MOVES, f"t/{number}", form, int(Priority.MOVE))
                assert not lost.value.again, form
                assert await server.workers.run(Hold(tmp_path, f"{number}")) == f"{number}"
                assert server.own.ran == [Hold(tmp_path, f"{each}") for each in range(number + 1)], form

    asyncio.run(run())


def test_a_job_in_the_queue_has_the_view_of_its_seat_only() -> None:
    job = ChooseMove(view(GAME, 0), "stream", 12345)
    form = job_to_json(job)
    assert form is not None
    assert set(form) == {"kind", "view", "level", "seed"}
    assert form["view"]["position"]["hands"][1] == "??"
    other = Game.begin(Setup(), Seed(bytes(31) + b"\x01").deal())
    assert view(GAME, 1) != view(other, 1)
    text = json.dumps(form)
    assert str(GAME.deal) not in text
    assert Seed(bytes(32)).reveal() not in text


def long_game() -> Game:
    game = CLAIMED
    for number in range(12):
        game = game.play(game.plays()[number % 3].move, claim=number, timed_out=number == 4)
        if number % 5 == 1:
            game = game.object(game.to_move)
    return game


@pytest.mark.parametrize(
    "job",
    [
        *(ChooseMove(view(long_game(), seat), "stream", 2**47 + 1) for seat in (0, 1)),
        JudgeClaim(view(long_game(), 0), "pebble", 7),
        FindHint(view(GAME, 0), "pebble"),
        RankPlays(view(GAME, 0).position, compiled=True),
        ReviewRecord("a record\nof two lines"),
    ],
)
def test_a_job_survives_its_form(job: Job | LongJob) -> None:
    form = json.loads(json.dumps(job_to_json(job)))
    assert job_from_json(form) == job
    for name in form:
        with pytest.raises(NotationError):
            job_from_json({key: value for key, value in form.items() if key != name})
    with pytest.raises(NotationError):
        job_from_json({**form, "more": 1})


@pytest.mark.parametrize(
    "job",
    [
        ChooseMove(view(GAME, 0), "stream", 1),
        ChooseMove(view(CLAIMED, 0), "stream", 1),
        FindHint(view(GAME, 0), "stream"),
        RankPlays(view(GAME, 0).position, compiled=False),
    ],
)
def test_an_answer_survives_its_form(job: Any) -> None:
    answer = job.answer()
    form = json.loads(json.dumps(answer_to_json(job, answer)))
    assert answer_from_json(job, form) == answer
    wrongs: list[Any] = [None, [], "no", {**form, "more": 1}]
    for wrong in wrongs:
        with pytest.raises(NotationError):
            answer_from_json(job, wrong)


def test_a_level_that_nobody_offers_is_refused() -> None:
    with pytest.raises(NotationError):
        job_from_json(job_to_json(replace(ChooseMove(view(GAME, 0), "stream", 1), level="puddle")))
