"""The parts of a decision, and checks that several commands share."""

from __future__ import annotations

from dataclasses import dataclass, field

from riverstones.rules import Seed

from . import events as e
from .errors import NotAllowed, TableRefusal
from .guided import guided_seed
from .options import Options
from .players import SYSTEM, Actor, Chair
from .state import Phase, Table, apply


@dataclass(frozen=True, slots=True)
class Context:
    """What a decision depends on besides the table."""

    now_ms: int
    entropy: bytes = b""
    """32 fresh random bytes: the seed of a deal, or the choice of square for a move made by the clock."""
    absent: frozenset[str] = frozenset()
    """The players who have been disconnected for so long that their seats count as abandoned."""
    away: frozenset[str] = frozenset()
    """The players who are disconnected right now; bots do not wait for their objections."""
    claim_wait_ms: int = 0
    """How long bots wait for players to object to a claim."""


@dataclass(slots=True)
class Decision:
    """The events that a command causes, and the table after them."""

    context: Context
    table: Table
    key: str | None = None
    entries: list[e.Entry] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def emit(self, event: e.Event) -> None:
        """Append an event and apply it to the table."""
        entry = e.Entry(self.table.seq + 1, self.context.now_ms, event, self.key)
        self.table = apply(self.table, entry)
        self.entries.append(entry)
        self.tables.append(self.table)


def check_rated(options: Options, chairs: tuple[Chair, ...]) -> None:
    """Refuse bots, programs and players on two seats at a rated table."""
    holders = [chair.person for chair in chairs if chair.person]
    if options.rated and (any(chair.bot or chair.program for chair in chairs) or len(set(holders)) < len(holders)):
        raise NotAllowed(TableRefusal.RATED_IS_FOR_PEOPLE)


def check_account(options: Options, actor: Actor) -> None:
    """Refuse guests at a rated table: ratings belong to accounts."""
    if options.rated and not actor.account:
        raise NotAllowed(TableRefusal.RATED_NEEDS_ACCOUNT)


def check_guided(options: Options, chairs: tuple[Chair, ...]) -> None:
    """Refuse a guided game to anything but one person, who starts, against one bot."""
    if options.guided and not (chairs[0].person and chairs[1].bot):
        raise NotAllowed(TableRefusal.GUIDED_IS_FOR_ONE)


def start_if_full(decision: Decision) -> None:
    """Start the game once every seat is taken."""
    table = decision.table
    if table.phase is Phase.WAITING and not any(chair.free for chair in table.chairs):
        entropy = decision.context.entropy
        seed = guided_seed(entropy) if table.options.guided else Seed(entropy)
        wanted = table.options.start
        start = seed.first_seat(table.options.seats) if wanted == "random" else wanted
        decision.emit(e.Started(seed.reveal(), start))


def chair_at(table: Table, seat: int) -> Chair:
    """The chair of a seat; refused if the table has no such seat."""
    if not 0 <= seat < len(table.chairs):
        raise NotAllowed(TableRefusal.NO_SUCH_SEAT, seat=seat)
    return table.chairs[seat]


def own_chair(table: Table, actor: Actor, seat: int) -> Chair:
    """The chair of a seat, refused unless the actor holds it; the system holds the bots' chairs."""
    chair = chair_at(table, seat)
    if (chair.bot is None) if actor is SYSTEM else (chair.person != actor.person):
        raise NotAllowed(TableRefusal.NOT_YOUR_SEAT, seat=seat)
    return chair


def check_playing(table: Table) -> None:
    """Refuse a command that needs a running game."""
    if table.phase is Phase.WAITING:
        raise NotAllowed(TableRefusal.NOT_STARTED)
    if table.phase is Phase.OVER:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    if table.paused:
        raise NotAllowed(TableRefusal.PAUSED)
