"""The connection to the database: locks and migrates it, and has one queue for all writes."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Select, Table, TextClause, text
from sqlalchemy.dialects import postgresql, sqlite

from . import schema as s
from .engines import check_file_opens, engines
from .files import FileLock, file_of, make_private
from .migrate import migrate
from .writer import Writer

MIGRATION_LOCK = text("SELECT pg_advisory_xact_lock(5249565201)")
"""Nodes that start at the same time migrate one after the other."""

PROBE = "write_probe"
"""The name of the value that `check_writable` writes."""
PROBE_BYTES = 4096


class Database:
    """SQLite or PostgreSQL, by URL."""

    def __init__(self, url: str) -> None:
        self.write_engine, self.read_engine = engines(url)
        self.writer = Writer(self.write_engine)
        self._file = file_of(self.write_engine.url)
        self._lock: FileLock | None = None

    def lock(self) -> None:
        """Lock a database file until it is closed; raises `DatabaseInUse` if another server has locked it.

        Several nodes need PostgreSQL.
        """
        if self._file is not None and self._lock is None:
            self._lock = FileLock(self._file)

    async def open(self, *, serving: bool = False) -> None:
        """Migrate the database and start the writer. If that fails, the database is closed again.

        `serving` also locks a database file; raises `DatabaseInUse`.
        """
        try:
            if serving:
                self.lock()
            if self._file is not None:
                make_private(self._file)
            check_file_opens(self.write_engine)
            async with self.write_engine.begin() as connection:
                if self.is_shared:
                    await connection.execute(MIGRATION_LOCK)
                await connection.run_sync(migrate)
        except BaseException:
            await self.close()
            raise
        self.writer.start()

    async def close(self) -> None:
        """Write what is queued and close all connections."""
        await self.writer.stop()
        await self.write_engine.dispose()
        await self.read_engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @property
    def is_shared(self) -> bool:
        """Whether several nodes can use this database: PostgreSQL, but not an SQLite file."""
        return self.write_engine.dialect.name != "sqlite"

    async def listen(self) -> Any:
        """A new connection of asyncpg, outside the pools. PostgreSQL only."""
        import asyncpg  # type: ignore[import-untyped]  # it has no types

        _, options = self.write_engine.dialect.create_connect_args(self.write_engine.url)
        return await asyncpg.connect(**options)

    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An INSERT that supports ON CONFLICT, in the dialect of this database."""
        return (sqlite.insert if self.write_engine.dialect.name == "sqlite" else postgresql.insert)(table)

    async def rows(self, query: Select[Any] | TextClause) -> list[Any]:
        """All rows of a query."""
        async with self.read_engine.connect() as connection:
            return list((await connection.execute(query)).all())

    async def column(self, query: Select[Any]) -> list[Any]:
        """The first column of a query."""
        async with self.read_engine.connect() as connection:
            return list((await connection.scalars(query)).all())

    async def value(self, query: Select[Any]) -> Any:
        """The first column of the first row of a query; None if there is no row."""
        async with self.read_engine.connect() as connection:
            return await connection.scalar(query)

    async def check_writable(self) -> None:
        """Raise one of `UNAVAILABLE` if the database does not store a write.

        The value differs each time and fills a page, so that the disk has to take it.
        """
        value = secrets.token_hex(PROBE_BYTES // 2)
        probe = self.insert(s.server_values).values(name=PROBE, value=value)
        replaced = probe.on_conflict_do_update(index_elements=[s.server_values.c.name], set_={"value": value})

        async def work(connection: Any) -> None:
            await connection.execute(replaced)

        await self.writer.transact(work)
