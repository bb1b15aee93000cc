"""The one writer. What is submitted while a transaction is on its way goes into the next one together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from .schema import metadata

Result = TypeVar("Result")
MOST_TOGETHER = 256

INSERT_ORDER = {table.name: place for place, table in enumerate(metadata.sorted_tables)}
"""Parents before children: a batch may hold events of an old table before the row of a new one."""


@dataclass(frozen=True, slots=True)
class Write:
    """One statement with the rows that it is carried out for."""

    statement: Insert
    rows: list[dict[str, Any]]


class Writer:
    """A queue of writes and a task that works it off."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._waiting: list[tuple[Sequence[Write], asyncio.Future[None]]] = []
        self._turn = asyncio.Lock()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="writer")

    async def stop(self) -> None:
        """Write what is left, then stop."""
        while self._waiting:
            await asyncio.sleep(0.01)
        async with self._turn:
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)

    async def write(self, *writes: Write) -> None:
        """Carry these out together, and return when they are durable; `IntegrityError` if a key is taken."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((writes, done))
        self._wake.set()
        await done

    async def transact(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        """Carry out work that has to read before it writes, in a transaction of its own."""
        async with self._turn, self._engine.begin() as connection:
            return await work(connection)

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
                await self._write_batch(batch)

    async def _write_batch(self, batch: list[tuple[Sequence[Write], asyncio.Future[None]]]) -> None:
        try:
            await self._commit([write for writes, _ in batch for write in writes])
        except IntegrityError:
            # Somebody's key is taken. One by one, so that only that one fails.
            for writes, done in batch:
                try:
                    await self._commit(writes)
                except Exception as error:
                    _fail(done, error)
                else:
                    _succeed(done)
        except Exception as error:
            for _, done in batch:
                _fail(done, error)
        else:
            for _, done in batch:
                _succeed(done)

    async def _commit(self, writes: Sequence[Write]) -> None:
        """One transaction; rows for the same statement go in one round trip, rows that others refer to first."""
        together: dict[int, Write] = {}
        for write in writes:
            known = together.setdefault(id(write.statement), Write(write.statement, []))
            known.rows.extend(write.rows)
        async with self._turn, self._engine.begin() as connection:
            for write in sorted(together.values(), key=lambda write: INSERT_ORDER[write.statement.table.name]):
                await connection.execute(write.statement, write.rows)


def _succeed(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)


def _fail(done: asyncio.Future[None], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)
