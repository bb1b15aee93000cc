"""One table that this device keeps.

Each message of the page, and each `Work` that the table needs, leads to a `Step`: rows to be stored, and messages for
the page. The caller stores the rows under (table, number), in one transaction, and then calls `advance` with them;
only then are the events sent and the command acknowledged. If another tab has stored a row of that number before, the
caller reads the missing rows, calls `advance` with them and takes the same message again, as several servers on one
database do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from riverstones.engine import bots
from riverstones.table import (
    SYSTEM,
    Actor,
    BotMove,
    BotVerdict,
    Chair,
    Command,
    Context,
    Decision,
    Entry,
    ExpireClock,
    MakeRematch,
    Need,
    NotAllowed,
    Options,
    PersonCommand,
    Table,
    TableRefusal,
    Viewer,
    apply,
    create,
    decide,
    needs,
    seat_view,
    snapshot,
    tell,
    viewer_after,
    wire,
)
from riverstones.table import commands as c
from riverstones.table import events as e
from riverstones.table.refusals import REFUSALS, refusal_to_json
from riverstones.table.state import begin
from riverstones.table.views import check_viewer

from .hints import hint
from .reading import read_one_of

BOT_PACE_MS = 700
"""How long a bot takes at least for a move, so that people can follow."""

CLAIM_WAIT_MS = 8_000
"""How long bots wait for people to object to a claim."""

COMMANDS: tuple[type[Any], ...] = get_args(PersonCommand)


@dataclass(frozen=True, slots=True)
class Row:
    """A stored event."""

    seq: int
    at_ms: int
    type: str
    data: dict[str, Any]
    key: str | None

    @classmethod
    def of(cls, entry: Entry) -> Row:
        """The stored form of an event."""
        return cls(entry.seq, entry.at_ms, e.name_of(entry.event), e.to_json(entry.event), entry.key)

    @property
    def entry(self) -> Entry:
        """The event; raises `UnknownVersion` if a newer version of the program has stored it."""
        return Entry(self.seq, self.at_ms, e.from_json(self.type, self.data), self.key)


@dataclass(frozen=True, slots=True)
class Happening:
    """What a decision depends on besides the table and the command."""

    now_ms: int
    entropy: bytes = field(repr=False)
    """32 fresh random bytes."""

    @property
    def context(self) -> Context:
        return Context(self.now_ms, self.entropy, claim_wait_ms=CLAIM_WAIT_MS)


@dataclass(frozen=True, slots=True)
class Step:
    """What a message or a work leads to."""

    rows: tuple[Row, ...] = ()
    """To be stored and then given to `advance`."""
    messages: tuple[wire.ServerMessage, ...] = ()
    """For the page, after those of `advance`."""
    rematch: tuple[Row, ...] = ()
    """The first rows of the table of a rematch, to be stored in the same transaction."""


@dataclass(frozen=True, slots=True)
class Work:
    """Something that the table needs."""

    kind: Literal["move", "verdict", "clock", "rematch"]
    at_ms: int
    """When it is due. A move or a verdict may be computed before."""
    need: Need = field(repr=False)


class LocalTable:
    """A table in memory, and the one page that shows it."""

    def __init__(self, rows: Sequence[Row], actor: Actor) -> None:
        entries = [row.entry for row in rows]
        self.table: Table = begin(entries[0])
        self.actor = actor
        """The person at this device, who holds all seats that are not bots."""
        self._viewer = Viewer(actor.person)
        self._entries = entries[:1]
        self._changed_ms = entries[-1].at_ms
        self._accepted: set[BotVerdict] = set()
        """The verdicts of bots that accepted a claim; the table does not log them."""
        self._apply(entries[1:])

    @staticmethod
    def create(name: str, options: Options, chairs: tuple[Chair, ...], actor: Actor, now: Happening) -> tuple[Row, ...]:
        """The first rows of a new table; raises `NotAllowed`, also for a rated one: a device has no accounts."""
        for chair in chairs:
            if chair.bot is not None and chair.bot not in bots.offered():
                raise NotAllowed(TableRefusal.BAD_LEVEL, level=chair.bot)
        return _rows(create(name, options, actor, chairs, now.context))

    def _apply(self, entries: Sequence[Entry]) -> list[Table]:
        tables = []
        for entry in entries:
            self.table = apply(self.table, entry)
            tables.append(self.table)
        self._entries += entries
        return tables

    def receive(self, message: dict[str, Any], now: Happening) -> Step:
        """What a message of the page leads to; raises `Unreadable` if it is malformed. A hint may take a while."""
        try:
            match message:
                case {"type": "hello"}:
                    return Step(messages=self._welcome(message, now))
                case {"type": "look", "seat": seat}:
                    return Step(messages=self._look(seat))
                case {"type": "do", "id": str(name), "command": command}:
                    return self._do(name, read_one_of(COMMANDS, command, "do.command"), now)
                case {"type": "hint", "id": str(name), "seat": int(seat), "step": int(step)}:
                    return Step(messages=({"type": "hint", "id": name, "hint": self._hint(seat, step)},))
                case _:
                    return Step(messages=({"type": "pong", "server_ms": now.now_ms},))
        except REFUSALS as error:
            refused: wire.RefusedMessage = {
                "type": "refused",
                "id": message.get("id"),
                "error": refusal_to_json(error),
            }
            return Step(messages=(refused,))

    def _welcome(self, hello: dict[str, Any], now: Happening) -> tuple[wire.ServerMessage, ...]:
        seats, seat = self.table.seats_of(self.actor.person), hello.get("seat")
        since: int | None = hello.get("since")
        viewer = Viewer(self.actor.person, (seats[0] if len(seats) == 1 else None) if seat is None else seat)
        check_viewer(self.table, viewer)
        self._viewer = viewer
        missed = None if since is None or since > self.table.seq else self._since(since)
        welcome: wire.Welcome = {
            "type": "welcome",
            "protocol": hello["protocol"],
            "server_ms": now.now_ms,
            "table": self.table.id,
            "person": self.actor.person,
            "seq": self.table.seq,
            "resumed": missed is not None,
        }
        return welcome, *([self._snapshot()] if missed is None else missed), self._presence()

    def _since(self, seq: int) -> list[wire.ServerMessage]:
        """The events after this number."""
        table, told = begin(self._entries[0]), []
        for entry in self._entries[1:]:
            table = apply(table, entry)
            if entry.seq > seq:
                told.append(tell(entry, table).to(self._viewer))
        return list(told)

    def _look(self, seat: int | None) -> tuple[wire.ServerMessage, ...]:
        viewer = Viewer(self.actor.person, seat)
        check_viewer(self.table, viewer)
        self._viewer = viewer
        return (self._snapshot(),)

    def _hint(self, seat: int, step: int) -> wire.Hint:
        if seat != self._viewer.seat:
            raise NotAllowed(TableRefusal.NOT_YOUR_SEAT, seat=seat)
        return hint(self.table, self.actor.person, seat, step)

    def _snapshot(self) -> wire.SnapshotMessage:
        return {"type": "snapshot", "snapshot": snapshot(self.table, self._viewer)}

    def _presence(self) -> wire.Presence:
        seats = [not chair.free for chair in self.table.chairs]
        return {"type": "presence", "seats": seats, "absent": [], "spectators": 0}

    def _do(self, name: str, command: PersonCommand, now: Happening) -> Step:
        """Decide on a command. One that was carried out before is acknowledged and not carried out again."""
        key = f"{self.actor.person}:{name}"
        done = [entry.seq for entry in self._entries if entry.key == key]
        if done:
            return Step(messages=({"type": "ack", "id": name, "seq": done[-1]},))
        rows = _rows(decide(self.table, self.actor, command, now.context, key))
        seq = rows[-1].seq if rows else self.table.seq
        return Step(rows, ({"type": "ack", "id": name, "seq": seq},))

    def advance(self, rows: Sequence[Row]) -> list[wire.ServerMessage]:
        """Apply stored rows, of this tab or another; returns the messages for the page."""
        messages: list[wire.ServerMessage] = []
        entries = [row.entry for row in rows if row.seq > self.table.seq]
        for entry, after in zip(entries, self._apply(entries), strict=True):
            if isinstance(entry.event, e.Seated | e.Left):
                self._viewer = viewer_after(self._viewer, after)
            messages.append(tell(entry, after).to(self._viewer))
        if entries:
            self._changed_ms = entries[-1].at_ms
        return messages

    def work(self) -> list[Work]:
        """What the table needs now, the next due first."""
        found = []
        for need in needs(self.table):
            match need:
                case BotVerdict():
                    if need not in self._accepted:
                        found.append(Work("verdict", need.not_before_ms or self._changed_ms, need))
                case BotMove():
                    paced = self._changed_ms + BOT_PACE_MS
                    found.append(Work("move", max(paced, need.not_before_ms or 0), need))
                case ExpireClock():
                    found.append(Work("clock", need.at_ms, need))
                case MakeRematch():
                    found.append(Work("rematch", self._changed_ms, need))
        # A verdict comes before the move, because an objection changes the board.
        return sorted(found, key=lambda work: (work.at_ms, work.kind != "verdict"))

    def command(self, work: Work) -> Command | None:
        """The command of a bot or a clock, which may take a while to compute; None if there is nothing to submit."""
        match work.need:
            case BotMove() as need:
                return need.command(*bots.take_turn(seat_view(self.table, need.seat), need.level, need.seed))
            case BotVerdict() as need:
                view = seat_view(self.table, need.seat)
                command = need.command(need.may_object and bots.objects(view, need.level, need.seed))
                if command is None:
                    self._accepted.add(need)
                return command
            case ExpireClock() as need:
                return need.command
            case MakeRematch():
                return None

    def submit(self, command: Command, now: Happening) -> Step:
        """Carry out the command of a bot or a clock; nothing happens if the table has changed meanwhile."""
        try:
            return Step(_rows(decide(self.table, SYSTEM, command, now.context)))
        except REFUSALS:
            return Step()

    def rematch(self, work: Work, name: str, now: Happening) -> Step:
        """Create the table of a rematch under this name."""
        assert isinstance(work.need, MakeRematch)
        need = work.need
        made = create(name, need.options, self.actor, need.chairs, now.context, previous=self.table.id)
        return Step(_rows(decide(self.table, SYSTEM, need.command(name), now.context)), rematch=_rows(made))

    def wake(self, from_ms: int, now: Happening) -> Step:
        """Give back the time since `from_ms`, in which no page has shown the table."""
        return Step(_rows(decide(self.table, SYSTEM, c.Wake(from_ms, now.now_ms), now.context)))


def _rows(decision: Decision) -> tuple[Row, ...]:
    return tuple(map(Row.of, decision.entries))


def encode(message: Mapping[str, object]) -> str:
    """A message or an answer as JSON text, as a server would send it."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
