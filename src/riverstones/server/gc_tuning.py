"""Settings of Python's garbage collector.

A full collection blocks the event loop, for half a second with a thousand tables in memory. By default one runs every
few seconds under load. Garbage from play is freed by reference counting or in the youngest generation, so full
collections run at a fixed, long interval instead.

The youngest generation is much larger than by default. Every command that waits to be stored holds some thirty objects.
With the default of 700 objects, those of two dozen commands trigger a collection that finds nothing to free. At most
some ten megabytes of garbage wait for the larger one. The generation after it is left to the full collections: nearly
all that reaches it are turns and events of live tables, which stay.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

EVERY_S = 600.0
"""The interval between full collections."""

YOUNG = 100_000
"""The number of new objects that triggers a collection of the youngest generation."""

NEVER = 10**9


@asynccontextmanager
async def rare_collections(every_s: float = EVERY_S) -> AsyncIterator[None]:
    """Run full collections only at this interval while the block runs; restore the settings after it.

    A process that has frozen objects of its own keeps them frozen: unfreezing would take all or none.
    """
    thresholds = gc.get_threshold()
    freezes = gc.get_freeze_count() == 0
    gc.collect()
    if freezes:
        gc.freeze()  # modules and classes, which stay for good
    gc.set_threshold(YOUNG, NEVER, NEVER)
    collecting = asyncio.create_task(_collect_periodically(every_s), name="garbage collection")
    try:
        yield
    finally:
        collecting.cancel()
        await asyncio.gather(collecting, return_exceptions=True)
        gc.set_threshold(*thresholds)
        if freezes:
            gc.unfreeze()


async def _collect_periodically(every_s: float) -> None:
    while True:
        await asyncio.sleep(every_s)
        gc.collect()
