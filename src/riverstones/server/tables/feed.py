"""Messages to viewers and programs.

`TableFeed` sends the viewers of one table its events and the presence of players. `ProgramFeed` notifies programs of
tables they may join and of their turns.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from sys import getsizeof

from riverstones.server.protocol import encode
from riverstones.server.settings import Settings
from riverstones.server.storage import Listed
from riverstones.server.tables.outbox import Outbox
from riverstones.table import Entry, Phase, Table, Telling, Viewer, tell, viewer_after, wire
from riverstones.table.events import Left, Seated

PRESENCE_S = 0.1
"""How long changes of presence are gathered before they are sent."""

SEAT_CHANGES = (Seated, Left)
"""Events after which a viewer may have another seat."""

SEEN_AGAIN_MS = 10_000
"""How old the last request of a player without a socket must be for other nodes to be told of a new one."""


@dataclass(eq=False, slots=True)
class Listener:
    """A connection to a table: its viewer and its outbox."""

    viewer: Viewer
    outbox: Outbox


@dataclass(frozen=True, slots=True)
class EncodedEvent:
    """An event ready to be sent: encoded once, with the hand added for a viewer at a seat."""

    seq: int
    public: str
    hands: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, telling: Telling) -> EncodedEvent:
        """Encode an event for all viewers."""
        return cls(telling.seq, encode(telling.public), telling.hands)

    def to(self, viewer: Viewer) -> str:
        """The event for one viewer."""
        if viewer.seat is None or not self.hands:
            return self.public
        hand = ",".join(map(str, self.hands[viewer.seat]))
        return f'{self.public[:-1]},"hand":[{hand}]}}'


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Who is connected to a table at one node."""

    people: frozenset[str]
    """The players, of those who are connected."""
    spectators: int
    seen_ms: Mapping[str, int]
    """When each player was last connected there."""
    heard_s: float = 0.0
    """When the node told so, by the monotonic clock."""


class ProgramStream:
    """The stream of one program."""

    def __init__(self, person: str, outbox: Outbox) -> None:
        self.person = person
        self._outbox = outbox

    def show(self, listed: Listed) -> None:
        """Notify the program if it may join a table or is to move there."""
        table = listed.summary
        options, seat = table["options"], table["to_move"]
        if table["phase"] == Phase.WAITING.value and options["listed"] and options["programs"]:
            self._outbox.put(encode({"type": "open", "table": table["table"], "summary": table}))
        if seat is not None and table["chairs"][seat]["person"] == self.person and not listed.paused:
            self._outbox.put(encode({"type": "turn", "table": table["table"], "seat": seat, "turn": table["turn"]}))


class ProgramFeed:
    """The open streams of all programs."""

    def __init__(self) -> None:
        self._streams: set[ProgramStream] = set()
        self._count: Counter[str] = Counter()
        """How many streams each program has open."""
        self.elsewhere: frozenset[str] = frozenset()
        """The programs that have a stream open at another node."""

    @property
    def people(self) -> frozenset[str]:
        """The programs that have a stream open here."""
        return frozenset(self._count)

    def add(self, stream: ProgramStream) -> None:
        """Start notifying a program."""
        self._streams.add(stream)
        self._count[stream.person] += 1

    def remove(self, stream: ProgramStream) -> None:
        """Stop notifying a program."""
        self._streams.discard(stream)
        self._count[stream.person] -= 1
        if not self._count[stream.person]:
            del self._count[stream.person]

    def reaches(self, person: str) -> bool:
        """Whether a program has a stream open."""
        return person in self._count or person in self.elsewhere

    @property
    def is_followed(self) -> bool:
        """Whether any program has a stream open."""
        return bool(self._streams)

    def publish(self, table: Table) -> None:
        """Notify all programs of a change of a table."""
        if self._streams:
            self.show(Listed.of(table))

    def show(self, listed: Listed) -> None:
        """The same, from the table's summary."""
        for stream in self._streams:
            stream.show(listed)


