"""The validators and the encoding of the socket's messages, and the published schemas.

The messages themselves are defined in `riverstones.table.wire`; docs/protocol.md explains them.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter
from pydantic_core import to_json

from riverstones.engine.bots import DEFAULT_LEVEL, LEVELS
from riverstones.rules import HIGHEST_CLAIM, SEAT_COUNTS, Layout
from riverstones.server.contract import adapter
from riverstones.server.errors import CLOSE_CODES
from riverstones.study.review import LEVEL_ACCURACY
from riverstones.table import COLOURS, Options, wire
from riverstones.table.options import SECONDS
from riverstones.table.players import LONGEST_NAME
from riverstones.table.proposals import LONGEST_WORDS
from riverstones.table.seating import STAND_IN
from riverstones.table.state import CHAT_KEPT

PROTOCOL = 1
"""The version of the socket's protocol."""

LARGEST_FRAME = 8 * 1024
"""The largest message that a client may send, in bytes."""

CLIENT_MESSAGE: TypeAdapter[wire.ClientMessage] = adapter(wire.ClientMessage)
SERVER_MESSAGE: TypeAdapter[wire.ServerMessage] = adapter(wire.ServerMessage)
PROGRAM_MESSAGE: TypeAdapter[wire.ProgramMessage] = adapter(wire.ProgramMessage)


def encode(message: wire.ServerMessage | wire.ProgramMessage | wire.ErrorAnswer) -> str:
    """A message as JSON text."""
    return to_json(message).decode()


class Incoming(BaseModel):
    """Base of request bodies. Unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


def limits() -> dict[str, Any]:
    """The lists and bounds that clients share with the server."""
    return {
        "largest_frame": LARGEST_FRAME,
        "longest_name": LONGEST_NAME,
        "longest_words": LONGEST_WORDS,
        "highest_claim": HIGHEST_CLAIM,
        "chat_kept": CHAT_KEPT,
        "seat_counts": list(SEAT_COUNTS),
        "seconds": {"shortest": SECONDS[0], "longest": SECONDS[-1]},
        "colours": list(COLOURS),
        "layouts": {layout.value: [str(square) for square in layout.stones] for layout in Layout},
        "levels": list(LEVELS),
        "level_accuracy": {level: round(usual.mean) for level, usual in LEVEL_ACCURACY.items()},
        "default_level": DEFAULT_LEVEL,
        "stand_in": STAND_IN,
        "default_options": Options().to_json(),
        "close_codes": {error.value: code for error, code in CLOSE_CODES.items()},
    }


def schemas() -> dict[str, Any]:
    """The JSON schemas of the messages in both directions, and the limits."""
    return {
        "protocol": PROTOCOL,
        "limits": limits(),
        "client": CLIENT_MESSAGE.json_schema(),
        "server": SERVER_MESSAGE.json_schema(mode="serialization"),
        "program": PROGRAM_MESSAGE.json_schema(mode="serialization"),
    }
