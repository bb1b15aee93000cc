"""Erase a person: the account, and the name, the id and the messages in the games."""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.server.records import record_text
from riverstones.server.storage import Store


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure has changed."""

    tables: int
    server_running: bool
    """Whether a server runs: it may have the name in memory, and write it anew, until it is restarted."""


async def erase(store: Store, person: str) -> Erased | None:
    """Erase a person with all programs; None if there is no such person and no table has them.

    The account comes last, so that an erasure that was interrupted can be repeated.
    """
    running = await store.nodes.is_any_running()
    known = await store.accounts.person(person) is not None
    people = [person, *await store.accounts.programs_of(person)]
    tables: set[str] = set()
    for each in people:
        for table in await store.erasure.tables_of(each):
            await store.erasure.erase(table, each, record_text)
            tables.add(table)
    await store.accounts.remove(person)
    if not known and not tables:
        return None
    return Erased(len(tables), running or await store.nodes.is_any_running())
