"""The messages, as they travel. docs/protocol.md explains them; their JSON schemas are generated from here.

What goes out is made by `riverstones.table.views`; the classes for it say what it looks like, and the tests hold every
message that a server sends to them.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from riverstones.table import Options, PersonCommand

PROTOCOL = 1
"""The version of the socket's protocol."""

LARGEST_FRAME = 8 * 1024
"""The largest message that a client may send, in bytes."""

COMMAND_ID = re.compile(r"[A-Za-z0-9_:.\-]{1,64}")
CommandId = Annotated[str, Field(pattern=f"^{COMMAND_ID.pattern}$")]
"""A command's id, chosen by the client and unique among its commands, so that a repeated command is known again."""

Seat = Annotated[int, Field(ge=0, le=3)]
MoveText = Annotated[str, Field(max_length=64)]


class Incoming(BaseModel):
    """A message from a client: unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class Hello(Incoming):
    """The first message on a socket."""

    type: Literal["hello"]
    protocol: int
    since: Annotated[int, Field(ge=0)] | None = None
    """The number of the last event that the client knows; without it the server sends a snapshot."""
    seat: Seat | None = None
    """The seat to look from; without it one's only seat, or none if one holds several."""


class Do(Incoming):
    """A command for the table."""

    type: Literal["do"]
    id: CommandId
    command: Annotated[PersonCommand, Field(discriminator="type")]


class Look(Incoming):
    """Look from another of one's seats, or from none."""

    type: Literal["look"]
    seat: Seat | None


class AskPreview(Incoming):
    """What would this move score, and if it is not allowed, why?"""

    type: Literal["preview"]
    id: CommandId
    seat: Seat
    move: MoveText


class AskHint(Incoming):
    """A hint in three steps: where, which tile, the whole move."""

    type: Literal["hint"]
    id: CommandId
    seat: Seat
    step: Annotated[int, Field(ge=1, le=3)]


class Ping(Incoming):
    """Is anybody there, and what is the time?"""

    type: Literal["ping"]


