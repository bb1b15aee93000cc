"""Proposals that need everybody's consent: a pause, a take-back, a rematch, a newcomer. And chat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from riverstones.rules import HAND_SIZE, TILE_COUNT

from . import commands as c
from . import events as e
from .commands import Proposal
from .decision import Decision, check_playing, check_rated, own_chair
from .errors import NotAllowed, TableRefusal
from .options import Clock, Options
from .players import Actor, Chair, clean_text
from .state import PendingProposal, Phase, Table

LONGEST_WORDS = 280
CHAT_BURST = 5
CHAT_BURST_MS = 10_000
"""The period over which a player's chat messages are counted for the rate limit."""


PROPOSAL_BURST = 5
PROPOSAL_BURST_ALONE = 30
PROPOSAL_BURST_MS = 60_000
"""The proposals that a player may make in this period: few if others have to read them."""


def needed(table: Table, proposal: Proposal, absent: frozenset[str]) -> frozenset[int]:
    """The seats whose consent is needed: those of all players. Absent ones cannot block a pause or a newcomer."""
    away = absent if proposal in (Proposal.PAUSE, Proposal.NEWCOMER) else frozenset()
    return frozenset(
        seat for seat, chair in enumerate(table.chairs) if chair.person is not None and chair.person not in away
    )


def refuse_proposal(table: Table, proposal: Proposal, seat: int, absent: frozenset[str]) -> None:
    """Refuse a proposal that could not be carried out even if everybody agreed."""
    if proposal is Proposal.REMATCH:
        if table.phase is not Phase.OVER:
            raise NotAllowed(TableRefusal.NOT_OVER)
        if table.next is not None or any(chair.free for chair in table.chairs):
            raise NotAllowed(TableRefusal.TABLE_OVER)
        check_rated(*rematch_terms(table))
        return
    check_playing(table)
    if proposal is Proposal.TAKE_BACK:
        _refuse_take_back(table, seat)
    elif table.phase is Phase.SETTLING:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    elif proposal is Proposal.NEWCOMER:
        _refuse_newcomer(table, absent)


def _refuse_newcomer(table: Table, absent: frozenset[str]) -> None:
    """Refuse a newcomer unless a seat is abandoned. A rated game is finished by those who began it.

    One player alone may offer a seat that was left, but not that of an absent player: see `welcomes_newcomer`.
    """
    if table.options.rated:
        raise NotAllowed(TableRefusal.RATED_IS_FOR_PEOPLE)
    if any(chair.free for chair in table.chairs):
        return
    if not any(chair.person in absent for chair in table.chairs):
        raise NotAllowed(TableRefusal.NOBODY_AWAY)
    if len(table.players - absent) < 2:
        raise NotAllowed(TableRefusal.NOBODY_TO_AGREE)


def welcomes_newcomer(table: Table, seat: int, absent: frozenset[str]) -> bool:
    """Whether all remaining players agree that a newcomer takes over an abandoned seat.

    Whoever sits down sees the hand. So two people besides an absent player have to agree that theirs is shown:
    otherwise one player could show it to a second account.
    """
    pending = table.asked(Proposal.NEWCOMER)
    if pending is None or not pending.agreed >= needed(table, Proposal.NEWCOMER, absent):
        return False
    holder = table.chairs[seat].person
    return holder is None or len(_people_at(table, pending.agreed) - {holder}) >= 2


def _people_at(table: Table, seats: Iterable[int]) -> set[str]:
    """The people who hold these seats."""
    return {person for seat in seats if (person := table.chairs[seat].person) is not None}


