"""Rate limits for all nodes of a site without Redis: nodes tell each other what they have counted.

Until the others have heard, each node allows what it knows to be within the limit. So a site exceeds a limit by no more
than what arrives within a tenth of a second.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from limits import RateLimitItem
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from riverstones.server.fanout import Fanout

SEND_S: Final = 0.1
MOST_TOLD: Final = 400
"""The keys that are told at a time, the most frequent first. A flood from many addresses must not flood the nodes."""
IN_A_MESSAGE: Final = 50

Key = tuple[int, tuple[str, ...]]
"""The place of a limit in the list of shared limits, and what is counted, such as the requests of an address."""


class SharedCounts:
    """Adds the counts of other nodes to this node's, and sends this node's counts to them."""

    def __init__(
        self, limiter: SlidingWindowCounterRateLimiter, limits: Sequence[RateLimitItem], fanout: Fanout
    ) -> None:
        self._limiter = limiter
        self._limits = limits
        self._fanout = fanout
        self._untold: Counter[Key] = Counter()
        self._adding: set[asyncio.Task[None]] = set()
        fanout.on_message("counts", self._heard)

    def counted(self, limit: RateLimitItem, key: tuple[str, ...]) -> None:
        """Tell the others, soon, that this was counted here."""
        if not self._fanout.reaches_others:
            return
        if not self._untold:
            asyncio.get_running_loop().call_later(SEND_S, self._tell)
        self._untold[self._limits.index(limit), key] += 1

    def _tell(self) -> None:
        told = self._untold.most_common(MOST_TOLD)
        self._untold.clear()
        for start in range(0, len(told), IN_A_MESSAGE):
            self._fanout.send("counts", [[*key, count] for key, count in told[start : start + IN_A_MESSAGE]])

    def _heard(self, node: str, message: Any) -> None:
        task = asyncio.create_task(self._add(message))
        self._adding.add(task)
        task.add_done_callback(self._adding.discard)

    async def _add(self, told: list[tuple[int, list[str], int]]) -> None:
        for place, key, count in told:
            if place < len(self._limits):  # a newer node may have more
                limit = self._limits[place]
                # More than what is left would be refused, and then not counted at all.
                left = (await self._limiter.get_window_stats(limit, *key)).remaining
                await self._limiter.hit(limit, *key, cost=min(count, left))
