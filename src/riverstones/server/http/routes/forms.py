"""The forms of what goes in and out over HTTP, besides the messages of the socket.

What comes in is a Pydantic model; what goes out is plain JSON with a `TypedDict` for its shape, as on the socket.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from pydantic import Field

from riverstones.server.contract import field
from riverstones.server.protocol import Incoming
from riverstones.table import Options, PersonCommand, wire
from riverstones.table.wire.client import ID_BOUNDS


class SeatForm(Incoming):
    """Who sits on a seat from the start."""

    who: Literal["me", "bot", "open"]
    name: Annotated[str, Field(max_length=200)] | None = None
    """Another name than your own, for several people at one device."""
    level: Annotated[str, Field(max_length=20)] | None = None
    """The level of a bot."""


class NewTable(Incoming):
    """A table to be made."""

    options: Options = Options()
    seats: Annotated[list[SeatForm], Field(min_length=2, max_length=4)]


class MadeTable(TypedDict):
    """A table that was made, and the path of its page."""

    table: str
    path: str


class DoForm(Incoming):
    """A command, with the client's own id for it."""

    id: Annotated[str, field(ID_BOUNDS)]
    command: Annotated[PersonCommand, Field(discriminator="type")]


class Done(TypedDict):
    """A command was carried out and is stored; the number of its last event."""

    seq: int


class OpenTables(TypedDict):
    """Listed tables that wait for people."""

    tables: list[wire.TableSummary]


class Games(TypedDict):
    """The tables at which somebody sits or sat."""

    games: list[wire.TableSummary]


class Levels(TypedDict):
    """The levels of the house's bots, weakest first."""

    levels: list[str]


class Addresses(TypedDict):
    """Where other devices find the server; none if it is for one computer alone."""

    addresses: list[str]