ClientMessage = Annotated[Hello | Do | Look | AskPreview | AskHint | Ping, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[Hello | Do | Look | AskPreview | AskHint | Ping] = TypeAdapter(ClientMessage)


class Outgoing(BaseModel):
    """A message from the server. A client ignores what it does not know: a version may gain fields."""

    model_config = ConfigDict(extra="forbid")


class ProblemInfo(Outgoing):
    """One thing that is wrong with a text, and the line where it begins."""

    line: int
    text: str


class ErrorInfo(Outgoing):
    """Why something was turned down: a code with parameters, and a sentence in the reader's language.

    What is wrong with a text that cannot be read is told line by line too.
    """

    code: str
    params: dict[str, int | str]
    text: str
    problems: list[ProblemInfo] = []


class ErrorAnswer(Outgoing):
    """The body of every HTTP answer that is not a success."""

    error: ErrorInfo


class ReasonInfo(Outgoing):
    """A reason of the rules: a code with parameters."""

    code: str
    params: dict[str, int | str]


class SeriesInfo(Outgoing):
    """A total with its addends: a Kakuro, or what is not one."""

    squares: list[str]
    """The total's square first."""
    total: int
    addends: list[int]
    sum: int
    points: int


class NearMissInfo(Outgoing):
    """A series that looks as if it scored, and why it does not."""

    series: SeriesInfo
    reason: ReasonInfo


class Preview(Outgoing):
    """A tentative move judged."""

    move: str
    legal: bool
    refusal: ReasonInfo | None
    points: int
    kakuros: list[SeriesInfo]
    near_misses: list[NearMissInfo]


class Hint(Outgoing):
    """A hint: the square in step 1, the tile with its side in step 2, the whole move with its points in step 3."""

    turn: int
    step: int
    square: str
    tile: str | None
    move: str | None
    points: int | None


class ChairInfo(Outgoing):
    """Who holds a seat: a person, a bot of the house, or nobody."""

    person: str | None
    bot: str | None
    name: str
    colour: str
    program: bool
    owner: str | None
    """Who held the seat before and may come back to it."""
    resigned: bool


class ObjectionInfo(Outgoing):
    """An objection and its verdict."""

    seat: int
    upheld: bool


class TurnInfo(Outgoing):
    """A turn as everybody saw it."""

    turn: int
    seat: int
    move: str
    points: int
    claim: int | None
    timed_out: bool
    kakuros: list[SeriesInfo] | None
    """None for a claim that nobody has objected to."""
    objections: list[ObjectionInfo]


class Now(Outgoing):
    """What changes from turn to turn, as everybody may know it."""

    phase: Literal["waiting", "playing", "settling", "over", "closed"]
    paused: bool
    turn: int
    to_move: int | None
    deadline_ms: int | None
    left_ms: int | None
    awaiting_reveal: bool
    """Whether the clock waits until the seat to move, which shares its device with others, is shown its hand."""
    objections_ms: int | None
    """Until when a bot waits with its move for objections to the last claim; null when nobody is waited for."""
    position: str | None
    """The position as a spectator sees it, one line; null before the game."""


class AskingInfo(Outgoing):
    """A wish that waits for consent."""

    wish: Literal["pause", "take_back", "rematch", "newcomer"]
    seat: int
    agreed: list[int]


class WordsInfo(Outgoing):
    """Something that was said."""

    at_ms: int
    person: str
    name: str
    text: str


class ResultInfo(Outgoing):
    """How the game ended, and the seed that it was dealt from."""

    scores: list[int]
    winners: list[int]
    resigned: list[int]
    seed: str
    ended_ms: int


class You(Outgoing):
    """What is the viewer's own."""

    person: str | None
    seats: list[int]
    seat: int | None
    """The seat that is looked from."""
    hand: list[int] | None
    """Its tiles; null if none is looked from, or before the game."""


class Snapshot(Outgoing):
    """Everything that one viewer may know of a table."""

    table: str
    seq: int
    created_ms: int
    options: Options
    host: str
    chairs: list[ChairInfo]
    stones: list[str]
    now: Now
    first: int | None
    turns: list[TurnInfo]
    confirmed: list[int]
    asking: list[AskingInfo]
    chat: list[WordsInfo]
    commitment: str | None
    result: ResultInfo | None
    previous: str | None
    next: str | None
    you: You


class EventMessage(Outgoing):
    """Something happened. `event.type` says what; docs/protocol.md lists the fields of each type."""

    type: Literal["event"]
    seq: int
    at_ms: int
    event: dict[str, Any]
    now: Now
    hand: list[int] | None = None
    """The hand of the seat that is looked from, after the event."""


class Welcome(Outgoing):
    """The answer to `hello`. The missed events follow, or a snapshot."""

    type: Literal["welcome"]
    protocol: int
    server_ms: int
    table: str
    person: str | None
    seq: int
    """The number of the table's last event."""
    resumed: bool
    """Whether missed events follow (true) or a snapshot (false)."""


class SnapshotMessage(Outgoing):
    """Everything, in one piece: the client forgets what it knew of the table."""

    type: Literal["snapshot"]
    snapshot: Snapshot


class Ack(Outgoing):
    """A command was carried out and is stored. `seq` is the number of its last event."""

    type: Literal["ack"]
    id: str
    seq: int


class RefusedMessage(Outgoing):
    """A message was turned down and nothing has changed."""

    type: Literal["refused"]
    id: str | None
    error: ErrorInfo


class PreviewMessage(Outgoing):
    """The answer to `preview`."""

    type: Literal["preview"]
    id: str
    preview: Preview


class HintMessage(Outgoing):
    """The answer to `hint`."""

    type: Literal["hint"]
    id: str
    hint: Hint


class Presence(Outgoing):
    """Who is connected. Not an event: it has no number and is not kept."""

    type: Literal["presence"]
    seats: list[bool]
    """For each seat whether its holder is connected; bots always are."""
    absent: list[int]
    """The seats that have been away for so long that a bot may take over."""
    spectators: int


class Pong(Outgoing):
    """The answer to `ping`."""

    type: Literal["pong"]
    server_ms: int


class Bye(Outgoing):
    """The last message before the server closes the socket."""

    type: Literal["bye"]
    error: ErrorInfo


ServerMessage = Annotated[
    Welcome
    | SnapshotMessage
    | EventMessage
    | Ack
    | RefusedMessage
    | PreviewMessage
    | HintMessage
    | Presence
    | Pong
    | Bye,
    Field(discriminator="type"),
]
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)


def schemas() -> dict[str, Any]:
    """The JSON schemas of what a client sends and of what it receives."""
    return {
        "protocol": PROTOCOL,
        "client": CLIENT_MESSAGE.json_schema(),
        "server": SERVER_MESSAGE.json_schema(mode="serialization"),
    }


if __name__ == "__main__":
    print(json.dumps(schemas(), indent=2))
