"""Full garbage collections are rare while the server runs."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import uvicorn

from riverstones.server.gc_tuning import NEVER, rare_collections
from riverstones.server.run import GracefulServer


class Knot:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.own = self


def collections() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())


def whole_collections() -> int:
    return int(gc.get_stats()[2]["collections"])


def fill() -> list[list[int]]:
    """Enough objects to trigger several full collections with Python's default settings."""
    return [[number] for number in range(400_000)]


def test_by_default_many_objects_trigger_full_collections() -> None:
    gc.freeze()  # objects of other tests: the more there are, the rarer are full collections
    gc.collect()
    before = whole_collections()
    fill()
    gc.unfreeze()
    assert whole_collections() > before


def test_many_objects_trigger_no_full_collection() -> None:
    async def busy() -> int:
        async with rare_collections():
            before = whole_collections()
            fill()
            return whole_collections() - before

    assert asyncio.run(busy()) == 0


def test_the_objects_of_waiting_commands_trigger_no_collection() -> None:
    async def hold_many() -> int:
        async with rare_collections():
            gc.collect()
            before = collections()
            held = [[number] for number in range(5_000)]
            made = collections() - before
            del held
            return made

    assert asyncio.run(hold_many()) == 0


def test_old_garbage_is_collected_at_the_interval() -> None:
    async def wait_for_it() -> None:
        async with rare_collections(every_s=0.01):
            knot = Knot()
            gone = weakref.ref(knot)
            gc.collect()  # moves it to the oldest generation
            del knot
            async with asyncio.timeout(60):
                while gone() is not None:
                    await asyncio.sleep(0.01)

    asyncio.run(wait_for_it())


def test_the_settings_are_restored() -> None:
    async def come_and_go() -> None:
        async with rare_collections():
            pass

    before = gc.get_threshold()
    asyncio.run(come_and_go())
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_old_generations_are_not_collected_for_their_size_while_the_server_of_a_process_runs() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("nobody connects")

    def ready() -> None:
        thresholds.append(gc.get_threshold()[1:])
        server.should_exit = True

    thresholds: list[tuple[int, ...]] = []
    setup = uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_config=None)
    server = GracefulServer(setup, ready)
    server.run()
    assert thresholds == [(NEVER, NEVER)]
    assert NEVER not in gc.get_threshold()
