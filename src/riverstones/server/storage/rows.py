"""Converts log entries and summaries of tables to rows and back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic_core import to_json

from riverstones.table import Chair, Entry, Options, Table, summary, wire
from riverstones.table import events as e
from riverstones.table.views import chair_to_json


def event_row(table: str, entry: Entry) -> dict[str, Any]:
    """The row of `events` for an entry of a table's log."""
    data = to_json(e.to_json(entry.event)).decode()
    name = e.name_of(entry.event)
    return {"table_id": table, "seq": entry.seq, "at_ms": entry.at_ms, "type": name, "data": data, "key": entry.key}


def entry_of(row: Any) -> Entry:
    """The entry of a row of `events`."""
    return Entry(row.seq, row.at_ms, e.from_json(row.type, json.loads(row.data)), row.key)


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list."""

    seq: int
    """The number of the last event that the summary includes."""
    paused: bool
    summary: wire.TableSummary

    @classmethod
    def of(cls, table: Table) -> Listed:
        """The list entry of a table."""
        return cls(table.seq, table.paused, summary(table))


def summary_row(table: Table, node: str | None = None) -> dict[str, Any]:
    """The row of `summaries` for a table whose last event this node writes.

    It is written with every move, so the part that stays the same is encoded once. Tests compare it with `summary`.
    """
    changing = {
        "phase": table.phase.value,
        "turn": table.turn,
        "to_move": table.to_move,
        "scores": table.game.scores if table.game else None,
        "changed_ms": table.changed_ms,
        "ended_ms": table.ended_ms,
    }
    fixed = _fixed_json(table.id, table.options, table.host, table.chairs, table.created_ms)
    data = f"{fixed[:-1]},{to_json(changing).decode()[1:]}"
    return {
        "table_id": table.id,
        "seq": table.seq,
        "paused": table.paused,
        "changed_ms": table.changed_ms,
        "data": data,
        "node": node,
    }


@lru_cache(maxsize=4096)
def _fixed_json(table: str, options: Options, host: str, chairs: tuple[Chair, ...], created_ms: int) -> str:
    fixed = {
        "table": table,
        "options": options.to_json(),
        "host": host,
        "chairs": [chair_to_json(chair) for chair in chairs],
        "created_ms": created_ms,
    }
    return to_json(fixed).decode()


def listed_of(row: Any) -> Listed:
    """The list entry of a row of `summaries`. An option that is newer than the row has its default."""
    data: wire.TableSummary = json.loads(row.data)
    data["options"] = Options.from_json(dict(data["options"])).to_json()
    data["chairs"] = [chair_to_json(Chair(**chair)) for chair in data["chairs"]]
    return Listed(row.seq, row.paused, data)
