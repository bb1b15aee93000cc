"""What a command comes to: the events that it causes, or the reason why it is turned down.

`decide` looks at the table and at nothing else. The time and the chance that it needs are handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from riverstones.rules import Move, Seed, Side, Tile

from . import commands as c
from . import events as e
from .errors import No, NotAllowed
from .options import Clock, Options
from .people import COLOURS, HOUSE, Actor, Chair, clean_name, clean_text
from .state import Phase, Table, apply, begin
from .wishes import needed, refuse_wish

LONGEST_WORDS = 280
CHAT_BURST = 5
CHAT_BURST_MS = 10_000
"""A person may say this many things within this time."""

GRACE_MS = 10_000
"""What is left at least of a turn's time after the house was away."""

STAND_IN = "pebble"
"""The level of the bot that plays on for somebody who resigned."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a decision needs to know besides the table."""

    now_ms: int
    entropy: bytes = b""
    """32 fresh random bytes: a deal's seed, or the square of a move that the clock makes."""
    absent: frozenset[str] = frozenset()
    """The people at the table who have been out of reach for so long that their seats count as abandoned."""


@dataclass(slots=True)
class Decision:
    """The events that a command causes, each with the table after it."""

    context: Context
    table: Table
    key: str | None = None
    entries: list[e.Entry] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def emit(self, event: e.Event) -> None:
        """Let this happen."""
        entry = e.Entry(self.table.seq + 1, self.context.now_ms, event, self.key)
        self.table = apply(self.table, entry)
        self.entries.append(entry)
        self.tables.append(self.table)


def create(
    table: str,
    options: Options,
    host: Actor,
    chairs: tuple[Chair, ...],
    context: Context,
    previous: str | None = None,
) -> Decision:
    """Make a table. If every seat is taken from the start, play begins at once."""
    options.check()
    if len(chairs) != options.seats:
        raise NotAllowed(No.BAD_SEAT_COUNT, count=len(chairs))
    if host.person is None or not any(chair.person for chair in chairs):
        raise NotAllowed(No.NEEDS_A_PERSON)
    _check_rated(options, chairs)
    entry = e.Entry(1, context.now_ms, e.Created(table, options, host.person, chairs, previous))
    decision = Decision(context, begin(entry))
    decision.entries.append(entry)
    decision.tables.append(decision.table)
    _start_if_full(decision)
    return decision


def decide(table: Table, actor: Actor, command: c.Command, context: Context, key: str | None = None) -> Decision:
    """What this command of this actor comes to; raises `NotAllowed`, `Refused` or `Malformed` if it is turned down."""
    decision = Decision(context, table, key)
    if table.phase is Phase.CLOSED:
        raise NotAllowed(No.TABLE_OVER)
    _HANDLERS[type(command)](decision, actor, command)
    return decision


Some = TypeVar("Some", bound=c.Command)
_HANDLERS: dict[type, Callable[[Decision, Actor, c.Command], None]] = {}


def _handles(kind: type[Some]) -> Callable[[Callable[[Decision, Actor, Some], None]], None]:
    def register(handler: Callable[[Decision, Actor, Some], None]) -> None:
        _HANDLERS[kind] = handler  # type: ignore[assignment]  # `decide` calls it with its own kind of command only

    return register


def _check_rated(options: Options, chairs: tuple[Chair, ...]) -> None:
    people = [chair.person for chair in chairs if chair.person]
    if options.rated and (any(chair.bot or chair.program for chair in chairs) or len(set(people)) < len(people)):
        raise NotAllowed(No.RATED_IS_FOR_PEOPLE)


def _start_if_full(decision: Decision) -> None:
    table = decision.table
    if table.phase is Phase.WAITING and not any(chair.free for chair in table.chairs):
        seed = Seed(decision.context.entropy)
        wanted = table.options.start
        start = seed.first_seat(table.options.seats) if wanted == "random" else wanted
        decision.emit(e.Started(seed.reveal(), start))


def _chair(table: Table, seat: int) -> Chair:
    if not 0 <= seat < len(table.chairs):
        raise NotAllowed(No.NO_SUCH_SEAT, seat=seat)
    return table.chairs[seat]


def _own_chair(table: Table, actor: Actor, seat: int) -> Chair:
    """The chair, if the actor holds it; the house holds the bots' chairs."""
    chair = _chair(table, seat)
    if (chair.bot is None) if actor is HOUSE else (chair.person != actor.person):
        raise NotAllowed(No.NOT_YOUR_SEAT, seat=seat)
    return chair


