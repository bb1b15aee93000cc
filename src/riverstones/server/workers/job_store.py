"""The store that servers and workers on different machines share: PostgreSQL or Redis.

It has the queues of jobs, kept by saq, and a channel of news: which workers are there, and which jobs have changed.
News may be lost, so nothing depends on it but speed: whoever waits for a job also looks at it now and then.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final

import psycopg
from psycopg.sql import SQL
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from redis import asyncio as redis_client
from redis.exceptions import RedisError
from saq import Job, Queue, Status
from saq.queue.postgres import PostgresQueue
from saq.queue.redis import RedisQueue

log = logging.getLogger("riverstones.workers")

MOVES: Final = "moves"
"""The queue of jobs that somebody waits for: bots' moves and verdicts, hints, the study board."""

REVIEWS: Final = "reviews"
"""The queue of jobs that run in the background."""

QUEUES: Final = (MOVES, REVIEWS)
FUNCTION: Final = "run"
"""The only function that workers offer."""

STORE_ERRORS = (psycopg.Error, PoolTimeout, RedisError, OSError, TimeoutError)
"""Exceptions of a store that is stopped, full or unreachable."""

RETRY_S = 1.0
KEPT_S = 60
"""How long a finished job is kept, for other servers that need the same."""

LATEST_S = {MOVES: 120, REVIEWS: 1800}
"""The age at which a job counts as abandoned and is removed. Workers end theirs much earlier."""

CHANNEL: Final = "riverstones_jobs"
Pool = AsyncConnectionPool[psycopg.AsyncConnection[Any]]
News = dict[str, Any]
"""A message to all servers. PostgreSQL takes at most 8,000 bytes."""


class JobStore(ABC):
    """The queues and the news of one site."""

    def __init__(self) -> None:
        self.queues: dict[str, Queue] = {}

    @abstractmethod
    async def open(self) -> None:
        """Connect; raises one of `STORE_ERRORS`."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""

    @abstractmethod
    async def publish(self, news: News) -> None:
        """Tell all servers; raises one of `STORE_ERRORS`."""

    @abstractmethod
    def listen(self) -> AsyncIterator[str]:
        """What is published from now on; raises one of `STORE_ERRORS` when the connection breaks."""

    @abstractmethod
    def _due(self) -> int:
        """The time for which a job is scheduled that should run at once."""

    async def add(self, queue: str, name: str, form: Any, priority: int) -> bool:
        """Queue a job, unless there is one with this name; whether there was none."""
        job = Job(
            FUNCTION,
            kwargs={"form": form},
            key=name,
            timeout=LATEST_S[queue],
            ttl=KEPT_S,
            priority=priority,
            scheduled=self._due(),
        )
        return await self.queues[queue].enqueue(job) is not None

    async def look(self, queue: str, names: Iterable[str]) -> dict[str, Job | None]:
        """The present state of these jobs; None for one that is not there."""
        wanted = list(names)
        return dict(zip(wanted, await self.queues[queue].jobs(wanted), strict=True))

    async def abort(self, queue: str, name: str) -> None:
        """Remove a job from the queue, or stop it if a worker has begun it."""
        job = await self.queues[queue].job(name)
        if job is not None and job.status in (Status.QUEUED, Status.ACTIVE):
            await self.queues[queue].abort(job, "not needed any more")
            await self._expire(job)

    async def _expire(self, job: Job) -> None:  # noqa: B027 - only Redis needs it
        """See that an aborted job disappears even if its worker does not answer."""

    async def news(self) -> AsyncIterator[News]:
        """All news, without end; none while the store cannot be reached."""
        while True:
            with contextlib.suppress(*STORE_ERRORS):
                async for text in self.listen():
                    with contextlib.suppress(ValueError):
                        news = json.loads(text)
                        if isinstance(news, dict):
                            yield news
            await asyncio.sleep(RETRY_S)


class PostgresStore(JobStore):
    """Jobs in tables of saq, news by NOTIFY."""

    def __init__(self, url: str, most_connections: int) -> None:
        super().__init__()
        self._url = re.sub(r"^postgres(ql)?(\+\w+)?://", "postgresql://", url)
        # A dead connection is noticed within seconds. A job that is lost in a crash is asked for again, so that nobody
        # needs to wait for the disk.
        self._options: dict[str, Any] = {
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            "connect_timeout": 5,
            "options": "-c synchronous_commit=off",
        }
        self._pool = AsyncConnectionPool(
            self._url,
            kwargs={**self._options, "autocommit": True},
            min_size=most_connections // 2,
            max_size=most_connections,
            timeout=5,
            open=False,
        )

    async def open(self) -> None:
        """Open the pool, and make saq's tables where they are missing."""
        await self._pool.open()
        for name in QUEUES:
            queue = self.queues.setdefault(name, _PollingQueue(self._pool, f"riverstones-{name}"))
            await queue.connect()

    async def close(self) -> None:
        """Close the pool."""
        await self._pool.close(timeout=2)

    async def publish(self, news: News) -> None:
        """Send a NOTIFY."""
        async with self._pool.connection() as connection:
            await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, json.dumps(news)))

    async def listen(self) -> AsyncIterator[str]:
        """Listen on a connection of its own."""
        connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True, **self._options)
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            async for notify in connection.notifies():
                yield notify.payload

    def _due(self) -> int:
        # Workers compare it with their own clocks, which may be wrong by minutes. Any constant in the past is due, and
        # among jobs of one priority the order is that of arrival, near enough.
        return 1


