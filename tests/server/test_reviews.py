"""Reviews are computed once in the background with real progress, kept, and survive the end of the server."""

import asyncio
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from riverstones.engine.levels import has_kernel
from riverstones.notation import read_record, record_of, write_record
from riverstones.server.contract import adapter
from riverstones.server.errors import ServerError
from riverstones.server.storage import Store
from riverstones.server.study import reviews as module
from riverstones.server.study.reviews import Reviews, ReviewState, read_game
from riverstones.server.workers import Requester, WorkerPool, interface, review_pool
from riverstones.server.workers.fair_queue import Priority
from riverstones.study.records import record_text
from riverstones.study.refusals import StudyRefused
from riverstones.study.review import REVIEW_VERSION, ReportData, review_record, to_json
from riverstones.study.review.review import LEFT_TAG
from riverstones.study.sight import findings
from riverstones.table import commands as c
from tests.server.jobs import Await, Count, Fail
from tests.table.helpers import table_of

from .running import TIMEOUT_S, Answer, Client, Running, clients, free_port, settings_for
from .test_accounts import refused
from .test_kill import forker, kill, start
from .test_lists import game_of
from .test_storage import with_store

pytestmark = pytest.mark.skipif(not has_kernel(), reason="the engine is not installed")

RECORD = (Path(__file__).parents[1] / "playthroughs" / "resigned.river").read_text(encoding="utf-8")
MOVES = 23
ANN, BOB = Requester("ann", "192.0.2.1"), Requester("bob", "192.0.2.2")


@pytest.fixture(autouse=True)
def _workers_find_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.fixture(autouse=True)
def _reviews_get_time_beside_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.server.workers.pool.REVIEW_NICENESS", 0)


def with_reviews(url: str, folder: Path, work: Callable[[Reviews], Any], **changes: Any) -> Any:
    """Run this with the reviews of a server on a database."""

    async def run(store: Store) -> Any:
        settings = settings_for(folder, database=url, **changes)
        reviews = Reviews(settings, store, WorkerPool(1), review_pool(settings.workers))
        try:
            async with asyncio.timeout(300):
                return await work(reviews)
        finally:
            await reviews.stop()

    return with_store(url, run)


async def follow(reviews: Reviews, key: str, who: Requester = ANN) -> list[ReviewState]:
    """The different states of a review until it has a report or has failed."""
    states: list[ReviewState] = []
    while not states or (states[-1].report is None and not states[-1].failed):
        state = await reviews.state(key, who)
        if not states or state != states[-1]:
            states.append(state)
        await asyncio.sleep(0.005)
    return states


async def until_begun(reviews: Reviews, key: str) -> None:
    while (await reviews.state(key, ANN)).done == 0:
        await asyncio.sleep(0.005)


def test_progress_is_real_and_the_report_is_that_of_the_engine(new_database: Callable[[], str], tmp_path: Path) -> None:
    async def work(reviews: Reviews) -> None:
        key = await reviews.ask(await read_game(RECORD), ANN)
        states = await follow(reviews, key)
        done = [state.done for state in states]
        assert done == sorted(done)
        assert len(done) > 5
        assert {state.total for state in states} == {MOVES}
        assert [state for state in states[:-1] if state.report is not None or state.failed] == []
        report = states[-1].report
        assert report is not None
        assert states[-1].done == MOVES
        assert json.loads(report) == json.loads(json.dumps(to_json(review_record(read_record(RECORD)))))
        adapter(ReportData).validate_json(report)
        seat = json.loads(report)["seats"][0]
        found = findings(json.loads(report), 0)
        assert (found["accuracy"], found["counted"]) == (seat["accuracy"], seat["counted"])
        assert found["sight"]["all"]["chances"] == seat["counted"]
        # Opened again, nothing is computed: also after a restart, and for somebody else.
        assert await reviews.ask(await read_game(RECORD), BOB) == key
        assert not reviews._running
        seconds = []
        for _ in range(5):
            begun = time.perf_counter()
            assert (await reviews.state(key, BOB)).report == report
            seconds.append(time.perf_counter() - begun)
        assert min(seconds) < 0.3  # a busy machine may delay some of them

    with_reviews(new_database(), tmp_path, work)


def test_a_better_engine_reviews_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interface, "ReviewRecord", lambda record: Count(tmp_path, 0))

    async def work(reviews: Reviews) -> None:
        first = await reviews.ask(await read_game(RECORD), ANN)
        monkeypatch.setattr(module, "REVIEW_VERSION", REVIEW_VERSION + 1)
        assert await reviews.ask(await read_game(RECORD), ANN) != first
        assert len(reviews._running) == 2

    with_reviews(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path, work)


