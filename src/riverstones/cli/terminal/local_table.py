"""The host of the single table of a terminal game. It keeps the table in memory and carries out its needs.

The players at the keyboard hold their seats together, as on any shared device. There is no clock, so time stands still:
a bot that waits for objections waits until the players accept the claim.
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
"""The actor for all players at the keyboard."""

NOW = Context(now_ms=0, claim_wait_ms=1)
"""The only point in time. The non-zero wait makes bots wait for objections, and it never elapses."""


class LocalTable:
    """A table in memory; `submit` applies commands to it."""

    def __init__(self, options: Options, seats: Sequence[Seat], seed: Seed) -> None:
        chairs = tuple(
            Chair(person=KEYBOARD.person if seat.bot is None else None, bot=seat.bot, name=seat.name) for seat in seats
        )
        dealt = Context(NOW.now_ms, seed.secret)
        self.table: Table = create("terminal", options, KEYBOARD, chairs, dealt, bots_alone=True).table
        self._accepted: set[BotVerdict] = set()
        """The verdicts of bots that accepted a claim; the table does not log them."""

    @property
    def game(self) -> Game:
        """The game, with full knowledge."""
        assert self.table.game is not None, "all seats are taken from the start, so play has begun"
        return self.table.game

    @property
    def human_seats(self) -> list[int]:
        """The seats of human players."""
        return list(self.table.seats_of(KEYBOARD.person))

    def view(self, seat: int | None) -> View:
        """What a seat, or everybody (None), may see now."""
        return seat_view(self.table, seat)

    def check(self, command: Command) -> None:
        """Raise what `submit` would raise, without changing anything."""
        decide(self.table, KEYBOARD, command, NOW)

    def submit(self, command: Command, actor: Actor = KEYBOARD) -> None:
        """Carry out a command; raises `Refused`, `Malformed` or `NotAllowed`."""
        self.table = decide(self.table, actor, command, NOW).table

    def next_need(self) -> BotVerdict | BotMove | None:
        """What a bot has to do next; None if it is up to the players."""
        for need in needs(self.table, bots_alone=True):
            if isinstance(need, BotMove) or (isinstance(need, BotVerdict) and need not in self._accepted):
                return need
        return None

    def judge(self, need: BotVerdict) -> None:
        """Let a bot decide whether it objects to the last move."""
        objects = need.may_object and Bot(need.level, need.seed).objects(self.view(need.seat))
        command = need.command(objects)
        if command is None:
            self._accepted.add(need)
        else:
            self.submit(command, SYSTEM)

    def accept_claim(self) -> None:
        """Accept the last claim for the players, unless an objection was upheld."""
        if self.game.turns[-1].upheld:
            return
        for seat in self.human_seats:
            if seat not in self.table.confirmed:
                self.submit(c.Confirm(seat, self.table.turn - 1))
