"""One game at one keyboard: its table, its screen, and the steps that its parts share."""

from __future__ import annotations

from pathlib import Path

from riverstones.cli.words import Words
from riverstones.rules import Game, Move, Seed, Series, Turn, View
from riverstones.table import Options
from riverstones.table import commands as c

from .commands import Command, Verb, read_command
from .drawing import Scene
from .local_table import LocalTable
from .pages import Painter
from .screen import Screen
from .seats import Seat, find_seat
from .stories import Paragraph, Storyteller


class Left(Exception):
    """A player left the game before its end."""


class Session:
    """A terminal game."""

    def __init__(self, screen: Screen, words: Words, seats: tuple[Seat, ...], options: Options, seed: Seed) -> None:
        self.screen = screen
        self.words = words
        self.seats = seats
        self.seed = seed
        self.local = LocalTable(options, seats, seed)
        self.record: Path | None = None
        """The file for the record, written when the game ends or is left."""
        self.painter = Painter(screen, words, seats)
        self.teller = Storyteller(words, seats, screen.glyphs)

    @property
    def game(self) -> Game:
        """The game, with full knowledge."""
        return self.local.game

    @property
    def claims(self) -> bool:
        """Whether the players claim their points."""
        return self.local.table.by_claims

    @property
    def human_seats(self) -> list[int]:
        """The seats of human players."""
        return self.local.human_seats

    def check(self, move: Move, claim: int | None) -> None:
        """Raise `Refused` if the seat to move may not make this move."""
        self.local.check(self._play(move, claim))

    def play(self, move: Move, claim: int | None) -> None:
        """Make a move for the player to move; raises `Refused`."""
        self.local.submit(self._play(move, claim))

    def _play(self, move: Move, claim: int | None) -> c.Play:
        return c.Play(self.game.to_move, self.local.table.turn, str(move), claim)

    def view(self, seat: int | None) -> View:
        """What a seat may see now."""
        return self.local.view(seat)

    def scene(self) -> Scene:
        """The board with the last move on it."""
        stones = self.game.setup.layout.stones
        if not self.game.turns:
            return Scene(self.game.board, stones)
        return Scene(self.game.board, stones, self.game.turns[-1].standing, self.kakuros(len(self.game.turns) - 1))

    def kakuros(self, number: int) -> tuple[Series, ...]:
        """The Kakuros of a turn; none with claims, where finding them is up to the players."""
        made = self.local.table.made[number]
        return () if self.claims or made is None else made

    def story(self) -> list[Paragraph]:
        """The last round of turns."""
        first = max(len(self.game.turns) - len(self.seats), 0)
        return [self.paragraph(turn, number) for number, turn in enumerate(self.game.turns[first:], start=first)]

    def paragraph(self, turn: Turn, number: int) -> Paragraph:
        """One turn of the story."""
        return self.teller.turn(turn, self.kakuros(number))

    def objectors(self) -> list[int]:
        """The human players who may object to the last move."""
        return [seat for seat in self.human_seats if seat != self.game.turns[-1].seat]

    def object(self, command: Command, speaker: int | None) -> str:
        """Object to the last move, as the speaker unless a name is given; returns the verdict as text."""
        seat = find_seat(command.rest, self.seats) if command.rest else speaker
        if seat is None or seat not in self.human_seats:
            return self.words("who_objects")
        reason = self.game.objection_refusal(seat)
        if reason is not None:
            return self.words.say(reason)
        self.local.submit(c.Object(seat, self.local.table.turn - 1))
        last = self.game.turns[-1]
        code = "objection_was_right" if last.upheld else "objection_was_wrong"
        return self.words(code, name=self.seats[seat].name, mover=self.seats[last.seat].name)

    def confirm_leaving(self) -> None:
        """Leave the game after a confirmation."""
        answer = self.screen.ask(self.words("leave_prompt"))
        if answer and read_command(answer, self.words).verb is Verb.YES:
            raise Left
