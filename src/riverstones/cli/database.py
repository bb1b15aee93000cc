"""Opens a server's database for a command, and explains in one sentence why that is not possible."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from riverstones.server.storage import UNAVAILABLE, DatabaseInUse, Store, reason
from riverstones.server.storage.engines import UnknownDatabase

from .complaint import Complaint
from .words import words_for

Result = TypeVar("Result")


def in_use(error: DatabaseInUse) -> Complaint:
    """The sentence for a database file that a server uses."""
    return Complaint(words_for(None)("database_in_use", file=error.file, process=error.process))


@contextmanager
def database_errors() -> Iterator[None]:
    """Raise `Complaint` if the database cannot be used in this block."""
    try:
        yield
    except UnknownDatabase as error:
        raise Complaint(str(error)) from None
    except DatabaseInUse as error:
        raise in_use(error) from None
    except UNAVAILABLE as error:
        raise Complaint(f"The database cannot be opened: {' '.join(reason(error).split())}.") from None


def with_store(database: str, work: Callable[[Store], Awaitable[Result]], *, serving: bool = False) -> Result:
    """Run an operation on a database; with `serving`, refuse if a server uses it. Raises `Complaint`."""

    async def run() -> Result:
        store = Store(database)
        if serving:
            store.database.lock()
        await store.database.open()
        try:
            return await work(store)
        finally:
            await store.database.close()

    with database_errors():
        return asyncio.run(run())
