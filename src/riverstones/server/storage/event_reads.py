"""Reads the new events of many tables with one query: those asked for while a query runs share the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import text

from riverstones.table import Entry

from .database import Database
from .rows import entry_of

TOGETHER: Final = 200
"""The tables of one query."""

QUERY: Final = text("""
    SELECT asked.number, events.seq, events.at_ms, events.type, events.data, events.key, summaries.node,
        tables.erasures
    FROM unnest(CAST(:tables AS text[]), CAST(:seqs AS integer[])) WITH ORDINALITY AS asked (table_id, seq, number)
    JOIN events ON events.table_id = asked.table_id AND events.seq > asked.seq
    JOIN tables ON tables.id = events.table_id
    LEFT JOIN summaries ON summaries.table_id = events.table_id
    ORDER BY asked.number, events.seq
""")


@dataclass(frozen=True, slots=True)
class LogPart:
    """Events of a table."""

    entries: list[Entry]
    last_writer: str | None = None
    """The node that has written the last event of the table."""
    erasures: int = 0
    """How often somebody was erased from the log."""

    @classmethod
    def of(cls, rows: Sequence[Any]) -> LogPart:
        """The events of these rows, which have the node and the erasures too."""
        return cls([entry_of(row) for row in rows], rows[-1].node, rows[-1].erasures) if rows else cls([])


class _Asked(NamedTuple):
    table: str
    seq: int
    answer: asyncio.Future[LogPart]


class EventReads:
    """Reads from PostgreSQL, where other nodes write."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Asked] = []
        self._task: asyncio.Task[None] | None = None

    def after(self, table: str, seq: int) -> asyncio.Future[LogPart]:
        """The events of a table after this number."""
        answer: asyncio.Future[LogPart] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Asked(table, seq, answer))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._read_all(), name="event reads")
        return answer

    async def _read_all(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
            try:
                found = await self._read(asked)
            except Exception as error:
                for each in asked:
                    if not each.answer.done():
                        each.answer.set_exception(error)
            else:
                for each, new in zip(asked, found, strict=True):
                    if not each.answer.done():
                        each.answer.set_result(new)

    async def _read(self, asked: list[_Asked]) -> list[LogPart]:
        rows: list[list[Any]] = [[] for _ in asked]
        chosen = QUERY.bindparams(tables=[each.table for each in asked], seqs=[each.seq for each in asked])
        for row in await self._database.rows(chosen):
            rows[row.number - 1].append(row)
        return [LogPart.of(each) for each in rows]
