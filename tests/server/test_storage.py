"""Storage on SQLite and PostgreSQL."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, select, text
from websockets.exceptions import ConnectionClosed

from riverstones.server.storage import Conflict, Store
from riverstones.server.storage.engines import UnknownDatabase
from riverstones.server.storage.migrate import HEAD, MIGRATIONS
from riverstones.server.storage.reviews import StoredReview
from riverstones.server.storage.schema import metadata
from riverstones.server.study.profile import profile_of
from riverstones.table import Entry, Options, fold
from riverstones.table import commands as c
from riverstones.table.events import Created
from tests.cli.helpers import assert_refused, riverstones_here
from tests.table.helpers import Played, table_of

from .older import Rows, older_database, with_rows, written_rows
from .running import Answer, play_out, running, settings_for

NewDatabase = Callable[[], str]
REVISIONS = sorted(script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions())


def with_store(url: str, work: Callable[[Store], Any]) -> Any:
    async def run() -> Any:
        store = Store(url)
        await store.database.open()
        try:
            return await work(store)
        finally:
            await store.database.close()

    return asyncio.run(run())


async def save(store: Store, played: Played, after: int = 0) -> None:
    before = fold(played.log[:after]) if after else None
    await store.events.append(played.log[after:], before, played.table, None)


def test_a_stored_log_is_read_back_unchanged(new_database: NewDatabase) -> None:
    url, played = new_database(), table_of("ann", "bob", "bot:river")
    played.play_on(12)
    played.do("ann", c.Say("Ünïcode ✓ \\ \" '; DROP TABLE events"), key="id-ann:1")

    async def work(store: Store) -> list[Entry]:
        await save(store, played)
        return await store.events.read("table")

    assert with_store(url, work) == played.log
    assert with_store(url, lambda store: store.events.read("table")) == played.log
    assert with_store(url, lambda store: store.events.read("none")) == []


def test_the_second_write_of_a_sequence_number_fails_alone(new_database: NewDatabase) -> None:
    played = table_of("ann", "bob")

    async def work(store: Store) -> None:
        await save(store, played)
        length = len(played.log)
        played.play_on(1)
        twin = Played(fold(played.log[:length]), played.log[:length])
        twin.play_on(1, seed=5)
        third = table_of("eve", "fay", seed=3)
        third.table = fold([_renamed(entry, "third") for entry in third.log])
        third.log = [_renamed(entry, "third") for entry in third.log]
        results = await asyncio.gather(
            save(store, played, length), save(store, twin, length), save(store, third), return_exceptions=True
        )
        assert [type(result) for result in results] == [type(None), Conflict, type(None)]
        assert await store.events.read("table") == played.log
        assert await store.events.read("third") == third.log

    with_store(new_database(), work)


def test_a_write_that_is_no_longer_waited_for_is_stored_with_the_others(new_database: NewDatabase) -> None:
    cancelled, other = table_of("ann", "bob"), table_of("eve", "fay", seed=3)
    other.log = [_renamed(entry, "other") for entry in other.log]
    other.table = fold(other.log)

    async def work(store: Store) -> None:
        saving = asyncio.create_task(save(store, cancelled))
        await asyncio.sleep(0)
        saving.cancel()
        async with asyncio.timeout(10):
            await save(store, other)
        assert saving.cancelled()
        assert await store.events.read("table") == cancelled.log
        assert await store.events.read("other") == other.log

    with_store(new_database(), work)


def test_an_error_after_a_write_does_not_stop_the_writer(
    new_database: NewDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = table_of("ann", "bob"), table_of("eve", "fay", seed=3)
    second.log = [_renamed(entry, "second") for entry in second.log]
    second.table = fold(second.log)

    def fail(_: Exception | None) -> None:
        raise RuntimeError("a mistake in the program")

    async def work(store: Store) -> None:
        store.events.submit(first.log, None, first.table, None, 0, fail)
        async with asyncio.timeout(60):
            await save(store, second)
        assert await store.events.read("table") == first.log
        assert await store.events.read("second") == second.log

    with_store(new_database(), work)
    assert "a mistake in the program" in caplog.text


def test_a_move_and_a_new_table_share_one_commit(new_database: NewDatabase) -> None:
    """Although events of an old table come first in the batch, the new table's row precedes its events."""
    old, new = table_of("ann", "bob"), table_of("eve", "fay", seed=3)
    new.log = [_renamed(entry, "new") for entry in new.log]
    new.table = fold(new.log)

    async def work(store: Store) -> None:
        await save(store, old)
        length = len(old.log)
        old.play_on(1)
        commits = 0

        @event.listens_for(store.database.writer.blocking or store.database.write_engine.sync_engine, "commit")
        def count(_: object) -> None:
            nonlocal commits
            commits += 1

        await asyncio.gather(save(store, old, length), save(store, new))
        assert commits == 1
        assert await store.events.read("table") == old.log
        assert await store.events.read("new") == new.log

    with_store(new_database(), work)


