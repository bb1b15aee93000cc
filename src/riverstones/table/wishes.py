"""What takes everybody's consent: when it may be asked for, and whose consent it takes."""

from __future__ import annotations

from riverstones.rules import HAND_SIZE, TILE_COUNT

from .commands import Wish
from .errors import No, NotAllowed
from .state import Phase, Table


def needed(table: Table, wish: Wish, absent: frozenset[str]) -> frozenset[int]:
    """The seats whose consent a wish takes: those of all people, but nobody can pause for somebody who is away."""
    away = absent if wish is Wish.PAUSE else frozenset()
    return frozenset(
        seat for seat, chair in enumerate(table.chairs) if chair.person is not None and chair.person not in away
    )


def refuse_wish(table: Table, wish: Wish, seat: int) -> None:
    """Refuse a wish that cannot be granted whatever the others say."""
    if wish is Wish.REMATCH:
        if table.phase is not Phase.OVER:
            raise NotAllowed(No.NOT_OVER)
        if table.next is not None or any(chair.free for chair in table.chairs):
            raise NotAllowed(No.TABLE_OVER)
        return
    if table.phase is Phase.WAITING:
        raise NotAllowed(No.NOT_STARTED)
    if table.phase is Phase.OVER:
        raise NotAllowed(No.TABLE_OVER)
    if table.paused:
        raise NotAllowed(No.PAUSED)
    if wish is Wish.TAKE_BACK:
        _refuse_take_back(table, seat)
    elif table.phase is Phase.SETTLING:
        raise NotAllowed(No.TABLE_OVER)


def _refuse_take_back(table: Table, seat: int) -> None:
    """A move may be taken back unless somebody saw a tile drawn after it. One person among bots is free to."""
    assert table.game is not None
    own = [number for number, turn in enumerate(table.game.turns) if turn.seat == seat]
    if not own:
        raise NotAllowed(No.NO_MOVE_TO_TAKE_BACK)
    if table.options.rated:
        raise NotAllowed(No.RATED_IS_FOR_PEOPLE)
    if sum(chair.person is not None for chair in table.chairs) == 1:
        return
    setup = table.game.setup
    dealt = len(setup.layout.stones) + HAND_SIZE * setup.seats
    if dealt + own[-1] < TILE_COUNT:
        raise NotAllowed(No.DRAW_WAS_SEEN)