def test_cancelling_ends_the_search_unless_somebody_else_waits(tmp_path: Path) -> None:
    async def work(reviews: Reviews) -> None:
        key = await reviews.ask(await read_game(RECORD), ANN)
        assert await reviews.ask(await read_game(RECORD), BOB) == key
        await until_begun(reviews, key)
        pool = reviews.workers
        assert isinstance(pool, WorkerPool)
        (process,) = pool._living
        await reviews.cancel(key, Requester("eve", "192.0.2.3"))
        await reviews.cancel(key, BOB)
        assert process in pool._living
        assert (await reviews.state(key, ANN)).total == MOVES
        await reviews.cancel(key, ANN)
        await asyncio.wait_for(process._ended.wait(), 30)
        assert not reviews._running
        with pytest.raises(ServerError, match="no_such_review"):
            await reviews.state(key, ANN)
        # It can be asked for again.
        assert await reviews.ask(await read_game(RECORD), ANN) == key
        await until_begun(reviews, key)

    with_reviews(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path, work)


def test_a_review_that_is_asked_for_while_it_is_being_cancelled_begins_again(tmp_path: Path) -> None:
    async def work(reviews: Reviews) -> None:
        game = await read_game(RECORD)
        key = await reviews.ask(game, ANN)
        await until_begun(reviews, key)
        cancelling = asyncio.create_task(reviews.cancel(key, ANN))
        await asyncio.sleep(0)
        assert await reviews.ask(game, ANN) == key
        await cancelling
        await until_begun(reviews, key)
        assert await reviews._store.reviews.get(key) is not None

    with_reviews(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path, work)


def test_a_review_that_was_interrupted_begins_again(new_database: Callable[[], str], tmp_path: Path) -> None:
    url = new_database()

    async def begin(reviews: Reviews) -> str:
        key = await reviews.ask(await read_game(RECORD), ANN)
        await until_begun(reviews, key)
        return key

    key = with_reviews(url, tmp_path, begin)
    states = with_reviews(url, tmp_path, lambda reviews: follow(reviews, key))
    assert states[0].report is None
    assert states[-1].report is not None


def test_a_review_that_fails_says_so_and_is_tried_again_when_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(reviews: Reviews) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(interface, "ReviewRecord", lambda record: Fail())
            key = await reviews.ask(await read_game(RECORD), ANN)
            assert (await follow(reviews, key))[-1] == ReviewState(0, MOVES, failed=True)
            assert (await reviews.state(key, BOB)).failed
        await reviews.ask(await read_game(RECORD), ANN)
        assert (await follow(reviews, key))[-1].report is not None

    with_reviews(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path, work)


def renamed(number: int) -> str:
    """The same game with another name, which is another record."""
    name = read_record(RECORD).header.players[0].name
    assert name in RECORD
    return RECORD.replace(name, f"Ann {number}")


def test_nobody_has_many_reviews_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interface, "ReviewRecord", lambda record: Await(tmp_path / "never"))

    async def work(reviews: Reviews) -> None:
        for number in range(module.WAITING_EACH):
            await reviews.ask(await read_game(renamed(number)), ANN)
        with pytest.raises(ServerError, match="reviews_under_way"):
            await reviews.ask(await read_game(RECORD), ANN)
        await reviews.ask(await read_game(renamed(0)), ANN)
        await reviews.ask(await read_game(RECORD), BOB)

    with_reviews(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path, work)


def test_reviews_take_turns_between_addresses_and_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    async def work(reviews: Reviews) -> None:
        pool = reviews.workers
        assert isinstance(pool, WorkerPool)
        run = pool.run

        async def note(job: Any, who: Requester, priority: Priority, report: Any) -> Any:
            async with pool._queue.slot(who, priority):
                begun.append(who.name)
            return "{}"

        monkeypatch.setattr(pool, "run", note)
        asked = 0
        async with pool._queue.slot(Requester("busy")):
            for who in (ANN, ANN, Requester("cy", ANN.address), BOB):
                await reviews.ask(await read_game(renamed(asked)), who)
                asked += 1
            await asyncio.sleep(0.05)
            assert begun == []
        await asyncio.sleep(0.05)
        assert begun == ["ann", "bob", "cy", "ann"]
        monkeypatch.setattr(pool, "run", run)

    with_reviews(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path, work)


def test_reviews_wait_until_the_engine_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.server.workers.pool.WarmUp", lambda: Await(tmp_path / "compiled"))

    async def work(reviews: Reviews) -> None:
        reviews._engine.warm_up()
        key = await reviews.ask(await read_game(RECORD), ANN)
        await asyncio.sleep(0.2)
        assert isinstance(reviews.workers, WorkerPool)
        assert not reviews.workers._living
        (tmp_path / "compiled").touch()
        await until_begun(reviews, key)
        await reviews._engine.close()

    with_reviews(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path, work)