def _check_playing(table: Table) -> None:
    if table.phase is Phase.WAITING:
        raise NotAllowed(No.NOT_STARTED)
    if table.phase is Phase.OVER:
        raise NotAllowed(No.TABLE_OVER)
    if table.paused:
        raise NotAllowed(No.PAUSED)


@_handles(c.Sit)
def _sit(decision: Decision, actor: Actor, command: c.Sit) -> None:
    table = decision.table
    assert actor.person is not None
    if table.phase is Phase.OVER:
        raise NotAllowed(No.TABLE_OVER)
    if actor.program and not table.options.programs:
        raise NotAllowed(No.PROGRAMS_NOT_WELCOME)
    seat = command.seat
    if seat is None:
        own = [n for n, chair in enumerate(table.chairs) if chair.person is None and chair.owner == actor.person]
        free = [n for n, chair in enumerate(table.chairs) if chair.free]
        seat = next(iter(own + free), None)
        if seat is None:
            raise NotAllowed(No.NO_FREE_SEAT)
    old = _chair(table, seat)
    if not _may_take(table, old, actor, decision.context.absent):
        raise NotAllowed(No.SEAT_TAKEN, seat=seat)
    if table.seats_of(actor.person) and actor.person != table.host:
        raise NotAllowed(No.ALREADY_SEATED)
    name = clean_name(actor.name if command.name is None else command.name)
    chair = Chair(
        person=actor.person,
        name=name,
        colour=free_colour(table.chairs, seat, actor.colour),
        program=actor.program,
        owner=old.person or old.owner,
        resigned=old.resigned,
    )
    _check_rated(table.options, (*table.chairs[:seat], chair, *table.chairs[seat + 1 :]))
    decision.emit(e.Seated(seat, chair))
    _start_if_full(decision)


def _may_take(table: Table, chair: Chair, actor: Actor, absent: frozenset[str]) -> bool:
    """Whether somebody may sit here: on a free seat, on one's own, or on one whose holder has been away for long.

    Once a rated game has begun, nobody may play it to its end for somebody else.
    """
    if chair.person is None and chair.owner == actor.person:
        return not chair.resigned
    if table.phase is Phase.WAITING:
        return chair.free
    return not table.options.rated and (chair.free or chair.person in absent)


def free_colour(chairs: tuple[Chair, ...], seat: int, wanted: str) -> str:
    """The colour for a seat: the wanted one unless somebody else has it."""
    taken = {chair.colour for n, chair in enumerate(chairs) if n != seat and not chair.free}
    return wanted if wanted not in taken else next(colour for colour in COLOURS if colour not in taken)


@_handles(c.Stand)
def _stand(decision: Decision, actor: Actor, command: c.Stand) -> None:
    if decision.table.phase is Phase.OVER:
        raise NotAllowed(No.TABLE_OVER)
    _own_chair(decision.table, actor, command.seat)
    decision.emit(e.Left(command.seat))


@_handles(c.SeatBot)
def _seat_bot(decision: Decision, actor: Actor, command: c.SeatBot) -> None:
    table = decision.table
    chair = _chair(table, command.seat)
    if table.phase is Phase.OVER:
        raise NotAllowed(No.TABLE_OVER)
    if table.phase is Phase.WAITING:
        if table.options.rated:
            raise NotAllowed(No.RATED_IS_FOR_PEOPLE)
        if actor.person != table.host:
            raise NotAllowed(No.NOT_THE_HOST)
        if not chair.free:
            raise NotAllowed(No.SEAT_TAKEN, seat=command.seat)
    elif not table.seats_of(actor.person):
        raise NotAllowed(No.NOT_SEATED)
    elif chair.bot is not None:
        raise NotAllowed(No.SEAT_TAKEN, seat=command.seat)
    elif chair.person is not None and chair.person not in decision.context.absent:
        raise NotAllowed(No.STILL_HERE, seat=command.seat)
    elif table.options.rated:
        _give_up(decision, command.seat)
        return
    decision.emit(e.Seated(command.seat, bot_chair(table.chairs, command.seat, command.level)))
    _start_if_full(decision)


def bot_chair(chairs: tuple[Chair, ...], seat: int, level: str) -> Chair:
    """A bot's chair; who sat there before may come back to it."""
    old = chairs[seat]
    return Chair(
        bot=level,
        name=level,
        colour=free_colour(chairs, seat, old.colour or COLOURS[seat]),
        owner=old.person or old.owner,
        resigned=old.resigned,
    )


