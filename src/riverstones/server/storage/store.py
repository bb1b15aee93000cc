"""What the server keeps and asks for, in its own words."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from riverstones.table import Entry, Phase, Table
from riverstones.table import events as e

from . import schema as s
from .engines import engines, see_whether_it_opens
from .files import FileLock, file_of, make_private
from .migrate import migrate
from .servers import announce, count_others
from .writer import Write, Writer

log = logging.getLogger("riverstones.storage")

INSERT_EVENTS = s.events.insert()
LISTED_EACH = 3
"""How many tables of one person the list of open ones shows."""

FINISHED = (Phase.OVER.value, Phase.CLOSED.value)


class Conflict(Exception):
    """Somebody else has written this event of the table: what this process knows of it is out of date."""


class Store:
    """The database."""

    def __init__(self, url: str) -> None:
        self.write_engine, self.read_engine = engines(url)
        self.writer = Writer(self.write_engine)
        self._file = file_of(self.write_engine.url)
        self._lock: FileLock | None = None
        insert = sqlite.insert if self.write_engine.dialect.name == "sqlite" else postgresql.insert
        rows = insert(s.tables)
        changing: dict[str, Any] = {name: rows.excluded[name] for name in ("phase", "listed", "updated_ms")}
        changing["pending_rating"] = or_(rows.excluded["pending_rating"], s.tables.c.pending_rating)
        changing["record"] = func.coalesce(rows.excluded["record"], s.tables.c.record)
        self._upsert_tables = rows.on_conflict_do_update(index_elements=["id"], set_=changing)
        sitting = insert(s.seats)
        self._upsert_seats = sitting.on_conflict_do_update(
            index_elements=["table_id", "person"], set_={"updated_ms": sitting.excluded["updated_ms"]}
        )

    def lock(self) -> None:
        """Keep other servers away from a database file until this is closed; raises `DatabaseInUse` if one has it.

        Viewers at one server are not told what happens at another.
        """
        if self._file is not None and self._lock is None:
            self._lock = FileLock(self._file)

    async def open(self, *, serving: bool = False) -> None:
        """Bring the database up to date and begin to write. A server locks a file, and is told of others elsewhere."""
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
        """Finish writing and let the database go."""
        await self.writer.stop()
        await self.write_engine.dispose()
        await self.read_engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    async def append(self, entries: Sequence[Entry], before: Table | None, after: Table, record: str | None) -> None:
        """Add events to a table's log; durable when this returns. Raises `Conflict` if the numbers are taken."""
        writes = []
        if before is None or before.chairs != after.chairs or before.phase is not after.phase:
            ended = after.phase is Phase.OVER and (before is None or before.phase is not Phase.OVER)
            table = _table_row(after, entries[-1].at_ms, record)
            table["pending_rating"] = ended and after.options.rated
            writes.append(Write(self._upsert_tables, [table]))
            row = {"table_id": after.id, "updated_ms": entries[-1].at_ms}
            seated = [{**row, "person": person} for person in sorted(after.players)]
            if seated:
                writes.append(Write(self._upsert_seats, seated))
        writes.append(Write(INSERT_EVENTS, [_event_row(after.id, entry) for entry in entries]))
        try:
            await self.writer.write(*writes)
        except IntegrityError:
            raise Conflict(after.id) from None

    async def log(self, table: str) -> list[Entry]:
        """A table's whole log."""
        query = select(s.events).where(s.events.c.table_id == table).order_by(s.events.c.seq)
        async with self.read_engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return [Entry(row.seq, row.at_ms, e.from_json(row.type, json.loads(row.data)), row.key) for row in rows]

    async def unfinished(self, limit: int) -> list[str]:
        """The tables that are being played or waited at, newest first."""
        query = select(s.tables.c.id).where(s.tables.c.phase.not_in(FINISHED))
        query = query.order_by(s.tables.c.updated_ms.desc()).limit(limit)
        async with self.read_engine.connect() as connection:
            return list((await connection.scalars(query)).all())

    async def pending_ratings(self) -> list[str]:
        """The tables whose result still has to be counted for the ratings, oldest first."""
        query = select(s.tables.c.id).where(s.tables.c.pending_rating).order_by(s.tables.c.updated_ms)
        async with self.read_engine.connect() as connection:
            return list((await connection.scalars(query)).all())

    async def open_tables(self, limit: int) -> list[str]:
        """Listed tables that wait for people, newest first; of one person's only a few, so that all find room."""
        newest = (s.tables.c.updated_ms.desc(), s.tables.c.id)
        waiting = (
            select(s.tables, func.row_number().over(partition_by=s.seats.c.person, order_by=newest).label("place"))
            .select_from(s.seats.join(s.tables))
            .where(s.tables.c.phase == Phase.WAITING.value, s.tables.c.listed)
            .subquery()
        )
        query = (
            select(waiting.c.id)
            .where(waiting.c.place <= LISTED_EACH)
            .group_by(waiting.c.id, waiting.c.updated_ms)
            .order_by(waiting.c.updated_ms.desc(), waiting.c.id)
            .limit(limit)
        )
        async with self.read_engine.connect() as connection:
            return list((await connection.scalars(query)).all())

    async def tables_of(self, person: str, before_ms: int | None, limit: int) -> list[str]:
        """The tables at which a person sits or sat, newest first, without those closed before they began."""
        query = select(s.seats.c.table_id).select_from(s.seats.join(s.tables))
        query = query.where(s.seats.c.person == person, s.tables.c.phase != Phase.CLOSED.value)
        if before_ms is not None:
            query = query.where(s.seats.c.updated_ms < before_ms)
        query = query.order_by(s.seats.c.updated_ms.desc(), s.seats.c.table_id).limit(limit)
        async with self.read_engine.connect() as connection:
            return list((await connection.scalars(query)).all())

    async def unfinished_of(self, person: str) -> list[str]:
        """The unfinished tables at which a person sits or sat."""
        query = (
            select(s.tables.c.id)
            .select_from(s.seats.join(s.tables))
            .where(s.seats.c.person == person, s.tables.c.phase.not_in(FINISHED))
        )
        async with self.read_engine.connect() as connection:
            return list((await connection.scalars(query)).all())

    async def record(self, table: str) -> str | None:
        """The record of a finished table."""
        query = select(s.tables.c.record).where(s.tables.c.id == table)
        async with self.read_engine.connect() as connection:
            found: str | None = await connection.scalar(query)
            return found

    async def house_value(self, name: str, default: str) -> str:
        """A value that the server keeps for itself; the default is kept if there is none yet."""

        async def work(connection: Any) -> str:
            query = select(s.house.c.value).where(s.house.c.name == name)
            known: str | None = await connection.scalar(query)
            if known is not None:
                return known
            await connection.execute(s.house.insert().values(name=name, value=default))
            return default

        return await self.writer.transact(work)

    async def delete_table(self, table: str) -> bool:
        """Forget a table with all its events."""

        async def work(connection: Any) -> bool:
            return bool((await connection.execute(delete(s.tables).where(s.tables.c.id == table))).rowcount)

        return await self.writer.transact(work)

    async def prune(self, before_ms: int) -> int:
        """Forget the tables that nobody has touched since then; how many there were."""

        async def work(connection: Any) -> int:
            last = select(func.max(s.events.c.at_ms)).where(s.events.c.table_id == s.tables.c.id).scalar_subquery()
            return int((await connection.execute(delete(s.tables).where(last < before_ms))).rowcount)

        return await self.writer.transact(work)


def _table_row(table: Table, now_ms: int, record: str | None) -> dict[str, Any]:
    return {
        "id": table.id,
        "phase": table.phase.value,
        "listed": table.options.listed,
        "created_ms": table.created_ms,
        "updated_ms": now_ms,
        "record": record,
    }


def _event_row(table: str, entry: Entry) -> dict[str, Any]:
    data = json.dumps(e.to_json(entry.event), separators=(",", ":"))
    name = e.name_of(entry.event)
    return {"table_id": table, "seq": entry.seq, "at_ms": entry.at_ms, "type": name, "data": data, "key": entry.key}