def _renamed(entry: Entry, name: str) -> Entry:
    return replace(entry, event=replace(entry.event, table=name)) if isinstance(entry.event, Created) else entry


async def differences(store: Store) -> list[Any]:
    """How the tables of a database differ from the schema."""
    async with store.database.read_engine.connect() as connection:
        return await connection.run_sync(
            lambda sync: list(compare_metadata(MigrationContext.configure(sync), metadata))
        )


def test_migrations_produce_the_schema(new_database: NewDatabase) -> None:
    assert with_store(new_database(), differences) == []


FINISHED: dict[str, tuple[Any, Rows]] = {}
"""By kind of database: what is read of a finished game in a current one, and all rows that are in it."""


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_database_of_any_version_is_migrated(new_database: NewDatabase, revision: str) -> None:
    """With a finished game, whose derived rows are made if that version had none."""

    async def read(store: Store) -> Any:
        profile = await profile_of(store, "id-ann")
        return await store.events.read("table"), await store.projections.tables_of("id-ann", None, 10), profile

    async def write(store: Store) -> Any:
        played = table_of("ann", "bob")
        played.play_on(100)
        await save(store, played)
        return await read(store)

    async def read_all(store: Store) -> Any:
        return await read(store), await differences(store)

    url = new_database()
    kind = url.partition(":")[0]
    if kind not in FINISHED:
        FINISHED[kind] = written_rows(new_database(), write)
    before, rows = FINISHED[kind]
    assert before[2]["games"] == 1
    assert with_store(with_rows(url, revision, rows), read_all) == (before, [])


def test_head_is_the_newest_migration() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == HEAD


def test_every_migration_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert HEAD in REVISIONS
    assert [version for version in REVISIONS if f"\n| {version} | " not in page] == []


def test_a_database_of_a_newer_version_is_refused_in_one_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'newer.sqlite3'}"

    async def upgrade(store: Store) -> None:
        async with store.database.write_engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with_store(url, upgrade)
    done = riverstones_here("serve", "--port", "0", "--database", url)
    assert_refused(done, f"The database has version 9999, of a newer Riverstones; this one supports {HEAD}.")


def test_an_older_database_gets_its_pending_ratings(new_database: NewDatabase) -> None:
    """Finished rated games without ratings are pending, other games are not."""

    def finished(name: str, *, rated: bool) -> Played:
        played = table_of("ann", "bob", options=Options(rated=rated))
        played.play_on(3)
        played.do("ann", c.Resign(0))
        played.log = [_renamed(entry, name) for entry in played.log]
        played.table = fold(played.log)
        return played

    async def work(store: Store) -> None:
        for played in (finished("counted", rated=True), finished("pending", rated=True), finished("free", rated=False)):
            await save(store, played)
        assert sorted(await store.projections.pending_ratings()) == ["counted", "pending"]
        async with store.database.write_engine.begin() as connection:
            person = "INSERT INTO people (id, name, colour, created_ms, account, rated_games) "
            await connection.execute(text(f"{person} VALUES ('p', 'Ann', 'teal', 0, true, 1)"))
            await connection.execute(text("INSERT INTO ratings VALUES ('counted', 'p', 25.0, 8.0)"))

    url, _ = older_database(new_database, "0001", work)
    assert with_store(url, lambda store: store.projections.pending_ratings()) == ["pending"]


def test_retention_deletes_only_old_tables(new_database: NewDatabase) -> None:
    played = table_of("ann", "bob")
    played.play_on(3)

    async def work(store: Store) -> None:
        await save(store, played)
        assert await store.events.prune(played.now_ms) == 0
        assert await store.events.prune(played.now_ms + 1) == 1
        assert await store.events.read("table") == []
        await save(store, played)
        assert await store.events.delete("table")
        assert not await store.events.delete("table")
        assert await store.projections.tables_of("id-ann", None, 10) == []

    with_store(new_database(), work)


def test_retention_counts_from_the_day_on_which_a_game_of_a_device_was_added(new_database: NewDatabase) -> None:
    played = table_of("ann", "bob")
    added_ms = played.now_ms + 1_000_000

    async def work(store: Store) -> None:
        await store.events.append(played.log, None, played.table, None, added_ms=added_ms)
        assert await store.events.prune(added_ms) == 0
        assert await store.events.prune(added_ms + 1) == 1

    with_store(new_database(), work)


