"""What people, and the house, can ask of a table.

A command is plain data: it says what, the `Actor` says who. Moves are written in the notation. Nothing is tentative: a
move is one command, and a turn number says which turn it is meant for, so that one that comes late does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal


def _needs_type(schema: dict[str, Any]) -> None:
    """Say in a command's schema that its type is written out, though Python fills it in."""
    del schema["properties"]["type"]["default"]
    schema["required"] = [*schema.get("required", ()), "type"]


_STRICT = {"extra": "forbid", "use_attribute_docstrings": True, "json_schema_extra": _needs_type}
"""Read by the server, which takes these very classes from the wire: a field that is not known is an error."""


class Proposal(Enum):
    """Something that needs the consent of the others."""

    PAUSE = "pause"
    TAKE_BACK = "take_back"
    REMATCH = "rematch"
    NEWCOMER = "newcomer"
    """That somebody who has not played here may take over an abandoned seat, with the hand that it holds."""


@dataclass(frozen=True)
class Sit:
    """Take a free seat, or come back to one's own; the host of a table may hold several.

    Once play has begun, a newcomer takes over an abandoned seat only if everybody who still plays agrees.
    """

    __pydantic_config__ = _STRICT
    seat: int | None = None
    """The seat, or none for the first that is free."""
    name: str | None = None
    """The name to play under, for several people at one device; the session's name if none."""
    type: Literal["sit"] = "sit"


@dataclass(frozen=True)
class Stand:
    """Leave a seat."""

    __pydantic_config__ = _STRICT
    seat: int
    type: Literal["stand"] = "stand"


@dataclass(frozen=True)
class SeatBot:
    """Let a bot of the house take a seat: the host before play, any player later if the seat is abandoned."""

    __pydantic_config__ = _STRICT
    seat: int
    level: str
    type: Literal["seat_bot"] = "seat_bot"


@dataclass(frozen=True)
class ClearSeat:
    """Free a seat before play; for the host."""

    __pydantic_config__ = _STRICT
    seat: int
    type: Literal["clear_seat"] = "clear_seat"


@dataclass(frozen=True)
class Play:
    """Make a move, with the points claimed where points are claimed."""

    __pydantic_config__ = _STRICT
    seat: int
    turn: int
    """The number of the turn, from 0."""
    move: str
    """The move as it is written: `h3+7~e3`."""
    claim: int | None = None
    type: Literal["play"] = "play"


@dataclass(frozen=True)
class Reveal:
    """Start the clock of a turn that waits for the device to be handed over: the hand is shown now."""

    __pydantic_config__ = _STRICT
    seat: int
    turn: int
    """The number of the turn whose hand is shown."""
    type: Literal["reveal"] = "reveal"


@dataclass(frozen=True)
class Object:
    """Object to the last move's claim."""

    __pydantic_config__ = _STRICT
    seat: int
    turn: int
    """The number of the turn that is objected to."""
    type: Literal["object"] = "object"


@dataclass(frozen=True)
class Confirm:
    """Let the last move's claim stand."""

    __pydantic_config__ = _STRICT
    seat: int
    turn: int
    """The number of the turn that is let stand."""
    type: Literal["confirm"] = "confirm"


@dataclass(frozen=True)
class Ask:
    """Ask the others for something that needs everybody's consent."""

    __pydantic_config__ = _STRICT
    seat: int
    proposal: Proposal
    type: Literal["ask"] = "ask"


@dataclass(frozen=True)
class Answer:
    """Consent, or not, to what somebody has asked."""

    __pydantic_config__ = _STRICT
    seat: int
    proposal: Proposal
    yes: bool
    type: Literal["answer"] = "answer"


@dataclass(frozen=True)
class Resume:
    """End a pause."""

    __pydantic_config__ = _STRICT
    seat: int
    type: Literal["resume"] = "resume"


@dataclass(frozen=True)
class Resign:
    """Give up."""

    __pydantic_config__ = _STRICT
    seat: int
    type: Literal["resign"] = "resign"


@dataclass(frozen=True)
class Say:
    """Say something to the table."""

    __pydantic_config__ = _STRICT
    text: str
    type: Literal["say"] = "say"


@dataclass(frozen=True)
class Close:
    """Close a table that has not begun; for the host."""

    __pydantic_config__ = _STRICT
    type: Literal["close"] = "close"


@dataclass(frozen=True)
class Tick:
    """The house looks at the clock: whatever is due happens."""


@dataclass(frozen=True)
class Wake:
    """The house is back after a restart: nobody loses time to it."""


@dataclass(frozen=True)
class Rematch:
    """The house has made the table for the rematch."""

    table: str


PersonCommand = (
    Sit | Stand | SeatBot | ClearSeat | Play | Reveal | Object | Confirm | Ask | Answer | Resume | Resign | Say | Close
)
Command = PersonCommand | Tick | Wake | Rematch
