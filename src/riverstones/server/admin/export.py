"""Everything that the server stores about one person, as JSON."""

from __future__ import annotations

from typing import Any

from riverstones.server.storage import Store
from riverstones.table.events import Said


async def export(store: Store, person: str) -> dict[str, Any] | None:
    """The rows about a person and their programs, and their games with their messages; None if there is no such person.

    Of a game that goes on there is only what is public, and the person's own messages: an operator who plays must not
    learn a hand from it.
    """
    if await store.accounts.person(person) is None:
        return None
    games = []
    async for listed in store.projections.all_tables_of(person):
        table = listed.summary["table"]
        messages = [
            {"at_ms": entry.at_ms, "text": entry.event.text}
            for entry in await store.events.read(table)
            if isinstance(entry.event, Said) and entry.event.person == person
        ]
        record = await store.projections.record(table)
        games.append({"summary": listed.summary, "record": record, "messages": messages})
    return {"person": person, "rows": await store.personal_data.of(person), "games": games}
