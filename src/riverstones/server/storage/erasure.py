"""Removes a person from the logs of tables. This is the only place that changes a stored event.

Moves, results, numbers and times stay as they are: the person's id is replaced, the name becomes `NN` and the text of
messages is removed. Then the rows derived from the log are made again.

Servers may have the table in memory, with the person. The erasure is counted, and a server that does not know of it
cannot write the table before it has read it again.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

from sqlalchemy import bindparam, delete, or_, select, update

from riverstones.table import Table, fold

from . import schema as s
from .database import Database
from .played_rows import played_rows
from .rows import entry_of, summary_row

NOBODY = "NN"
"""The name of a player who has been erased, as in chess."""

NO_TEXT = "…"


class Erasure:
    """Rewrites the logs of a person's tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tables_of(self, person: str) -> list[str]:
        """The tables at which a person sits or sat, or whose summary names the person."""
        seated = select(s.seats.c.table_id).where(s.seats.c.person == person)
        named = select(s.summaries.c.table_id).where(s.summaries.c.data.contains(person, autoescape=True))
        return sorted({*await self._database.column(seated), *await self._database.column(named)})

    async def erase(self, table: str, person: str, record_text: Callable[[Table], str | None]) -> None:
        """Remove a person from one table, in one transaction. Reviews of its game are deleted; they can be remade."""
        stranger = "x" + secrets.token_hex(10)

        async def work(connection: Any) -> None:
            # First of all: this waits for writes that have begun, and those that come later are refused. Every write to
            # a table locks its row of `tables` first, so none waits for this one while this one waits for it.
            counted = update(s.tables).where(s.tables.c.id == table).values(erasures=s.tables.c.erasures + 1)
            await connection.execute(counted)
            query = select(s.events).where(s.events.c.table_id == table).order_by(s.events.c.seq)
            stored = (await connection.execute(query)).all()
            changes = []
            for row in stored:
                data, key = _without(row.data, person, stranger), _key(row.key, person, stranger)
                changes.append({"number": row.seq, "new_data": data, "new_key": key})
            change = update(s.events).where(s.events.c.table_id == table, s.events.c.seq == bindparam("number"))
            await connection.execute(change.values(data=bindparam("new_data"), key=bindparam("new_key")), changes)
            state = fold([entry_of(row) for row in (await connection.execute(query)).all()])
            await self._rewrite_derived(connection, state, person, stranger, record_text(state))

        await self._database.writer.transact(work)

    async def _rewrite_derived(
        self, connection: Any, state: Table, person: str, stranger: str, record: str | None
    ) -> None:
        own = s.seats.c.table_id == state.id, s.seats.c.person == person
        await connection.execute(update(s.seats).where(*own).values(person=stranger))
        summary = summary_row(state)
        await connection.execute(update(s.summaries).where(s.summaries.c.table_id == state.id).values(summary))
        had_record = s.tables.c.id == state.id, s.tables.c.record.is_not(None)
        await connection.execute(update(s.tables).where(*had_record).values(record=record))
        played = s.played_games.c
        await connection.execute(delete(s.played_games).where(played.table_id == state.id, played.person == person))
        for row in played_rows(state):
            same = update(s.played_games).where(played.table_id == state.id, played.person == row["person"])
            await connection.execute(same.values(data=row["data"]))
        # A review that was begun from a pasted record names the table only in the record.
        of_table = or_(s.reviews.c.table_id == state.id, s.reviews.c.record.contains(state.id, autoescape=True))
        await connection.execute(delete(s.reviews).where(of_table))


def _key(key: str | None, person: str, stranger: str) -> str | None:
    """The key of a command without the person, whose id it begins with."""
    return key and key.replace(person, stranger)


def _without(data: str, person: str, stranger: str) -> str:
    """The stored form of an event without the person."""
    if person not in data:
        return data
    event = json.loads(data)
    chairs = [chair for chair in event.get("chairs", ()) if _is_of(chair, person)]
    for number, chair in enumerate(chairs, start=1):
        chair["name"] = NOBODY if len(chairs) == 1 else f"{NOBODY} {number}"
    for place in (event, event.get("chair")):
        if isinstance(place, dict) and _is_of(place, person):
            place["name"] = NOBODY
    if event.get("person") == person and "text" in event:
        event["text"] = NO_TEXT
    # The id can also stand alone, as the host of a table for example.
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).replace(
        json.dumps(person), json.dumps(stranger)
    )


def _is_of(holder: dict[str, Any], person: str) -> bool:
    """Whether a name is the person's. A newcomer or bot in the seat of an absent player (`owner`) has its own."""
    if holder.get("person") is None and holder.get("bot") is None:
        return holder.get("owner") == person
    return holder.get("person") == person
