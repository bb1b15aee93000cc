"""Seating: create a table, sit down, leave, take over a seat, resign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Protocol

from . import commands as c
from . import events as e
from .decision import Context, Decision, chair_at, check_account, check_guided, check_rated, own_chair, start_if_full
from .errors import NotAllowed, TableRefusal
from .options import Options
from .players import COLOURS, Actor, Chair, clean_name, distinct_name
from .proposals import welcomes_newcomer
from .state import Phase, Table, begin

STAND_IN = "brook"
"""The level of the bot that replaces a player who resigned: neither a gift to the next seat nor a threat."""


class SeatRequest(Protocol):
    """Who is to hold a seat of a new table first: its maker, a bot, or nobody yet."""

    @property
    def who(self) -> Literal["me", "bot", "open"]: ...
    @property
    def name(self) -> str | None:
        """A name other than the maker's, for several people at one device."""

    @property
    def level(self) -> str | None:
        """The level of a bot."""


def chairs_of(options: Options, seats: Sequence[SeatRequest], maker: Actor) -> tuple[Chair, ...]:
    """The chairs of a new table; raises `NotAllowed` if their number is not that of the options."""
    if len(seats) != options.seats:
        raise NotAllowed(TableRefusal.BAD_SEAT_COUNT, count=len(seats))
    chairs: tuple[Chair, ...] = (Chair(),) * len(seats)
    for number, seat in enumerate(seats):
        if seat.who == "me":
            name = clean_name(maker.name if seat.name is None else seat.name)
            wanted = maker.colour if seat.name is None else COLOURS[number]
            chair = Chair(person=maker.person, name=name, colour=free_colour(chairs, number, wanted))
        elif seat.who == "bot":
            level = seat.level or ""
            chair = Chair(bot=level, name=level, colour=free_colour(chairs, number, COLOURS[number]))
        else:
            chair = Chair()
        chairs = (*chairs[:number], chair, *chairs[number + 1 :])
    return chairs


def create(
    table: str,
    options: Options,
    host: Actor,
    chairs: tuple[Chair, ...],
    context: Context,
    previous: str | None = None,
    *,
    bots_alone: bool = False,
) -> Decision:
    """Create a table. If every seat is taken from the start, the game starts at once.

    At least one seat must be held by a player, unless the host sets `bots_alone`.
    """
    entry = created(table, options, host, chairs, context.now_ms, previous, bots_alone=bots_alone)
    decision = Decision(context, begin(entry))
    decision.entries.append(entry)
    decision.tables.append(decision.table)
    start_if_full(decision)
    return decision


def created(
    table: str,
    options: Options,
    host: Actor,
    chairs: tuple[Chair, ...],
    now_ms: int,
    previous: str | None = None,
    *,
    bots_alone: bool = False,
    device: bool = False,
) -> e.Entry:
    """The first entry of a table's log, without a deal; raises `NotAllowed` as `create` does."""
    options.check()
    if len(chairs) != options.seats:
        raise NotAllowed(TableRefusal.BAD_SEAT_COUNT, count=len(chairs))
    if host.person is None or not (bots_alone or any(chair.person for chair in chairs)):
        raise NotAllowed(TableRefusal.NEEDS_A_PERSON)
    check_rated(options, chairs)
    check_guided(options, chairs)
    check_account(options, host)
    chairs = _with_distinct_names(chairs)
    return e.Entry(1, now_ms, e.Created(table, options, host.person, chairs, previous, device))


