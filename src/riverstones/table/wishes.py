"""What takes everybody's consent: pausing, taking back, a rematch. And talking, which takes nobody's."""

from __future__ import annotations

from dataclasses import replace

from riverstones.rules import HAND_SIZE, TILE_COUNT

from . import commands as c
from . import events as e
from .commands import Wish
from .decision import Decision, check_playing, check_rated, own_chair
from .errors import NotAllowed, TableRefusal
from .options import Options
from .people import Actor, Chair, clean_text
from .state import Phase, Table

LONGEST_WORDS = 280
CHAT_BURST = 5
CHAT_BURST_MS = 10_000
"""A person may say this many things within this time."""


def needed(table: Table, wish: Wish, absent: frozenset[str]) -> frozenset[int]:
    """The seats whose consent a wish takes: those of all people, but who is away cannot stop a pause or a newcomer."""
    away = absent if wish in (Wish.PAUSE, Wish.NEWCOMER) else frozenset()
    return frozenset(
        seat for seat, chair in enumerate(table.chairs) if chair.person is not None and chair.person not in away
    )


def refuse_wish(table: Table, wish: Wish, seat: int, absent: frozenset[str]) -> None:
    """Refuse a wish that cannot be granted whatever the others say."""
    if wish is Wish.REMATCH:
        if table.phase is not Phase.OVER:
            raise NotAllowed(TableRefusal.NOT_OVER)
        if table.next is not None or any(chair.free for chair in table.chairs):
            raise NotAllowed(TableRefusal.TABLE_OVER)
        check_rated(*rematch_terms(table))
        return
    check_playing(table)
    if wish is Wish.TAKE_BACK:
        _refuse_take_back(table, seat)
    elif table.phase is Phase.SETTLING:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    elif wish is Wish.NEWCOMER:
        _refuse_newcomer(table, absent)


def _refuse_newcomer(table: Table, absent: frozenset[str]) -> None:
    """Somebody can be wished for where a seat is abandoned; a rated game is played to its end by who began it."""
    if table.options.rated:
        raise NotAllowed(TableRefusal.RATED_IS_FOR_PEOPLE)
    if not any(chair.free or chair.person in absent for chair in table.chairs):
        raise NotAllowed(TableRefusal.NOBODY_AWAY)


def welcomes_newcomer(table: Table, absent: frozenset[str]) -> bool:
    """Whether everybody who still plays wishes that somebody else takes over an abandoned seat."""
    asking = table.asked(Wish.NEWCOMER)
    return asking is not None and asking.agreed >= needed(table, Wish.NEWCOMER, absent)


def _refuse_take_back(table: Table, seat: int) -> None:
    """A move may be taken back unless somebody saw a tile drawn after it. One person among bots is free to.

    A bot that sits in for somebody is no such bot: they may come back, and to an opponent who knows the bag.
    """
    assert table.game is not None
    own = [number for number, turn in enumerate(table.game.turns) if turn.seat == seat]
    if not own:
        raise NotAllowed(TableRefusal.NO_MOVE_TO_TAKE_BACK)
    if table.options.rated:
        raise NotAllowed(TableRefusal.RATED_IS_FOR_PEOPLE)
    if sum((chair.person or chair.owner) is not None for chair in table.chairs) == 1:
        return
    setup = table.game.setup
    dealt = len(setup.layout.stones) + HAND_SIZE * setup.seats
    if dealt + own[-1] < TILE_COUNT:
        raise NotAllowed(TableRefusal.DRAW_WAS_SEEN)


def ask(decision: Decision, actor: Actor, command: c.Ask) -> None:
    """Ask the others for their consent; who is alone has it."""
    table = decision.table
    own_chair(table, actor, command.seat)
    refuse_wish(table, command.wish, command.seat, decision.context.absent)
    if table.asked(command.wish):
        raise NotAllowed(TableRefusal.ALREADY_ASKED)
    decision.emit(e.Asked(command.seat, command.wish))
    _grant_if_agreed(decision, command.wish)


def answer(decision: Decision, actor: Actor, command: c.Answer) -> None:
    """Consent to what was asked, or not."""
    table = decision.table
    own_chair(table, actor, command.seat)
    asking = table.asked(command.wish)
    if asking is None:
        raise NotAllowed(TableRefusal.NOTHING_ASKED)
    if not command.yes:
        decision.emit(e.Declined(command.seat, command.wish))
        return
    refuse_wish(table, command.wish, asking.seat, decision.context.absent)
    if command.seat not in asking.agreed:  # to say yes again adds nothing, and must not make the log longer
        decision.emit(e.Agreed(command.seat, command.wish))
    _grant_if_agreed(decision, command.wish)


def _grant_if_agreed(decision: Decision, wish: Wish) -> None:
    """Let a wish come true once everybody has consented. A rematch is then the house's to make, a newcomer may come."""
    table = decision.table
    asking = table.asked(wish)
    if asking is None or not asking.agreed >= needed(table, wish, decision.context.absent):
        return
    if wish is Wish.PAUSE:
        decision.emit(e.Paused())
    elif wish is Wish.TAKE_BACK:
        assert table.game is not None
        own = [n for n, turn in enumerate(table.game.turns) if turn.seat == asking.seat]
        decision.emit(e.TakenBack(own[-1]))


def resume(decision: Decision, actor: Actor, command: c.Resume) -> None:
    """End a pause."""
    own_chair(decision.table, actor, command.seat)
    if not decision.table.paused:
        raise NotAllowed(TableRefusal.NOT_PAUSED)
    decision.emit(e.Resumed(command.seat))


def rematch(decision: Decision, command: c.Rematch) -> None:
    """Link the table of a rematch that everybody agreed to."""
    asking = decision.table.asked(Wish.REMATCH)
    if asking is None or decision.table.next is not None:
        raise NotAllowed(TableRefusal.NOTHING_ASKED)
    decision.emit(e.Rematched(command.table))


def wants_rematch(table: Table) -> bool:
    """Whether everybody has agreed to a rematch that the house has yet to make."""
    asking = table.asked(Wish.REMATCH)
    return asking is not None and asking.agreed >= needed(table, Wish.REMATCH, frozenset())


def rematch_terms(table: Table) -> tuple[Options, tuple[Chair, ...]]:
    """The terms of the rematch: the same people and bots, with the start passed on to the next seat."""
    assert table.game is not None
    start = (table.game.setup.start + 1) % table.options.seats
    options = table.options if table.options.start == "random" else replace(table.options, start=start)
    return options, tuple(replace(chair, resigned=False, owner=None) for chair in table.chairs)


def say(decision: Decision, actor: Actor, command: c.Say) -> None:
    """Say something to the table."""
    table = decision.table
    seats = table.seats_of(actor.person)
    if not seats or actor.person is None:
        raise NotAllowed(TableRefusal.NOT_SEATED)
    text = clean_text(command.text, LONGEST_WORDS)
    if text is None and len(command.text) <= LONGEST_WORDS:
        raise NotAllowed(TableRefusal.CHAT_EMPTY)
    if text is None:
        raise NotAllowed(TableRefusal.CHAT_TOO_LONG, longest=LONGEST_WORDS)
    since = decision.context.now_ms - CHAT_BURST_MS
    if sum(words.person == actor.person and words.at_ms > since for words in table.chat) >= CHAT_BURST:
        raise NotAllowed(TableRefusal.CHAT_TOO_FAST)
    decision.emit(e.Said(actor.person, table.chairs[seats[0]].name, text))
