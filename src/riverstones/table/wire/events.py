"""The events of a table as clients receive them. Their stored form is in `riverstones.table.events`."""

from typing import Literal, TypedDict

from .shapes import Chair, PlainOptions, ProposalName, ReasonInfo, Result, Turn


class Created(TypedDict):
    """The table was created."""

    type: Literal["created"]
    options: PlainOptions
    host: str
    chairs: list[Chair]


class Seated(TypedDict):
    """A player or a bot took the seat."""

    type: Literal["seated"]
    seat: int
    chair: Chair


class Left(TypedDict):
    """The seat is free; its `owner` may return."""

    type: Literal["left"]
    seat: int
    chair: Chair


class Started(TypedDict):
    """The stones are laid and the hands dealt."""

    type: Literal["started"]
    first: int
    commitment: str | None
    """Null for a game that was played without a server and added to an account later."""


class Revealed(TypedDict):
    """A shared device was handed over, and the clock of the turn starts."""

    type: Literal["revealed"]
    seat: int


class Moved(Turn):
    """A move was made."""

    type: Literal["moved"]


class Objected(TypedDict):
    """A seat objected to the last move, with the verdict."""

    type: Literal["objected"]
    seat: int
    upheld: bool
    refusal: ReasonInfo | None
    """Why the move's flips were not allowed."""
    last: Turn
    """The turn as it stands now, with the Kakuros it really made."""


class Confirmed(TypedDict):
    """A seat accepted the last claim."""

    type: Literal["confirmed"]
    seat: int


class Asked(TypedDict):
    """A seat made a proposal that needs the others' consent."""

    type: Literal["asked"]
    seat: int
    proposal: ProposalName


class Agreed(TypedDict):
    """A seat accepted a proposal."""

    type: Literal["agreed"]
    seat: int
    proposal: ProposalName


class Declined(TypedDict):
    """A seat declined a proposal, which is dropped."""

    type: Literal["declined"]
    seat: int
    proposal: ProposalName


class Paused(TypedDict):
    """The game is paused."""

    type: Literal["paused"]


class Resumed(TypedDict):
    """The game is resumed."""

    type: Literal["resumed"]
    seat: int


class TakenBack(TypedDict):
    """The last turns were taken back, so that this many are left."""

    type: Literal["taken_back"]
    turns: int


class Resigned(TypedDict):
    """A seat resigned."""

    type: Literal["resigned"]
    seat: int


class Extended(TypedDict):
    """The turn, or the time for objections, was extended after a server restart."""

    type: Literal["extended"]
    deadline_ms: int | None
    objections_ms: int | None


class Ended(TypedDict):
    """The game ended, and the result is final."""

    type: Literal["ended"]
    result: Result


class Said(TypedDict):
    """A chat message. It is plain text: escape it."""

    type: Literal["said"]
    person: str
    name: str
    text: str


class Rematched(TypedDict):
    """The rematch is at another table."""

    type: Literal["rematched"]
    table: str


class Closed(TypedDict):
    """The host closed the table before play began."""

    type: Literal["closed"]


TableEvent = (
    Created
    | Seated
    | Left
    | Started
    | Revealed
    | Moved
    | Objected
    | Confirmed
    | Asked
    | Agreed
    | Declined
    | Paused
    | Resumed
    | TakenBack
    | Resigned
    | Extended
    | Ended
    | Said
    | Rematched
    | Closed
)
"""Every event as it is sent. The stored ones, `table.events.Event`, have the same names, as a test checks, but other
fields: they may contain secrets."""
