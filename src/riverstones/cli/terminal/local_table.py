"""The host of the one table of a game in the terminal. It keeps the table in memory and does what the table needs.

The people at the keyboard hold their seats together, as at any device that is passed on. Nobody plays by a clock here,
so time stands still: a bot that holds its move back while people may object does so until they let the claim stand.
"""

from __future__ import annotations

from collections.abc import Sequence

from riverstones.rules import Game, Seed, View
from riverstones.table import (
    SYSTEM,
    Actor,
    BotMove,
    BotVerdict,
    Chair,
    Command,
    Context,
    Options,
    Table,
    create,
    decide,
    needs,
    seat_view,
)
from riverstones.table import commands as c

from .bots import Bot
from .seats import Seat

KEYBOARD = Actor("keyboard")
"""The people at the keyboard."""

NOW = Context(now_ms=0, claim_wait_ms=1)
"""The only moment there is. Bots have to wait for objections, and no moment comes at which they need not any more."""


class LocalTable:
    """A table in memory: commands go in, and the table is another then."""

    def __init__(self, options: Options, seats: Sequence[Seat], seed: Seed) -> None:
        chairs = tuple(
            Chair(person=KEYBOARD.person if seat.bot is None else None, bot=seat.bot, name=seat.name) for seat in seats
        )
        dealt = Context(NOW.now_ms, seed.secret)
        self.table: Table = create("terminal", options, KEYBOARD, chairs, dealt, bots_alone=True).table
        self._let_stand: set[BotVerdict] = set()
        """The verdicts by which bots let a claim stand, which leave no trace at the table."""

    @property
    def game(self) -> Game:
        """The game, with full knowledge."""
        assert self.table.game is not None, "all seats are taken from the start, so play has begun"
        return self.table.game

    @property
    def people(self) -> list[int]:
        """The seats of the people."""
        return list(self.table.seats_of(KEYBOARD.person))

    def view(self, seat: int | None) -> View:
        """What a seat, or with None everybody, may see now."""
        return seat_view(self.table, seat)

    def check(self, command: Command) -> None:
        """Raise what `submit` would raise, and change nothing."""
        decide(self.table, KEYBOARD, command, NOW)

    def submit(self, command: Command, actor: Actor = KEYBOARD) -> None:
        """Carry out a command; raises `Refused`, `Malformed` or `NotAllowed`."""
        self.table = decide(self.table, actor, command, NOW).table

    def next_need(self) -> BotVerdict | BotMove | None:
        """What a bot has to do next; None if the people have to do something."""
        for need in needs(self.table, bots_alone=True):
            if isinstance(need, BotMove) or (isinstance(need, BotVerdict) and need not in self._let_stand):
                return need
        return None

    def judge(self, need: BotVerdict) -> None:
        """Have a bot say whether it lets the last move stand."""
        objects = need.may_object and Bot(need.level, need.seed).objects(self.view(need.seat))
        command = need.command(objects)
        if command is None:
            self._let_stand.add(need)
        else:
            self.submit(command, SYSTEM)

    def let_stand(self) -> None:
        """Let the people confirm the last claim, unless an objection was upheld."""
        if self.game.turns[-1].upheld:
            return
        for seat in self.people:
            if seat not in self.table.confirmed:
                self.submit(c.Confirm(seat, self.table.turn - 1))