def test_without_the_engine_reviews_are_not_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "has_kernel", lambda: False)

    async def work(reviews: Reviews) -> None:
        with pytest.raises(StudyRefused, match="reviews_not_offered"):
            await reviews.ask(await read_game(RECORD), ANN)

    with_reviews(f"sqlite:///{tmp_path / 'x.sqlite3'}", tmp_path, work)


def test_a_record_says_when_somebody_left_and_the_game_went_on() -> None:
    played = table_of("ann", "bob", "cid")
    played.play_on(7)
    played.do("bob", c.Resign(1))
    played.play_on()
    record = record_text(played.table)
    assert record is not None
    assert dict(read_record(record).header.tags)[LEFT_TAG] == "7"
    ended = table_of("ann", "bob")
    ended.play_on(7)
    ended.do("ann", c.Resign(0))
    assert LEFT_TAG not in dict(read_record(record_text(ended.table) or "").header.tags)


# Over HTTP


def finished(client: Client, key: str) -> Any:
    """The report of a review, once it is final."""
    deadline = time.monotonic() + 5 * TIMEOUT_S
    while time.monotonic() < deadline:
        told = client.get(f"/study/reviews/{key}")
        assert not told["failed"]
        if told["report"] is not None:
            return told["report"]
        time.sleep(0.02)
    raise AssertionError("the review takes too long")


def test_everybody_who_may_see_a_record_may_see_its_review(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = game_of(ann, bob)
    for client in (ann, server.client("Eve")):
        refused(404, "record_not_yet", client.post, f"/tables/{table}/review")
    ann.do(table, "resign", seat=0)
    key = ann.post(f"/tables/{table}/review")["review"]
    report = finished(bob, key)
    assert [seat["name"] for seat in report["seats"]] == ["Ann", "Bob"]
    assert report["moves"] == []
    record = ann.http.get(f"/api/v1/tables/{table}/record").text
    visitor = server.client(None)
    assert visitor.post("/study/reviews", {"text": record})["review"] == key
    assert visitor.get(f"/study/reviews/{key}")["report"] == report
    refused(404, "no_such_table", ann.post, "/tables/nothere/review")


def test_bad_records_and_unknown_reviews_are_refused(server: Running) -> None:
    ann = server.client("Ann")
    refused(400, "tag_missing", ann.post, "/study/reviews", {"text": '[Layout "sides"]'})
    wrong = RECORD.replace("scores 0, total 0", "scores 9, total 9", 1)
    assert wrong != RECORD
    with pytest.raises(Answer) as answer:
        ann.post("/study/reviews", {"text": wrong})
    assert answer.value.status == 400
    assert answer.value.error["problems"]
    refused(404, "no_such_review", ann.get, "/study/reviews/00ff")
    refused(422, "bad_message", ann.get, "/study/reviews/nothex")
    assert ann.request("DELETE", "/study/reviews/00ff") is None


def test_the_record_of_a_running_game_is_not_reviewed_for_its_players(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = game_of(ann, bob)
    services = server.server.config.loaded_app.state.services
    game = services.tables._registry.get(table).table.game
    text = write_record(record_of(game))
    refused(409, "position_in_play", ann.post, "/study/reviews", {"text": text})
    assert server.client("Eve").post("/study/reviews", {"text": text})["review"]


def test_bots_and_the_study_board_do_not_wait_for_reviews(
    server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interface, "ReviewRecord", lambda record: Await(tmp_path / "released"))
    ann = server.client("Ann")
    keys = [ann.post("/study/reviews", {"text": renamed(number)})["review"] for number in range(3)]
    table = ann.make_table("stream", "me")
    socket = ann.socket(table)
    socket.wait("snapshot")
    while socket.now["to_move"] != 1:
        socket.receive()
    for key in keys:
        assert ann.get(f"/study/reviews/{key}")["report"] is None
        ann.request("DELETE", f"/study/reviews/{key}")


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_server_killed_during_a_review_computes_it_after_the_next_start(tmp_path: Path) -> None:
    database, port = f"sqlite:///{tmp_path / 'killed.sqlite3'}", free_port()
    url = f"http://127.0.0.1:{port}"
    with forker() as parent, clients(url, url) as (client, again):
        pid = start(parent, database, port)
        key = client.post("/study/reviews", {"text": RECORD})["review"]
        deadline = time.monotonic() + TIMEOUT_S
        while client.get(f"/study/reviews/{key}")["done"] == 0:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        workers = children(pid)
        assert workers
        kill(pid)
        for worker in workers:
            with suppress(ProcessLookupError):
                while True:
                    os.kill(worker, 0)
                    assert time.monotonic() < deadline, "a worker outlives its server"
                    time.sleep(0.01)
        pid = start(parent, database, port)
        report = finished(again, key)
        assert len(report["moves"]) == MOVES
        kill(pid)
