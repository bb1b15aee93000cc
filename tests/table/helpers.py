"""A table for tests: players by name, time under control, entropy from a number."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from riverstones.rules import Move
from riverstones.table import (
    SYSTEM,
    Actor,
    Chair,
    Command,
    Context,
    Entry,
    Options,
    Table,
    Viewer,
    apply,
    create,
    decide,
)
from riverstones.table import commands as c
from riverstones.table.state import begin


def actor(name: str) -> Actor:
    """An actor by name; names starting with `program` or `guest` are programs or guests."""
    if name == "system":
        return SYSTEM
    return Actor(f"id-{name}", name, program=name.startswith("program"), account=not name.startswith("guest"))


def entropy(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


@dataclass
class Played:
    """A table in a test, with its log."""

    table: Table
    log: list[Entry]
    now_ms: int = 1_000_000
    seed: int = 0
    absent: frozenset[str] = field(default_factory=frozenset)
    away: frozenset[str] = field(default_factory=frozenset)
    claim_wait_ms: int = 0

    def do(self, who: str, command: Command, key: str | None = None) -> list[str]:
        """Submit a command and return the names of the events it causes."""
        self.seed += 1
        context = Context(self.now_ms, entropy(self.seed), self.absent, self.away, self.claim_wait_ms)
        decision = decide(self.table, actor(who), command, context, key)
        self.table = decision.table
        self.log += decision.entries
        return [type(entry.event).__name__ for entry in decision.entries]

    def play(self, who: str, move: str | Move, claim: int | None = None) -> list[str]:
        seat = self.table.to_move
        assert seat is not None
        return self.do(who, c.Play(seat, self.table.turn, str(move), claim))

    def states(self) -> Iterator[Table]:
        """The table after each event of its log."""
        return accumulate(self.log[1:], apply, initial=begin(self.log[0]))

    def names(self) -> list[str]:
        return [chair.name for chair in self.table.chairs]

    def holder(self) -> str:
        """The holder of the seat to move, by name; the system for a bot."""
        assert self.table.to_move is not None
        chair = self.table.chairs[self.table.to_move]
        return "system" if chair.bot else str(chair.person).removeprefix("id-")

    def play_on(self, turns: int = 100, seed: int = 0) -> None:
        """Make random legal moves with exact claims until the game ends or enough turns are made."""
        rng = random.Random(seed)
        for _ in range(turns):
            if self.table.to_move is None:
                return
            assert self.table.game is not None
            play = rng.choice(self.table.game.plays()[:12])
            self.play(self.holder(), play.move, play.points if self.table.by_claims else None)


def viewers(table: Table) -> list[Viewer]:
    """Everybody who can look at a table: a stranger, and each player from each own seat and from none."""
    people = sorted(table.players)
    own = [Viewer(person, seat) for person in people for seat in table.seats_of(person)]
    return [Viewer(), *map(Viewer, people), *own]


def table_of(*who: str, options: Options | None = None, seed: int = 0) -> Played:
    """A table with these players in this order; `bot:pebble` seats a bot, `-` leaves a seat free."""
    options = options or Options(seats=len(who))
    chairs = []
    for number, name in enumerate(who):
        colour = ("indigo", "teal", "plum", "ochre")[number]
        if name == "-":
            chairs.append(Chair())
        elif name.startswith("bot:"):
            chairs.append(Chair(bot=name[4:], name=name[4:], colour=colour))
        else:
            chairs.append(Chair(person=f"id-{name}", name=name, colour=colour))
    host = next(name for name in who if name != "-" and not name.startswith("bot:"))
    made = create("table", options, actor(host), tuple(chairs), Context(1_000_000, entropy(seed)))
    return Played(made.table, list(made.entries))
