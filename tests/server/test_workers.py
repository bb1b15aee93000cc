"""Workers do not block the loop, can be cancelled, and a failing bot falls back to a weaker level."""

import asyncio
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import uvloop

from riverstones.rules import Game, Move, Scoring, Seed, Setup, View, plays, view
from riverstones.server.workers import Requester, WorkerFailed, WorkerPool, jobs, review_pool
from riverstones.server.workers.fair_queue import MOST_PASSED_OVER, FairQueue, Priority
from riverstones.server.workers.pool import LONGEST_S, REVIEW_NICENESS
from riverstones.server.workers.process import PROGRAM, Process
from riverstones.server.workers.worker import frame
from riverstones.study.hints import Advice
from tests.server.jobs import Await, Count, Crash, Fail, Niceness, Sleep

GAME = Game.begin(Setup(), Seed(bytes(32)).deal())
ANN = Requester("ann", "192.0.2.1")
CLAIMED = Game.begin(Setup(scoring=Scoring.CLAIMS), Seed(bytes(32)).deal())


@pytest.fixture(autouse=True)
def _workers_find_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.fixture(autouse=True)
def _nothing_is_left_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After each test all processes have ended and their pipes are closed."""
    made: list[Process] = []
    begin = Process.__init__

    def note(self: Process, niceness: int = 0) -> None:
        begin(self, niceness)
        made.append(self)

    monkeypatch.setattr(Process, "__init__", note)
    yield
    assert all(process._ended.is_set() for process in made)


def test_the_loop_is_not_blocked_by_a_job(tmp_path: Path) -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        computing = asyncio.create_task(workers.run(Await(tmp_path / "thought")))
        for _ in range(20):
            await asyncio.sleep(0.005)
        assert not computing.done()
        (tmp_path / "thought").touch()
        await computing
        await workers.close()

    asyncio.run(run())


def test_a_cancelled_job_frees_its_slot() -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        await workers.run(Sleep(0))
        computing = asyncio.create_task(workers.run(Sleep(600)))
        await asyncio.sleep(0.2)
        computing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await computing
        assert await workers.run(Sleep(0)) == 0
        await workers.close()

    asyncio.run(run())


@pytest.mark.parametrize("moments", range(6))
def test_a_job_can_be_cancelled_while_its_process_starts(moments: int) -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        computing = asyncio.create_task(workers.run(Sleep(600)))
        for _ in range(moments):
            await asyncio.sleep(0)
        computing.cancel()
        await asyncio.gather(computing, return_exceptions=True)
        await workers.close()

    asyncio.run(run())


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_closing_ends_all_jobs(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def run() -> None:
        workers = WorkerPool(2)
        await workers.run(Sleep(0))
        busy = [asyncio.create_task(workers.run(Sleep(600))) for _ in range(3)]
        await asyncio.sleep(0.1)
        await workers.close()
        for failure in await asyncio.gather(*busy, return_exceptions=True):
            assert isinstance(failure, WorkerFailed)
        with pytest.raises(WorkerFailed):
            await workers.run(Sleep(0))

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(run())


def test_closing_waits_for_the_end_of_the_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.server.workers.pool.WarmUp", lambda: Sleep(0))

    async def run() -> None:
        workers = WorkerPool(1)
        workers.warm_up()
        await workers._until_compiled("river")
        await workers.close()

    asyncio.run(run())


def test_owners_with_many_jobs_take_turns_with_others(tmp_path: Path) -> None:
    done: list[str] = []

    async def run() -> None:
        workers = WorkerPool(1)

        async def think(thought: jobs.Job, whose: str) -> None:
            await workers.run(thought, Requester(whose))
            done.append(whose)

        wanted = ["ann"] * 5 + ["bob"] * 2 + ["cid"]
        busy = asyncio.create_task(think(Await(tmp_path / "thought"), "ann"))
        waiting = [asyncio.create_task(think(Sleep(0), whose)) for whose in wanted]
        await asyncio.sleep(0)
        (tmp_path / "thought").touch()
        await asyncio.gather(busy, *waiting)
        await workers.close()

    asyncio.run(run())
    assert done == ["ann", "ann", "bob", "cid", "ann", "bob", "ann", "ann", "ann"]


def test_addresses_take_turns_however_many_people_each_has() -> None:
    """Many names from one address do not delay a single person at another."""
    done: list[str] = []

    async def run() -> None:
        slots = FairQueue(1)

        async def think(person: str, address: str) -> None:
            async with slots.slot(Requester(person, address)):
                done.append(person)

        async with slots.slot(Requester("busy")):
            wanted = [
                ("ann", "home"),
                ("ann", "home"),
                ("ben", "home"),
                ("cid", "home"),
                ("dee", "away"),
                ("dee", "away"),
            ]
            waiting = [asyncio.create_task(think(*each)) for each in wanted]
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)

    asyncio.run(run())
    assert done == ["ann", "dee", "ben", "dee", "cid", "ann"]


def order_of(jobs: list[tuple[Requester, Priority]]) -> list[str]:
    """The names of these jobs in the order in which they get the only slot."""
    done: list[str] = []

    async def run() -> None:
        slots = FairQueue(1)

        async def think(who: Requester, priority: Priority) -> None:
            async with slots.slot(who, priority):
                done.append(f"{who.name} {priority.name}")

        async with slots.slot(Requester("busy")):
            waiting = [asyncio.create_task(think(*job)) for job in jobs]
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)

    asyncio.run(run())
    return done


def test_many_guests_from_one_address_delay_others_by_one_job_only() -> None:
    guests = [(Requester(f"guest{number}", "192.0.2.9"), Priority.MOVE) for number in range(29)]
    order = order_of([*guests, (ANN, Priority.MOVE)])
    assert order.index("ann MOVE") == 1


def test_moves_go_before_hints_and_hints_before_reviews() -> None:
    jobs = [(ANN, Priority.REVIEW), (ANN, Priority.HINT), (ANN, Priority.MOVE), (Requester("bob"), Priority.MOVE)]
    assert order_of(jobs) == ["ann MOVE", "bob MOVE", "ann HINT", "ann REVIEW"]


def test_a_hint_comes_even_while_moves_never_cease() -> None:
    order = order_of([(ANN, Priority.HINT), *[(Requester("bob"), Priority.MOVE)] * 30])
    assert order.index("ann HINT") == MOST_PASSED_OVER


def test_slots_can_be_added_and_removed() -> None:
    async def run() -> None:
        slots = FairQueue(0)
        holding, release = asyncio.Semaphore(0), asyncio.Semaphore(0)

        async def hold() -> None:
            async with slots.slot(ANN):
                holding.release()
                await release.acquire()

        jobs = [asyncio.create_task(hold()) for _ in range(4)]
        await asyncio.sleep(0)
        assert holding.locked()
        slots.resize(2)
        await holding.acquire()
        await holding.acquire()
        slots.resize(1)
        release.release()
        await asyncio.sleep(0.01)
        assert holding.locked(), "two jobs held slots, and only one slot is left"
        slots.resize(10)
        await holding.acquire()
        await holding.acquire()
        for _ in jobs:
            release.release()
        await asyncio.gather(*jobs)

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_long_job_reports_its_progress_before_its_result(tmp_path: Path) -> None:
    async def run() -> tuple[list[int], int]:
        workers = WorkerPool(1)
        reports: list[int] = []

        def note(value: int) -> None:
            reports.append(value)
            (tmp_path / str(value)).touch()  # the job goes on only once this report has arrived

        answer = await workers.run(Count(tmp_path, 5), report=note)
        assert await workers.run(Sleep(0)) == 0, "the process is used again, and no report is left in its pipe"
        await workers.close()
        return reports, answer

    assert asyncio.run(run()) == ([1, 2, 3, 4, 5], 5)


def test_cancelling_a_long_job_ends_its_process(tmp_path: Path) -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        reported = asyncio.Event()
        counting = asyncio.create_task(workers.run(Count(tmp_path, 5), report=lambda _: reported.set()))
        await asyncio.wait_for(reported.wait(), 30)
        (process,) = workers._living
        counting.cancel()
        await asyncio.gather(counting, return_exceptions=True)
        await asyncio.wait_for(process._ended.wait(), 30)
        assert await workers.run(Sleep(0)) == 0
        await workers.close()

    asyncio.run(run())


@pytest.mark.skipif(not hasattr(os, "nice"), reason="processes have no priorities here")
def test_reviews_have_a_lower_priority() -> None:
    async def run() -> list[int]:
        found = []
        for workers in (WorkerPool(1), review_pool(1)):
            found.append(await workers.run(Niceness()))
            await workers.close()
        return found

    usual, background = asyncio.run(run())
    assert background == min(usual + REVIEW_NICENESS, 19) > usual


@pytest.mark.parametrize("given", [False, True], ids=["before it has a slot", "just as it gets a slot"])
def test_a_cancelled_waiting_job_passes_its_slot_on(given: bool) -> None:
    async def run() -> None:
        places = FairQueue(1)

        async def think(whose: str) -> str:
            async with places.slot(Requester(whose)):
                return whose

        async with places.slot(ANN):
            unwanted, wanted = asyncio.create_task(think("bob")), asyncio.create_task(think("cid"))
            await asyncio.sleep(0)
            if not given:
                unwanted.cancel()
        unwanted.cancel()
        async with asyncio.timeout(5):
            assert await wanted == "cid"
            assert await think("dee") == "dee"
        assert unwanted.cancelled()

    asyncio.run(run())


@pytest.mark.parametrize("job", [Crash(), Fail(), Sleep(600)], ids=["crash", "error", "too long"])
def test_a_failed_job_raises_and_the_next_one_works(job: jobs.Job) -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        await workers.run(Sleep(0))
        workers._longest_s = 0.5
        with pytest.raises(WorkerFailed):
            await workers.run(job)
        workers._longest_s = LONGEST_S
        assert await workers.run(Sleep(0)) == 0
        await workers.close()

    asyncio.run(run())


def test_a_failing_level_falls_back_to_a_weaker_one_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[str] = []

    async def think(self: WorkerPool, thought: jobs.ChooseMove, *_: object) -> object:
        tried.append(thought.level)
        if thought.level != "pebble":
            raise WorkerFailed("broken")
        return thought.answer()

    monkeypatch.setattr(WorkerPool, "run", think)
    caplog.set_level(logging.WARNING)
    move, _ = asyncio.run(_choose("stream"))
    assert tried == ["stream", "brook", "spring", "pebble"]
    assert move in {play.move for play in GAME.plays()}
    assert "A bot of level stream failed" in caplog.text


def test_if_every_level_fails_the_most_points_are_played(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def think(self: WorkerPool, thought: jobs.ChooseMove, *_: object) -> object:
        raise WorkerFailed("broken")

    monkeypatch.setattr(WorkerPool, "run", think)
    assert asyncio.run(_choose("stream")) == (GAME.plays()[0].move, None)
    best = CLAIMED.plays()[0]
    assert asyncio.run(_choose("stream", CLAIMED)) == (best.move, best.points)
    assert "Every bot level failed" in caplog.text


@pytest.mark.parametrize("fails", [False, True])
def test_a_hint_says_whether_it_looked_ahead(monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    best = plays(GAME.board, GAME.hand)[0]

    async def think(self: WorkerPool, thought: jobs.Job, *_: object) -> object:
        if isinstance(thought, jobs.ChooseMove):
            return best.move, None
        if fails:
            raise WorkerFailed("too slow")
        return replace(thought, level="pebble").answer()  # type: ignore[type-var]  # a FindHint; that level is quick

    monkeypatch.setattr(WorkerPool, "run", think)

    async def run() -> Advice:
        workers = WorkerPool(1)
        advice = await workers.hint(view(GAME, 0), ANN)
        await workers.close()
        return advice

    advice = asyncio.run(run())
    assert (advice.most, advice.looked_ahead) == (best.points, not fails)


async def _choose(level: str, game: Game = GAME) -> tuple[Move, int | None]:
    workers = WorkerPool(1)
    try:
        return await workers.choose(view(game, 0), level, 1, ANN)
    finally:
        await workers.close()


def test_a_bot_job_contains_only_its_view() -> None:
    thought = jobs.ChooseMove(view(GAME, 0), "stream", 1)
    assert thought.view.position.hands[1].known == ()
    assert "deal" not in str(thought).lower()
    move, claim = thought.answer()
    assert claim is None
    assert move in {play.move for play in plays(GAME.board, GAME.hands[0])}


def test_compilation_is_announced(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Compiling takes a dozen seconds, so these bots only trigger Numba's compilation event."""
    event = pytest.importorskip("numba.core.event", reason="Numba is not installed")

    def compile_twice(view: View) -> Move:
        for _ in range(2):
            with event.trigger_event("numba:compile"):
                pass
        return plays(view.position.board, view.hand)[0].move

    monkeypatch.setattr("riverstones.engine.bots.make", lambda level, nodes: compile_twice)
    jobs.WarmUp().answer()
    assert capsys.readouterr().err == "Compiling the engine in the background; this happens once.\n"


def test_while_the_engine_compiles_other_bots_play_and_searching_ones_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("riverstones.server.workers.pool.WarmUp", lambda: Await(tmp_path / "compiled"))

    async def run() -> None:
        workers = WorkerPool(1)
        workers.warm_up()
        await workers.choose(view(GAME, 0), "stream", 1, ANN)
        waiting = asyncio.create_task(workers._until_compiled("river"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        (tmp_path / "compiled").touch()
        await waiting
        await workers.close()

    asyncio.run(run())


def test_a_worker_exits_quietly_when_its_server_is_gone() -> None:
    thinker = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert thinker.stdin is not None
    assert thinker.stdout is not None
    thinker.stdout.close()
    thinker.stdin.write(frame(pickle.dumps("no thought at all")))
    _, said = thinker.communicate(timeout=60)
    assert (thinker.returncode, said) == (0, b"")
