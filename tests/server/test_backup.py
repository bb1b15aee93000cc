"""Backup and restore of SQLite and PostgreSQL: what was acknowledged is in the backup, and replay == live."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from riverstones.server.admin.check import check
from riverstones.server.storage import Store, backup
from riverstones.server.storage.backup import connection_environment
from riverstones.server.storage.migrate import HEAD
from riverstones.table import fold
from tests.cli.helpers import COMMAND, assert_refused, environment, riverstones_here

from .running import Client, running, settings_for
from .test_admin import make_game, make_site
from .test_storage import NewDatabase, with_store


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def shown(client: Client, table: str) -> Any:
    """A table as a client sees it, without what depends on the moment."""
    seen = client.get(f"/tables/{table}")
    return {name: seen[name] for name in ("seq", "chairs", "options", "now", "you")}


def logs(database: str) -> dict[str, Any]:
    async def work(store: Store) -> dict[str, Any]:
        return {table: await store.events.read(table) for table in await store.operators.table_ids()}

    found: dict[str, Any] = with_store(database, work)
    return found


def test_a_backup_of_a_running_server_is_restored_into_an_empty_database(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    database, restored, file = new_database(), new_database(), tmp_path / "backups" / "nightly" / "river.backup"
    with running(settings_for(tmp_path, database=database)) as server:
        site = make_site(database, server)
        tables = site.finished, site.going_on, site.waiting
        live = {table: shown(site.ann, table) for table in tables}
        cookies = dict(site.ann.http.cookies)
        assert site.admin("backup", str(file)) == f"The backup {file} has been written; keep it private.\n"
        assert_refused(
            riverstones_here("admin", "backup", str(file), "--database", database),
            f"{file} exists already; choose another name.",
        )
    if sys.platform != "win32":
        assert (mode(file), mode(file.parent), mode(file.parent.parent)) == (0o600, 0o700, 0o700)
    assert [path.name for path in file.parent.iterdir()] == [file.name]

    done = riverstones_here("admin", "restore", str(file), "--database", restored)
    events = sum(len(log) for log in logs(database).values())
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == f"{file} has been restored.\n3 of 3 tables are sound, with {events} events in all.\n"
    assert logs(restored) == logs(database)
    assert with_store(restored, check).faults == []

    with running(settings_for(tmp_path, database=restored)) as server:
        ann = server.client(None)
        ann.http.cookies.update(cookies)  # the key that signs cookies is in the backup
        assert {table: shown(ann, table) for table in tables} == live
        ann.do(site.waiting, "say", text="on we go")
    again = riverstones_here("admin", "restore", str(file), "--database", restored)
    assert_refused(again, "The database is not empty; a backup can only be restored into an empty one.")


def test_a_backup_during_play_has_everything_acknowledged_before_it(new_database: NewDatabase, tmp_path: Path) -> None:
    database, restored, file = new_database(), new_database(), tmp_path / "busy.backup"
    with running(settings_for(tmp_path, database=database, tables_each=10**6)) as server:
        ann = server.client("Ann")
        table = make_game(ann, server.client("Bob"), turns=5)
        acknowledged = shown(ann, table)["seq"]
        talking = threading.Event()

        def talk() -> None:
            other = server.client("Eve")
            while not talking.wait(0.001):
                other.make_table("me", "open")

        thread = threading.Thread(target=talk)
        thread.start()
        try:
            done = riverstones_here("admin", "backup", str(file), "--database", database)
        finally:
            talking.set()
            thread.join()
        assert done.returncode == 0, done.stderr
    assert riverstones_here("admin", "restore", str(file), "--database", restored).returncode == 0
    found, kept = logs(restored), logs(database)
    assert len(found[table]) == acknowledged
    assert {name: log == kept[name] for name, log in found.items()} == dict.fromkeys(found, True)
    assert fold(found[table]).seq == acknowledged


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a Unix shell")
def test_the_commands_of_the_docs_back_up_and_restore(new_database: NewDatabase, tmp_path: Path) -> None:
    database, empty = new_database(), new_database()
    with running(settings_for(tmp_path, database=database)) as server:
        server.client("Ann").make_table("me", "open")
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    block = page.partition("### Backup and restore\n\n```sh\n")[2].partition("```")[0]
    assert block.count("riverstones admin") == 3
    script = block.replace("/var/backups/riverstones", str(tmp_path / "backups"))
    env = environment(
        RIVERSTONES_DATABASE=database,
        EMPTY_DATABASE=empty,
        PATH=f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}",
    )
    done = subprocess.run(
        ["sh", "-eu", "-c", script], capture_output=True, text=True, env=env, check=False, timeout=300
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.count("1 of 1 tables are sound") == 2
    assert logs(empty) == logs(database)


def test_a_restore_does_not_touch_a_database_in_use(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    file = tmp_path / "copy"
    with running(settings):
        assert riverstones_here("admin", "backup", str(file), "--database", settings.database).returncode == 0
        done = riverstones_here("admin", "restore", str(file), "--database", settings.database)
        assert done.returncode == 2
        assert "is already in use by another Riverstones server" in done.stderr


def other_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE notes (x)")


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE alembic_version (version_num)")
        made.execute("INSERT INTO alembic_version VALUES ('9999')")


def damaged(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: None, "{file} cannot be read: No such file or directory."),
        (lambda path: path.write_text("hello"), "{file} is not a backup of Riverstones."),
        (lambda path: path.write_bytes(b"PGDMP..."), "{file} is a backup of postgresql, but the database is sqlite."),
        (other_program, "{file} is not a database of Riverstones."),
        (newer, f"{{file}} has version 9999, of a newer Riverstones; this one supports {HEAD}."),
        (damaged, "{file} cannot be copied: "),
    ],
)
def test_a_file_that_is_not_a_backup_is_refused_and_the_database_stays_empty(
    tmp_path: Path, make: Callable[[Path], object], sentence: str
) -> None:
    file, target = tmp_path / "backup", tmp_path / "new.sqlite3"
    make(file)
    done = riverstones_here("admin", "restore", str(file), "--database", f"sqlite:///{target}")
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr.startswith(sentence.format(file=file))
    assert done.stderr.count("\n") == 1
    if target.exists():
        with closing(sqlite3.connect(target)) as left:
            assert left.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


@pytest.mark.slow
def test_programs_of_postgresql_that_are_missing_or_fail_are_explained(
    postgres_cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "copy"
    missing = riverstones_here("admin", "backup", str(file), "--database", f"{postgres_cluster}/nowhere")
    assert missing.returncode == 2
    assert missing.stderr.startswith("pg_dump has failed: ")
    assert '"nowhere" does not exist' in missing.stderr
    assert missing.stderr.count("\n") == 1
    monkeypatch.setattr(backup, "_find", lambda program: None)
    absent = riverstones_here("admin", "backup", str(file), "--database", f"{postgres_cluster}/nowhere")
    assert_refused(absent, "PostgreSQL's pg_dump is not installed; Debian's package is postgresql-client.")
    assert list(tmp_path.iterdir()) == []


def test_a_password_is_not_on_the_command_line_of_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[str]] = []

    def run(arguments: list[str], *, env: dict[str, str], **_: Any) -> subprocess.CompletedProcess[str]:
        calls.append(arguments)
        assert env["PGPASSWORD"] == "tell no-one"
        return subprocess.CompletedProcess(arguments, 0, "", "")

    monkeypatch.setattr(backup, "_find", lambda program: program)
    monkeypatch.setattr(subprocess, "run", run)
    backup.back_up("postgresql://river:tell%20no-one@db:5433/stones?ssl=require", tmp_path / "copy")
    assert len(calls) == 1
    assert "tell no-one" not in " ".join(calls[0])


def test_the_url_of_a_database_becomes_an_environment() -> None:
    assert connection_environment(make_url("postgresql://river:pw@db:5433/stones?ssl=require")) == {
        "PGHOST": "db",
        "PGPORT": "5433",
        "PGUSER": "river",
        "PGPASSWORD": "pw",
        "PGDATABASE": "stones",
        "PGSSLMODE": "require",
    }
    assert connection_environment(make_url("postgresql:///stones?host=/run/postgresql")) == {
        "PGHOST": "/run/postgresql",
        "PGDATABASE": "stones",
    }


def test_a_full_disk_leaves_no_half_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_for(tmp_path)
    with_store(settings.database, lambda store: store.operators.table_ids())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_copy_sqlite", full)
    file = tmp_path / "backups" / "copy"
    done = riverstones_here("admin", "backup", str(file), "--database", settings.database)
    assert_refused(done, f"{file} cannot be written: No space left on device.")
    assert list(file.parent.iterdir()) == []
