"""SQLAlchemy engines for a database URL: one connection that writes, a few that read."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool, QueuePool

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


ABANDONED = {"server_settings": {"idle_in_transaction_session_timeout": "10000"}}
"""PostgreSQL ends the transaction of a node that is cut off after 10 s: its locks would stop the other nodes."""

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000", "temp_store=MEMORY")
"""The settings of every connection to SQLite."""

UNAVAILABLE = (SQLAlchemyError, OSError)
"""Exceptions of a database that is full, locked, missing or unreachable."""


def reason(error: BaseException) -> str:
    """The database's own message, without the statement: short enough for the log of a full disk."""
    return str(getattr(error, "orig", None) or error)


class UnknownDatabase(ValueError):
    """A database URL that the server cannot use."""


def parse_url(url: str) -> URL:
    """The URL of a database with the driver that is used for it; raises `UnknownDatabase`."""
    try:
        parsed = make_url(url)
    except (ValueError, ArgumentError):
        raise UnknownDatabase("The database's URL cannot be read.") from None
    driver = DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        raise UnknownDatabase(f"The database can be sqlite or postgresql, not {parsed.get_backend_name()}.")
    return parsed.set(drivername=driver)


def engines(url: str) -> tuple[AsyncEngine, AsyncEngine]:
    """The engines for writing and for reading; raises `UnknownDatabase`."""
    parsed = parse_url(url)
    # Without this, errors quote the parameters, and seeds and chat messages end up in the log.
    make = partial(create_async_engine, parsed, hide_parameters=True)
    if parsed.get_backend_name() != "sqlite":
        writer = make(pool_size=1, max_overflow=1, pool_pre_ping=True, connect_args=ABANDONED)
        # Every read is a single statement: a transaction around it would cost two more round trips.
        reader = make(pool_size=4, max_overflow=4, pool_pre_ping=True, isolation_level="AUTOCOMMIT")
        return writer, reader
    writer = make(pool_size=1, max_overflow=0)
    reader = make(pool_size=4, max_overflow=4)
    _prepare_sqlite(writer.sync_engine, "BEGIN IMMEDIATE")
    _prepare_sqlite(reader.sync_engine, "BEGIN")
    return writer, reader


def blocking_engine(writer: AsyncEngine) -> Engine | None:
    """A blocking engine for the file that a SQLite engine writes to, to be used in a thread; None for PostgreSQL."""
    if writer.dialect.name != "sqlite":
        return None
    url = writer.url.set(drivername="sqlite")
    engine = create_engine(url, hide_parameters=True, poolclass=QueuePool, pool_size=1, max_overflow=0)
    _prepare_sqlite(engine, "BEGIN IMMEDIATE")
    return engine


def check_file_opens(engine: AsyncEngine) -> None:
    """Raise an exception of `UNAVAILABLE` if an SQLite file cannot be opened.

    The asynchronous driver opens it in a thread, which may outlive the loop after a failure and print a traceback.
    """
    if engine.dialect.name == "sqlite":
        create_engine(engine.url.set(drivername="sqlite"), poolclass=NullPool).connect().close()


def _prepare_sqlite(engine: Engine, begin: str) -> None:
    """Set the pragmas, and send BEGIN explicitly: the driver would begin late and without the write lock.

    `synchronous=FULL` makes every commit durable. `temp_store=MEMORY` is for the pages with which SQLite can undo a
    statement of many rows: it would create a file for them in every transaction.
    """

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)
