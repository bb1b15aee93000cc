"""The connection to the database: opened, migrated and locked for one server, with one queue for all writes."""

from __future__ import annotations

import logging
from typing import Any

from sqlalchemy import Select, Table, text
from sqlalchemy.dialects import postgresql, sqlite

from .engines import engines, see_whether_it_opens
from .files import FileLock, file_of, make_private
from .migrate import migrate
from .servers import announce, count_others
from .writer import Writer

log = logging.getLogger("riverstones.storage")


class Database:
    """SQLite or PostgreSQL, by URL."""

    def __init__(self, url: str) -> None:
        self.write_engine, self.read_engine = engines(url)
        self.writer = Writer(self.write_engine)
        self._file = file_of(self.write_engine.url)
        self._lock: FileLock | None = None

    def lock(self) -> None:
        """Keep other servers away from a database file until this is closed; raises `DatabaseInUse` if one has it.

        Viewers at one server are not told what happens at another.
        """
        if self._file is not None and self._lock is None:
            self._lock = FileLock(self._file)

    async def open(self, *, serving: bool = False) -> None:
        """Migrate the database and start the writer. `serving` locks a file and warns of other servers elsewhere."""
        if serving:
            self.lock()
        if self._file is not None:
            make_private(self._file)
        see_whether_it_opens(self.write_engine)
        number = announce(self.write_engine) if serving and self.write_engine.dialect.name == "postgresql" else None
        async with self.write_engine.begin() as connection:
            await connection.run_sync(migrate)
        if number is not None and (others := await count_others(self.read_engine, number)):
            log.warning(
                "Another server uses this database (%d in all): several are not supported yet, and viewers at one are "
                "not told of moves at another.",
                others + 1,
            )
        self.writer.start()

    async def close(self) -> None:
        """Write what is queued and close all connections."""
        await self.writer.stop()
        await self.write_engine.dispose()
        await self.read_engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An INSERT that can say ON CONFLICT, in the dialect of this database."""
        return (sqlite.insert if self.write_engine.dialect.name == "sqlite" else postgresql.insert)(table)

    async def rows(self, query: Select[Any]) -> list[Any]:
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

    async def check(self) -> None:
        """Raise one of `UNAVAILABLE` if the database does not answer."""
        async with self.read_engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
