"""The commands that players, and the server itself, can give to a table.

A command is plain data: it says what to do, and the `Actor` says who does it. Moves are in the text notation. A move is
a single command with the number of its turn, so that a late or repeated one does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from .exact import Integer, Truth


def _needs_type(schema: dict[str, Any]) -> None:
    """Mark `type` as required in a command's schema, though Python fills it in."""
    del schema["properties"]["type"]["default"]
    schema["required"] = [*schema.get("required", ()), "type"]


_STRICT = {"extra": "forbid", "use_attribute_docstrings": True, "json_schema_extra": _needs_type}
"""Pydantic settings for the server, which validates messages with these classes: unknown fields are errors."""


class Proposal(Enum):
    """A proposal that needs the consent of the other players."""

    PAUSE = "pause"
    TAKE_BACK = "take_back"
    REMATCH = "rematch"
    NEWCOMER = "newcomer"
    """Let somebody who has not played in this game take over an abandoned seat with its hand."""


@dataclass(frozen=True)
class Sit:
    """Take a free seat, or return to one's own; the host of a table may hold several.

    Once play has begun, a newcomer takes over an abandoned seat only if all remaining players agree.
    """

    __pydantic_config__ = _STRICT
    seat: Integer | None = None
    """The seat; null for the first free one."""
    name: str | None = None
    """The name to play under, for several players on one device; null for the session's name."""
    type: Literal["sit"] = "sit"


@dataclass(frozen=True)
class Stand:
    """Leave a seat."""

    __pydantic_config__ = _STRICT
    seat: Integer
    type: Literal["stand"] = "stand"


@dataclass(frozen=True)
class SeatBot:
    """Seat a bot: allowed to the host before play, and to any player later if the seat is abandoned."""

    __pydantic_config__ = _STRICT
    seat: Integer
    level: str
    type: Literal["seat_bot"] = "seat_bot"


@dataclass(frozen=True)
class ClearSeat:
    """Free a seat before play; for the host only."""

    __pydantic_config__ = _STRICT
    seat: Integer
    type: Literal["clear_seat"] = "clear_seat"


@dataclass(frozen=True)
class Play:
    """Make a move, with the claimed points if players claim them."""

    __pydantic_config__ = _STRICT
    seat: Integer
    turn: Integer
    """The number of the turn, from 0."""
    move: str
    """The move in text notation: `h3+7~e3`."""
    claim: Integer | None = None
    type: Literal["play"] = "play"


@dataclass(frozen=True)
class Reveal:
    """Show the hand of a turn on a shared device that has been handed over; this starts the turn's clock."""

    __pydantic_config__ = _STRICT
    seat: Integer
    turn: Integer
    """The number of the turn whose hand is shown."""
    type: Literal["reveal"] = "reveal"


@dataclass(frozen=True)
class Object:
    """Object to the last move's claim."""

    __pydantic_config__ = _STRICT
    seat: Integer
    turn: Integer
    """The number of the turn objected to."""
    type: Literal["object"] = "object"


@dataclass(frozen=True)
class Confirm:
    """Accept the last move's claim."""

    __pydantic_config__ = _STRICT
    seat: Integer
    turn: Integer
    """The number of the turn whose claim is accepted."""
    type: Literal["confirm"] = "confirm"


@dataclass(frozen=True)
class Ask:
    """Propose something that needs everybody's consent."""

    __pydantic_config__ = _STRICT
    seat: Integer
    proposal: Proposal
    type: Literal["ask"] = "ask"


@dataclass(frozen=True)
class Answer:
    """Accept or decline a pending proposal."""

    __pydantic_config__ = _STRICT
    seat: Integer
    proposal: Proposal
    yes: Truth
    type: Literal["answer"] = "answer"


@dataclass(frozen=True)
class Resume:
    """End a pause."""

    __pydantic_config__ = _STRICT
    seat: Integer
    type: Literal["resume"] = "resume"


@dataclass(frozen=True)
class Resign:
    """Resign."""

    __pydantic_config__ = _STRICT
    seat: Integer
    type: Literal["resign"] = "resign"


@dataclass(frozen=True)
class Say:
    """Send a chat message."""

    __pydantic_config__ = _STRICT
    text: str
    type: Literal["say"] = "say"


@dataclass(frozen=True)
class Close:
    """Close a table before play has begun; for the host only."""

    __pydantic_config__ = _STRICT
    type: Literal["close"] = "close"


@dataclass(frozen=True)
class Tick:
    """Sent by the server when a clock may have expired: whatever is due happens."""


@dataclass(frozen=True)
class Wake:
    """Sent by the server after an outage, so that no player loses time to it.

    It does nothing if the turn, or the rest of it, began after the outage: another node may have sent it before.
    """

    from_ms: int | None = None
    """When the outage began, if it is known. The time since then is given back."""
    to_ms: int | None = None
    """When it ended."""


@dataclass(frozen=True)
class Rematch:
    """Sent by the server when it has created the table of the rematch."""

    table: str


PersonCommand = (
    Sit | Stand | SeatBot | ClearSeat | Play | Reveal | Object | Confirm | Ask | Answer | Resume | Resign | Say | Close
)
Command = PersonCommand | Tick | Wake | Rematch
