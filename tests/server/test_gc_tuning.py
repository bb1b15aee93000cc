"""When the whole memory is looked through for garbage."""

from __future__ import annotations

import asyncio
import gc
import weakref

from riverstones.server.gc_tuning import rare_collections


class Knot:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.own = self


def whole_collections() -> int:
    return int(gc.get_stats()[2]["collections"])


def fill() -> list[list[int]]:
    """As much as makes Python look through everything several times, if it is left alone."""
    return [[number] for number in range(400_000)]


def test_filling_the_memory_makes_python_look_through_it() -> None:
    gc.freeze()  # what other tests have left: Python looks the less often, the more there is
    gc.collect()
    before = whole_collections()
    fill()
    gc.unfreeze()
    assert whole_collections() > before


def test_play_is_not_stopped_for_it() -> None:
    async def busy() -> int:
        async with rare_collections():
            before = whole_collections()
            fill()
            return whole_collections() - before

    assert asyncio.run(busy()) == 0


def test_what_is_left_is_found_in_the_end() -> None:
    async def wait_for_it() -> None:
        async with rare_collections(every_s=0.01):
            knot = Knot()
            gone = weakref.ref(knot)
            gc.collect()  # it is old now
            del knot
            async with asyncio.timeout(60):
                while gone() is not None:
                    await asyncio.sleep(0.01)

    asyncio.run(wait_for_it())


def test_afterwards_all_is_as_it_was() -> None:
    async def come_and_go() -> None:
        async with rare_collections():
            pass

    before = gc.get_threshold()
    asyncio.run(come_and_go())
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