class RedisStore(JobStore):
    """Jobs and news in Redis."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis: Any = redis_client.from_url(url, socket_keepalive=True, socket_connect_timeout=5)
        self._subscriber: Any = redis_client.from_url(
            url, socket_keepalive=True, socket_connect_timeout=5, health_check_interval=5
        )
        # Channels, unlike keys, are common to all databases of a Redis server.
        self._channel = f"{CHANNEL}_{self._redis.connection_pool.connection_kwargs.get('db') or 0}"

    async def open(self) -> None:
        """Check that Redis answers."""
        await self._redis.ping()
        for name in QUEUES:
            queue = self.queues.setdefault(name, _PatientQueue(self._redis, name=f"riverstones-{name}"))
            await queue.connect()

    async def close(self) -> None:
        """Close all connections."""
        await self._redis.aclose()
        await self._subscriber.aclose()

    async def publish(self, news: News) -> None:
        """Publish to the channel."""
        await self._redis.publish(self._channel, json.dumps(news))

    async def listen(self) -> AsyncIterator[str]:
        """Subscribe to the channel."""
        async with self._subscriber.pubsub() as channel:
            await channel.subscribe(self._channel)
            while True:
                # Returns None after the timeout, and checks the health of the connection.
                message = await channel.get_message(ignore_subscribe_messages=True, timeout=5)
                if message is not None:
                    yield message["data"].decode(errors="replace")

    async def _expire(self, job: Job) -> None:
        await self._redis.expire(job.id, LATEST_S[MOVES])

    def _due(self) -> int:
        return 0


class _PollingQueue(PostgresQueue):
    """A queue on PostgreSQL that is polled by one free slot of a worker at a time.

    In saq, one free slot listens or polls for all others, and when it gets a job nobody does for up to a second. A job
    that cannot be decoded would be tried again at once, for ever, before all others. The members with an underscore are
    private to saq, so its version is pinned.
    """

    def __init__(self, pool: Pool, name: str) -> None:
        super().__init__(pool, name=name)
        self._polling = asyncio.Lock()

    def deserialize(self, payload: Any, status: Status | str | None = None) -> Job | None:
        """Decode a job; None if that is impossible."""
        return _decode(super().deserialize, payload, status)

    async def dequeue(self, timeout: float = 0.0, poll_interval: float = 0.0) -> Job | None:
        """Wait for a job; None if there is a failure."""
        self._waiting += 1
        try:
            async with self._polling:
                while self._job_queue.empty():
                    await self._dequeue()
                    if self._job_queue.empty():
                        await asyncio.sleep(poll_interval)
                job: Job = self._job_queue.get_nowait()
                return job
        except Exception as error:
            await _wait_after(error)
            return None
        finally:
            self._waiting -= 1

    async def _dequeue(self) -> None:
        """Take jobs from the store; those that cannot be decoded are deleted."""
        try:
            await super()._dequeue()
        except AssertionError:
            # The transaction was rolled back: the other jobs of it are in the store again.
            while not self._job_queue.empty():
                self._job_queue.get_nowait()
            await self._delete_undecodable()

    async def _delete_undecodable(self) -> None:
        queued = SQL("SELECT key, job FROM {} WHERE queue = %s AND status = 'queued'").format(self.jobs_table)
        async with self.pool.connection() as connection:
            rows = await (await connection.execute(queued, (self.name,))).fetchall()
            keys = [key for key, job in rows if self.deserialize(job) is None]
            await connection.execute(SQL("DELETE FROM {} WHERE key = ANY(%s)").format(self.jobs_table), (keys,))


class _PatientQueue(RedisQueue):
    """A queue on Redis that waits a moment when the store fails: saq asks again at once, for ever."""

    _sweeps = False

    def deserialize(self, payload: Any, status: Status | str | None = None) -> Job | None:
        """Decode a job; None if that is impossible: then it counts as missing, and is swept."""
        return _decode(super().deserialize, payload, status)

    async def dequeue(self, timeout: float = 0.0, poll_interval: float = 0.0) -> Job | None:
        """Wait for a job; None if there is a failure."""
        try:
            return await super().dequeue(timeout, poll_interval)
        except Exception as error:
            await _wait_after(error)
            return None

    async def sweep(self, lock: int = 60, abort: float = 5.0) -> list[str]:
        """Remove abandoned jobs, but not in the first round, which saq begins with the start of a worker.

        A job that the worker is taking at that moment would look abandoned, and would be run twice.
        """
        if not self._sweeps:
            self._sweeps = True
            return []
        return await super().sweep(lock, abort)


def _decode(decode: Callable[..., Job | None], payload: Any, status: Status | str | None) -> Job | None:
    try:
        return decode(payload, status)
    except Exception as error:
        log.warning("A job in the queue cannot be decoded: %s", type(error).__name__)
        return None


async def _wait_after(error: Exception) -> None:
    """Wait before the next job is taken: after a failure saq would try again at once."""
    if not isinstance(error, STORE_ERRORS):
        log.error("A job could not be taken from the queue", exc_info=error)
    await asyncio.sleep(RETRY_S)


def store_of(database: str, redis: str | None, most_connections: int = 6) -> JobStore | None:
    """The store of a site; None if it has only a database file."""
    if redis is not None:
        return RedisStore(redis)
    return PostgresStore(database, most_connections) if database.startswith("postgres") else None