@_handles(c.ClearSeat)
def _clear_seat(decision: Decision, actor: Actor, command: c.ClearSeat) -> None:
    table = decision.table
    if table.phase is not Phase.WAITING:
        raise NotAllowed(No.ALREADY_STARTED)
    if actor.person != table.host:
        raise NotAllowed(No.NOT_THE_HOST)
    if _chair(table, command.seat).free:
        raise NotAllowed(No.SEAT_EMPTY, seat=command.seat)
    decision.emit(e.Left(command.seat))


@_handles(c.Play)
def _play(decision: Decision, actor: Actor, command: c.Play) -> None:
    table = decision.table
    _own_chair(table, actor, command.seat)
    _check_playing(table)
    if table.phase is Phase.SETTLING:
        raise NotAllowed(No.TABLE_OVER)
    if command.turn != table.turn:
        raise NotAllowed(No.WRONG_TURN, turn=table.turn)
    if command.seat != table.to_move:
        raise NotAllowed(No.NOT_YOUR_TURN)
    _move(decision, e.Moved(command.seat, str(Move.parse(command.move)), command.claim))


def _move(decision: Decision, moved: e.Moved) -> None:
    decision.emit(moved)
    game = decision.table.game
    if game is not None and game.over and not decision.table.by_claims:
        decision.emit(e.Ended())


def _check_claimed(decision: Decision, actor: Actor, seat: int, turn: int) -> None:
    table = decision.table
    _own_chair(table, actor, seat)
    _check_playing(table)
    if not table.by_claims:
        raise NotAllowed(No.NOT_BY_CLAIMS)
    if turn < 0 or turn != table.turn - 1:
        raise NotAllowed(No.WRONG_TURN, turn=table.turn)


@_handles(c.Object)
def _object(decision: Decision, actor: Actor, command: c.Object) -> None:
    _check_claimed(decision, actor, command.seat, command.turn)
    decision.emit(e.Objected(command.seat))
    game = decision.table.game
    if game is not None and game.turns[-1].upheld and decision.table.phase is Phase.SETTLING:
        decision.emit(e.Ended())


@_handles(c.Confirm)
def _confirm(decision: Decision, actor: Actor, command: c.Confirm) -> None:
    _check_claimed(decision, actor, command.seat, command.turn)
    table = decision.table
    if command.seat in table.confirmed:
        raise NotAllowed(No.ALREADY_CONFIRMED)
    decision.emit(e.Confirmed(command.seat))
    everyone = {seat for seat, chair in enumerate(table.chairs) if not chair.free}
    if table.phase is Phase.SETTLING and decision.table.confirmed >= everyone:
        decision.emit(e.Ended())


@_handles(c.Ask)
def _ask(decision: Decision, actor: Actor, command: c.Ask) -> None:
    table = decision.table
    _own_chair(table, actor, command.seat)
    refuse_wish(table, command.wish, command.seat)
    if table.asked(command.wish):
        raise NotAllowed(No.ALREADY_ASKED)
    decision.emit(e.Asked(command.seat, command.wish))
    _grant_if_agreed(decision, command.wish)


@_handles(c.Answer)
def _answer(decision: Decision, actor: Actor, command: c.Answer) -> None:
    table = decision.table
    _own_chair(table, actor, command.seat)
    if table.asked(command.wish) is None:
        raise NotAllowed(No.NOTHING_ASKED)
    if not command.yes:
        decision.emit(e.Declined(command.seat, command.wish))
        return
    decision.emit(e.Agreed(command.seat, command.wish))
    _grant_if_agreed(decision, command.wish)


def _grant_if_agreed(decision: Decision, wish: c.Wish) -> None:
    """Let a wish come true once everybody has consented. A rematch is then the house's to make."""
    table = decision.table
    asking = table.asked(wish)
    if asking is None or not asking.agreed >= needed(table, wish, decision.context.absent):
        return
    if wish is c.Wish.PAUSE:
        decision.emit(e.Paused())
    elif wish is c.Wish.TAKE_BACK:
        assert table.game is not None
        own = [n for n, turn in enumerate(table.game.turns) if turn.seat == asking.seat]
        decision.emit(e.TakenBack(own[-1]))


@_handles(c.Resume)
def _resume(decision: Decision, actor: Actor, command: c.Resume) -> None:
    _own_chair(decision.table, actor, command.seat)
    if not decision.table.paused:
        raise NotAllowed(No.NOT_PAUSED)
    decision.emit(e.Resumed(command.seat))


