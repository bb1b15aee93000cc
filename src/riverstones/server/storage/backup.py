"""Back a database up into a file while servers run, and restore a file into an empty database.

A backup of SQLite is a database file, made by SQLite's own backup function. A backup of PostgreSQL is made by `pg_dump`
and restored by `pg_restore`. Both hold a consistent state: all that was acknowledged before the backup began.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from sqlalchemy import URL, inspect

from riverstones.server.private_files import new_private_file

from .engines import check_file_opens, engines, parse_url
from .files import FileLock, file_of, make_private
from .migrate import HEAD

SQLITE_MAGIC = b"SQLite format 3\0"
POSTGRESQL_MAGIC = b"PGDMP"
DEBIAN_PROGRAMS = Path("/usr/lib/postgresql")


class BackupFailed(Exception):
    """One sentence that says why a backup or a restore is not possible."""


def missing_file(url: str) -> Path | None:
    """The file of an SQLite database that does not exist; None if it does, or if the database is not a file."""
    file = file_of(parse_url(url))
    return file if file is not None and not file.exists() else None


def back_up(url: str, target: Path) -> None:
    """Write a backup of a database to a new file, readable by its owner only.

    Raises `UnknownDatabase`, `BackupFailed`, or `OSError` if the file cannot be written.
    """
    parsed = parse_url(url)
    file = file_of(parsed)
    if file is None and parsed.get_backend_name() == "sqlite":
        raise BackupFailed("A database in memory cannot be backed up.")
    if missing_file(url) is not None:
        raise BackupFailed(f"There is no database {file}.")
    try:
        with new_private_file(target) as part:
            if file is not None:
                _copy_sqlite(file, part)
            else:
                options = ("--format=custom", "--no-owner", "--no-privileges", "--no-password", "--file", str(part))
                _run_postgresql("pg_dump", options, parsed)
    except FileExistsError:
        raise BackupFailed(f"{target} exists already; choose another name.") from None


async def restore(url: str, source: Path) -> None:
    """Restore a backup into an empty database. If it fails, the database stays empty.

    Raises `BackupFailed`, `DatabaseInUse`, `UnknownDatabase`, or one of `UNAVAILABLE`.
    """
    parsed = parse_url(url)
    kind = _kind_of(source)
    if kind != parsed.get_backend_name():
        raise BackupFailed(f"{source} is a backup of {kind}, but the database is {parsed.get_backend_name()}.")
    file = file_of(parsed)
    if file is None:
        await _check_empty(url)
        database = str(parsed.database).replace("\\", "\\\\").replace("'", "\\'")
        options = ("--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", "--no-password")
        _run_postgresql("pg_restore", (*options, f"--dbname=dbname='{database}'", str(source)), parsed)
        return
    lock = FileLock(file)
    try:
        make_private(file)
        await _check_empty(url)
        _copy_sqlite(source, file)
    finally:
        lock.release()


def _kind_of(source: Path) -> str:
    try:
        with source.open("rb") as file:
            start = file.read(16)
    except OSError as error:
        raise BackupFailed(f"{source} cannot be read: {error.strerror}.") from None
    if start == SQLITE_MAGIC:
        return "sqlite"
    if start.startswith(POSTGRESQL_MAGIC):
        return "postgresql"
    raise BackupFailed(f"{source} is not a backup of Riverstones.")


async def _check_empty(url: str) -> None:
    """Refuse to restore into a database that has tables."""
    writer, reader = engines(url)
    check_file_opens(writer)
    try:
        async with reader.connect() as connection:
            tables = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    finally:
        await writer.dispose()
        await reader.dispose()
    if tables:
        raise BackupFailed("The database is not empty; a backup can only be restored into an empty one.")


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database that may be in use. The copy is one file, without a write-ahead log."""
    try:
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(target)) as copy:
            _check_sqlite(source, original)
            original.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise BackupFailed(f"{source} cannot be copied: {error}.") from None


def _check_sqlite(file: Path, connection: sqlite3.Connection) -> None:
    """Refuse a database that is damaged, of another program, or of a newer version."""
    (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise BackupFailed(f"{file} is damaged: {state}.")
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone() is None:
        raise BackupFailed(f"{file} is not a database of Riverstones.")
    (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if version > HEAD:
        raise BackupFailed(f"{file} has version {version}, of a newer Riverstones; this one supports {HEAD}.")


def _run_postgresql(program: str, options: tuple[str, ...], url: URL) -> None:
    """Run one of PostgreSQL's programs. The password is passed in the environment, which other users cannot read."""
    path = _find(program)
    if path is None:
        raise BackupFailed(f"PostgreSQL's {program} is not installed; Debian's package is postgresql-client.")
    done = subprocess.run(
        [path, *options], env=os.environ | connection_environment(url), capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error:" in line] or done.stderr.splitlines()
        raise BackupFailed(f"{program} has failed: {lines[0].rpartition('error: ')[2] if lines else 'no reason'}.")


def connection_environment(url: URL) -> dict[str, str]:
    """The environment variables with which PostgreSQL's programs connect to this database."""
    values = {
        "PGHOST": url.host or url.query.get("host"),
        "PGPORT": url.port or url.query.get("port"),
        "PGUSER": url.username or url.query.get("user"),
        "PGPASSWORD": url.password or url.query.get("password"),
        "PGDATABASE": url.database or url.query.get("database"),
        "PGSSLMODE": url.query.get("ssl") or url.query.get("sslmode"),
    }
    return {name: str(value) for name, value in values.items() if value}


def _find(program: str) -> str | None:
    """The program on the path, or else the newest version that Debian keeps beside it."""
    versions = sorted(DEBIAN_PROGRAMS.glob("*/bin"), key=lambda folder: folder.parent.name.zfill(4))
    newest = next((str(folder / program) for folder in reversed(versions) if (folder / program).exists()), None)
    return shutil.which(program) or newest
