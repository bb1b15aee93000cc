"""Answers that change nothing: previews and hints."""

from __future__ import annotations

from riverstones.rules import Code, Move, Refused, explain
from riverstones.server.services import Services
from riverstones.server.tables.live_table import LiveTable
from riverstones.table import NotAllowed, Phase, Table, TableRefusal, Viewer, seat_view, wire
from riverstones.table.views import check_viewer, explanation_to_json


def preview(table: Table, person: str | None, seat: int, move: str) -> wire.Preview:
    """What a tentative move would score, or why it is not allowed."""
    view = seat_view(table, _own(table, person, seat))
    if table.by_claims:
        raise NotAllowed(TableRefusal.NO_PREVIEW_WITH_CLAIMS)
    if table.phase is not Phase.PLAYING:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    tentative = Move.parse(move)
    if tentative.tile.digit not in view.hand:
        raise Refused(Code.TILE_NOT_IN_HAND, digit=tentative.tile.digit)
    return explanation_to_json(explain(view.position.board, tentative, view.setup.variant))


async def hint(services: Services, live: LiveTable, person: str | None, seat: int, step: int) -> wire.Hint:
    """A hint in three steps: the square, the tile, the whole move."""
    table = live.table
    view = seat_view(table, _own(table, person, seat))
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


def _own(table: Table, person: str | None, seat: int) -> int:
    """The seat, if it is the person's own."""
    check_viewer(table, Viewer(person, seat))
    return seat
