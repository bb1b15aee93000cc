"""The only writer of the database: it batches.

Everything that is submitted while a transaction is being committed goes into the next transaction together.

A batch for SQLite is written in a thread by a blocking connection. The asynchronous driver would change threads for
every statement, which costs more than the statements. Its rows go to the driver as they are, many in one statement:
SQLAlchemy would convert each of them first, and the driver would give up Python's lock and wait for it again for each.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, Protocol, TypeVar

from sqlalchemy import Dialect, Engine, Insert, Update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.compiler import SQLCompiler

from .engines import blocking_engine
from .schema import metadata

log = logging.getLogger("riverstones.storage")

Result = TypeVar("Result")
MOST_TOGETHER = 256
"""Submissions in one transaction."""

MOST_ROWS = 64
"""Rows in one statement for SQLite."""

TABLE_ORDER = {table.name: place for place, table in enumerate(metadata.sorted_tables)}
"""Parents before children: a batch may hold events of an old table before the row of a new one."""


@dataclass(frozen=True, slots=True)
class Write:
    """One statement with the rows that it is carried out for."""

    statement: Insert | Update
    rows: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Submission:
    """Writes that are carried out together or not at all."""

    writes: Sequence[Write]
    if_taken: Exception
    """The error if a key is taken, or if a row that is referred to is missing."""
    done: Callable[[Exception | None], None]
    """Called when the writes are durable, or with the reason why they were not carried out."""

    def succeed(self) -> None:
        """Report that the writes are durable."""
        self._report(None)

    def fail(self, error: Exception) -> None:
        """Report that the writes were not carried out."""
        self._report(self.if_taken if isinstance(error, IntegrityError) else error)

    def _report(self, error: Exception | None) -> None:
        """What goes wrong in there concerns neither the writer nor the other submissions."""
        try:
            self.done(error)
        except Exception:
            log.exception("What follows from a write failed")


class WriteObserver(Protocol):
    """Is told what became of submissions, for the metrics."""

    def committed(self, changes: int, seconds: float) -> None:
        """This many submissions are durable, after a commit of this duration."""

    def conflicted(self) -> None:
        """A key was taken."""

    def not_stored(self, changes: int) -> None:
        """The database did not store this many submissions."""


class Writer:
    """A queue of writes and a task that works it off."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self.blocking = blocking_engine(engine)
        """The engine that writes batches in a thread; None if the asynchronous one does."""
        self.observer: WriteObserver | None = None
        self._thread = ThreadPoolExecutor(1, "writer")
        self._waiting: list[Submission] = []
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
        self._thread.shutdown()
        if self.blocking is not None:
            self.blocking.dispose()

    def write(self, *writes: Write, if_taken: Exception) -> asyncio.Future[None]:
        """Carry out these writes together. The future is done when they are durable; see `Submission.if_taken`.

        Cancelling the future does not cancel the writes.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(error: Exception | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

        self.submit(writes, if_taken, done)
        return future

    def submit(self, writes: Sequence[Write], if_taken: Exception, done: Callable[[Exception | None], None]) -> None:
        """The same, with a function that is called at the end: see `Submission`. A future costs more than a row."""
        self._waiting.append(Submission(writes, if_taken, done))
        self._wake.set()

    async def transact(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        """Carry out work that has to read before it writes, in a transaction of its own."""
        async with self._turn, self._engine.begin() as connection:
            return await work(connection)

    async def write_if(
        self, check: Callable[[AsyncConnection], Awaitable[None]], *writes: Write, if_taken: Exception
    ) -> None:
        """Carry out these writes in a transaction of their own, unless the check, which is part of it, raises."""

        async def work(connection: AsyncConnection) -> None:
            await check(connection)
            for write in _by_statement(writes):
                await connection.execute(write.statement, write.rows)

        begun = time.perf_counter()
        try:
            await self.transact(work)
        except IntegrityError as error:
            self._failed([], error)
            raise if_taken from None
        self._committed(1, begun)

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
                await self._write_batch(batch)

    async def _write_batch(self, batch: list[Submission]) -> None:
        begun = time.perf_counter()
        try:
            await self._commit([write for submission in batch for write in submission.writes])
        except IntegrityError:
            # A key is taken. One by one, so that only the submission with that key fails.
            for submission in batch:
                begun = time.perf_counter()
                try:
                    await self._commit(submission.writes)
                except Exception as error:
                    self._failed([submission], error)
                else:
                    self._succeeded([submission], begun)
        except Exception as error:
            self._failed(batch, error)
        else:
            self._succeeded(batch, begun)

    def _succeeded(self, batch: list[Submission], begun: float) -> None:
        """Report success, but let the next transaction begin first: it need not wait for what follows from this one."""
        self._committed(len(batch), begun)
        asyncio.get_running_loop().call_soon(_report_success, batch)

    def _committed(self, changes: int, begun: float) -> None:
        if self.observer is not None:
            self.observer.committed(changes, time.perf_counter() - begun)

    def _failed(self, batch: list[Submission], error: Exception) -> None:
        for submission in batch:
            submission.fail(error)
        if self.observer is None:
            return
        if isinstance(error, IntegrityError):
            self.observer.conflicted()
        else:
            self.observer.not_stored(len(batch))

    async def _commit(self, writes: Sequence[Write]) -> None:
        """Carry out writes in one transaction."""
        together = _by_statement(writes)
        async with self._turn:
            if self.blocking is not None:
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._thread, _commit_blocking, self.blocking, together)
            else:
                async with self._engine.begin() as connection:
                    for write in together:
                        await connection.execute(write.statement, write.rows)


def _report_success(batch: list[Submission]) -> None:
    for submission in batch:
        submission.succeed()


def _by_statement(writes: Sequence[Write]) -> list[Write]:
    """One write per statement, with all its rows; rows that others refer to come first.

    The rows of a statement are in the order of their keys, and so are locked in the same order by all nodes: otherwise
    two batches could wait for each other.
    """
    together: dict[int, Write] = {}
    for write in writes:
        if (known := together.get(id(write.statement))) is None:
            together[id(write.statement)] = Write(write.statement, list(write.rows))
        else:
            known.rows.extend(write.rows)
    for write in together.values():
        if len(write.rows) > 1:
            write.rows.sort(key=_key)
    return sorted(together.values(), key=_place)


def _place(write: Write) -> int:
    return TABLE_ORDER[write.statement.table.name]  # type: ignore[union-attr]  # never a join


def _key(row: dict[str, Any]) -> tuple[str, int]:
    """The table that a row belongs to, and the number of an event."""
    return row.get("table_id") or row["id"], row.get("seq", 0)


def _commit_blocking(engine: Engine, writes: Sequence[Write]) -> None:
    with engine.begin() as connection:
        for write in writes:
            for rows in _pieces(write):
                text, values = _prepared(write.statement, tuple(rows[0]), len(rows), engine.dialect)
                connection.exec_driver_sql(text, tuple(chain.from_iterable(map(values, rows))))


def _pieces(write: Write) -> Iterator[list[dict[str, Any]]]:
    """The rows of each statement. Their numbers are powers of two, so that few statements have to be prepared."""
    left = write.rows
    while left:
        count = 1 if isinstance(write.statement, Update) else min(MOST_ROWS, 1 << len(left).bit_length() - 1)
        yield left[:count]
        left = left[count:]


@lru_cache(maxsize=128)
def _prepared(
    statement: Insert | Update, columns: tuple[str, ...], count: int, dialect: Dialect
) -> tuple[str, Callable[[dict[str, Any]], tuple[Any, ...]]]:
    """A statement for so many rows with these columns as text, and the function that orders the values of a row for it.

    The driver takes the values of these rows as they are: text, integers, truth values and nulls.
    """
    compiled = statement.compile(dialect=dialect, column_keys=list(columns))
    assert isinstance(compiled, SQLCompiler)
    assert compiled.positiontup is not None
    text = str(compiled)
    if count > 1:
        row = f"({', '.join('?' * len(compiled.positiontup))})"
        before, values, after = text.partition(f"VALUES {row}")
        assert values
        text = f"{before}VALUES {', '.join([row] * count)}{after}"
    return text, itemgetter(*compiled.positiontup)
