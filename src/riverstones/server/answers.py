"""Hints, which change nothing at the table."""

from __future__ import annotations

from riverstones.server.services import Services
from riverstones.server.tables.live_table import LiveTable
from riverstones.table import NotAllowed, TableRefusal, Viewer, seat_view, wire
from riverstones.table.views import check_viewer


async def hint(services: Services, live: LiveTable, person: str | None, seat: int, step: int) -> wire.Hint:
    """A hint in three steps: the square, the tile, the whole move."""
    table = live.table
    check_viewer(table, Viewer(person, seat))
    view = seat_view(table, seat)
    if not table.options.hints or table.by_claims:
        raise NotAllowed(TableRefusal.NO_HINTS_HERE)
    if table.to_move != seat or table.paused:
        raise NotAllowed(TableRefusal.NOT_YOUR_TURN)
    play = await services.hints.find(str(person), table.id, table.turn, view)
    return {
        "turn": table.turn,
        "step": step,
        "square": str(play.move.square),
        "tile": str(play.move.tile) if step >= 2 else None,
        "move": str(play.move) if step >= 3 else None,
        "points": play.points if step >= 3 else None,
    }
