"""Hints for the player to move. They produce no events."""

from __future__ import annotations

from riverstones.server.services import Services
from riverstones.server.tables.live_table import LiveTable
from riverstones.table import NotAllowed, TableRefusal, Viewer, seat_view, wire
from riverstones.table.views import check_viewer


async def hint(services: Services, live: LiveTable, person: str | None, seat: int, step: int) -> wire.Hint:
    """A hint for a seat: its square, from step 2 on the tile, at step 3 the whole move and its points.

    If no move scores, every step says so: `most` is 0.
    Raises `NotAllowed` if the seat is not the viewer's or not to move, or if the table allows no hints.
    """
    table = live.table
    check_viewer(table, Viewer(person, seat))
    view = seat_view(table, seat)
    if not table.options.hints or table.by_claims:
        raise NotAllowed(TableRefusal.NO_HINTS_HERE)
    if table.to_move != seat or table.paused:
        raise NotAllowed(TableRefusal.NOT_YOUR_TURN)
    advice = await services.hints.find(services.addresses.requester(str(person)), table.id, table.turn, view)
    play = advice.play
    return {
        "turn": table.turn,
        "step": step,
        "square": str(play.move.square),
        "tile": str(play.move.tile) if step >= 2 else None,
        "move": str(play.move) if step >= 3 else None,
        "points": play.points if step >= 3 else None,
        "most": advice.most if step >= 3 or not advice.most else None,
        "looked_ahead": advice.looked_ahead if step >= 3 else None,
    }
