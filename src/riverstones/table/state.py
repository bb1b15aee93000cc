"""The state of a table, and how each event changes it.

Applying an event cannot be refused: everything in the log has happened.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache, reduce
from typing import Any

from riverstones.rules import Game, Move, Outcome, Scoring, Seed, Series, kakuros_made

from . import events as e
from .commands import Proposal
from .options import Clock, Options
from .players import Chair

SETTLE_MS = 30_000
"""How long the last move of a game with claims may be objected to."""

HANDOVER_MS = 20_000
"""How long the clock waits for a shared device to be handed over while players on other devices wait."""

PROPOSALS_KEPT = 40
"""The number of proposals that a table remembers for their rate limit."""

CHAT_KEPT = 100
"""The number of chat messages that a table keeps."""


class Phase(Enum):
    """The phase of a table."""

    WAITING = "waiting"
    """Free seats are waiting for players."""
    PLAYING = "playing"
    SETTLING = "settling"
    """The last move is made and its claim may still be objected to."""
    OVER = "over"
    CLOSED = "closed"
    """It was closed before play began."""


@dataclass(frozen=True, slots=True)
class PendingProposal:
    """A proposal that waits for consent."""

    proposal: Proposal
    seat: int
    agreed: frozenset[int]
    """The seats that have agreed, including the proposer's."""


@dataclass(frozen=True, slots=True)
class Words:
    """A chat message."""

    at_ms: int
    person: str
    name: str
    text: str


@dataclass(frozen=True)
class Table:
    """One table, with full knowledge."""

    id: str
    options: Options
    host: str
    chairs: tuple[Chair, ...]
    created_ms: int
    previous: str | None
    seq: int
    """The number of the last event."""
    phase: Phase = Phase.WAITING
    seed: Seed | None = None
    game: Game | None = None
    made: tuple[tuple[Series, ...] | None, ...] = ()
    """For each turn, the Kakuros it scored; None for a claim without an objection."""
    turn_ms: int = 0
    """When the turn, or the rest of it after a pause or a restart, began."""
    deadline_ms: int | None = None
    """When the turn, or the time to object at the end, is over; None without a clock, during a pause, and while a
    device is handed over with nobody else waiting."""
    left_ms: int | None = None
    """The time left in the turn when a pause began."""
    awaiting_reveal: bool = False
    """Whether the clock waits until the seat to move is shown its hand on a shared device."""
    objections_ms: int | None = None
    """Until when the next bot waits for players to object to the last claim."""
    away: frozenset[int] = frozenset()
    """The seats of players who were disconnected when the last claim was made: nobody waits for their objections."""
    paused: bool = False
    confirmed: frozenset[int] = frozenset()
    """The seats that have accepted the last claim."""
    proposals: tuple[PendingProposal, ...] = ()
    asked_ms: tuple[tuple[str, int], ...] = ()
    """Who made the last proposals, and when."""
    chat: tuple[Words, ...] = ()
    ever_seated: frozenset[str] = frozenset()
    """All players who hold or held a seat in this game, and so have seen its hand."""
    ended_ms: int | None = None
    next: str | None = None
    """The table of the rematch."""
    device: bool = False
    """Whether a device kept the table, and not a server."""
    left_after: int | None = None
    """The number of turns that were played when somebody first left the game, resigned or was replaced."""

    @property
    def turn(self) -> int:
        """The number of the turn to be played, from 0."""
        return len(self.game.turns) if self.game else 0

    @property
    def changed_ms(self) -> int:
        """When the table was created, its current turn began, or it ended: whichever came last."""
        return max(self.created_ms, self.turn_ms, self.ended_ms or 0)

    @property
    def to_move(self) -> int | None:
        """The seat to move; None if there is none."""
        return self.game.to_move if self.game and self.phase is Phase.PLAYING and not self.game.over else None

    @property
    def commitment(self) -> str | None:
        """The commitment to the deal; None before play, and for a game whose seed no server knew before its end."""
        return None if self.seed is None or self.device else self.seed.commitment

    @property
    def by_claims(self) -> bool:
        """Whether the players claim their points."""
        return self.options.scoring is Scoring.CLAIMS

    @property
    def objections_until_ms(self) -> int | None:
        """Until when the bot to move waits for objections; None once everybody who is waited for has answered."""
        if self.objections_ms is None or self.to_move is None or self.chairs[self.to_move].bot is None or self.paused:
            return None
        if self.game is None or self.game.turns[-1].upheld:
            return None
        last = self.game.turns[-1]
        spoken = self.confirmed | {objection.seat for objection in last.objections}
        silent = self.away | {last.seat}
        asked = {chair.person for seat, chair in enumerate(self.chairs) if chair.person and seat not in silent}
        heard = {self.chairs[seat].person for seat in spoken}
        return None if asked <= heard else self.objections_ms

    @property
    def expires_ms(self) -> int | None:
        """When the clock makes the move of the turn or accepts the last claim; None if it never does."""
        strict = self.phase is Phase.PLAYING and self.options.clock is Clock.STRICT
        return self.deadline_ms if strict or self.phase is Phase.SETTLING else None

    @property
    def has_clock(self) -> bool:
        """Whether somebody's time is running."""
        return self.deadline_ms is not None or self.objections_until_ms is not None

    @property
    def players(self) -> frozenset[str]:
        """Every person who holds a seat, including owners of programs."""
        return frozenset(chair.person for chair in self.chairs if chair.person is not None)

    @property
    def outcome(self) -> Outcome | None:
        """The result once it is final. Seats that resigned do not win."""
        if self.phase is not Phase.OVER or self.game is None:
            return None
        return Outcome.of(self.game.scores, [seat for seat, chair in enumerate(self.chairs) if chair.resigned])

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        """The seats that a person holds."""
        if person is None:
            return ()
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.person == person)

    def shares_device(self, seat: int) -> bool:
        """Whether this seat's device has to be handed over, because its holder plays several seats."""
        person = self.chairs[seat].person
        held = [chair for chair in self.chairs if chair.person == person and not chair.program]
        return person is not None and not self.chairs[seat].program and len(held) > 1

    def asked(self, proposal: Proposal) -> PendingProposal | None:
        """The pending proposal of this kind."""
        return next((pending for pending in self.proposals if pending.proposal is proposal), None)


