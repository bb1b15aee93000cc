"""What a table needs next from its host, as data.

A table cannot act on its own: it has no clock, no bots and no other tables. `needs(table)` lists what has to be done
for it now. The server and the terminal game are such hosts. They carry out needs and have no rules of their own:

| need          | the host                                                                | and submits                |
|---------------|-------------------------------------------------------------------------|----------------------------|
| `BotVerdict`  | asks a bot whether it objects to the last move                          | `need.command(objects)`    |
| `BotMove`     | asks a bot for its move and, if points are claimed, its claim           | `need.command(move, claim)`|
| `ExpireClock` | waits until `at_ms`                                                     | `need.command`             |
| `MakeRematch` | creates the table of the rematch                                        | `need.command(table)`      |

All commands are given as `SYSTEM`: `decide(table, SYSTEM, command, context)`. A bot receives `seat_view(table, seat)`.

A host calls `needs` again after every event. A need that has disappeared is obsolete, and any search for it can be
cancelled. A need that is still there compares equal to the previous one, even if its `not_before_ms` has changed, so a
host can keep a set of the needs it is working on.

Order: verdicts come before the move. A host may let bots think about all of them at once, but it submits the move only
after the verdicts, because an objection changes the board.

Time: while players may still object to a claim, bots would be too quick for them. `not_before_ms` says until when a bot
holds its command back. It comes from the log (`Moved.objections_ms`) and disappears once everybody has answered, so a
host waits for the next event or for that time, whichever comes first, and never polls.

A bot that accepts a claim submits this only when the result depends on it, after the last move. Before that, `command`
is None: there is nothing to submit or to log, and the need remains. The host remembers that it has asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from riverstones.rules import Game, Move

from . import commands as c
from .options import Options
from .players import Actor, Chair
from .proposals import rematch_terms, wants_rematch
from .state import Phase, Table


@dataclass(frozen=True, slots=True)
class BotVerdict:
    """A bot has to decide whether it objects to the last move."""

    seat: int
    level: str
    seed: int = field(repr=False)
    """The bot's random seed."""
    turn: int
    """The number of the turn in question."""
    may_object: bool
    """Whether the bot may object; if not, it only has to confirm."""
    settles: bool
    """Whether the game ends once everybody has confirmed this turn, its last."""
    not_before_ms: int | None = field(default=None, compare=False)
    """The earliest time to submit the command; None for immediately."""

    def command(self, objects: bool) -> c.Object | c.Confirm | None:
        """The command for a bot that objects or does not; None if there is nothing to submit."""
        if objects and self.may_object:
            return c.Object(self.seat, self.turn)
        return c.Confirm(self.seat, self.turn) if self.settles else None


@dataclass(frozen=True, slots=True)
class BotMove:
    """A bot has to move."""

    seat: int
    level: str
    seed: int = field(repr=False)
    """The bot's random seed."""
    turn: int
    """The number of the turn, from 0."""
    not_before_ms: int | None = field(default=None, compare=False)
    """The earliest time to submit the command; None for immediately."""

    def command(self, move: Move, claim: int | None) -> c.Play:
        """The command for the bot's move and claim."""
        return c.Play(self.seat, self.turn, str(move), claim)


@dataclass(frozen=True, slots=True)
class ExpireClock:
    """At this time the clock makes the move of the turn, or accepts the last claim."""

    at_ms: int

    @property
    def command(self) -> c.Tick:
        """The command to submit at that time."""
        return c.Tick()


@dataclass(frozen=True, slots=True)
class MakeRematch:
    """Everybody has agreed to a rematch: call `create(id, options, host, chairs, context, previous)`, then submit."""

    options: Options
    host: Actor
    chairs: tuple[Chair, ...]

    def command(self, table: str) -> c.Rematch:
        """The command to submit once the table of the rematch exists."""
        return c.Rematch(table)


Need = BotVerdict | BotMove | ExpireClock | MakeRematch


def needs(table: Table, *, bots_alone: bool = False) -> tuple[Need, ...]:
    """What the host of this table has to do now; empty if it waits for a player, is paused or is over.

    Bots stop playing when all players have left, unless the host sets `bots_alone`.
    """
    found: list[Need] = []
    has_bots = any(chair.bot is not None for chair in table.chairs)
    if has_bots and not table.paused and (table.players or bots_alone):
        not_before_ms = table.objections_until_ms
        found += _verdicts(table, not_before_ms)
        found += _moves(table, not_before_ms)
    if table.expires_ms is not None:
        found.append(ExpireClock(table.expires_ms))
    if wants_rematch(table):
        options, chairs = rematch_terms(table)
        # Every player of a rated table has an account.
        found.append(MakeRematch(options, Actor(table.host, account=table.options.rated), chairs))
    return tuple(found)


def bot_move(
    game: Game, bots: Sequence[str | None], seed_of: Callable[[int], int], not_before_ms: int | None = None
) -> BotMove | None:
    """The move that a bot owes in a running game; None if the game is over or a person is to move.

    `bots` has the level of each seat, None for a person. A game between bots needs nothing else, so the arena plays
    without a table.
    """
    seat = game.to_move
    level = None if game.over else bots[seat]
    return None if level is None else BotMove(seat, level, seed_of(seat), len(game.turns), not_before_ms)


def bot_seed(table: Table, seat: int) -> int:
    """The random seed of a bot: different for each table and seat, and the same whenever the game is replayed.

    It is derived from the seed of the deal and reveals nothing about it. It stays secret until the end, like the deal:
    with it, an opponent could test which hands would have led the bot to its moves.
    """
    assert table.seed is not None
    return int.from_bytes(hashlib.sha256(f"bot {table.seed.reveal()} {seat}".encode()).digest()[:6])


def _verdicts(table: Table, not_before_ms: int | None) -> Iterator[BotVerdict]:
    """The verdicts that bots owe. After the last move they also have to confirm, even their own moves."""
    game, settling = table.game, table.phase is Phase.SETTLING
    if game is None or not (settling or table.phase is Phase.PLAYING):
        return
    if not table.by_claims or not game.turns:
        return
    for seat, chair in enumerate(table.chairs):
        may_object = game.objection_refusal(seat) is None
        if chair.bot is not None and seat not in table.confirmed and (may_object or settling):
            seed = bot_seed(table, seat)
            yield BotVerdict(seat, chair.bot, seed, table.turn - 1, may_object, settling, not_before_ms)


def _moves(table: Table, not_before_ms: int | None) -> Iterator[BotMove]:
    if table.game is None or table.phase is not Phase.PLAYING:
        return
    need = bot_move(table.game, [chair.bot for chair in table.chairs], partial(bot_seed, table), not_before_ms)
    if need is not None:
        yield need
