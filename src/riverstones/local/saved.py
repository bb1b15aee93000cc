"""Tables of this device as files, so that a game that goes on can be kept or continued on another device.

Unlike a record, a file has everything: the seed, and with it every hand and the order of the bag.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from riverstones.engine import bots
from riverstones.table import Chair, Entry, Options, Table, fold
from riverstones.table import events as e
from riverstones.table.players import COLOURS, clean_name

from .reading import Unreadable, check_text, read
from .table import Row

FORMAT = 1
"""The version of the form of files."""

LONGEST = 2_000_000
"""The most characters of a file; a game with many proposals and messages has a tenth of that."""

BROKEN = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, AssertionError, RecursionError)
"""What reading a text that is not of such a file may raise."""

LATEST_MS = 2**53
"""The numbers below are exact in a browser."""


def save(rows: Sequence[Row], now_ms: int) -> str:
    """A table as the text of a file."""
    saved = {"riverstones_table": FORMAT, "saved_ms": now_ms, "events": [asdict(row) for row in rows]}
    return json.dumps(saved, ensure_ascii=False, separators=(",", ":"))


def restore(table: str, text: str, person: str) -> tuple[tuple[Row, ...], int]:
    """The rows of a saved table under a new id, and when it was saved.

    A file may come from anybody, so everything in it is checked that the table or the page relies on. Raises
    `Unreadable` if the text is not of such a file, if a newer version has written it, or if the person has no seat at
    the table.
    """
    try:
        saved = json.loads(check_text(text, LONGEST, "file"))
        if saved["riverstones_table"] != FORMAT:
            raise Unreadable("file.riverstones_table")
        saved_ms = _time(saved["saved_ms"])
        first, *others = (Row(**row).entry for row in saved["events"])
        if not isinstance(first.event, e.Created):
            raise Unreadable("file.events")
        entries = [replace(first, event=replace(first.event, table=table, previous=None)), *others]
        _check_entries(entries)
        _check_table(fold(entries), person)
        return tuple(map(Row.of, entries)), saved_ms
    except BROKEN as error:
        raise error if isinstance(error, Unreadable) else Unreadable("file") from error


def _time(value: Any) -> int:
    """A time in milliseconds."""
    if type(value) is not int or not 0 <= value < LATEST_MS:
        raise Unreadable("file")
    return value


def _check_entries(entries: Sequence[Entry]) -> None:
    """Numbers and times are right, and everybody who ever had a seat can have one on a device."""
    for number, entry in enumerate(entries, start=1):
        event = entry.event
        if type(entry.seq) is not int or entry.seq != number or isinstance(event, e.Rematched):
            raise Unreadable("file.events")
        _time(entry.at_ms)
        if isinstance(event, e.Created):
            for chair in event.chairs:
                _check_chair(chair)
        elif isinstance(event, e.Seated):
            _check_chair(event.chair)


def _check_chair(chair: Chair) -> None:
    """A seat is free, of a person with a proper name, or of a bot that this version has."""
    read(Chair, asdict(chair), "file.events")
    if chair.name and clean_name(chair.name) != chair.name:
        raise Unreadable("file.events")
    if chair.colour not in ("", *COLOURS) or chair.bot not in (None, *bots.offered()) or chair.program:
        raise Unreadable("file.events")


def _check_table(state: Table, person: str) -> None:
    """The options are allowed, and the only person at the table is this one."""
    read(Options, state.options.to_json(), "file.events").check()
    if state.options.rated or len(state.chairs) != state.options.seats or not state.seats_of(person):
        raise Unreadable("file.events")
    if any(each not in (None, person) for chair in state.chairs for each in (chair.person, chair.owner)):
        raise Unreadable("file.events")
