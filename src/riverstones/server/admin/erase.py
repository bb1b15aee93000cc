"""Erase a person: the account, and the name, the id and the messages in the games."""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.server.records import record_text
from riverstones.server.storage import Store
from riverstones.table import Phase

FINISHED = (Phase.OVER.value, Phase.CLOSED.value)


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure has changed."""

    tables: int
    unfinished: int
    """The tables whose game goes on: a running server has the name in memory until it is restarted."""


async def erase(store: Store, person: str) -> Erased | None:
    """Erase a person with all programs; None if there is no such person and no table has them.

    The account comes last, so that an erasure that was interrupted can be repeated.
    """
    known = await store.accounts.person(person) is not None
    people = [person, *await store.accounts.programs_of(person)]
    tables: set[str] = set()
    unfinished = 0
    for each in people:
        for table in await store.erasure.tables_of(each):
            found = await store.operators.table(table)
            unfinished += found is not None and found.phase not in FINISHED
            await store.erasure.erase(table, each, record_text)
            tables.add(table)
    await store.accounts.remove(person)
    return Erased(len(tables), unfinished) if known or tables else None
