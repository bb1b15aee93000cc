"""The nodes of a site: their heartbeats, and the last time when none of them was running.

A node is alive if its heartbeat is fresh and, on PostgreSQL, its connection holds its advisory lock, which is gone as
soon as the process is. An outage is the time from the last heartbeat of any node to the first of the next one. It is
written down once, by the node that ends it, so that all nodes agree on what is not charged to anybody's clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Float, cast, delete, event, func, select, text, update

from . import schema as s
from .database import Database

FRESH_MS = 6_000
"""How long a heartbeat counts."""

KEPT_MS = 24 * 3_600_000
"""How long nodes that have ended stay in the database."""

OUTAGE = "outage"
STORED_OUTAGE = select(s.server_values.c.value).where(s.server_values.c.name == OUTAGE)
LOCKS = 0x5249_5652
"""The first half of the advisory locks' key, the same for all nodes. The second half is the node's own."""

LOCKED = text(
    "SELECT objid::bigint FROM pg_locks JOIN pg_database ON pg_locks.database = pg_database.oid "
    f"WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 2 AND classid = {LOCKS}"
)
CLOCK = cast(func.extract("epoch", func.clock_timestamp()) * 1000, Float(53))
"""PostgreSQL's clock in milliseconds since 1970; within a transaction it goes on."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time when no node was running."""

    from_ms: int = 0
    to_ms: int = 0


@dataclass(frozen=True, slots=True)
class Pulse:
    """What a node learns from its heartbeat."""

    database_ms: float
    """The database's clock; on SQLite the node's own."""
    alive: frozenset[str]
    outage: Outage
    """The last one."""


class TooEarly(Exception):
    """By the database's clock a deadline has not passed yet, or an outage is to be taken into account first."""

    def __init__(self, left_ms: float) -> None:
        self.left_ms = left_ms
        super().__init__(f"{left_ms:.0f} ms too early")


class NodeStorage:
    """The rows of nodes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        rows = database.insert(s.nodes)
        self._upsert = rows.on_conflict_do_update(
            index_elements=["id"], set_={name: rows.excluded[name] for name in ("seen_ms", "stopped")}
        )

    def announce(self, node: str) -> None:
        """Take this node's advisory lock on every connection that writes. Before the database is opened."""
        if not self._database.is_shared:
            return

        @event.listens_for(self._database.write_engine.sync_engine, "connect")
        def connect(connection: Any, _: Any) -> None:
            cursor = connection.cursor()
            cursor.execute(f"SELECT pg_advisory_lock_shared({LOCKS}, {_number(node)})")
            cursor.close()
            connection.commit()

    async def is_any_running(self) -> bool:
        """Whether a server runs on this database. On SQLite also true after the last one was killed.

        An idle server writes no heartbeats to SQLite, so there the row of the server that was seen last tells.
        """
        async with self._database.read_engine.connect() as connection:
            if self._database.is_shared:
                return bool(await self._alive(connection, int(await connection.scalar(select(CLOCK)) or 0)))
            last = select(s.nodes.c.stopped).order_by(s.nodes.c.seen_ms.desc()).limit(1)
            return await connection.scalar(last) is False

    async def last_seen_ms(self) -> int:
        """The last heartbeat of any node; 0 if there was none."""
        return int(await self._database.value(select(func.max(s.nodes.c.seen_ms))) or 0)

    async def beat(self, node: str, now_ms: int, *, starting: bool = False, stopping: bool = False) -> Pulse:
        """Write a heartbeat. `now_ms` counts on SQLite only; PostgreSQL has its own clock.

        A node that starts while no other is alive ends an outage, and so does a node that could not reach the database
        for as long as a heartbeat counts.
        """
        shared = self._database.is_shared

        async def work(connection: Any) -> Pulse:
            database_ms = await connection.scalar(select(CLOCK)) if shared else now_ms
            others = await self._alive(connection, int(database_ms)) - {node}
            outage = await self._outage(connection)
            if not others and (starting or (shared and await self._is_silent(connection, int(database_ms)))):
                outage = await self._end_outage(connection, node, int(database_ms), starting)
            await connection.execute(self._upsert, {"id": node, "seen_ms": int(database_ms), "stopped": stopping})
            await connection.execute(delete(s.nodes).where(s.nodes.c.seen_ms < database_ms - KEPT_MS))
            return Pulse(database_ms, others if stopping else others | {node}, outage)

        return await self._database.writer.transact(work)

    async def _end_outage(self, connection: Any, node: str, now_ms: int, starting: bool) -> Outage:
        """Write down the outage that ends now, unless another node has done so at the same moment."""
        insert = self._database.insert(s.server_values).values(name=OUTAGE, value="0 0")
        await connection.execute(insert.on_conflict_do_nothing())
        # Nodes that find the same outage wait for each other here, and the second one finds the first alive.
        await connection.execute(STORED_OUTAGE.with_for_update())
        others = await self._alive(connection, now_ms) - {node}
        if not others and (starting or await self._is_silent(connection, now_ms)):
            last_ms = await connection.scalar(select(func.max(s.nodes.c.seen_ms)))
            change = update(s.server_values).where(s.server_values.c.name == OUTAGE)
            await connection.execute(change.values(value=f"{last_ms or 0} {now_ms}"))
        return await self._outage(connection)

    async def _is_silent(self, connection: Any, now_ms: int) -> bool:
        """Whether no node has written a heartbeat that still counts."""
        return (await connection.scalar(select(func.max(s.nodes.c.seen_ms))) or 0) < now_ms - FRESH_MS

    async def _outage(self, connection: Any) -> Outage:
        return _outage(await connection.scalar(STORED_OUTAGE))

    async def _alive(self, connection: Any, now_ms: int) -> frozenset[str]:
        if not self._database.is_shared:
            return frozenset()
        query = select(s.nodes.c.id).where(s.nodes.c.seen_ms >= now_ms - FRESH_MS, ~s.nodes.c.stopped)
        locked = set(await connection.scalars(LOCKED))
        return frozenset(node for node in await connection.scalars(query) if _number(node) in locked)

    async def check_expired(self, connection: Any, at_ms: int, known: Outage) -> None:
        """Within a transaction, raise `TooEarly` unless PostgreSQL's clock has passed a deadline.

        Also if the outage is another than this node knows, or if there is no fresh heartbeat, so that an outage is
        about to be written: the deadline is moved first.
        """
        stored = STORED_OUTAGE.scalar_subquery()
        last = select(func.max(s.nodes.c.seen_ms)).scalar_subquery()
        now_ms, outage, last_ms = (await connection.execute(select(CLOCK, stored, last))).one()
        if now_ms < at_ms:
            raise TooEarly(at_ms - now_ms)
        if _outage(outage) != known or (last_ms or 0) < now_ms - FRESH_MS:
            raise TooEarly(FRESH_MS / 10)


def _outage(value: str | None) -> Outage:
    if value is None:
        return Outage()
    from_ms, to_ms = map(int, value.split())
    return Outage(from_ms, to_ms)


def _number(node: str) -> int:
    """The second half of a node's lock."""
    return int(node, 16) % 2**31