def fold(entries: Iterable[e.Entry], table: Table | None = None) -> Table:
    """The table after these events; unless a table is given, the first of them has to be `Created`."""
    rest = iter(entries)
    begun = table or begin(next(rest))
    return reduce(apply, rest, begun)


def begin(entry: e.Entry) -> Table:
    """The table that the first event of a log creates."""
    made = entry.event
    if not isinstance(made, e.Created):
        raise ValueError("the first event of a log must be the creation of the table")
    return Table(
        made.table, made.options, made.host, made.chairs, entry.at_ms, made.previous, entry.seq, device=made.device
    )


def apply(table: Table, entry: e.Entry) -> Table:
    """The table after one more event."""
    if entry.seq != table.seq + 1:
        raise ValueError(f"event {entry.seq} cannot follow event {table.seq}")
    event = entry.event
    if isinstance(event, e.Moved):
        return _moved(table, event, entry.at_ms, entry.seq)  # the most frequent event, with fewer copies
    return _with(_after(table, event, entry.at_ms), seq=entry.seq)


def _after(table: Table, event: e.Event, at_ms: int) -> Table:
    match event:
        case e.Seated(seat, chair):
            return _device_changes(_seated(table, seat, chair), at_ms)
        case e.Left(seat):
            return _device_changes(_left(table, seat), at_ms)
        case e.Started(seed, start):
            return _started(table, Seed.parse(seed), start, at_ms)
        case e.Revealed():
            return _clock_starts(table, at_ms)
        case e.Moved():
            return _moved(table, event, at_ms, table.seq)
        case e.Objected(seat):
            return _objected(table, seat)
        case e.Confirmed(seat):
            return _with(table, confirmed=table.confirmed | {seat})
        case e.Asked(seat, proposal):
            person = table.chairs[seat].person
            pending = PendingProposal(proposal, seat, frozenset(table.seats_of(person)))
            asked_ms = (*table.asked_ms, (str(person), at_ms))[-PROPOSALS_KEPT:]
            return _with(table, proposals=(*table.proposals, pending), asked_ms=asked_ms)
        case e.Agreed(seat, proposal):
            more = frozenset(table.seats_of(table.chairs[seat].person))
            agreed = tuple(replace(a, agreed=a.agreed | more) if a.proposal is proposal else a for a in table.proposals)
            return _with(table, proposals=agreed)
        case e.Declined(_, proposal):
            return _without(table, proposal)
        case e.Paused():
            left = None if table.deadline_ms is None else max(0, table.deadline_ms - at_ms)
            return _with(_without(table, Proposal.PAUSE), paused=True, deadline_ms=None, left_ms=left)
        case e.Resumed():
            deadline = None if table.left_ms is None else at_ms + table.left_ms
            objections = None if table.objections_ms is None else at_ms + _wait_again_ms(table, table.objections_ms)
            return replace(
                table, paused=False, deadline_ms=deadline, objections_ms=objections, left_ms=None, turn_ms=at_ms
            )
        case e.TakenBack(turns):
            return _taken_back(table, turns, at_ms)
        case e.Resigned(seat):
            resigned = _with(table, chairs=_with_chair(table.chairs, seat, replace(table.chairs[seat], resigned=True)))
            return _somebody_leaves(resigned)
        case e.Extended(deadline_ms, objections_ms):
            # Logs from before clocks waited for the hand have this event, without an end, for a turn that waits now.
            waits = table.awaiting_reveal and table.deadline_ms is None
            deadline = None if waits else deadline_ms
            return _with(table, deadline_ms=deadline, objections_ms=objections_ms, turn_ms=at_ms)
        case e.Ended():
            return replace(
                table,
                phase=Phase.OVER,
                deadline_ms=None,
                left_ms=None,
                awaiting_reveal=False,
                paused=False,
                proposals=(),
                ended_ms=at_ms,
            )
        case e.Said(person, name, text):
            return _with(table, chat=(*table.chat, Words(at_ms, person, name, text))[-CHAT_KEPT:])
        case e.Rematched(other):
            return _with(_without(table, Proposal.REMATCH), next=other)
        case e.Closed():
            return _with(table, phase=Phase.CLOSED, ended_ms=at_ms)
        case e.Created():
            raise ValueError("a table is created only once")


