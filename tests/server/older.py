"""Databases of earlier versions, made by the migrations of their time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Connection, MetaData, insert, select

from riverstones.server.storage import Store
from riverstones.server.storage.migrate import run_migrations
from riverstones.server.storage.schema import metadata

Rows = dict[str, list[dict[str, Any]]]
"""The rows of all tables, by the name of the table."""


def older_database(
    new_database: Callable[[], str], revision: str, write: Callable[[Store], Awaitable[Any]]
) -> tuple[str, Any]:
    """A database as of a migration, and what `write` returned.

    `write` stores rows in a current database. Of those, the older one has the tables and columns that it knows.
    """
    written, rows = written_rows(new_database(), write)
    return with_rows(new_database(), revision, rows), written


def written_rows(url: str, write: Callable[[Store], Awaitable[Any]]) -> tuple[Any, Rows]:
    """What `write` returned for a new database, and all rows that are in it then."""

    async def make() -> tuple[Any, Rows]:
        store = Store(url)
        await store.database.open()
        try:
            written = await write(store)
            async with store.database.read_engine.connect() as connection:
                return written, await connection.run_sync(_read_all)
        finally:
            await store.database.close()

    return asyncio.run(make())


def with_rows(url: str, revision: str, rows: Rows) -> str:
    """Make a new database one as of a migration, with these rows as far as it knows them; returns its URL."""

    async def make() -> None:
        unopened = Store(url)
        try:
            async with unopened.database.write_engine.begin() as connection:
                await connection.run_sync(run_migrations, revision)
                await connection.run_sync(_fill, rows)
        finally:
            await unopened.database.close()

    asyncio.run(make())
    return url


def _read_all(connection: Connection) -> Rows:
    """The rows of all tables."""
    return {
        table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
        for table in metadata.sorted_tables
    }


def _fill(connection: Connection, rows: Rows) -> None:
    """Insert rows as far as there are tables and columns for them."""
    schema = MetaData()
    schema.reflect(connection)
    for table in schema.sorted_tables:
        if table.name != "alembic_version" and (found := rows.get(table.name)):
            known = [{name: value for name, value in row.items() if name in table.c} for row in found]
            connection.execute(insert(table), known)
