"""Bots think elsewhere: they hold nobody up, can be stopped, and a failure makes them weaker, never silent."""

import asyncio
import logging
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvloop

from riverstones.rules import Game, Move, Scoring, Seed, Setup, View, plays, view
from riverstones.server.workers import WorkerFailed, WorkerPool, jobs
from riverstones.server.workers.fair_queue import FairQueue
from riverstones.server.workers.pool import LONGEST_S
from riverstones.server.workers.process import PROGRAM, Process
from riverstones.server.workers.worker import frame
from tests.server.jobs import Await, Crash, Fail, Sleep

GAME = Game.begin(Setup(), Seed(bytes(32)).deal())
CLAIMED = Game.begin(Setup(scoring=Scoring.CLAIMS), Seed(bytes(32)).deal())


@pytest.fixture(autouse=True)
def _workers_find_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.fixture(autouse=True)
def _nothing_is_left_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After each test every process is gone, and its pipes are closed."""
    made: list[Process] = []
    begin = Process.__init__

    def note(self: Process) -> None:
        begin(self)
        made.append(self)

    monkeypatch.setattr(Process, "__init__", note)
    yield
    assert all(process._gone.is_set() for process in made)


def test_the_loop_goes_on_while_a_bot_thinks(tmp_path: Path) -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        thinking = asyncio.create_task(workers.run(Await(tmp_path / "thought")))
        for _ in range(20):
            await asyncio.sleep(0.005)
        assert not thinking.done()
        (tmp_path / "thought").touch()
        await thinking
        await workers.close()

    asyncio.run(run())


def test_thinking_can_be_cancelled_and_frees_its_place() -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        await workers.run(Sleep(0))
        thinking = asyncio.create_task(workers.run(Sleep(600)))
        await asyncio.sleep(0.2)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        assert await workers.run(Sleep(0)) == 0
        await workers.close()

    asyncio.run(run())


@pytest.mark.parametrize("moments", range(6))
def test_thinking_can_be_cancelled_while_its_process_starts(moments: int) -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        thinking = asyncio.create_task(workers.run(Sleep(600)))
        for _ in range(moments):
            await asyncio.sleep(0)
        thinking.cancel()
        await asyncio.gather(thinking, return_exceptions=True)
        await workers.close()

    asyncio.run(run())


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_closing_ends_all_thinking(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
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


def test_closing_waits_for_the_warm_up_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.server.workers.pool.WarmUp", lambda: Sleep(0))

    async def run() -> None:
        workers = WorkerPool(1)
        workers.warm_up()
        await workers._until_compiled("river")
        await workers.close()

    asyncio.run(run())


def test_who_has_many_thoughts_lets_others_have_theirs_in_between(tmp_path: Path) -> None:
    done: list[str] = []

    async def run() -> None:
        workers = WorkerPool(1)

        async def think(thought: jobs.Job, whose: str) -> None:
            await workers.run(thought, whose)
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


@pytest.mark.parametrize("given", [False, True], ids=["before it has a place", "just as it gets a place"])
def test_a_thought_that_is_no_longer_wanted_leaves_its_place_to_the_next(given: bool) -> None:
    async def run() -> None:
        places = FairQueue(1)

        async def think(whose: str) -> str:
            async with places.slot(whose):
                return whose

        async with places.slot("ann"):
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


@pytest.mark.parametrize("thought", [Crash(), Fail(), Sleep(600)], ids=["crash", "error", "too long"])
def test_a_thought_that_fails_says_so_and_the_next_one_works(thought: jobs.Job) -> None:
    async def run() -> None:
        workers = WorkerPool(1)
        await workers.run(Sleep(0))
        workers._longest_s = 0.5
        with pytest.raises(WorkerFailed):
            await workers.run(thought)
        workers._longest_s = LONGEST_S
        assert await workers.run(Sleep(0)) == 0
        await workers.close()

    asyncio.run(run())


def test_a_failing_level_falls_back_to_a_weaker_one_with_a_note(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[str] = []

    async def think(self: WorkerPool, thought: jobs.ChooseMove, whose: str) -> object:
        tried.append(thought.level)
        if thought.level != "pebble":
            raise WorkerFailed("broken")
        return thought.answer()

    monkeypatch.setattr(WorkerPool, "run", think)
    caplog.set_level(logging.WARNING)
    move, _ = asyncio.run(_choose("stream"))
    assert tried == ["stream", "brook", "spring", "pebble"]
    assert move in {play.move for play in GAME.plays()}
    assert "a bot of level stream failed" in caplog.text


def test_when_no_level_can_think_the_most_points_are_played(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def think(self: WorkerPool, thought: jobs.ChooseMove, whose: str) -> object:
        raise WorkerFailed("broken")

    monkeypatch.setattr(WorkerPool, "run", think)
    assert asyncio.run(_choose("stream")) == (GAME.plays()[0].move, None)
    best = CLAIMED.plays()[0]
    assert asyncio.run(_choose("stream", CLAIMED)) == (best.move, best.points)
    assert "no level could think" in caplog.text


async def _choose(level: str, game: Game = GAME) -> tuple[Move, int | None]:
    workers = WorkerPool(1)
    try:
        return await workers.choose(view(game, 0), level, 1, "ann")
    finally:
        await workers.close()


def test_a_bot_is_handed_its_view_and_nothing_more() -> None:
    thought = jobs.ChooseMove(view(GAME, 0), "stream", 1)
    assert thought.view.position.hands[1].known == ()
    assert "deal" not in str(thought).lower()
    move, claim = thought.answer()
    assert claim is None
    assert move in {play.move for play in plays(GAME.board, GAME.hands[0])}


def test_the_server_says_when_it_compiles(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """To compile for real takes a dozen seconds, so here the bots tell Numba's listeners that they are compiled."""
    event = pytest.importorskip("numba.core.event", reason="Numba is not installed")

    def compile_twice(known: View) -> Move:
        for _ in range(2):
            with event.trigger_event("numba:compile"):
                pass
        return plays(known.position.board, known.hand)[0].move

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
        await workers.choose(view(GAME, 0), "stream", 1, "ann")
        waiting = asyncio.create_task(workers._until_compiled("river"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        (tmp_path / "compiled").touch()
        await waiting
        await workers.close()

    asyncio.run(run())


def test_a_thinker_whose_server_is_gone_goes_quietly() -> None:
    thinker = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert thinker.stdin is not None
    assert thinker.stdout is not None
    thinker.stdout.close()
    thinker.stdin.write(frame(pickle.dumps("no thought at all")))
    _, said = thinker.communicate(timeout=60)
    assert (thinker.returncode, said) == (0, b"")
