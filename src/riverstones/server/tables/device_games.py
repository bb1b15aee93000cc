"""Finished games that a device has kept without a server, added to an account.

A game is its deal and its moves, and that is all the device sends. The server makes every event of the log itself, by
the rules, so nothing else can get into it. It cannot know who chose the moves: such a game is marked and never rated.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from riverstones.engine.bots import LEVELS
from riverstones.rules import TILE_COUNT, Seed
from riverstones.server.protocol import Incoming
from riverstones.table import (
    Actor,
    Chair,
    Context,
    Entry,
    NotAllowed,
    Options,
    Phase,
    Table,
    TableRefusal,
    apply,
    decide,
)
from riverstones.table import commands as c
from riverstones.table import events as e
from riverstones.table.options import Clock
from riverstones.table.seating import created
from riverstones.table.state import begin

Time = Annotated[int, Field(ge=0, le=2**53)]
SeatNumber = Annotated[int, Field(ge=0, le=3)]


class DeviceTurn(Incoming):
    """A turn of the game, in the order of play."""

    move: Annotated[str, Field(max_length=40)]
    at_ms: Time
    claim: int | None = None
    timed_out: bool = False
    """Whether the clock made the move."""
    objections: Annotated[tuple[SeatNumber, ...], Field(max_length=4)] = ()
    """The seats that objected to the claim, in this order."""


class Resignation(Incoming):
    """A person has resigned."""

    seat: SeatNumber
    turn: Annotated[int, Field(ge=0, le=TILE_COUNT)]
    """The number of turns that had been played."""
    at_ms: Time


class PlayedSeat(Incoming):
    """Who played at a seat from the start: you, somebody else at your device, or a bot."""

    name: Annotated[str, Field(max_length=200)] | None = None
    """A name other than yours."""
    level: Annotated[str, Field(max_length=20)] | None = None
    """The level of a bot."""

    @property
    def who(self) -> Literal["me", "bot"]:
        """As in `riverstones.table.SeatRequest`."""
        return "me" if self.level is None else "bot"


class DeviceGame(Incoming):
    """A finished game that was played without a server."""

    options: Options
    seats: Annotated[list[PlayedSeat], Field(min_length=2, max_length=4)]
    seed: Annotated[str, Field(min_length=64, max_length=64)]
    created_ms: Time
    turns: Annotated[list[DeviceTurn], Field(max_length=TILE_COUNT)]
    resignations: Annotated[tuple[Resignation, ...], Field(max_length=4)] = ()
    ended_ms: Time


def table_id(game: DeviceGame, person: str) -> str:
    """The id of the game at this server: the same whenever the person adds it, and hard to guess for others."""
    return "d" + hashlib.sha256(f"device game {person} {game.seed}".encode()).hexdigest()[:19]


def replayed(game: DeviceGame, chairs: tuple[Chair, ...], person: Actor, now_ms: int) -> tuple[Table, list[Entry]]:
    """The finished table and its log; raises `NotAllowed`, `Refused` or `Malformed` if the rules do not allow it."""
    if game.options.rated:
        raise NotAllowed(TableRefusal.RATED_IS_FOR_PEOPLE)
    for chair in chairs:
        if chair.bot is not None and chair.bot not in LEVELS:
            raise NotAllowed(TableRefusal.BAD_LEVEL, level=chair.bot)
    log = _Log(game, chairs, person, now_ms)
    for number, turn in enumerate(game.turns):
        log.resign(number)
        log.play(turn)
    log.resign(len(game.turns))
    log.end(game.ended_ms)
    return log.table, log.entries


class _Log:
    """The log of a table, as it grows."""

    def __init__(self, game: DeviceGame, chairs: tuple[Chair, ...], person: Actor, now_ms: int) -> None:
        self._game = game
        self._person = person
        self._now_ms = now_ms
        self._last_ms = 0
        seed = Seed.parse(game.seed)
        # A game without strangers: it is not listed, and no program can join.
        options = replace(game.options, listed=False, programs=False)
        table = table_id(game, str(person.person))
        entry = created(table, options, person, chairs, self._time(game.created_ms), device=True)
        self.entries = [entry]
        self.table = begin(entry)
        start = seed.first_seat(options.seats) if options.start == "random" else options.start
        self._emit(e.Started(seed.reveal(), start), game.created_ms)

    def _time(self, at_ms: int) -> int:
        """The device's clock may be wrong: no event is before the last or in the future."""
        self._last_ms = min(max(at_ms, self._last_ms), self._now_ms)
        return self._last_ms

    def _emit(self, event: e.Event, at_ms: int) -> None:
        entry = Entry(self.table.seq + 1, self._time(at_ms), event)
        self.table = apply(self.table, entry)
        self.entries.append(entry)

    def play(self, turn: DeviceTurn) -> None:
        """Make a move, with the objections to its claim."""
        seat = self.table.to_move
        if seat is None:
            raise NotAllowed(TableRefusal.TABLE_OVER)
        timed_out = turn.timed_out and self.table.options.clock is Clock.STRICT
        self._emit(e.Moved(seat, turn.move, turn.claim, timed_out), turn.at_ms)
        for objecting in turn.objections:
            self._emit(e.Objected(objecting), turn.at_ms)

    def resign(self, turns: int) -> None:
        """Let those resign who did so after this many turns."""
        for resignation in self._game.resignations:
            if resignation.turn == turns:
                context = Context(self._time(resignation.at_ms))
                decided = decide(self.table, self._person, c.Resign(resignation.seat), context)
                self.table = decided.table
                self.entries += decided.entries

    def end(self, at_ms: int) -> None:
        """End the game; refused if it is not over."""
        if self.table.phase is Phase.OVER:
            return
        if self.table.game is None or not self.table.game.over:
            raise NotAllowed(TableRefusal.NOT_OVER)
        self._emit(e.Ended(), at_ms)
