"""One table: its seats, turns, claims, clocks, chat and result.

Commands go in, events come out, and the state of a table is the fold of its events. This package does no I/O, reads no
clock and draws no random numbers: time and entropy are arguments. Read `options`, `players`, `commands` and `events`
(the vocabulary), then `state` (the fold), `decide` with `seating`, `playing` and `proposals` (the rules of the table),
`driver` (what the table needs next from its host), `views` and `telling` (what each viewer may know), and `wire` (every
message).
"""

from .commands import Command, PersonCommand, Proposal
from .decide import decide
from .decision import Context, Decision
from .driver import BotMove, BotVerdict, ExpireClock, MakeRematch, Need, bot_seed, needs
from .errors import NotAllowed, TableRefusal
from .events import Entry, Event
from .options import Clock, Options
from .players import COLOURS, SYSTEM, Actor, Chair, clean_name
from .seating import SeatRequest, bot_chair, chairs_of, create, free_colour
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
    "SeatRequest",
    "Table",
    "TableRefusal",
    "Telling",
    "Viewer",
    "apply",
    "bot_chair",
    "bot_seed",
    "chairs_of",
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