def _with_distinct_names(chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """The chairs of a new table with a name of its own for each player."""
    apart: list[Chair] = []
    for number, chair in enumerate(chairs):
        others = [other.name for other in (*apart, *chairs[number + 1 :]) if other.bot is not None or other in apart]
        apart.append(replace(chair, name=distinct_name(chair.name, others)) if chair.person else chair)
    return tuple(apart)


def sit(decision: Decision, actor: Actor, command: c.Sit) -> None:
    """Take a seat, and start the game if it was the last free one."""
    table = decision.table
    assert actor.person is not None
    if table.phase is Phase.OVER:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    if actor.program and not table.options.programs:
        raise NotAllowed(TableRefusal.PROGRAMS_NOT_WELCOME)
    seat = command.seat
    if seat is None:
        own = [n for n, chair in enumerate(table.chairs) if _may_return(chair, actor)]
        free = [n for n, chair in enumerate(table.chairs) if chair.free]
        seat = next(iter(own + free), None)
        if seat is None:
            raise NotAllowed(TableRefusal.NO_FREE_SEAT)
    old = chair_at(table, seat)
    if not _may_take(table, old, actor, decision.context.absent):
        raise NotAllowed(TableRefusal.SEAT_TAKEN, seat=seat)
    if table.seats_of(actor.person) and actor.person != table.host:
        raise NotAllowed(TableRefusal.ALREADY_SEATED)
    if table.phase is not Phase.WAITING and not _may_return(old, actor):
        if actor.person in table.ever_seated:  # they would know two hands
            raise NotAllowed(TableRefusal.ALREADY_SEATED)
        if not welcomes_newcomer(table, seat, decision.context.absent):
            raise NotAllowed(TableRefusal.NOT_INVITED, seat=seat)
    others = [chair.name for number, chair in enumerate(table.chairs) if number != seat and not chair.free]
    name = distinct_name(clean_name(actor.name if command.name is None else command.name), others)
    chair = Chair(
        person=actor.person,
        name=name,
        colour=free_colour(table.chairs, seat, actor.colour),
        program=actor.program,
        owner=_owner_after(old, actor),
        resigned=old.resigned,
    )
    check_rated(table.options, (*table.chairs[:seat], chair, *table.chairs[seat + 1 :]))
    check_account(table.options, actor)
    decision.emit(e.Seated(seat, chair))
    start_if_full(decision)


def _may_return(chair: Chair, actor: Actor) -> bool:
    """Whether this seat belongs to the actor, who may return to it, also from a newcomer who took it over."""
    return chair.owner == actor.person and chair.person != actor.person


def _owner_after(old: Chair, actor: Actor) -> str | None:
    """Whose the seat is once the actor sits there: an absent player keeps it, one who left has given it up."""
    if _may_return(old, actor):
        return actor.person
    return None if old.person is None else old.owner or old.person


def _may_take(table: Table, chair: Chair, actor: Actor, absent: frozenset[str]) -> bool:
    """Whether the actor may sit here: on a free seat, on their own, or on an abandoned one.

    Once a rated game has begun, nobody may take over another player's seat.
    """
    if _may_return(chair, actor):
        return not chair.resigned
    if table.phase is Phase.WAITING:
        return chair.free
    return not table.options.rated and (chair.free or chair.person in absent)


def free_colour(chairs: tuple[Chair, ...], seat: int, wanted: str) -> str:
    """The colour for a seat: the wanted one unless another seat has it."""
    taken = {chair.colour for n, chair in enumerate(chairs) if n != seat and not chair.free}
    return wanted if wanted not in taken else next(colour for colour in COLOURS if colour not in taken)


def stand(decision: Decision, actor: Actor, command: c.Stand) -> None:
    """Leave a seat."""
    if decision.table.phase is Phase.OVER:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    own_chair(decision.table, actor, command.seat)
    decision.emit(e.Left(command.seat))


def seat_bot(decision: Decision, actor: Actor, command: c.SeatBot) -> None:
    """Seat a bot. In a rated game this counts as the seat's resignation."""
    table = decision.table
    chair = chair_at(table, command.seat)
    if table.phase is Phase.OVER:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    if table.phase is Phase.WAITING:
        if table.options.rated:
            raise NotAllowed(TableRefusal.RATED_IS_FOR_PEOPLE)
        if actor.person != table.host:
            raise NotAllowed(TableRefusal.NOT_THE_HOST)
        if not chair.free:
            raise NotAllowed(TableRefusal.SEAT_TAKEN, seat=command.seat)
    elif not table.seats_of(actor.person):
        raise NotAllowed(TableRefusal.NOT_SEATED)
    elif chair.bot is not None:
        raise NotAllowed(TableRefusal.SEAT_TAKEN, seat=command.seat)
    elif chair.person is not None and chair.person not in decision.context.absent:
        raise NotAllowed(TableRefusal.STILL_HERE, seat=command.seat)
    elif table.options.rated:
        _give_up(decision, command.seat)
        return
    decision.emit(e.Seated(command.seat, bot_chair(table.chairs, command.seat, command.level)))
    start_if_full(decision)


def bot_chair(chairs: tuple[Chair, ...], seat: int, level: str) -> Chair:
    """A bot's chair; the player who sat there before may return to it."""
    old = chairs[seat]
    return Chair(
        bot=level,
        name=level,
        colour=free_colour(chairs, seat, old.colour or COLOURS[seat]),
        owner=old.owner or old.person,
        resigned=old.resigned,
    )


def clear_seat(decision: Decision, actor: Actor, command: c.ClearSeat) -> None:
    """Free a seat before play."""
    table = decision.table
    if table.phase is not Phase.WAITING:
        raise NotAllowed(TableRefusal.ALREADY_STARTED)
    if actor.person != table.host:
        raise NotAllowed(TableRefusal.NOT_THE_HOST)
    if chair_at(table, command.seat).free:
        raise NotAllowed(TableRefusal.SEAT_EMPTY, seat=command.seat)
    decision.emit(e.Left(command.seat))


def resign(decision: Decision, actor: Actor, command: c.Resign) -> None:
    """Resign."""
    table = decision.table
    own_chair(table, actor, command.seat)
    if table.phase is Phase.WAITING:
        raise NotAllowed(TableRefusal.NOT_STARTED)
    if table.phase is not Phase.PLAYING:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    _give_up(decision, command.seat)


def _give_up(decision: Decision, seat: int) -> None:
    """Mark a seat as resigned. The last remaining seat wins; with more remaining, a bot plays on for the seat."""
    decision.emit(e.Resigned(seat))
    chairs = decision.table.chairs
    staying = [chair for chair in chairs if not chair.resigned]
    if len(staying) == 1 or not any(chair.person for chair in staying):
        decision.emit(e.Ended())
    else:
        decision.emit(e.Seated(seat, bot_chair(chairs, seat, STAND_IN)))


def close(decision: Decision, actor: Actor, command: c.Close) -> None:
    """Close a table before play has begun."""
    if actor.person != decision.table.host:
        raise NotAllowed(TableRefusal.NOT_THE_HOST)
    if decision.table.phase is not Phase.WAITING:
        raise NotAllowed(TableRefusal.ALREADY_STARTED)
    decision.emit(e.Closed())
