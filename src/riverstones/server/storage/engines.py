"""How the database is reached: one connection that writes, a few that read."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy import Connection, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


UNAVAILABLE = (SQLAlchemyError, OSError)
"""What becomes of a question to a database that is full, locked, gone or out of reach."""


def reason(error: Exception) -> str:
    """What the database itself said, in a line: a full disk has no room for more."""
    return str(getattr(error, "orig", None) or error)


class UnknownDatabase(ValueError):
    """A database URL that the server cannot use."""


def engines(url: str) -> tuple[AsyncEngine, AsyncEngine]:
    """The engine to write with and the engine to read with."""
    try:
        parsed = make_url(url)
    except (ValueError, ArgumentError):
        raise UnknownDatabase("The database's URL cannot be read.") from None
    driver = DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        raise UnknownDatabase(f"The database can be sqlite or postgresql, not {parsed.get_backend_name()}.")
    parsed = parsed.set(drivername=driver)
    # An error would otherwise quote what was to be stored, and so write seeds and words of people into a log.
    make = partial(create_async_engine, parsed, hide_parameters=True)
    if not driver.startswith("sqlite"):
        writer = make(pool_size=1, max_overflow=1, pool_pre_ping=True)
        reader = make(pool_size=4, max_overflow=4, pool_pre_ping=True)
        return writer, reader
    writer = make(pool_size=1, max_overflow=0)
    reader = make(pool_size=4, max_overflow=4)
    _prepare_sqlite(writer, "BEGIN IMMEDIATE")
    _prepare_sqlite(reader, "BEGIN")
    return writer, reader


def see_whether_it_opens(engine: AsyncEngine) -> None:
    """Raise at once if a file cannot be opened.

    The asynchronous driver opens it in a thread, which after a failure may outlive the loop and then complain itself.
    """
    if engine.dialect.name == "sqlite":
        create_engine(engine.url.set(drivername="sqlite"), poolclass=NullPool).connect().close()


def _prepare_sqlite(engine: AsyncEngine, begin: str) -> None:
    """Say BEGIN ourselves: the driver would begin late and without the write lock. FULL makes every commit durable."""

    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)