def _wait_again_ms(table: Table, objections_ms: int) -> int:
    """How long a bot waits for objections after a pause: the full time again, but not past its own deadline."""
    wait_ms = objections_ms - table.turn_ms
    strict = table.options.clock is Clock.STRICT and table.left_ms is not None
    return min(wait_ms, (table.left_ms or 0) // 2) if strict else wait_ms


parse_move = lru_cache(maxsize=4096)(Move.parse)
"""`Move.parse`, for a move that is parsed when it is decided on and again when it is applied."""

NOBODY: frozenset[int] = frozenset()


def _with(table: Table, **changes: Any) -> Table:
    """`dataclasses.replace` in a fraction of the time: it would set two dozen fields one by one for every move.

    This copies them all at once, which needs a class without slots. It checks no name, and would copy a cached property
    too: `Table` must have none.
    """
    after = object.__new__(Table)
    vars(after).update(vars(table), **changes)
    return after


def _with_chair(chairs: tuple[Chair, ...], seat: int, chair: Chair) -> tuple[Chair, ...]:
    return (*chairs[:seat], chair, *chairs[seat + 1 :])


def _without(table: Table, proposal: Proposal) -> Table:
    return _with(table, proposals=tuple(other for other in table.proposals if other.proposal is not proposal))


def _seated(table: Table, seat: int, chair: Chair) -> Table:
    after = _with(table, chairs=_with_chair(table.chairs, seat, chair))
    if table.phase is Phase.WAITING:
        return after
    if table.chairs[seat].person not in (None, chair.person):
        after = _somebody_leaves(after)
    # A newcomer proposal admits only one newcomer.
    return _with(_without(after, Proposal.NEWCOMER), ever_seated=table.ever_seated | after.players)


def _left(table: Table, seat: int) -> Table:
    old = table.chairs[seat]
    if table.phase is Phase.WAITING:
        return _with(table, chairs=_with_chair(table.chairs, seat, Chair()))
    owner = old.owner or old.person  # a newcomer who leaves does not leave the seat of an absent player to others
    empty = Chair(name=old.name, colour=old.colour, owner=owner, resigned=old.resigned)
    return _somebody_leaves(_with(table, chairs=_with_chair(table.chairs, seat, empty)))


def _somebody_leaves(table: Table) -> Table:
    return table if table.left_after is not None else _with(table, left_after=table.turn)


def _started(table: Table, seed: Seed, start: int, at_ms: int) -> Table:
    game = Game.begin(table.options.setup(start), seed.deal())
    return _turn_begins(table, game, at_ms, phase=Phase.PLAYING, seed=seed, ever_seated=table.players)


def _turn_begins(table: Table, game: Game, at_ms: int, **changes: Any) -> Table:
    """Begin the next turn of a game: restart the clock and drop pending proposals, except the one for a newcomer.

    Copying a table costs as much as any other part of a move, so all changes go into one copy.
    """
    changes["game"] = game
    changes.setdefault("objections_ms", None)
    changes.setdefault("away", NOBODY)
    changes["confirmed"] = NOBODY
    if table.proposals:
        changes["proposals"] = tuple(p for p in table.proposals if p.proposal is Proposal.NEWCOMER)
    if table.options.clock is not Clock.OFF and not game.over and table.shares_device(game.to_move):
        ends_ms = _handover_ends_ms(table, game.to_move, at_ms)
        return _with(table, **changes, turn_ms=at_ms, deadline_ms=ends_ms, awaiting_reveal=True)
    return _clock_starts(table, at_ms, **changes)


def _clock_starts(table: Table, at_ms: int, **changes: Any) -> Table:
    """Start the turn's full time, or do so when the current pause ends. Other changes go into the same copy."""
    if table.options.clock is Clock.OFF:
        return _with(table, **changes, awaiting_reveal=False, turn_ms=at_ms, deadline_ms=None)
    turn_length_ms = table.options.seconds * 1000
    if table.paused:
        return _with(table, **changes, awaiting_reveal=False, left_ms=turn_length_ms)
    return _with(table, **changes, awaiting_reveal=False, turn_ms=at_ms, deadline_ms=at_ms + turn_length_ms)


def _handover_ends_ms(table: Table, seat: int, at_ms: int) -> int | None:
    """When a turn ends whose hand is never shown: with players on other devices waiting, nobody may stall."""
    others = any(chair.person not in (None, table.chairs[seat].person) for chair in table.chairs)
    return at_ms + HANDOVER_MS + table.options.seconds * 1000 if others else None


def _device_changes(table: Table, at_ms: int) -> Table:
    """Adjust a waiting clock after a seat changed: there may be no device to hand over any more, or others may wait."""
    seat = table.to_move
    if not table.awaiting_reveal or seat is None:
        return table
    if not table.shares_device(seat):
        return _clock_starts(table, at_ms)
    ends_ms = _handover_ends_ms(table, seat, at_ms)
    known_ms = table.left_ms if table.paused else table.deadline_ms
    if (known_ms is None) == (ends_ms is None):
        return table
    if table.paused:
        return _with(table, left_ms=None if ends_ms is None else ends_ms - at_ms)
    return _with(table, deadline_ms=ends_ms)


def _moved(table: Table, event: e.Moved, at_ms: int, seq: int) -> Table:
    assert table.game is not None
    move = parse_move(event.move)
    game = table.game.play(move, claim=event.claim, timed_out=event.timed_out)  # raises if unplayable
    made = None if table.by_claims else kakuros_made(table.game.board, move)
    shown = (*table.made, made)
    if not game.over:
        away = frozenset(event.away) if event.away else NOBODY
        return _turn_begins(table, game, at_ms, seq=seq, made=shown, objections_ms=event.objections_ms, away=away)
    after = _turn_begins(table, game, at_ms, seq=seq, made=shown)
    if table.by_claims:
        return _with(after, phase=Phase.SETTLING, deadline_ms=at_ms + SETTLE_MS)
    return _with(after, deadline_ms=None)


def _objected(table: Table, seat: int) -> Table:
    assert table.game is not None
    last = table.game.turns[-1]
    made = kakuros_made(table.game.board_before_last(), last.move)
    return _with(table, game=table.game.object(seat), made=(*table.made[:-1], made))


def _taken_back(table: Table, turns: int, at_ms: int) -> Table:
    assert table.game is not None
    game = Game.begin(table.game.setup, table.game.deal)
    for turn in table.game.turns[:turns]:
        game = game.play(turn.move, claim=turn.claim, timed_out=turn.timed_out)
        for objection in turn.objections:
            game = game.object(objection.seat)
    return _turn_begins(table, game, at_ms, made=table.made[:turns], phase=Phase.PLAYING)
