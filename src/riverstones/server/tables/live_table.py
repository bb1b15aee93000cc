"""One table in memory."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from riverstones.rules import Position
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.settings import Settings
from riverstones.server.storage import LogPart
from riverstones.server.tables.command_keys import CarriedOut
from riverstones.server.tables.feed import EncodedEvent, ProgramFeed, TableFeed, longer_than
from riverstones.table import Actor, Command, Context, Decision, Entry, Need, Table, apply, decide, tell
from riverstones.table import commands as c
from riverstones.table.state import begin

MOST_EVENTS = 5_000
"""The length of a log from which on commands that could make it grow without end are refused."""

UNBOUNDED = (c.Say, c.Ask, c.Stand, c.ClearSeat)
"""Commands that can be repeated for ever. There are as many moves as tiles, and one sits only after standing up."""


class Overtaken(Exception):
    """A command was meant for a position that has changed meanwhile; nothing has happened."""


@dataclass(eq=False, slots=True)
class Work:
    """Something that a table needs and that is being done, by a task of its own."""

    need: Need
    """The need as of the last change of the table: its `not_before_ms` may have changed."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the table has changed and still needs this."""
    task: asyncio.Task[None] = field(init=False)


@dataclass(frozen=True, eq=False, slots=True)
class PendingCommand:
    """A command that has arrived, and the function for its answer."""

    actor: Actor
    command: Command
    key: str | None
    """The client's id of the command, by which a repeated one is recognised."""
    meant_for: Position | None
    """The position that the command was chosen for, if it must not be carried out in another."""
    answer: Callable[[int | Exception], None]
    """Called once: with the number of the last event when it is durable, or with the reason of a refusal."""


@dataclass(frozen=True, eq=False, slots=True)
class PendingRead:
    """A request to read the events that are missing here."""

    seq: int | None
    """The number up to which events are known to exist; None if the log has to tell."""
    answer: asyncio.Future[None]
    """Done when they are applied. It raises what the database raises."""


@dataclass(eq=False, slots=True)
class LiveTable:
    """The state of a table, its feed, and the work that is being done for it."""

    table: Table
    feed: TableFeed
    settings: Settings
    carried_out: CarriedOut = field(default_factory=CarriedOut)
    work: dict[Need, Work] = field(default_factory=dict)
    updating: bool = False
    """Whether events are being stored, or read from the log. The next command is decided after that."""
    waiting: deque[PendingCommand | PendingRead] = field(default_factory=deque)
    """What arrived meanwhile, in order. Tables do not wait for each other."""
    changed_ms: int = 0
    """When the last command changed the table, or when it was read from its log."""
    stale: bool = False
    """Whether the log may have events of this node that are missing here: the database has failed."""
    last_writer: str | None = None
    """The node that has written the last event, as far as it is known."""
    erasures: int = 0
    """How often somebody had been erased from the log when it was read."""
    woken_ms: int = 0
    """The end of the last outage whose time was given back."""
    waking: bool = False
    """Whether that time is being given back. Nothing is worked on until it is stored."""

    def __post_init__(self) -> None:
        self.changed_ms = self.settings.now_ms()

    @classmethod
    def new(cls, table: Table, settings: Settings, programs: ProgramFeed) -> LiveTable:
        """A table whose first events are yet to be stored."""
        return cls(table, TableFeed(table, (), settings, programs), settings)

    @classmethod
    def of_log(cls, log: LogPart, settings: Settings, programs: ProgramFeed) -> LiveTable:
        """A table from its stored log."""
        table, events, carried_out = _read(log.entries)
        live = cls(table, TableFeed(table, events, settings, programs), settings, carried_out)
        live.last_writer, live.erasures = log.last_writer, log.erasures
        return live

    @property
    def position(self) -> Position | None:
        """The position of the game, with full knowledge; None before it begins."""
        return None if self.table.game is None else Position.of(self.table.game)

    @property
    def is_busy(self) -> bool:
        """Whether a bot, a clock or a rematch is being worked on."""
        return self.waking or any(not work.task.done() for work in self.work.values())

    def default_seat(self, person: str | None) -> int | None:
        """The seat that a person looks from unless another is named: the only one, or none."""
        seats = self.table.seats_of(person)
        return seats[0] if len(seats) == 1 else None

    def decide(
        self, actor: Actor, command: Command, key: str | None = None, meant_for: Position | None = None
    ) -> Decision:
        """The events that a command causes. Raises what `riverstones.table.decide` raises, and `Overtaken`."""
        if meant_for is not None and meant_for != self.position:
            raise Overtaken
        if self.table.seq >= MOST_EVENTS and isinstance(command, UNBOUNDED):
            raise ServerError(ServerErrorCode.TOO_MANY_REQUESTS)
        decision = decide(self.table, actor, command, self._context(actor, command), key)
        self.feed.note_seen(actor.person)
        return decision

    def _context(self, actor: Actor, command: Command) -> Context:
        """What a decision on this command depends on besides the table. A move without a claim needs only the time."""
        settings = self.settings
        if isinstance(command, c.Play) and not self.table.by_claims:
            return Context(settings.now_ms())
        out_of_reach = self.feed.out_of_reach()
        absent = longer_than(out_of_reach, settings.absent_ms)
        away = longer_than(out_of_reach, settings.claim_wait_ms) - {actor.person}
        return Context(settings.now_ms(), settings.entropy(), absent, away, settings.claim_wait_ms)

    def answer_if_known(self, pending: PendingCommand) -> bool:
        """Answer a command that was carried out before, by this node or another; False if it was not.

        Raises `COMMAND_ID_REUSED` if it is another command with the same id.
        """
        done = None if pending.key is None else self.carried_out.seq_of(pending.key)
        if done is None:
            return False
        pending.answer(done)
        return True

    def apply(self, decision: Decision) -> None:
        """Apply a decision whose events are stored, and send them to the viewers."""
        self.last_writer = self.settings.node
        self._publish(decision.entries, decision.tables)

    def catch_up(self, entries: Sequence[Entry], last_writer: str | None) -> None:
        """Apply events that were read from the log, and send them to the viewers."""
        tables, table = [], self.table
        for entry in entries:
            table = apply(table, entry)
            tables.append(table)
        self.last_writer = last_writer
        self._publish(entries, tables)

    def read_again(self, log: LogPart) -> None:
        """Take everything from the whole log: somebody was erased from it. Viewers get what is new to them."""
        known = self.table.seq
        self.table, events, self.carried_out = _read(log.entries[:known])
        self.erasures = log.erasures
        self.feed.replace(self.table, events)
        if log.entries[known:]:
            self.catch_up(log.entries[known:], log.last_writer)

    def _publish(self, entries: Sequence[Entry], tables: Sequence[Table]) -> None:
        self.table = tables[-1]
        self.changed_ms = self.settings.now_ms()
        for entry, after in zip(entries, tables, strict=True):
            self.feed.publish(entry, after)
            if entry.key is not None:
                self.carried_out.add(entry.key, entry.seq)


def _read(entries: Sequence[Entry]) -> tuple[Table, list[EncodedEvent], CarriedOut]:
    """The table of a log, its events as they are sent, and the commands that it has carried out."""
    table = begin(entries[0])
    events = [EncodedEvent.of(tell(entries[0], table))]
    for entry in entries[1:]:
        table = apply(table, entry)
        events.append(EncodedEvent.of(tell(entry, table)))
    carried_out = CarriedOut()
    for entry in entries:
        if entry.key is not None:
            carried_out.add(entry.key, entry.seq)
    return table, events, carried_out
