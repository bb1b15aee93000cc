"""One table being played: who sits there, whose turn it is, claims, clocks, chat and the result.

Commands go in, events come out, and the state of a table is the fold of its events. There is no input or output here,
no wall clock and no chance: time and entropy are handed in. Read `options`, `players`, `commands` and `events` (the
words), then `state` (the fold), `decide` with `seating`, `playing` and `proposals` (the rules of the table), `driver`
(what the table needs next from its host), `views` and `telling` (who is told what), and `wire` (every message).
"""

from .commands import Command, PersonCommand, Proposal
from .decide import decide
from .decision import Context, Decision
from .driver import BotMove, BotVerdict, ExpireClock, MakeRematch, Need, bot_seed, needs
from .errors import NotAllowed, TableRefusal
from .events import Entry, Event
from .options import Clock, Options
from .players import COLOURS, SYSTEM, Actor, Chair, clean_name
from .seating import bot_chair, create, free_colour
from .state import Phase, Table, apply, fold
from .telling import Telling, tell
from .views import Viewer, is_open, seat_view, snapshot, summary, viewer_after

__all__ = [
    "COLOURS",
    "SYSTEM",
    "Actor",
    "BotMove",
    "BotVerdict",
    "Chair",
    "Clock",
    "Command",
    "Context",
    "Decision",
    "Entry",
    "Event",
    "ExpireClock",
    "MakeRematch",
    "Need",
    "NotAllowed",
    "Options",
    "PersonCommand",
    "Phase",
    "Proposal",
    "Table",
    "TableRefusal",
    "Telling",
    "Viewer",
    "apply",
    "bot_chair",
    "bot_seed",
    "clean_name",
    "create",
    "decide",
    "fold",
    "free_colour",
    "is_open",
    "needs",
    "seat_view",
    "snapshot",
    "summary",
    "tell",
    "viewer_after",
]