def test_retention_deletes_old_reviews_and_those_of_deleted_tables(new_database: NewDatabase) -> None:
    played = table_of("ann", "bob")

    async def work(store: Store) -> None:
        await save(store, played)
        old, new = StoredReview("old", "record", 3, None), StoredReview("new", "other record", 67, None)
        of_table = StoredReview("of_table", "its record", 3, "table")
        await store.reviews.add(old, 1000)
        await store.reviews.add(of_table, 3000)
        await store.reviews.add(new, 2000)
        await store.reviews.add(replace(new, record="again"), 3000)
        await store.reviews.finish("new", "{}")
        assert await store.reviews.get("of_table") == of_table
        await store.events.delete("table")
        assert await store.reviews.get("of_table") is None
        assert await store.reviews.get("old") == old
        assert await store.reviews.get("new") == replace(new, report="{}")
        await store.reviews.withdraw("new")
        assert await store.reviews.prune(2000) == 1
        assert await store.reviews.get("old") is None
        assert await store.reviews.get("new") is not None

    with_store(new_database(), work)


@pytest.mark.parametrize("url", ["mysql://x", "nonsense", "oracle://a/b"])
def test_an_unsupported_database_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(UnknownDatabase, match=r"^The database.*\.$"):
        Store(url)


def test_sqlite_is_durable_and_has_one_writer(tmp_path: Path) -> None:
    pragmas = (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("temp_store", 2))

    async def work(store: Store) -> None:
        async with store.database.write_engine.begin() as connection:
            for pragma, value in pragmas:
                assert (await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar() == value
        assert store.database.write_engine.pool.size() == 1  # type: ignore[attr-defined]  # a QueuePool
        batches = store.database.writer.blocking
        assert batches is not None
        with batches.begin() as connection_for_batches:
            for pragma, value in pragmas:
                assert connection_for_batches.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
        assert batches.pool.size() == 1  # type: ignore[attr-defined]  # a QueuePool

    with_store(f"sqlite:///{tmp_path / 'x.sqlite3'}", work)


def test_a_socket_for_an_invalid_table_id_is_refused(new_database: NewDatabase, tmp_path: Path) -> None:
    with running(settings_for(tmp_path, database=new_database())) as server:
        socket = server.client("Ann").raw_socket("a%00b")
        assert "no_such_table" in str(socket.recv())
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4004


def test_a_game_continues_after_a_restart(new_database: NewDatabase, tmp_path: Path) -> None:
    """A whole game on each database, with a restart in the middle."""
    url = new_database()
    with running(settings_for(tmp_path, database=url)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        table = ann.make_table("me", "open")
        bob.do(table, "sit")
        sockets = [ann.socket(table), bob.socket(table)]
        for socket in sockets:
            socket.wait("snapshot")
        play_out(sockets, random.Random(1), turns=30)
        cookies = [dict(client.http.cookies) for client in (ann, bob)]
        seq = sockets[0].seq
    with running(settings_for(tmp_path, database=url)) as server:
        people = [server.client(None) for _ in range(2)]
        for client, cookie in zip(people, cookies, strict=True):
            client.http.cookies.update(cookie)
        sockets = [client.socket(table) for client in people]
        for socket in sockets:
            assert socket.wait("snapshot")["snapshot"]["seq"] == seq
        play_out(sockets, random.Random(2))
        assert sockets[0].now["turn"] == 67
    log = with_store(url, lambda store: store.events.read(table))
    assert fold(log).turn == 67


@pytest.mark.parametrize("command", ["sit", "resign"])
def test_a_deleted_table_does_not_come_back(new_database: NewDatabase, tmp_path: Path, command: str) -> None:
    """A server still has it in memory. The commands change the chairs or the phase, which also writes `tables`."""
    url = new_database()
    with running(settings_for(tmp_path, database=url)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        table, kept = ann.make_table("me", "open"), ann.make_table("me", "open")
        if command == "resign":
            bob.do(table, "sit")
        assert with_store(url, lambda store: store.events.delete(table))
        with pytest.raises(Answer) as refused:
            bob.do(table, command, **({"seat": 1} if command == "resign" else {}))
        assert (refused.value.status, refused.value.error["code"]) == (404, "no_such_table")
        bob.do(kept, "sit")

    async def traces(store: Store) -> list[str]:
        named = [each for each in metadata.sorted_tables if "table_id" in each.c or each.name == "tables"]
        return [each.name for each in named if table in repr(await store.database.rows(select(each)))]

    assert with_store(url, traces) == []