def _refuse_take_back(table: Table, seat: int) -> None:
    """Refuse a take-back if another player saw a tile drawn after the move. One player among bots is always free to.

    A bot that stands in for a player does not count as a bot here: that player may return, to an opponent who knows the
    next tiles of the bag.
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
    """Make a proposal. It is granted at once if nobody else has to agree."""
    table = decision.table
    own_chair(table, actor, command.seat)
    refuse_proposal(table, command.proposal, command.seat, decision.context.absent)
    if table.asked(command.proposal):
        raise NotAllowed(TableRefusal.ALREADY_ASKED)
    _check_rate(decision, actor)
    decision.emit(e.Asked(command.seat, command.proposal))
    _grant_if_agreed(decision, command.proposal)


def _check_rate(decision: Decision, actor: Actor) -> None:
    """Refuse a player who has made too many proposals lately."""
    table, since = decision.table, decision.context.now_ms - PROPOSAL_BURST_MS
    burst = PROPOSAL_BURST if len(table.players) > 1 else PROPOSAL_BURST_ALONE
    if sum(person == actor.person and at_ms > since for person, at_ms in table.asked_ms) >= burst:
        raise NotAllowed(TableRefusal.ASKED_TOO_OFTEN)


def answer(decision: Decision, actor: Actor, command: c.Answer) -> None:
    """Accept or decline a pending proposal."""
    table = decision.table
    own_chair(table, actor, command.seat)
    pending = table.asked(command.proposal)
    if pending is None:
        raise NotAllowed(TableRefusal.NOTHING_ASKED)
    if not command.yes:
        decision.emit(e.Declined(command.seat, command.proposal))
        return
    refuse_proposal(table, command.proposal, pending.seat, decision.context.absent)
    if command.seat not in pending.agreed:  # repeating a consent must not lengthen the log
        decision.emit(e.Agreed(command.seat, command.proposal))
    _grant_if_agreed(decision, command.proposal)


def _grant_if_agreed(decision: Decision, proposal: Proposal) -> None:
    """Carry out a proposal once everybody has agreed. The host creates a rematch; a newcomer may then sit down."""
    table = decision.table
    pending = table.asked(proposal)
    if pending is None or not pending.agreed >= needed(table, proposal, decision.context.absent):
        return
    if proposal is Proposal.PAUSE and _stops_own_clock_alone(table, pending):
        return
    if proposal is Proposal.PAUSE:
        decision.emit(e.Paused())
    elif proposal is Proposal.TAKE_BACK:
        assert table.game is not None
        own = [n for n, turn in enumerate(table.game.turns) if turn.seat == pending.seat]
        decision.emit(e.TakenBack(own[-1]))


def _stops_own_clock_alone(table: Table, pending: PendingProposal) -> bool:
    """Whether a player would stop the strict clock of their own turn while nobody else is there to agree."""
    if table.options.clock is not Clock.STRICT or table.to_move is None or len(table.players) < 2:
        return False
    mover = table.chairs[table.to_move].person
    return mover == table.chairs[pending.seat].person and _people_at(table, pending.agreed) == {mover}


def resume(decision: Decision, actor: Actor, command: c.Resume) -> None:
    """End a pause."""
    own_chair(decision.table, actor, command.seat)
    if not decision.table.paused:
        raise NotAllowed(TableRefusal.NOT_PAUSED)
    decision.emit(e.Resumed(command.seat))


def rematch(decision: Decision, command: c.Rematch) -> None:
    """Link the table of a rematch that everybody agreed to."""
    pending = decision.table.asked(Proposal.REMATCH)
    if pending is None or decision.table.next is not None:
        raise NotAllowed(TableRefusal.NOTHING_ASKED)
    decision.emit(e.Rematched(command.table))


def wants_rematch(table: Table) -> bool:
    """Whether everybody has agreed to a rematch that does not exist yet."""
    pending = table.asked(Proposal.REMATCH)
    return pending is not None and pending.agreed >= needed(table, Proposal.REMATCH, frozenset())


def rematch_terms(table: Table) -> tuple[Options, tuple[Chair, ...]]:
    """The options and chairs of the rematch: the same players and bots, with the next seat starting, and no guide."""
    assert table.game is not None
    start = (table.game.setup.start + 1) % table.options.seats
    options = table.options if table.options.start == "random" else replace(table.options, start=start)
    options = replace(options, guided=False)
    return options, tuple(replace(chair, resigned=False, owner=None) for chair in table.chairs)


def say(decision: Decision, actor: Actor, command: c.Say) -> None:
    """Send a chat message."""
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
