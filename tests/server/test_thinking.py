"""Bots think elsewhere: they hold nobody up, can be stopped, and a failure makes them weaker, never silent."""

import asyncio
import logging
import time
from pathlib import Path

import pytest

from riverstones.rules import Game, Move, Scoring, Seed, Setup, plays, view
from riverstones.server.thinking import Thinkers, ThinkingFailed, mind
from tests.server.thoughts import Crash, Fail, Sleep

GAME = Game.begin(Setup(), Seed(bytes(32)).deal())
CLAIMED = Game.begin(Setup(scoring=Scoring.CLAIMS), Seed(bytes(32)).deal())


@pytest.fixture(autouse=True)
def _workers_find_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


def test_the_loop_goes_on_while_a_bot_thinks() -> None:
    async def run() -> None:
        thinkers = Thinkers(1)
        await thinkers.think(Sleep(0))
        thinking = asyncio.create_task(thinkers.think(Sleep(0.5)))
        worst, last = 0.0, time.perf_counter()
        while not thinking.done():
            await asyncio.sleep(0.005)
            worst, last = max(worst, time.perf_counter() - last), time.perf_counter()
        assert worst < 0.3
        await thinkers.close()

    asyncio.run(run())


def test_thinking_can_be_cancelled_and_frees_its_place() -> None:
    async def run() -> None:
        thinkers = Thinkers(1)
        thinking = asyncio.create_task(thinkers.think(Sleep(60)))
        await asyncio.sleep(0.2)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        begun = time.perf_counter()
        assert await thinkers.think(Sleep(0)) == 0
        assert time.perf_counter() - begun < 20
        await thinkers.close()

    asyncio.run(run())


@pytest.mark.parametrize("thought", [Crash(), Fail(), Sleep(60)], ids=["crash", "error", "too long"])
def test_a_thought_that_fails_says_so_and_the_next_one_works(thought: mind.Thought) -> None:
    async def run() -> None:
        thinkers = Thinkers(1, longest_s=5.0)
        await thinkers.think(Sleep(0))
        thinkers._longest_s = 0.5
        with pytest.raises(ThinkingFailed):
            await thinkers.think(thought)
        thinkers._longest_s = 20.0
        assert await thinkers.think(Sleep(0)) == 0
        await thinkers.close()

    asyncio.run(run())


def test_a_failing_level_falls_back_to_a_weaker_one_with_a_note(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[str] = []

    async def think(self: Thinkers, thought: mind.ChooseMove) -> object:
        tried.append(thought.level)
        if thought.level != "pebble":
            raise ThinkingFailed("broken")
        return thought.answer()

    monkeypatch.setattr(Thinkers, "think", think)
    caplog.set_level(logging.WARNING)
    move, _ = asyncio.run(_choose("stream"))
    assert tried == ["stream", "brook", "pebble"]
    assert move in {play.move for play in GAME.plays()}
    assert "a bot of level stream failed" in caplog.text


def test_when_no_level_can_think_the_most_points_are_played(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def think(self: Thinkers, thought: mind.ChooseMove) -> object:
        raise ThinkingFailed("broken")

    monkeypatch.setattr(Thinkers, "think", think)
    assert asyncio.run(_choose("stream")) == (GAME.plays()[0].move, None)
    best = CLAIMED.plays()[0]
    assert asyncio.run(_choose("stream", CLAIMED)) == (best.move, best.points)
    assert "no level could think" in caplog.text


async def _choose(level: str, game: Game = GAME) -> tuple[Move, int | None]:
    thinkers = Thinkers(1)
    try:
        return await thinkers.choose(view(game, 0), level, 1)
    finally:
        await thinkers.close()


def test_a_bot_is_handed_its_view_and_nothing_more() -> None:
    thought = mind.ChooseMove(view(GAME, 0), "stream", 1)
    assert thought.view.position.hands[1].known == ()
    assert "deal" not in str(thought).lower()
    move, claim = thought.answer()
    assert claim is None
    assert move in {play.move for play in plays(GAME.board, GAME.hands[0])}


def test_while_the_engine_compiles_other_bots_play_and_searching_ones_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.server.thinking.pool.WarmUp", lambda: Sleep(1.5))

    async def run() -> None:
        thinkers = Thinkers(1)
        thinkers.warm_up()
        await thinkers.choose(view(GAME, 0), "stream", 1)
        assert not thinkers._compiled.is_set()
        waiting = asyncio.create_task(thinkers._until_compiled("river"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        await waiting
        await thinkers.close()

    asyncio.run(run())
