"""Erase a person: the account, and the name, the id and the messages in the games."""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.server.storage import Store
from riverstones.study.records import record_text


@dataclass(frozen=True, slots=True)
class Erased:
    """The result of an erasure."""

    tables: int
    server_running: bool
    """Whether a server runs: the person may have used it until it noticed that the sessions have ended."""


async def erase(store: Store, person: str) -> Erased | None:
    """Erase a person with all programs; None if there is no such person and no table has them.

    The account comes after the tables, so that an erasure that was interrupted can be repeated. Then tables are looked
    for once more: the person may have sat down at another one meanwhile.
    """
    running = await store.nodes.is_any_running()
    known = await store.accounts.person(person) is not None
    people = [person, *await store.accounts.programs_of(person)]
    tables = await _erase_from_tables(store, people)
    await store.accounts.remove(person)
    tables |= await _erase_from_tables(store, people)
    if not known and not tables:
        return None
    return Erased(len(tables), running or await store.nodes.is_any_running())


async def _erase_from_tables(store: Store, people: list[str]) -> set[str]:
    """Erase people from the tables that they are found at; returns those."""
    tables: set[str] = set()
    for person in people:
        for table in await store.erasure.tables_of(person):
            await store.erasure.erase(table, person, record_text)
            tables.add(table)
    return tables
