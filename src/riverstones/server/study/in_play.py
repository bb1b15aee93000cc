"""Recognise a position of a game that somebody is playing: the study board must not help there.

It does not stop a determined cheat, who can sign out first or use another program. It makes clear what is fair.
"""

from __future__ import annotations

from riverstones.rules import Board, Layout
from riverstones.server.accounts import Person
from riverstones.server.services import Services
from riverstones.study.in_play import DIFFERENT, is_like
from riverstones.study.refusals import StudyRefusal, StudyRefused

STONES = len(Layout.SIDES.stones)


async def refuse_in_play(services: Services, person: Person | None, board: Board) -> None:
    """Raise `POSITION_IN_PLAY` if the board is that of a running game of this person or of one of their programs."""
    if person is None:
        return
    owner = person.owner or person.id
    people = {owner, *(program.id for program in await services.accounts.programs_of(owner))}
    projections = services.store.projections
    tables = {table for each in people for table in await projections.unfinished_of(each)}
    for listed in await projections.summaries(sorted(tables)):
        table = listed.summary
        playing = table["scores"] is not None and any(
            chair["person"] in people or chair["owner"] in people for chair in table["chairs"]
        )
        # Tables that can be told apart by the number of tiles need not be read.
        if not playing or abs(STONES + table["turn"] - len(board)) > DIFFERENT:
            continue
        game = (await services.tables.get(table["table"])).table.game
        if game is not None and is_like(board, game.board):
            raise StudyRefused(StudyRefusal.POSITION_IN_PLAY)
