"""The fan-out of Redis: publish and subscribe."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from redis.asyncio import Redis

from riverstones.server.fanout.queued import QueuedFanout, Send
from riverstones.server.storage import Store


class RedisFanout(QueuedFanout):
    """Publishes on a channel of this site, so that sites can share a Redis: its numbered databases share channels."""

    def __init__(self, node: str, url: str, store: Store) -> None:
        super().__init__(node)
        self._url = url
        self._store = store

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Send]:
        """Subscribe on a new connection."""
        channel = f"riverstones:{await self._store.site()}"
        async with Redis.from_url(self._url, decode_responses=True) as redis, redis.pubsub() as subscription:
            await subscription.subscribe(channel)
            reading = asyncio.create_task(self._read(subscription))
            try:
                yield partial(redis.publish, channel)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def _read(self, subscription: Any) -> None:
        try:
            async for message in subscription.listen():
                if message["type"] == "message":
                    self.receive(message["data"])
        finally:
            self.lose()
