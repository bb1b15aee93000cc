"""The file of an SQLite database: its permissions (owner only) and its lock (one server at a time)."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from sqlalchemy import URL

log = logging.getLogger("riverstones.storage")

PRIVATE = 0o600
OTHERS = 0o077
"""The permission bits of group and others."""

COMPANIONS = ("", "-wal", "-shm", "-journal", ".lock")
"""Suffixes of the database file and of the files that SQLite and the server keep beside it."""

LOCKED_BYTE = 1 << 20
"""The offset of the locked byte on Windows: behind the process id, which others can then read."""


class DatabaseInUse(Exception):
    """Another server uses this database file."""

    def __init__(self, file: Path, process: str) -> None:
        self.file, self.process = file, process
        super().__init__(f"The database {file} is already in use by another Riverstones server (process {process}).")


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database, with symbolic links resolved; None for other and in-memory databases."""
    name = url.database
    if url.get_backend_name() != "sqlite" or not name or url.query.get("mode") == "memory":
        return None
    if name.startswith("file:"):
        name = unquote(urlsplit(name).path)
    return None if name == ":memory:" else Path(name).resolve()


def make_private(file: Path) -> None:
    """Restrict the database to its owner (0600): it contains the seeds of running games and the cookie key.

    A new file is created here, so that it never has other permissions; SQLite copies them to its companion files.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # it exists, or SQLite reports the error
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
    for each in (Path(f"{file}{suffix}") for suffix in COMPANIONS):
        try:
            mode = each.stat().st_mode & 0o777
            if mode & OTHERS:
                each.chmod(PRIVATE)
                log.warning("%s was accessible to other users (mode %03o); its mode is now 600.", each, mode)
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("%s may be accessible to other users; its mode cannot be changed: %s.", each, error.strerror)


class FileLock:
    """An exclusive lock for serving a database file. The system releases it when the process ends, also on a crash.

    It is taken on a separate file, which is not deleted: closing a handle of the database would drop SQLite's locks.
    """

    def __init__(self, file: Path) -> None:
        """Take the lock; raises `DatabaseInUse` if another process has it."""
        path = Path(f"{file}.lock")
        held = os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE), "r+b", buffering=0)
        try:
            _lock(held)
        except BlockingIOError:
            process = held.read(20).decode(errors="replace").strip() or "?"
            held.close()
            raise DatabaseInUse(file, process) from None
        except OSError as error:
            log.warning("%s cannot be locked, so a second server will not be detected: %s.", path, error.strerror)
        held.truncate(0)
        held.write(f"{os.getpid()}\n".encode())
        self._held: BinaryIO | None = held

    def release(self) -> None:
        """Release the lock."""
        if self._held is not None:
            self._held.close()
            self._held = None


def _lock(held: BinaryIO) -> None:
    """Lock an open file until it is closed; raises `BlockingIOError` if it is locked already."""
    if sys.platform == "win32":
        import msvcrt

        held.seek(LOCKED_BYTE)
        try:
            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error
        finally:
            held.seek(0)
    else:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
