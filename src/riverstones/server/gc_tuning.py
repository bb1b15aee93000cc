"""When Python looks through the whole memory for garbage.

It cannot be interrupted while it looks, and with a thousand tables in memory it looks for half a second: everybody
would wait. Left alone it does so every few seconds of busy play. But what play leaves behind is freed at once or found
among the young objects, so here the whole is looked through only now and then.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

EVERY_S = 600.0
NEVER = 10**9


@asynccontextmanager
async def rare_collections(every_s: float = EVERY_S) -> AsyncIterator[None]:
    """Within this, the whole memory is looked through so seldom."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()  # the code itself, which stays
    gc.set_threshold(*thresholds[:2], NEVER)
    looking = asyncio.create_task(_look_through(every_s), name="memory")
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def _look_through(every_s: float) -> None:
    while True:
        await asyncio.sleep(every_s)
        gc.collect()