@_handles(c.Resign)
def _resign(decision: Decision, actor: Actor, command: c.Resign) -> None:
    table = decision.table
    _own_chair(table, actor, command.seat)
    if table.phase is Phase.WAITING:
        raise NotAllowed(No.NOT_STARTED)
    if table.phase is not Phase.PLAYING:
        raise NotAllowed(No.TABLE_OVER)
    _give_up(decision, command.seat)


def _give_up(decision: Decision, seat: int) -> None:
    """Let a seat resign, or count as resigned. The last one who stays has won; among more a bot plays on for it."""
    decision.emit(e.Resigned(seat))
    chairs = decision.table.chairs
    staying = [chair for chair in chairs if not chair.resigned]
    if len(staying) == 1 or not any(chair.person for chair in staying):
        decision.emit(e.Ended())
    else:
        decision.emit(e.Seated(seat, bot_chair(chairs, seat, STAND_IN)))


@_handles(c.Say)
def _say(decision: Decision, actor: Actor, command: c.Say) -> None:
    table = decision.table
    seats = table.seats_of(actor.person)
    if not seats or actor.person is None:
        raise NotAllowed(No.NOT_SEATED)
    if not command.text.strip():
        raise NotAllowed(No.CHAT_EMPTY)
    text = clean_text(command.text, LONGEST_WORDS)
    if text is None:
        raise NotAllowed(No.CHAT_TOO_LONG, longest=LONGEST_WORDS)
    since = decision.context.now_ms - CHAT_BURST_MS
    if sum(words.person == actor.person and words.at_ms > since for words in table.chat) >= CHAT_BURST:
        raise NotAllowed(No.CHAT_TOO_FAST)
    decision.emit(e.Said(actor.person, table.chairs[seats[0]].name, text))


@_handles(c.Close)
def _close(decision: Decision, actor: Actor, command: c.Close) -> None:
    if actor.person != decision.table.host:
        raise NotAllowed(No.NOT_THE_HOST)
    if decision.table.phase is not Phase.WAITING:
        raise NotAllowed(No.ALREADY_STARTED)
    decision.emit(e.Closed())


def due_ms(table: Table) -> int | None:
    """When the house has to look at this table again; None if time changes nothing."""
    strict = table.phase is Phase.PLAYING and table.options.clock is Clock.STRICT
    return table.deadline_ms if strict or table.phase is Phase.SETTLING else None


@_handles(c.Tick)
def _tick(decision: Decision, actor: Actor, command: c.Tick) -> None:
    table = decision.table
    due = due_ms(table)
    if due is None or decision.context.now_ms < due:
        return
    if table.phase is Phase.SETTLING:
        decision.emit(e.Ended())
        return
    assert table.game is not None
    squares = table.game.board.frontier()
    square = squares[int.from_bytes(decision.context.entropy) % len(squares)]
    move = Move(square, Tile(table.game.hand[0], Side.ADDEND))
    _move(decision, e.Moved(table.game.seat, str(move), 0 if table.by_claims else None, timed_out=True))


@_handles(c.Wake)
def _wake(decision: Decision, actor: Actor, command: c.Wake) -> None:
    due, now_ms = due_ms(decision.table), decision.context.now_ms
    if due is not None and due < now_ms + GRACE_MS:
        decision.emit(e.Extended(now_ms + GRACE_MS))


@_handles(c.Rematch)
def _rematch(decision: Decision, actor: Actor, command: c.Rematch) -> None:
    asking = decision.table.asked(c.Wish.REMATCH)
    if asking is None or decision.table.next is not None:
        raise NotAllowed(No.NOTHING_ASKED)
    decision.emit(e.Rematched(command.table))


def wants_rematch(table: Table) -> bool:
    """Whether everybody has agreed to a rematch that the house has yet to make."""
    asking = table.asked(c.Wish.REMATCH)
    return asking is not None and asking.agreed >= needed(table, c.Wish.REMATCH, frozenset())


def rematch_terms(table: Table) -> tuple[Options, tuple[Chair, ...]]:
    """The terms of the rematch: the same people and bots, with the start passed on to the next seat."""
    assert table.game is not None
    start = (table.game.setup.start + 1) % table.options.seats
    options = table.options if table.options.start == "random" else replace(table.options, start=start)
    return options, tuple(replace(chair, resigned=False, owner=None) for chair in table.chairs)
