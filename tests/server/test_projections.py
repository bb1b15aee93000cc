"""Lists read summary rows, which always equal the fold of the logs, and no logs."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from riverstones.server.storage import Store
from riverstones.server.storage.rows import Listed, listed_of, summary_row
from riverstones.server.storage.schema import summaries
from riverstones.table import Options, Table, fold, summary
from riverstones.table import commands as c
from riverstones.table.events import Created
from tests.table.helpers import Played, table_of
from tests.table.test_laws import wander

from .older import older_database
from .running import Client, running, settings_for
from .test_storage import NewDatabase, with_store

WALKS = range(24)


def named(played: Played, name: str) -> Played:
    """The same table with another id."""
    first = played.log[0]
    assert isinstance(first.event, Created)
    log = [replace(first, event=replace(first.event, table=name)), *played.log[1:]]
    return Played(fold(log), log)


def paused_table() -> Played:
    """A paused table; random walks rarely agree on a pause."""
    played = table_of("ann", "bob")
    played.play_on(3)
    played.do("ann", c.Ask(0, c.Proposal.PAUSE))
    played.do("bob", c.Answer(1, c.Proposal.PAUSE, True))
    assert played.table.paused
    return named(played, "paused")


async def append(store: Store, before: Table | None, after: Table, played: Played) -> None:
    await store.events.append([played.log[after.seq - 1]], before, after, None)


async def listed(store: Store) -> dict[str, Listed]:
    """The summaries of all tables."""
    rows = [listed_of(row) for row in await store.database.rows(select(summaries))]
    return {row.summary["table"]: row for row in rows}


@pytest.mark.slow
def test_the_summaries_equal_the_fold_after_every_event(new_database: NewDatabase) -> None:
    walks = {f"walk{seed}": named(wander(seed, 220), f"walk{seed}") for seed in WALKS}
    walks["paused"] = paused_table()
    states = {name: list(played.states()) for name, played in walks.items()}

    async def work(store: Store) -> None:
        for step in zip_longest(*([(None, played[0]), *pairwise(played)] for played in states.values())):
            changes = [change for change in step if change is not None]
            await asyncio.gather(*(append(store, before, after, walks[after.id]) for before, after in changes))
            found = await listed(store)
            assert [found[after.id] for _, after in changes] == [Listed.of(after) for _, after in changes]
        assert await listed(store) == {name: Listed.of(fold(played.log)) for name, played in walks.items()}

    with_store(new_database(), work)
    assert {state.phase.value for played in states.values() for state in played} >= {"waiting", "playing", "over"}


def test_an_older_database_gets_its_summaries_from_the_logs(
    new_database: NewDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    """An unreadable log is skipped and stops nothing else."""
    walks = {f"walk{seed}": named(wander(seed, 40), f"walk{seed}") for seed in range(8)}

    async def write(store: Store) -> None:
        for played in walks.values():
            await store.events.append(played.log, None, played.table, None)
        async with store.database.write_engine.begin() as connection:
            unreadable = "UPDATE events SET type = 'unknown' WHERE table_id = 'walk0' AND seq = 2"
            await connection.execute(text(unreadable))

    url, _ = older_database(new_database, "0002", write)
    readable = {name: Listed.of(played.table) for name, played in walks.items() if name != "walk0"}
    assert with_store(url, listed) == readable
    assert caplog.text.count("A table's log cannot be read") == 1


def test_an_option_that_is_newer_than_a_summary_has_its_default() -> None:
    table = table_of("ann", "bob").table
    row = summary_row(table)
    old = row["data"].replace('"hints":false,', "")
    assert old != row["data"]

    class Row:
        seq, paused, data = table.seq, False, old

    assert listed_of(Row()).summary == summary(table)
    assert table.options == Options()


def lists(client: Client, program: Any) -> list[Any]:
    """The answers of all routes that list tables."""
    move = {"board": "/".join(["........."] * 4 + ["....5...."] + ["........."] * 4), "move": "e6+4"}
    with program.http.stream("GET", "/api/v1/programs/stream") as stream:
        told = next(stream.iter_lines())
    return [
        client.get("/games"),
        client.get("/games/current"),
        client.get("/tables"),
        client.post("/study/explain", move),
        told,
    ]


def test_no_list_reads_a_log(tmp_path: Path) -> None:
    """After a restart no table is in memory, and the logs are made unreadable."""
    with running(settings_for(tmp_path)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        over = ann.make_table("me", "open")
        bob.do(over, "sit")
        ann.do(over, "resign", seat=0)
        waiting = ann.make_table("me", "open", listed=True, programs=True)
        token = ann.post("/programs", {"name": "Otter"})["token"]
        cookies = dict(ann.http.cookies)
    change(tmp_path, "ALTER TABLE events RENAME TO hidden_events")
    with running(settings_for(tmp_path)) as server:
        ann, otter = server.client(None), server.client(None)
        ann.http.cookies.update(cookies)
        otter.http.headers["authorization"] = f"Bearer {token}"
        games, current, tables, explained, told = lists(ann, otter)
        assert current == games
        assert [game["table"] for game in games["games"]] == [waiting, over]
        assert [game["phase"] for game in games["games"]] == ["waiting", "over"]
        assert [table["table"] for table in tables["tables"]] == [waiting]
        assert explained["legal"]
        assert waiting in told
        assert ann.http.get(f"/api/v1/tables/{over}").status_code == 503


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "test.sqlite3")) as database:
        database.execute(statement)
        database.commit()
