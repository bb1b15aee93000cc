"""Check that every table's log can be replayed, and that the rows derived from it say the same: replay == live."""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.notation import NotationError, read_record, replay
from riverstones.server.storage import Store
from riverstones.server.storage.operators import TableEntry
from riverstones.server.storage.played_rows import played_rows
from riverstones.server.storage.rows import Listed
from riverstones.table import Entry, Table, fold


@dataclass(frozen=True, slots=True)
class Checked:
    """The number of tables and events, and a sentence for each table that is not sound."""

    tables: int
    events: int
    faults: list[str]


async def check(store: Store) -> Checked:
    """Replay the logs of all tables."""
    events, faults = 0, []
    tables = await store.operators.table_ids()
    for table in tables:
        found = await store.operators.table(table)
        if found is None:
            continue  # deleted meanwhile
        try:
            entries = await store.events.read(table)
        except ValueError:
            faults.append(f"Table {table}: its log cannot be read.")
            continue
        if found.listed is not None:
            # A server may have added events since.
            entries = [entry for entry in entries if entry.seq <= found.listed.seq]
        events += len(entries)
        fault = _fault(found, entries) or await _played_fault(store, table, entries)
        if fault is not None:
            faults.append(f"Table {table}: {fault}")
    return Checked(len(tables), events, faults)


def _fault(found: TableEntry, entries: list[Entry]) -> str | None:
    if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)) or not entries:
        return "its log has a gap."
    try:
        state = fold(entries)
    except Exception as error:  # whatever the log makes of the rules, it cannot be replayed
        return f"its log cannot be replayed ({type(error).__name__})."
    if found.phase != state.phase.value:
        return f"it is listed as {found.phase}, but its log says {state.phase.value}."
    if found.listed != Listed.of(state):
        return "its summary differs from its log."
    if found.record is not None and not _same_game(found.record, state):
        return "its record differs from its log."
    return None


def _same_game(record: str, state: Table) -> bool:
    """Whether a stored record is the game of a table. An older version may have written it in another form."""
    try:
        game = replay(read_record(record))[-1]
    except NotationError:
        return False
    if state.game is None:
        return False
    moves = [[str(turn.move) for turn in each.turns] for each in (game, state.game)]
    return moves[0] == moves[1] and game.board == state.game.board and game.scores == state.game.scores


async def _played_fault(store: Store, table: str, entries: list[Entry]) -> str | None:
    """A fault of the rows of profiles. People who have been deleted have none."""
    expected = {row["person"]: row["data"] for row in played_rows(fold(entries))}
    stored = await store.played.data_of(table) if expected else {}
    return "its results differ from its log." if any(expected.get(p) != data for p, data in stored.items()) else None
