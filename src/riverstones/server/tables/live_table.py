"""One table in memory: its state, its last events ready to be sent, and those who listen.

A command is decided, stored, and only then applied, told and acknowledged. Commands of one table wait for each other;
tables do not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import to_json

from riverstones.rules import Position
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.settings import Settings
from riverstones.server.storage import Store
from riverstones.server.tables.outbox import Outbox
from riverstones.table import (
    Actor,
    Command,
    Context,
    Decision,
    Entry,
    Table,
    Telling,
    Viewer,
    apply,
    decide,
    snapshot,
    tell,
    viewer_after,
    wire,
)
from riverstones.table import commands as c
from riverstones.table.events import Left, Seated
from riverstones.table.state import begin

PRESENCE_S = 0.1
MOST_EVENTS = 5_000
"""The length of a log from which on nothing is carried out any more that could make it grow without end."""

UNBOUNDED = (c.Say, c.Ask, c.Stand, c.ClearSeat)
"""What can be done over and over. Moves are as many as there are tiles, and one only sits down after standing up."""


def encode(message: wire.ServerMessage | wire.ProgramMessage | wire.ErrorAnswer) -> str:
    """A message as it travels."""
    return to_json(message).decode()


class Overtaken(Exception):
    """A command was meant for a position that is no more; nothing has changed."""


@dataclass(eq=False, slots=True)
class Listener:
    """Somebody who is told what happens, looking from a seat or from none."""

    viewer: Viewer
    outbox: Outbox


@dataclass(frozen=True, slots=True)
class Told:
    """An event ready to be sent: encoded once, with each seat's hand put in for who looks from there."""

    seq: int
    public: str
    hands: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, telling: Telling) -> Told:
        """Encode what may be told."""
        return cls(telling.seq, encode(telling.public), telling.hands)

    def to(self, viewer: Viewer) -> str:
        """The event for one viewer."""
        if viewer.seat is None or not self.hands:
            return self.public
        hand = ",".join(map(str, self.hands[viewer.seat]))
        return f'{self.public[:-1]},"hand":[{hand}]}}'


