"""Hints at a table of this device."""

from __future__ import annotations

from functools import lru_cache

from riverstones.study import hints
from riverstones.table import Table, wire

SEARCHES_KEPT = 16
"""How many searches are kept, so that the three steps of a hint, and one asked for again, cost one search."""

_find = lru_cache(maxsize=SEARCHES_KEPT)(hints.find)


def hint(table: Table, person: str | None, seat: int, step: int) -> wire.Hint:
    """A step of a hint for a seat, from 1 to 3.

    Raises `NotAllowed` if the seat is not the person's or not to move, or if the table allows no hints.
    """
    view = hints.check(table, person, seat)
    return hints.hint_to_json(_find(view, hints.hint_level()), table.turn, step)
