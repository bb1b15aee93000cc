"""Tables of this device as files, so that a game that goes on can be kept or continued on another device.

Unlike a record, a file has everything: the seed, and with it every hand and the order of the bag.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from riverstones.table import events as e
from riverstones.table import fold

from .reading import Unreadable, check_text
from .table import Row

FORMAT = 1
"""The version of the form of files."""

LONGEST = 2_000_000
"""The most characters of a file; a game with many proposals and messages has a tenth of that."""

BROKEN = (LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError)
"""What reading a text that is not of such a file may raise."""


def save(rows: Sequence[Row], now_ms: int) -> str:
    """A table as the text of a file."""
    saved = {"riverstones_table": FORMAT, "saved_ms": now_ms, "events": [asdict(row) for row in rows]}
    return json.dumps(saved, ensure_ascii=False, separators=(",", ":"))


def restore(table: str, text: str, person: str) -> tuple[tuple[Row, ...], int]:
    """The rows of a saved table under a new id, and when it was saved.

    Raises `Unreadable` if the text is not of such a file, if a newer version has written it, or if the person has no
    seat at the table.
    """
    try:
        saved = json.loads(check_text(text, LONGEST, "file"))
        if saved["riverstones_table"] != FORMAT:
            raise Unreadable("file.riverstones_table")
        first, *others = (Row(**row).entry for row in saved["events"])
        if not isinstance(first.event, e.Created):
            raise Unreadable("file.events")
        entries = [replace(first, event=replace(first.event, table=table)), *others]
        if not fold(entries).seats_of(person):
            raise Unreadable("file.events")
        return tuple(map(Row.of, entries)), int(saved["saved_ms"])
    except BROKEN as error:
        raise error if isinstance(error, Unreadable) else Unreadable("file") from error
