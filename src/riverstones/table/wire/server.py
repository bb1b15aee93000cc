"""The messages that a server sends. Clients ignore fields and types they do not know, so that some may be added."""

from typing import Literal, NotRequired, TypedDict

from .events import TableEvent
from .shapes import ErrorInfo, Hint, Now, Snapshot, TableSummary


class Welcome(TypedDict):
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


class SnapshotMessage(TypedDict):
    """The complete state: it replaces whatever the client knew about the table."""

    type: Literal["snapshot"]
    snapshot: Snapshot


class EventMessage(TypedDict):
    """An event happened at the table."""

    type: Literal["event"]
    seq: int
    """The event's number: one more than the last, the same for every viewer."""
    at_ms: int
    event: TableEvent
    now: Now
    hand: NotRequired[list[int]]
    """The hand of the viewer's seat after the event."""


class Ack(TypedDict):
    """A command was carried out and stored. `seq` is the number of its last event."""

    type: Literal["ack"]
    id: str
    seq: int


class RefusedMessage(TypedDict):
    """A message was refused and nothing has changed. `id` is null if the message had none."""

    type: Literal["refused"]
    id: str | None
    error: ErrorInfo


class HintMessage(TypedDict):
    """The answer to `hint`."""

    type: Literal["hint"]
    id: str
    hint: Hint


class Presence(TypedDict):
    """Which seats are connected. This is not an event: it has no number and is not stored."""

    type: Literal["presence"]
    seats: list[bool]
    """For each seat, whether its holder is connected; bots always are."""
    absent: list[int]
    """The seats whose holders have been away for so long that a bot may take over."""
    spectators: int


class Pong(TypedDict):
    """The answer to `ping`."""

    type: Literal["pong"]
    server_ms: int


class Bye(TypedDict):
    """The last message before the server closes the socket."""

    type: Literal["bye"]
    error: ErrorInfo


ServerMessage = Welcome | SnapshotMessage | EventMessage | Ack | RefusedMessage | HintMessage | Presence | Pong | Bye


class ErrorAnswer(TypedDict):
    """The body of every HTTP response that is not a success."""

    error: ErrorInfo


class TableOpen(TypedDict):
    """A table that the program may join."""

    type: Literal["open"]
    table: str
    summary: TableSummary


class YourTurn(TypedDict):
    """It is the program's turn at a table."""

    type: Literal["turn"]
    table: str
    seat: int
    turn: int


ProgramMessage = TableOpen | YourTurn
"""The messages on a program's own stream."""
