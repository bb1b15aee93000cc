"""The bodies of HTTP requests and answers about tables.

Request bodies are Pydantic models; answers are plain JSON described by a `TypedDict`, as on the socket.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from pydantic import Field

from riverstones.server.contract import field
from riverstones.server.protocol import Incoming
from riverstones.table import Options, PersonCommand, wire
from riverstones.table.wire.client import ID_BOUNDS


class SeatForm(Incoming):
    """The first player of a seat: you, a bot, or nobody yet."""

    who: Literal["me", "bot", "open"]
    name: Annotated[str, Field(max_length=200)] | None = None
    """A name other than yours, for several people at one device."""
    level: Annotated[str, Field(max_length=20)] | None = None
    """The level of a bot."""


class NewTable(Incoming):
    """A table to create."""

    options: Options = Options()
    seats: Annotated[list[SeatForm], Field(min_length=2, max_length=4)]


class MadeTable(TypedDict):
    """A new table and the path of its page."""

    table: str
    path: str


class DoForm(Incoming):
    """A command, with the client's own id for it."""

    id: Annotated[str, field(ID_BOUNDS)]
    command: Annotated[PersonCommand, Field(discriminator="type")]


class Done(TypedDict):
    """A command was carried out and stored. `seq` is the number of its last event."""

    seq: int


class OpenTables(TypedDict):
    """Public tables."""

    tables: list[wire.TableSummary]
    """Tables that wait for players."""
    games: list[wire.TableSummary]
    """Games that go on and may be watched."""


class Games(TypedDict):
    """The tables at which a person sits or sat."""

    games: list[wire.TableSummary]


class Levels(TypedDict):
    """The levels of the server's bots, weakest first."""

    levels: list[str]


class Addresses(TypedDict):
    """URLs of the server for other devices; empty if it serves one computer only."""

    addresses: list[str]
