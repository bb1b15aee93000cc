"""Hints over the socket: see `riverstones.study.hints`."""

from __future__ import annotations

from riverstones.server.services import Services
from riverstones.server.tables.live_table import LiveTable
from riverstones.study import hints
from riverstones.table import wire


async def hint(services: Services, live: LiveTable, person: str | None, seat: int, step: int) -> wire.Hint:
    """A hint for a seat.

    Raises `NotAllowed` if the seat is not the viewer's or not to move, or if the table allows no hints.
    """
    table = live.table
    view = hints.check(table, person, seat)
    advice = await services.hints.find(services.addresses.requester(str(person)), table.id, table.turn, view)
    return hints.hint_to_json(advice, table.turn, step)
