"""The forms of what goes in and out over HTTP, besides the messages of the socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from riverstones.server.protocol import ChairInfo, CommandId, Incoming, MoveText, Seat, SeriesInfo
from riverstones.table import Options, PersonCommand


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


class MadeTable(BaseModel):
    """A table that was made, and the path of its page."""

    table: str
    path: str


class DoForm(Incoming):
    """A command, with the client's own id for it."""

    id: CommandId
    command: Annotated[PersonCommand, Field(discriminator="type")]


class Done(BaseModel):
    """A command was carried out and is stored; the number of its last event."""

    seq: int


class PreviewForm(Incoming):
    """A tentative move of one of your seats."""

    seat: Seat
    move: MoveText


class Summary(BaseModel):
    """A line in a list of tables."""

    table: str
    options: Options
    chairs: list[ChairInfo]
    phase: str
    turn: int
    to_move: int | None
    scores: list[int] | None
    created_ms: int
    ended_ms: int | None


class OpenTables(BaseModel):
    """Listed tables that wait for people."""

    tables: list[Summary]


class Games(BaseModel):
    """The tables at which somebody sits or sat."""

    games: list[Summary]


class Levels(BaseModel):
    """The levels of the house's bots, weakest first."""

    levels: list[str]


class Addresses(BaseModel):
    """Where other devices find the server; none if it is for one computer alone."""

    addresses: list[str]


class BestPlay(BaseModel):
    """A play with the most points that a hand had."""

    move: str
    points: int
    kakuros: list[SeriesInfo]


class ReviewTurn(BaseModel):
    """A turn, the scores after it, and what it could have been."""

    turn: int
    seat: int
    hand: list[int]
    move: str
    points: int
    scores: list[int]
    best: BestPlay


class ReviewSeat(BaseModel):
    """A seat's best turn, and the one where it left most behind."""

    name: str
    best: int | None
    missed: int | None


class Review(BaseModel):
    """The story of a finished game."""

    seats: list[ReviewSeat]
    turns: list[ReviewTurn]
