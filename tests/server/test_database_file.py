"""The database file: its permissions, and its lock for one server."""

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from riverstones.server.settings import default_database
from riverstones.server.storage import DatabaseInUse, Store
from riverstones.server.storage.files import file_of

from .running import free_port, running, settings_for
from .test_kill import forker, kill, start
from .test_storage import with_store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions and forks are those of Unix")


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("test.sqlite3*")}


def serve(database: str, port: int) -> subprocess.CompletedProcess[str]:
    """Start a server that is expected to fail."""
    command = [sys.executable, "-m", "riverstones", "serve", "--port", str(port), "--database", database]
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)


@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_a_new_database_has_mode_600(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with running(settings_for(tmp_path)) as server:
            server.client("Ann").make_table("me", "open")
            found = modes(tmp_path)
    finally:
        os.umask(before)
    assert {"test.sqlite3", "test.sqlite3-wal", "test.sqlite3-shm", "test.sqlite3.lock"} <= set(found)
    assert set(found.values()) == {0o600}


def test_a_database_with_another_mode_gets_mode_600(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """This includes the files that SQLite leaves beside it after a kill."""
    database = tmp_path / "test.sqlite3"
    with_store(f"sqlite:///{database}", _nothing)
    with closing(sqlite3.connect(database)) as left:
        left.execute("PRAGMA journal_mode=WAL")
        left.execute("CREATE TABLE more (x)")
        for path in tmp_path.glob("test.sqlite3*"):
            path.chmod(0o644)
        assert len(modes(tmp_path)) >= 3
        with_store(f"sqlite:///{database}", _nothing)
        assert set(modes(tmp_path).values()) == {0o600}
    assert "(mode 644)" in caplog.text


async def _nothing(store: Store) -> None:
    pass


def test_the_data_directory_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New folders are made so, and the folder of an older version is corrected; those above it are left alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "new" / "share"))
    before = os.umask(0)
    try:
        file = file_of(make_url(default_database()))
    finally:
        os.umask(before)
    assert file is not None
    folders = [file.parent, *list(file.parent.parents)[:2]]
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in folders] == [0o700] * 3
    for folder in folders:
        folder.chmod(0o755)
    default_database()
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in folders] == [0o700, 0o755, 0o755]


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite:////var/x.sqlite3", "/var/x.sqlite3"),
        ("sqlite:////var/../x%20y.sqlite3", "/x y.sqlite3"),
        ("sqlite:///file:/var/x%20y.sqlite3?uri=true", "/var/x y.sqlite3"),
        ("sqlite://", None),
        ("sqlite:///:memory:", None),
        ("sqlite:///file::memory:?uri=true", None),
        ("sqlite:///file:shared?mode=memory&uri=true", None),
        ("postgresql://river@db/riverstones", None),
    ],
)
def test_the_file_of_a_database_url(url: str, file: str | None) -> None:
    assert file_of(make_url(url)) == (None if file is None else Path(file))


@pytest.mark.slow
def test_a_second_server_on_one_file_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    """After a kill the lock is free as well."""
    file = tmp_path / "test.sqlite3"
    link = tmp_path / "link.sqlite3"
    link.symlink_to(file)
    with forker() as parent:
        pid = start(parent, f"sqlite:///{file}", free_port())
        for name in (file, link):
            done = serve(f"sqlite:///{name}", 0)
            assert done.returncode == 2
            assert done.stderr == (
                f"The database {file} is already in use by another Riverstones server (process {pid}); "
                "stop that one first or use another database.\n"
            )
        kill(pid)
        again = start(parent, f"sqlite:///{file}", free_port())
        assert (tmp_path / "test.sqlite3.lock").read_text() == f"{again}\n"
        os.kill(again, signal.SIGTERM)


def test_admin_commands_work_beside_a_running_server(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings):
        assert with_store(settings.database, lambda store: store.events.prune(0)) == 0
        with pytest.raises(DatabaseInUse):
            Store(settings.database).database.lock()
    store = Store(settings.database)
    store.database.lock()
    asyncio.run(store.database.close())