@dataclass(eq=False, slots=True)
class LiveTable:
    """A table being played, or looked at."""

    table: Table
    settings: Settings
    store: Store
    on_change: Callable[[LiveTable, Table | None, Sequence[Entry]], None]
    """Called after every change, with the table as it was before."""
    write_record: Callable[[Table], str | None]
    elsewhere: Container[str]
    """Those who are within reach without listening here: programs that are told of their turns."""
    told: deque[Told] = field(init=False)
    keys: dict[str, int] = field(default_factory=dict)
    """The commands that were carried out, each with the number of its last event."""
    listeners: set[Listener] = field(default_factory=set)
    seen_ms: dict[str, int] = field(default_factory=dict)
    """When each person of the table was last connected."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    presence_told: asyncio.TimerHandle | None = None
    """When the others will be told who is there."""
    touched_ms: int = 0
    stale: bool = False
    """Whether another process has written to the table's log, so that this one must be read again."""

    def __post_init__(self) -> None:
        self.told = deque(maxlen=self.settings.events_kept)
        self.touched_ms = self.settings.now_ms()
        self.seen_ms.update(dict.fromkeys(self.table.players, self.touched_ms))

    @classmethod
    def of_log(cls, entries: Sequence[Entry], *parts: Any) -> LiveTable:
        """A table from its stored log."""
        table = begin(entries[0])
        told = [Told.of(tell(entries[0], table))]
        keys = {}
        for entry in entries[1:]:
            table = apply(table, entry)
            told.append(Told.of(tell(entry, table)))
            if entry.key is not None:
                keys[entry.key] = entry.seq
        live = cls(table, *parts)
        live.told.extend(told)
        live.keys = keys
        return live

    async def submit(
        self, actor: Actor, command: Command, key: str | None = None, *, meant_for: Position | None = None
    ) -> int:
        """Carry out a command and return the number of its last event; it is durable then.

        Raises what `decide` raises, `Conflict` if another process was quicker, and `Overtaken` if the command is meant
        for one position and finds another once it is its turn.
        """
        submitting = asyncio.ensure_future(self._submit(actor, command, key, meant_for))
        # Whoever asked may have gone meanwhile; a refusal is then nobody's, and no fault to be logged.
        submitting.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(submitting)

    async def _submit(self, actor: Actor, command: Command, key: str | None, meant_for: Position | None) -> int:
        async with self.lock:
            if key is not None and key in self.keys:
                return self.keys[key]
            if meant_for is not None and meant_for != self.position:
                raise Overtaken
            if self.table.seq >= MOST_EVENTS and isinstance(command, UNBOUNDED):
                raise ServerError(ServerErrorCode.TOO_MANY_REQUESTS)
            settings = self.settings
            away = self._out_of_reach(settings.claim_wait_ms) - {actor.person}
            context = Context(settings.now_ms(), settings.entropy(), self.absent(), away, settings.claim_wait_ms)
            decision = decide(self.table, actor, command, context, key)
            if actor.person is not None:
                self.seen_ms[actor.person] = context.now_ms
            if decision.entries:
                await self.take(decision)
            return self.table.seq

    @property
    def position(self) -> Position | None:
        """Where the game stands, with full knowledge; None before it begins."""
        return None if self.table.game is None else Position.of(self.table.game)

    async def take(self, decision: Decision, *, first: bool = False) -> None:
        """Store a decision, then let it be true."""
        before = None if first else self.table
        try:
            await self.store.events.append(decision.entries, before, decision.table, self.write_record(decision.table))
        except BaseException:
            # Whether it was stored is not known, or it was not: only the log can tell.
            self.stale = True
            raise
        self.table = decision.table
        self.touched_ms = decision.context.now_ms
        for entry, after in zip(decision.entries, decision.tables, strict=True):
            self._tell(Told.of(tell(entry, after)), entry, after)
            if entry.key is not None:
                self.keys[entry.key] = entry.seq
        self.on_change(self, before, decision.entries)

    def _tell(self, told: Told, entry: Entry, after: Table) -> None:
        self.told.append(told)
        for listener in self.listeners:
            if isinstance(entry.event, Seated | Left):
                listener.viewer = viewer_after(listener.viewer, after)
            listener.outbox.put(told.to(listener.viewer))

    def since(self, seq: int | None) -> list[Told] | None:
        """The events after this number; None if they are not all at hand any more, or the number is from the future.

        Nor if they would fill half of an outbox: one snapshot says it shorter.
        """
        if seq is None or seq > self.table.seq or (self.told and seq < self.told[0].seq - 1):
            return None
        missed = [told for told in self.told if told.seq > seq]
        return missed if len(missed) < self.settings.outbox // 2 else None

    def snapshot(self, viewer: Viewer) -> wire.Snapshot:
        """All that a viewer may know."""
        return snapshot(self.table, viewer)

    def default_seat(self, person: str | None) -> int | None:
        """The seat that a person looks from unless told otherwise: the only one."""
        seats = self.table.seats_of(person)
        return seats[0] if len(seats) == 1 else None

    def listen(self, listener: Listener) -> None:
        """Add somebody who listens."""
        self.listeners.add(listener)
        self._note_presence(listener)

    def leave(self, listener: Listener) -> None:
        """Remove somebody who listened."""
        self.listeners.discard(listener)
        self._note_presence(listener)

    def _note_presence(self, listener: Listener) -> None:
        """Tell who is there: a newcomer at once, the others soon."""
        here = listener in self.listeners
        if here:
            listener.outbox.put(encode(self.presence()))
        self.note_reach(listener.viewer.person, gone=not here, told=listener)

    def note_reach(self, person: str | None, *, gone: bool, told: Listener | None = None) -> None:
        """Note that somebody came within reach, or went. A crowd that comes and goes is told to the others once."""
        if person is not None:
            self.seen_ms[person] = self.settings.now_ms()
        loop = asyncio.get_running_loop()
        if self.presence_told is None and len(self.listeners) > (told in self.listeners):
            self.presence_told = loop.call_later(PRESENCE_S, self._tell_presence)
        if gone and person in self.table.players:
            # Who stays away long enough may be replaced, and the others should see it.
            loop.call_later(self.settings.absent_ms / 1000 + PRESENCE_S, self._tell_presence)

    def note_question(self, person: str | None) -> None:
        """Note that somebody asked for something: who plays without a socket is within reach too."""
        if person is not None and person in self.table.players:
            self.seen_ms[person] = self.settings.now_ms()

    def _tell_presence(self) -> None:
        self.presence_told = None
        message = encode(self.presence())
        for listener in self.listeners:
            listener.outbox.put(message)

    def connected(self) -> set[str]:
        """Everybody who listens right now, and the people of the table who are within reach elsewhere."""
        here = {listener.viewer.person for listener in self.listeners if listener.viewer.person is not None}
        return here | {person for person in self.table.players if person in self.elsewhere}

    def absent(self) -> frozenset[str]:
        """The people of the table who have been out of reach for too long."""
        return self._out_of_reach(self.settings.absent_ms)

    def _out_of_reach(self, for_ms: int) -> frozenset[str]:
        """The people of the table who have been out of reach for longer than this; a page may load again meanwhile."""
        horizon, here = self.settings.now_ms() - for_ms, self.connected()
        return frozenset(p for p in self.table.players if p not in here and self.seen_ms.get(p, 0) < horizon)

    def presence(self) -> wire.Presence:
        """Who is connected."""
        here, absent = self.connected(), self.absent()
        chairs = self.table.chairs
        return {
            "type": "presence",
            "seats": [chair.bot is not None or chair.person in here for chair in chairs],
            "absent": [seat for seat, chair in enumerate(chairs) if chair.person in absent],
            "spectators": sum(listener.viewer.person not in self.table.players for listener in self.listeners),
        }
