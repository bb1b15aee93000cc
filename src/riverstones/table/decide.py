"""What a command comes to: the events that it causes, or the reason why it is turned down.

`decide` looks at the table and at nothing else. The time and the chance that it needs are handed in. What each command
does is told in `seating`, `playing` and `wishes`.
"""

from __future__ import annotations

from . import commands as c
from . import playing, seating, wishes
from .decision import HANDLERS, Context, Decision
from .errors import No, NotAllowed
from .people import Actor
from .state import Phase, Table

# The three modules are imported for their handlers, which enter themselves in `HANDLERS`.
__all__ = ["decide", "playing", "seating", "wishes"]


def decide(table: Table, actor: Actor, command: c.Command, context: Context, key: str | None = None) -> Decision:
    """What this command of this actor comes to; raises `NotAllowed`, `Refused` or `Malformed` if it is turned down."""
    decision = Decision(context, table, key)
    if table.phase is Phase.CLOSED:
        raise NotAllowed(No.TABLE_OVER)
    HANDLERS[type(command)](decision, actor, command)
    return decision