class TableFeed:
    """The viewers of one table, its last events for reconnecting viewers, and the presence of its players."""

    def __init__(self, table: Table, events: Iterable[EncodedEvent], settings: Settings, programs: ProgramFeed) -> None:
        self._table = table
        self._settings = settings
        self._programs = programs
        self._events = deque(events, maxlen=settings.events_kept)
        self.listeners: set[Listener] = set()
        self._elsewhere: dict[str, Elsewhere] = {}
        """Who is connected at each of the other nodes."""
        self._begun_ms = settings.now_ms()
        self._seen_ms: dict[str, int] = {}
        """When each player was last connected, as far as it is known; otherwise when the feed began."""
        self.on_change: Callable[[], None] | None = None
        """Called, after changes were gathered for `PRESENCE_S`, to tell other nodes of the presence here."""
        self._share_timer: asyncio.TimerHandle | None = None
        self._presence_timer: asyncio.TimerHandle | None = None
        self._absence_timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """End the connections of all viewers."""
        for listener in self.listeners:
            listener.outbox.close()

    def replace(self, table: Table, events: Iterable[EncodedEvent]) -> None:
        """Take the table and its events anew, with the same numbers."""
        self._table = table
        self._events = deque(events, maxlen=self._settings.events_kept)
        for listener in self.listeners:
            listener.viewer = viewer_after(listener.viewer, table)

    def publish(self, entry: Entry, after: Table) -> None:
        """Send an event to every viewer. `after` is the table just after it."""
        self._table = after
        encoded = EncodedEvent.of(tell(entry, after))
        self._events.append(encoded)
        changes_seats = isinstance(entry.event, SEAT_CHANGES)
        for listener in self.listeners:
            if changes_seats:
                listener.viewer = viewer_after(listener.viewer, after)
            listener.outbox.put(encoded.to(listener.viewer))
        if changes_seats:  # whoever sits down was connected before, as a spectator
            self._send_presence()
            if self.listeners:
                self._share_soon()

    def since(self, seq: int | None) -> list[EncodedEvent] | None:
        """The events after this number; None if some are no longer kept or the number is too high.

        None as well if they would fill half of an outbox: a snapshot is shorter.
        """
        if seq is None or seq > self._table.seq or (self._events and seq < self._events[0].seq - 1):
            return None
        missed = [event for event in self._events if event.seq > seq]
        small = sum(getsizeof(event.public) for event in missed) < self._settings.outbox_bytes // 2
        return missed if small and len(missed) < self._settings.outbox // 2 else None

    def join(self, listener: Listener) -> None:
        """Add a viewer and send it the presence."""
        self.listeners.add(listener)
        listener.outbox.put(encode(self.presence()))
        self.note_arrival(listener.viewer.person, joined=listener)
        self._expect_absence()

    def leave(self, listener: Listener) -> None:
        """Remove a viewer."""
        self.listeners.discard(listener)
        self.note_departure(listener.viewer.person)

    def note_arrival(self, person: str | None, joined: Listener | None = None) -> None:
        """Note that a person connected, and send the presence to the others soon."""
        self.note_seen(person)
        self._share_soon()
        self._tell_presence_soon(others=len(self.listeners) - (joined in self.listeners))

    def note_departure(self, person: str | None) -> None:
        """Note that a person disconnected; send the presence soon, and again when the person counts as absent."""
        self.note_seen(person)
        self._share_soon()
        self._tell_presence_soon(others=len(self.listeners))
        self._expect_absence()

    def note_seen(self, person: str | None) -> None:
        """Note that a person is connected now."""
        if person is not None:
            before_ms, now_ms = self._seen_ms.get(person, 0), self._settings.now_ms()
            self._seen_ms[person] = now_ms
            if now_ms - before_ms > SEEN_AGAIN_MS:
                self._share_soon()

    def note_request(self, person: str | None) -> None:
        """Note a request of a player: one can play without a socket."""
        if person in self._table.players:
            self.note_seen(person)

    def has_seen(self, person: str) -> bool:
        """Whether a person plays or was connected here."""
        return person in self._seen_ms or person in self._table.players

    def here(self) -> Elsewhere:
        """Who is connected at this node, for the others."""
        players = self._table.players
        people = frozenset(listener.viewer.person for listener in self.listeners)
        spectators = sum(listener.viewer.person not in players for listener in self.listeners)
        seen_ms = {person: self._seen_ms[person] for person in players if person in self._seen_ms}
        return Elsewhere(frozenset(person for person in people if person in players), spectators, seen_ms)

    def hear(self, node: str, there: Elsewhere) -> None:
        """Note who is connected at another node."""
        known = self._elsewhere.get(node)
        self._elsewhere[node] = there
        for person, seen_ms in there.seen_ms.items():
            self._seen_ms[person] = max(seen_ms, self._seen_ms.get(person, 0))
        now_ms = self._settings.now_ms()
        for person in there.people if known is None else there.people | known.people:
            self._seen_ms[person] = now_ms
        before = None if known is None else (known.people, known.spectators)
        if before != (there.people, there.spectators):
            self._tell_presence_soon(others=len(self.listeners))
            self._expect_absence()

    def drop_elsewhere(self, alive: Collection[str], since_s: float) -> None:
        """Drop what nodes have told that are not alive, or that have told nothing since then."""
        for node, there in tuple(self._elsewhere.items()):
            if node not in alive or there.heard_s < since_s:
                self.hear(node, Elsewhere(frozenset(), 0, {}))
                del self._elsewhere[node]

    def _share_soon(self) -> None:
        if self.on_change is not None and self._share_timer is None:
            self._share_timer = asyncio.get_running_loop().call_later(PRESENCE_S, self._share)

    def _share(self) -> None:
        self._share_timer = None
        if self.on_change is not None:
            self.on_change()

    def _tell_presence_soon(self, others: int) -> None:
        """Send the presence once for all changes within `PRESENCE_S`."""
        if self._presence_timer is None and others:
            self._presence_timer = asyncio.get_running_loop().call_later(PRESENCE_S, self._tell_presence)

    def _expect_absence(self) -> None:
        """Send the presence again when the next disconnected player counts as absent."""
        left_ms = [self._settings.absent_ms - gone_ms for gone_ms in self.out_of_reach().values()]
        coming_ms = [ms for ms in left_ms if ms >= 0]
        if self._absence_timer is None and coming_ms and self.listeners:
            delay_s = min(coming_ms) / 1000 + PRESENCE_S
            self._absence_timer = asyncio.get_running_loop().call_later(delay_s, self._tell_absence)

    def _tell_absence(self) -> None:
        self._absence_timer = None
        self._tell_presence()
        self._expect_absence()

    def _tell_presence(self) -> None:
        self._presence_timer = None
        self._send_presence()

    def _send_presence(self) -> None:
        message = encode(self.presence())
        for listener in self.listeners:
            listener.outbox.put(message)

    def presence(self) -> wire.Presence:
        """The presence of players and the number of spectators."""
        table, here, absent = self._table, self._connected(), self.absent()
        return {
            "type": "presence",
            "seats": [chair.bot is not None or chair.person in here for chair in table.chairs],
            "absent": [seat for seat, chair in enumerate(table.chairs) if chair.person in absent],
            "spectators": sum(listener.viewer.person not in table.players for listener in self.listeners)
            + sum(there.spectators for there in self._elsewhere.values()),
        }

    def _connected(self) -> set[str]:
        """The people connected to the table at any node, and its programs that have a stream open."""
        here = {listener.viewer.person for listener in self.listeners if listener.viewer.person is not None}
        for there in self._elsewhere.values():
            here |= there.people
        for chair in self._table.chairs:
            if chair.person is not None and self._programs.reaches(chair.person):
                here.add(chair.person)
        return here

    def out_of_reach(self) -> dict[str, int]:
        """The disconnected players, each with the time since they were last connected, in milliseconds."""
        here = self._connected()
        missing = [
            person for chair in self._table.chairs if (person := chair.person) is not None and person not in here
        ]
        if not missing:
            return {}
        now_ms = self._settings.now_ms()
        return {person: now_ms - self._seen_ms.get(person, self._begun_ms) for person in missing}

    def absent(self) -> frozenset[str]:
        """The players who have been disconnected for so long that a bot may take their seats."""
        return longer_than(self.out_of_reach(), self._settings.absent_ms)


def longer_than(out_of_reach: Mapping[str, int], for_ms: int) -> frozenset[str]:
    """The players who have been disconnected for longer than this."""
    return frozenset(person for person, gone_ms in out_of_reach.items() if gone_ms > for_ms)
