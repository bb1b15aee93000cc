"""The events of a table as they are told. What is stored of an event is `riverstones.table.events`."""

from typing import Literal, TypedDict

from .shapes import Chair, PlainOptions, ProposalName, ReasonInfo, Result, Turn


class Created(TypedDict):
    """The table was made."""

    type: Literal["created"]
    options: PlainOptions
    host: str
    chairs: list[Chair]


class Seated(TypedDict):
    """A person, or a bot, holds the seat now."""

    type: Literal["seated"]
    seat: int
    chair: Chair


class Left(TypedDict):
    """The seat is free; its `owner` may come back."""

    type: Literal["left"]
    seat: int
    chair: Chair


class Started(TypedDict):
    """The stones are laid and the hands drawn."""

    type: Literal["started"]
    first: int
    commitment: str


class Revealed(TypedDict):
    """A shared device was handed over, and the clock of the turn starts."""

    type: Literal["revealed"]
    seat: int


class Moved(Turn):
    """A move was made."""

    type: Literal["moved"]


class Objected(TypedDict):
    """Somebody objected to the last move, with the verdict."""

    type: Literal["objected"]
    seat: int
    upheld: bool
    refusal: ReasonInfo | None
    """Why the move's flips were not allowed."""
    last: Turn
    """The turn as it stands now, with what it really made."""


class Confirmed(TypedDict):
    """A seat lets the last claim stand."""

    type: Literal["confirmed"]
    seat: int


class Asked(TypedDict):
    """Somebody proposed something that needs the others' consent."""

    type: Literal["asked"]
    seat: int
    proposal: ProposalName


class Agreed(TypedDict):
    """Somebody consented."""

    type: Literal["agreed"]
    seat: int
    proposal: ProposalName


class Declined(TypedDict):
    """Somebody did not consent, so the proposal is off."""

    type: Literal["declined"]
    seat: int
    proposal: ProposalName


class Paused(TypedDict):
    """The game is paused."""

    type: Literal["paused"]


class Resumed(TypedDict):
    """The game goes on."""

    type: Literal["resumed"]
    seat: int


class TakenBack(TypedDict):
    """The last turns were taken back, so that this many are left."""

    type: Literal["taken_back"]
    turns: int


class Resigned(TypedDict):
    """A seat gave up."""

    type: Literal["resigned"]
    seat: int


class Extended(TypedDict):
    """The server was away and gives the turn, or the time for objections, longer."""

    type: Literal["extended"]
    deadline_ms: int | None
    objections_ms: int | None


class Ended(TypedDict):
    """The result stands."""

    type: Literal["ended"]
    result: Result


class Said(TypedDict):
    """Somebody at the table said something. The text is plain: escape it."""

    type: Literal["said"]
    person: str
    name: str
    text: str


class Rematched(TypedDict):
    """The rematch is at another table."""

    type: Literal["rematched"]
    table: str


class Closed(TypedDict):
    """The host closed the table before it began."""

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
