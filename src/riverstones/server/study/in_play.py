"""Recognise a position of a game that somebody is playing: the study board must not help there.

It does not stop a determined cheat, who can sign out first or use another program. It makes clear what is fair.
"""

from __future__ import annotations

from riverstones.rules import Board, Layout
from riverstones.rules.tiles import DIGIT_OF, EMPTY
from riverstones.server.accounts import Person
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.services import Services
from riverstones.study.puzzles.packing import reflected

STONES = len(Layout.SIDES.stones)
DIFFERENT = 1
"""The number of squares in which a board may differ from that of a game and still counts as the same: one more tile is
a move that is being considered, one tile less the position before the last move."""


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
            raise ServerError(ServerErrorCode.POSITION_IN_PLAY)


def is_like(board: Board, other: Board) -> bool:
    """Whether two boards have the same digits on the same squares, but for `DIFFERENT`, whichever sides are up.

    A board that is reflected in the diagonal is the same: rows and columns have the same rules.
    """
    digits = _digits(board)
    return any(
        sum(one != two for one, two in zip(digits, _digits(each), strict=True)) <= DIFFERENT
        for each in (other, reflected(other))
    )


def _digits(board: Board) -> list[int]:
    """The digit on each square; 0 on an empty one."""
    return [0 if char == EMPTY else DIGIT_OF[char] for char in board.cells]
