"""How entries of a log and summaries of tables are written as rows, and read back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from riverstones.table import Chair, Entry, Options, Table, summary, wire
from riverstones.table import events as e
from riverstones.table.views import chair_to_json


def event_row(table: str, entry: Entry) -> dict[str, Any]:
    """The row of `events` for an entry of a table's log."""
    data = json.dumps(e.to_json(entry.event), separators=(",", ":"))
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
        """What a list shows of a table."""
        return cls(table.seq, table.paused, summary(table))


def summary_row(table: Table) -> dict[str, Any]:
    """The row of `summaries` for a table."""
    listed = Listed.of(table)
    data = to_json(listed.summary).decode()
    return {"table_id": table.id, "seq": listed.seq, "paused": listed.paused, "data": data}


def listed_of(row: Any) -> Listed:
    """What a list shows, from a row of `summaries`. An option that is newer than the row has its default."""
    data: wire.TableSummary = json.loads(row.data)
    data["options"] = Options.from_json(dict(data["options"])).to_json()
    data["chairs"] = [chair_to_json(Chair(**chair)) for chair in data["chairs"]]
    return Listed(row.seq, row.paused, data)
