"""Decide a command: return the events it causes, or raise the reason why it is refused.

`decide` depends only on its arguments: the time and the entropy it needs are in the context. The commands are
implemented in `seating`, `playing` and `proposals`. A new command without a case here fails type checking.
"""

from __future__ import annotations

from typing import assert_never

from . import commands as c
from . import playing, proposals, seating
from .decision import Context, Decision
from .errors import NotAllowed, TableRefusal
from .players import Actor
from .state import Phase, Table


def decide(table: Table, actor: Actor, command: c.Command, context: Context, key: str | None = None) -> Decision:
    """The events that this command causes; raises `NotAllowed`, `Refused` or `Malformed` if it is refused."""
    decision = Decision(context, table, key)
    if table.phase is Phase.CLOSED:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    match command:
        case c.Play():
            playing.play(decision, actor, command)
        case c.Reveal():
            playing.reveal(decision, actor, command)
        case c.Object():
            playing.object_to_claim(decision, actor, command)
        case c.Confirm():
            playing.confirm_claim(decision, actor, command)
        case c.Tick():
            playing.tick(decision)
        case c.Wake():
            playing.wake(decision, command)
        case c.Sit():
            seating.sit(decision, actor, command)
        case c.Stand():
            seating.stand(decision, actor, command)
        case c.SeatBot():
            seating.seat_bot(decision, actor, command)
        case c.ClearSeat():
            seating.clear_seat(decision, actor, command)
        case c.Resign():
            seating.resign(decision, actor, command)
        case c.Close():
            seating.close(decision, actor, command)
        case c.Ask():
            proposals.ask(decision, actor, command)
        case c.Answer():
            proposals.answer(decision, actor, command)
        case c.Resume():
            proposals.resume(decision, actor, command)
        case c.Rematch():
            proposals.rematch(decision, command)
        case c.Say():
            proposals.say(decision, actor, command)
        case _:
            assert_never(command)
    return decision
