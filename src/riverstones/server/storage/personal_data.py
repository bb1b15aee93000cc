"""Everything about one person, as rows. The tables are taken from the schema, so that a new one is not forgotten."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import ColumnElement, Table, or_, select

from . import schema as s
from .database import Database
from .operators import SESSION_ID

SECRETS = {"code_hash", "public_key"}
"""Columns that are not given out: they serve to sign in, and say nothing about the person."""

JSON_TEXT = {"data", "review"}
"""Columns with JSON as text."""


class PersonalData:
    """Reads the rows that belong to a person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str) -> dict[str, list[dict[str, Any]]]:
        """The rows of every table that refers to the person, by table name; those of their programs too."""
        programs = await self._database.column(select(s.people.c.id).where(s.people.c.owner == person))
        found: dict[str, list[dict[str, Any]]] = {}
        for table in s.metadata.sorted_tables:
            condition = _refers_to(table, [person, *programs])
            if condition is None:
                continue
            query = select(table).where(condition).order_by(*table.primary_key.columns)
            found[table.name] = [_plain(row._mapping) for row in await self._database.rows(query)]
        return found


def _refers_to(table: Table, people: list[str]) -> ColumnElement[bool] | None:
    """The condition for rows about these people; None if the table has no column for a person."""
    columns = [table.c.id] if table is s.people else []
    columns += [column for name, column in table.c.items() if name in ("person", "owner")]
    return or_(*(column.in_(people) for column in columns)) if columns else None


def _plain(row: Any) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name in SECRETS:
            continue
        if name == "token_hash":
            name, value = "session", value[:SESSION_ID]
        elif name in JSON_TEXT and value is not None:
            value = json.loads(value)
        values[name] = value
    return values
