"""Detects other servers on a PostgreSQL database: each holds an advisory lock while it is connected."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

SERVERS = 0x5249_5652
"""The first half of the locks' key, the same for all servers. The second half is each server's own number."""

OTHERS = text(
    "SELECT count(DISTINCT objid) FROM pg_locks JOIN pg_database ON pg_locks.database = pg_database.oid "
    "WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 2 "
    f"AND classid = {SERVERS} AND objid <> :own"
)


def announce(engine: AsyncEngine) -> int:
    """Take this server's lock on every connection of the engine; returns the server's number."""
    own = secrets.randbelow(2**31)

    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(f"SELECT pg_advisory_lock_shared({SERVERS}, {own})")
        cursor.close()
        connection.commit()

    return own


async def count_others(engine: AsyncEngine, own: int) -> int:
    """The number of other servers connected to the database."""
    async with engine.connect() as connection:
        return int(await connection.scalar(OTHERS, {"own": own}) or 0)
