"""Rate limits that are counted in Redis, for all nodes of a site together."""

from __future__ import annotations

import logging
import time
from typing import Any

from limits import RateLimitItem
from limits.aio.storage import RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

log = logging.getLogger("riverstones.limits")

ANSWER_S = 0.5
"""How long a request waits for Redis."""

PAUSE_S = 5.0
"""How long Redis is not asked again after it has failed."""


class SiteLimiter:
    """Counts in Redis."""

    def __init__(self, url: str) -> None:
        self._pool = ConnectionPool.from_url(url, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S)
        pool: Any = self._pool  # its type does not fit the storage's options
        storage = RedisStorage(
            f"async+{url}", implementation="redispy", key_prefix="riverstones:limits", connection_pool=pool
        )
        self._limiter = SlidingWindowCounterRateLimiter(storage)
        self._paused_until_s = 0.0

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.disconnect()

    async def hit(self, limit: RateLimitItem, *key: str) -> bool | None:
        """Count one more for this key: whether it is within the limit; None if Redis does not answer."""
        if time.monotonic() < self._paused_until_s:
            return None
        try:
            return await self._limiter.hit(limit, *key)
        except (RedisError, OSError) as error:
            log.warning("Redis does not answer, so this node counts requests by itself: %s", error)
            self._paused_until_s = time.monotonic() + PAUSE_S
            return None
