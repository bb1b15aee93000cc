"""Every message between a table and its clients, defined once.

Messages are plain JSON, so each one is a `TypedDict`: a dictionary to the code that builds or sends it, a class to the
type checker. The server's validators, the published JSON Schemas, the OpenAPI document and the web app's TypeScript
types are all generated from these classes.

`shapes` holds the parts of messages, `events` the events of a table as clients receive them, `server` and `client` the
messages by their direction. Commands are dataclasses, in `riverstones.table.commands`.
"""

from .client import AskHint, ClientMessage, Do, Hello, Look, Ping
from .events import TableEvent
from .markers import Bounds, Plain
from .server import (
    Ack,
    Bye,
    ErrorAnswer,
    EventMessage,
    HintMessage,
    Pong,
    Presence,
    ProgramMessage,
    RefusedMessage,
    ServerMessage,
    SnapshotMessage,
    TableOpen,
    Welcome,
    YourTurn,
)
from .shapes import (
    Chair,
    Colour,
    ErrorInfo,
    Explanation,
    Hint,
    NearMiss,
    Now,
    Objection,
    PendingProposal,
    PlainOptions,
    Problem,
    ReasonInfo,
    Result,
    SeriesInfo,
    Snapshot,
    TableSummary,
    Turn,
    Words,
    You,
)

__all__ = [
    "Ack",
    "AskHint",
    "Bounds",
    "Bye",
    "Chair",
    "ClientMessage",
    "Colour",
    "Do",
    "ErrorAnswer",
    "ErrorInfo",
    "EventMessage",
    "Explanation",
    "Hello",
    "Hint",
    "HintMessage",
    "Look",
    "NearMiss",
    "Now",
    "Objection",
    "PendingProposal",
    "Ping",
    "Plain",
    "PlainOptions",
    "Pong",
    "Presence",
    "Problem",
    "ProgramMessage",
    "ReasonInfo",
    "RefusedMessage",
    "Result",
    "SeriesInfo",
    "ServerMessage",
    "Snapshot",
    "SnapshotMessage",
    "TableEvent",
    "TableOpen",
    "TableSummary",
    "Turn",
    "Welcome",
    "Words",
    "You",
    "YourTurn",
]
