"""What must hold after all faults: compares what players were told with what is stored, and all nodes with that."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import httpx

from bench.chaos.players import API, Notes
from bench.chaos.site import Site
from riverstones.server.admin.check import check
from riverstones.server.storage import Store
from riverstones.table import Clock, Entry, Phase, Table, fold
from riverstones.table.events import Moved

EARLY_MS = 1_000
"""How much too early the stored time of an expiry may seem: nodes know the database's time to half a round trip."""


async def faults_found(site: Site, notes: Notes) -> list[str]:
    """A sentence for everything that is wrong."""
    store = Store(site.database_url)
    await store.database.open()
    try:
        found = (await check(store)).faults
        for table in sorted(notes.tables):
            entries = await store.events.read(table)
            state = fold(entries)
            found += [f"table {table}: {fault}" for fault in log_faults(entries, state, notes, table)]
            found += await _live_faults(site, table, state)
        return found
    finally:
        await store.database.close()


def log_faults(entries: list[Entry], state: Table, notes: Notes, table: str) -> list[str]:
    """A sentence for each way in which the log of a table differs from what its players were told."""
    found = []
    if state.phase is not Phase.OVER:
        found.append(f"its game is not over, but {state.phase.value}")
    events_of: dict[str, list[int]] = {}
    for entry in entries:
        if entry.key is not None:
            events_of.setdefault(entry.key.partition("#")[0], []).append(entry.seq)
    for (where, name), seq in notes.acknowledged.items():
        if where != table:
            continue
        stored = events_of.get(name, [])
        if not stored or stored[-1] != seq:
            found.append(f"command {name} was acknowledged as event {seq}, and is stored as {stored}")
    for name, seqs in events_of.items():
        if any(later != seq + 1 for seq, later in pairwise(seqs)):
            found.append(f"command {name} is stored more than once: {seqs}")
        if (table, name) in notes.refused:
            found.append(f"command {name} was refused ({notes.refused[table, name]}), and is stored as {seqs}")
    return found + _clock_faults(entries, state)


def _clock_faults(entries: list[Entry], state: Table) -> list[str]:
    """Expiries before their time. The log cannot have two of one turn: each begins the next."""
    if state.options.clock is not Clock.STRICT:
        return []
    turns = [entry for entry in entries if isinstance(entry.event, Moved)]
    return [
        f"the turn of event {now.seq} expired {now.at_ms - before.at_ms} ms after the move before it"
        for before, now in pairwise(turns)
        if isinstance(now.event, Moved)
        and now.event.timed_out
        and now.at_ms - before.at_ms < state.options.seconds * 1000 - EARLY_MS
    ]


async def _live_faults(site: Site, table: str, state: Table) -> list[str]:
    """Nodes whose table differs from the stored one."""
    assert state.game is not None
    expected = (state.seq, str(state.game.board), list(state.game.scores))
    found = []
    for node in site.nodes:
        async with httpx.AsyncClient(base_url=node.url + API, timeout=60) as client:
            snapshot: dict[str, Any] = (await client.get(f"/tables/{table}")).raise_for_status().json()
        board, _, _, scores, *_ = snapshot["now"]["position"].split()
        told = (snapshot["seq"], board, [int(each) for each in scores.split(",")])
        if told != expected:
            found.append(f"table {table}: node {node.number} has {told}, stored is {expected}")
    return found
