"""What a table needs next from its host, as data.

A table cannot act by itself: it has no clock, no bots and no other tables. `needs(table)` says what somebody has to do
for it now. The server, the terminal game and the page that plays offline are such hosts. They carry needs out and have
no rules of their own:

| need          | the host                                                                | and submits                |
|---------------|-------------------------------------------------------------------------|----------------------------|
| `BotVerdict`  | asks a bot whether it objects to the last move                          | `need.command(objects)`    |
| `BotMove`     | asks a bot for its move and, where points are claimed, its claim        | `need.command(move, claim)`|
| `ExpireClock` | waits until `at_ms`                                                     | `need.command`             |
| `MakeRematch` | creates the table of the rematch                                        | `need.command(table)`      |

All commands are given as `SYSTEM`: `decide(table, SYSTEM, command, context)`. A bot sees `seat_view(table, seat)`.

A host looks again after every event. A need that is gone has lost its point, and so has the thinking for it. One that
is still there is equal to what it was, even if its `not_before_ms` has changed; so a host can keep a set of what it is
working on.

Order: the verdicts come before the move. A host may have bots think about all of them at the same time, but the move is
made when the verdicts are in: an objection changes the board that it is made on.

Time: where people may still object to a claim, bots are too quick for them. `not_before_ms` says until when a bot holds
its command back. It comes from the log (`Moved.objections_ms`), and it goes as soon as everybody has spoken; so a host
waits for the next event or for that time, whichever comes first, and never polls.

A bot that lets a claim stand says so only where the result depends on it, after the last move. Before, `command` is
None: there is nothing to submit, nothing in the log, and the need remains. The host keeps in mind that it has asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from riverstones.rules import Move

from . import commands as c
from .options import Options
from .players import Actor, Chair
from .proposals import rematch_terms, wants_rematch
from .state import Phase, Table


@dataclass(frozen=True, slots=True)
class BotVerdict:
    """A bot has to say whether it lets the last move stand."""

    seat: int
    level: str
    seed: int = field(repr=False)
    """The bot's random seed."""
    turn: int
    """The number of the turn that is judged."""
    may_object: bool
    """Whether the bot may object; if not, it has only to confirm."""
    settles: bool
    """Whether the game ends once everybody has confirmed its last move."""
    not_before_ms: int | None = field(default=None, compare=False)
    """When to submit the command; None for at once."""

    def command(self, objects: bool) -> c.Object | c.Confirm | None:
        """What to submit for a bot that objects, or does not; None if nothing is to be said."""
        if objects and self.may_object:
            return c.Object(self.seat, self.turn)
        return c.Confirm(self.seat, self.turn) if self.settles else None


@dataclass(frozen=True, slots=True)
class BotMove:
    """A bot is to move."""

    seat: int
    level: str
    seed: int = field(repr=False)
    """The bot's random seed."""
    turn: int
    """The number of the turn, from 0."""
    not_before_ms: int | None = field(default=None, compare=False)
    """When to submit the command; None for at once."""

    def command(self, move: Move, claim: int | None) -> c.Play:
        """What to submit for the bot's move and claim."""
        return c.Play(self.seat, self.turn, str(move), claim)


@dataclass(frozen=True, slots=True)
class ExpireClock:
    """The clock acts at this time: it makes the move of the turn, or lets the last claim stand."""

    at_ms: int

    @property
    def command(self) -> c.Tick:
        """What to submit then."""
        return c.Tick()


@dataclass(frozen=True, slots=True)
class MakeRematch:
    """Everybody wants a rematch: `create(id, options, host, chairs, context, previous)`, then the command."""

    options: Options
    host: Actor
    chairs: tuple[Chair, ...]

    def command(self, table: str) -> c.Rematch:
        """What to submit once the table of the rematch is there."""
        return c.Rematch(table)


Need = BotVerdict | BotMove | ExpireClock | MakeRematch


def needs(table: Table, *, bots_alone: bool = False) -> tuple[Need, ...]:
    """What the host of this table has to do now; nothing if the table waits for a person, is paused or done.

    Bots do not play on when all people have left, unless the host lets them: `bots_alone`.
    """
    found: list[Need] = []
    if not table.paused and (table.players or bots_alone):
        not_before_ms = table.objections_until_ms
        found += _verdicts(table, not_before_ms)
        found += _moves(table, not_before_ms)
    if table.expires_ms is not None:
        found.append(ExpireClock(table.expires_ms))
    if wants_rematch(table):
        options, chairs = rematch_terms(table)
        # Whoever was rated at the old table has an account.
        found.append(MakeRematch(options, Actor(table.host, account=table.options.rated), chairs))
    return tuple(found)


def bot_seed(table: Table, seat: int) -> int:
    """The random seed of a bot: its own at every table and seat, and the same whenever the game is played again.

    It is derived from the seed of the deal and says nothing about it. It is secret until the end, like the deal: who
    knew it could try out which hands would have led the bot to its moves.
    """
    assert table.seed is not None
    return int.from_bytes(hashlib.sha256(f"bot {table.seed.reveal()} {seat}".encode()).digest()[:6])


def _verdicts(table: Table, not_before_ms: int | None) -> Iterator[BotVerdict]:
    """During the game a bot judges what it may object to. After the last move it also confirms, even its own."""
    game, settling = table.game, table.phase is Phase.SETTLING
    if game is None or not (settling or table.phase is Phase.PLAYING):
        return
    if not table.by_claims or not game.turns or game.turns[-1].upheld:
        return
    for seat, chair in enumerate(table.chairs):
        may_object = game.objection_refusal(seat) is None
        if chair.bot is not None and seat not in table.confirmed and (may_object or settling):
            seed = bot_seed(table, seat)
            yield BotVerdict(seat, chair.bot, seed, table.turn - 1, may_object, settling, not_before_ms)


def _moves(table: Table, not_before_ms: int | None) -> Iterator[BotMove]:
    seat = table.to_move
    level = None if seat is None else table.chairs[seat].bot
    if seat is not None and level is not None:
        yield BotMove(seat, level, bot_seed(table, seat), table.turn, not_before_ms)
