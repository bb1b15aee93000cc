"""New files and folders that only their owner can read: backups, exports, the data directory."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PRIVATE_FOLDER = 0o700
OTHERS = 0o077
"""The permission bits of group and others."""


def make_private_folder(folder: Path) -> None:
    """Create a folder, and those above it that are missing, for the owner only. An existing one is left as it is."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


def restrict_folder(folder: Path) -> None:
    """Take the permissions of group and others from a folder of our own."""
    mode = folder.stat().st_mode & 0o777
    if sys.platform != "win32" and mode & OTHERS:
        with contextlib.suppress(OSError):  # it belongs to somebody else; the files in it are private all the same
            folder.chmod(mode & ~OTHERS)


@contextmanager
def new_private_file(target: Path) -> Iterator[Path]:
    """An empty file (0600) to be filled in the block; after it the file is durable and has the target's name.

    Raises `FileExistsError` if the target exists. If the block fails, nothing is left.
    """
    if target.exists():
        raise FileExistsError(17, "File exists", str(target))
    make_private_folder(target.parent)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)  # mkstemp makes it 0600
    os.close(handle)
    part = Path(name)
    try:
        yield part
        _sync(part)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    if sys.platform != "win32":
        _sync(target.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
