"""Games in any state: played in process, written to the server's database, then opened in a browser."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate, count
from typing import TYPE_CHECKING, Any

from riverstones.rules import Board, Move, Play
from riverstones.rules import Game as Rules
from riverstones.server.storage import Store
from riverstones.study.records import record_text
from riverstones.table import (
    COLOURS,
    SYSTEM,
    Actor,
    Chair,
    Command,
    Context,
    Entry,
    Options,
    Table,
    apply,
    create,
    decide,
    free_colour,
)
from riverstones.table import commands as c
from riverstones.table.state import begin

if TYPE_CHECKING:
    from .visitors import Visitor

    Seat = Visitor | tuple[Visitor, str] | str
    """A visitor, a visitor under another name, a bot's level, or `open`."""

Choose = Callable[[Rules], Play]

CLAIM_WAIT_MS = 20_000
"""The time bots wait for objections, in these games and at the server."""


def best(game: Rules) -> Play:
    """The play that scores most."""
    return game.plays()[0]


def worst(game: Rules) -> Play:
    """The play that scores least."""
    return game.plays()[-1]


def flipping(game: Rules) -> Play:
    """The best play that flips a tile, if there is one."""
    found = game.plays()
    return next((play for play in found if play.move.flips), found[0])


@dataclass
class Archive:
    """The server's database, written to from outside of the server."""

    store: Store
    _run: Callable[[Any], Any]
    names: Iterator[int] = field(default_factory=count)

    @classmethod
    @contextmanager
    def of(cls, database: str) -> Iterator[Archive]:
        """Open the database of a server that runs already."""
        # Playwright's own event loop occupies this thread.
        runner = asyncio.Runner()
        with ThreadPoolExecutor(1) as thread:

            def run(work: Any) -> Any:
                return thread.submit(runner.run, work).result()

            store = Store(database)
            run(store.database.open())
            try:
                yield cls(store, run)
            finally:
                run(store.database.close())
                thread.submit(runner.close).result()

    def make(self, *seats: Seat, entropy: int = 0, **options: Any) -> Game:
        """A table with these seats; the first visitor is its host. The same entropy deals the same game."""
        chairs: tuple[Chair, ...] = ()
        actors: dict[str, Actor] = {}
        for number, seat in enumerate(seats):
            chair = Chair()
            if seat != "open":
                visitor, name = seat if isinstance(seat, tuple) else (seat, None)
                if isinstance(visitor, str):
                    chair = Chair(bot=visitor, name=visitor, colour=free_colour(chairs, number, COLOURS[number]))
                else:
                    actor = visitor.actor
                    actors.setdefault(str(actor.person), actor)
                    wanted = actor.colour if name is None else COLOURS[number]
                    colour = free_colour(chairs, number, wanted)
                    chair = Chair(person=actor.person, name=name or actor.name, colour=colour)
            chairs = (*chairs, chair)
        terms = Options.from_json({"seats": len(seats), **options})
        host = next(iter(actors.values()))
        context = Context(_now_ms(), _entropy(entropy))
        made = create(f"stored{next(self.names)}", terms, host, chairs, context)
        return Game(self, made.table, list(made.entries), actors)

    def keep(self, game: Game) -> None:
        """Write a game's whole log."""

        async def write() -> None:
            await self.store.events.append(game.entries, None, game.table, record_text(game.table))

        self._run(write())


@dataclass
class Game:
    """A table that is played in process until it is stored."""

    archive: Archive
    table: Table
    entries: list[Entry]
    actors: dict[str, Actor]
    stored: bool = False

    @property
    def path(self) -> str:
        return f"/t/{self.table.id}"

    @property
    def rules(self) -> Rules:
        """The game of the table."""
        assert self.table.game is not None
        return self.table.game

    def actor_at(self, seat: int) -> Actor:
        """The actor of a seat."""
        person = self.table.chairs[seat].person
        return SYSTEM if person is None else self.actors[person]

    def do(self, command: Command, by: Visitor | None = None) -> Game:
        """Carry out a command of its seat's actor, or of a visitor."""
        assert not self.stored, "what is stored goes on at the server"
        actor = by.actor if by is not None else self.actor_at(getattr(command, "seat"))  # noqa: B009
        context = Context(_now_ms(), _entropy(len(self.entries)), claim_wait_ms=CLAIM_WAIT_MS)
        decision = decide(self.table, actor, command, context)
        self.table = decision.table
        self.entries += decision.entries
        return self

    def move(self, move: Move | str, claim: int | None = None) -> Game:
        """Make this move for the seat to move."""
        seat = self.table.to_move
        assert seat is not None
        return self.do(c.Play(seat, self.table.turn, str(move), claim))

    def play(self, turns: int = 100, choose: Choose = best) -> Game:
        """Make moves for all seats, with correct claims, for some turns or to the end."""
        for _ in range(turns):
            if self.table.to_move is None:
                break
            play = choose(self.rules)
            self.move(play.move, play.points if self.table.by_claims else None)
        return self

    def play_until(self, enough: Callable[[Rules], bool], choose: Choose = best) -> Game:
        """Make moves for all seats until the condition holds."""
        while not enough(self.rules):
            assert self.table.to_move is not None, "the game is over, and never was as wanted"
            self.play(1, choose)
        return self

    def resign(self, seat: int = 0) -> Game:
        return self.do(c.Resign(seat))

    def after_each_move(self) -> list[Rules]:
        """The game after each move that was not taken back."""
        found: dict[int, Rules] = {}
        for state in accumulate(self.entries[1:], apply, initial=begin(self.entries[0])):
            if state.game is not None:
                found[state.turn] = state.game
        return [found[turn] for turn in range(1, self.table.turn + 1)]

    def boards(self) -> list[Board]:
        return [game.board for game in self.after_each_move()]

    def open(self, *visitors: Visitor) -> str:
        """Store the game, open it for the visitors, and return its path."""
        if not self.stored:
            self.archive.keep(self)
            self.stored = True
        for visitor in visitors:
            visitor.go(self.path)
        return self.path


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _entropy(number: int) -> bytes:
    return hashlib.sha256(f"stored {number}".encode()).digest()
