"""The messages that a client sends."""

from typing import Annotated, Literal, NotRequired, TypedDict

from riverstones.rules import SEAT_COUNTS
from riverstones.table.commands import PersonCommand

from .markers import Bounds

COMMAND_ID = r"[A-Za-z0-9_:.\-]{1,64}"
LAST_STEP = 3
"""A hint has three steps: the square, the tile, the whole move."""

ID_BOUNDS = Bounds(pattern=f"^{COMMAND_ID}$")
SEAT_BOUNDS = Bounds(at_least=0, at_most=max(SEAT_COUNTS) - 1)
MOVE_BOUNDS = Bounds(longest=64)

CommandId = Annotated[str, ID_BOUNDS]
"""A command's id, chosen by the client and unique among its commands, so that a repeated command is recognised."""

SeatNumber = Annotated[int, SEAT_BOUNDS]


class Hello(TypedDict):
    """The first message on a socket."""

    type: Literal["hello"]
    protocol: int
    since: NotRequired[Annotated[int, Bounds(at_least=0)] | None]
    """The number of the last event that the client knows; without it the server sends a snapshot."""
    seat: NotRequired[SeatNumber | None]
    """The seat to look from; by default the person's only seat, or none if they hold several."""


class Do(TypedDict):
    """A command for the table."""

    type: Literal["do"]
    id: CommandId
    command: PersonCommand


class Look(TypedDict):
    """Look from another of one's seats, or from none."""

    type: Literal["look"]
    seat: SeatNumber | None


class AskHint(TypedDict):
    """Ask for a hint in three steps: where, which tile, the whole move."""

    type: Literal["hint"]
    id: CommandId
    seat: SeatNumber
    step: Annotated[int, Bounds(at_least=1, at_most=LAST_STEP)]


class Ping(TypedDict):
    """Check the connection and ask for the server's time."""

    type: Literal["ping"]


ClientMessage = Hello | Do | Look | AskHint | Ping
