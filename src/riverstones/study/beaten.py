"""The levels of bots that a person has beaten."""

from __future__ import annotations

from collections.abc import Iterable

from riverstones.engine.bots import LEVELS
from riverstones.rules import Outcome
from riverstones.table import Phase, wire


def beaten_levels(tables: Iterable[wire.TableSummary], person: str) -> list[str]:
    """The levels that a person has beaten at these tables, alone against bots of one level; weakest first."""
    found = {_beaten(table, person) for table in tables}
    return [level for level in LEVELS if level in found]


def _beaten(table: wire.TableSummary, person: str) -> str | None:
    """The level of the bots that somebody has won against at a finished table; None if there is no such level."""
    own = [seat for seat, chair in enumerate(table["chairs"]) if chair["person"] == person]
    levels = {chair["bot"] for seat, chair in enumerate(table["chairs"]) if seat not in own}
    if table["phase"] != Phase.OVER.value or table["scores"] is None or len(own) != 1 or len(levels) != 1:
        return None
    resigned = [seat for seat, chair in enumerate(table["chairs"]) if chair["resigned"]]
    return levels.pop() if Outcome.of(tuple(table["scores"]), resigned).winners == (own[0],) else None
