"""Databases of earlier versions, made by the migrations of their time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Connection, MetaData, insert, select

from riverstones.server.storage import Store
from riverstones.server.storage.migrate import run_migrations


def older_database(
    new_database: Callable[[], str], revision: str, write: Callable[[Store], Awaitable[Any]]
) -> tuple[str, Any]:
    """A database as of a migration, and what `write` returned.

    `write` stores rows in a current database. Of those, the older one has the tables and columns that it knows.
    """
    current, older = new_database(), new_database()

    async def make() -> Any:
        store = Store(current)
        await store.database.open()
        try:
            written = await write(store)
            async with store.database.read_engine.connect() as connection:
                rows = await connection.run_sync(_read_all)
        finally:
            await store.database.close()
        unopened = Store(older)
        try:
            async with unopened.database.write_engine.begin() as connection:
                await connection.run_sync(run_migrations, revision)
                await connection.run_sync(_fill, rows)
        finally:
            await unopened.database.close()
        return written

    return older, asyncio.run(make())


def _read_all(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """The rows of all tables, by the name of the table."""
    schema = MetaData()
    schema.reflect(connection)
    return {
        table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
        for table in schema.sorted_tables
    }


def _fill(connection: Connection, rows: dict[str, list[dict[str, Any]]]) -> None:
    """Insert rows as far as there are tables and columns for them."""
    schema = MetaData()
    schema.reflect(connection)
    for table in schema.sorted_tables:
        if table.name != "alembic_version" and (found := rows.get(table.name)):
            known = [{name: value for name, value in row.items() if name in table.c} for row in found]
            connection.execute(insert(table), known)
