"""The file of an SQLite database: readable by its owner alone, and used by one server at a time."""

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
"""The permissions of everybody but the owner."""

COMPANIONS = ("", "-wal", "-shm", "-journal", ".lock")
"""The database itself, and what SQLite and the server keep beside it."""

LOCKED_BYTE = 1 << 20
"""Where Windows holds the lock: beyond the text, which can be read while it is held."""


class DatabaseInUse(Exception):
    """Another server uses this database file."""

    def __init__(self, file: Path, process: str) -> None:
        self.file, self.process = file, process
        super().__init__(f"The database {file} is already in use by another Riverstones server (process {process}).")


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database, with symbolic links resolved; None for other databases and for memory."""
    name = url.database
    if url.get_backend_name() != "sqlite" or not name or url.query.get("mode") == "memory":
        return None
    if name.startswith("file:"):
        name = unquote(urlsplit(name).path)
    return None if name == ":memory:" else Path(name).resolve()


def make_private(file: Path) -> None:
    """Let only the owner read and write the database: it holds the seeds of running games and the key of the cookies.

    A new file is made here, so that it never has other permissions; SQLite gives its companions the same ones.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # it exists, or SQLite will say why it cannot be made
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
    for each in (Path(f"{file}{suffix}") for suffix in COMPANIONS):
        try:
            mode = each.stat().st_mode & 0o777
            if mode & OTHERS:
                each.chmod(PRIVATE)
                log.warning("Others could use %s (mode %03o); now only its owner can (600).", each, mode)
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("Others can use %s, and its mode cannot be changed: %s.", each, error.strerror)


class FileLock:
    """The right to serve a database file. The system takes it back when the process ends, however it ends.

    The lock is held on a file of its own, which stays: closing any handle of the database would drop SQLite's locks.
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
            log.warning("%s cannot be locked, so a second server would not be noticed: %s.", path, error.strerror)
        held.truncate(0)
        held.write(f"{os.getpid()}\n".encode())
        self._held: BinaryIO | None = held

    def release(self) -> None:
        """Let another server have the file."""
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
