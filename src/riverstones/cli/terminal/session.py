"""One game at one keyboard: its state, and the steps that all parts of it share."""

from __future__ import annotations

from pathlib import Path

from riverstones.cli.words import Words
from riverstones.rules import Explanation, Game, Move, Refused, Scoring, Seed, Setup, Turn, View, explain, view

from .bots import Bot
from .commands import Command, Verb, read_command
from .drawing import Scene
from .pages import Painter
from .screen import Screen
from .seats import Seat, find_seat
from .stories import Paragraph, Storyteller


class Left(Exception):
    """Somebody left the game before its end."""


class Session:
    """A game in the terminal."""

    def __init__(
        self,
        screen: Screen,
        words: Words,
        seats: tuple[Seat, ...],
        setup: Setup,
        seed: Seed,
        *,
        start_drawn: bool,
    ) -> None:
        self.screen = screen
        self.words = words
        self.seats = seats
        self.seed = seed
        self.start_drawn = start_drawn
        self.record: Path | None = None
        """Where the record goes when the game ends or is left."""
        self.game = Game.begin(setup, seed.deal())
        self.explanations: list[Explanation] = []
        """What there is to say about each turn so far."""
        self.painter = Painter(screen, words, seats)
        self.teller = Storyteller(words, seats, screen.glyphs)
        chance = int(seed.commitment, 16)
        self.bots = {n: Bot(seat.bot, chance + n) for n, seat in enumerate(seats) if seat.bot is not None}
        """The bots by seat. What they leave to chance comes with the seed, so that a game can be played again."""

    @property
    def claims(self) -> bool:
        """Whether the players claim their points."""
        return self.game.setup.scoring is Scoring.CLAIMS

    @property
    def people(self) -> list[int]:
        """The seats of the people."""
        return [seat for seat in range(len(self.seats)) if seat not in self.bots]

    def play(self, move: Move, claim: int | None) -> None:
        """Make a move for the seat whose turn it is; raises `Refused`. Bots object at once if they object at all."""
        before = self.game
        self.game = before.play(move, claim=claim)
        self.explanations.append(explain(before.board, move, before.setup.variant))
        for seat, bot in self.bots.items():
            if bot.objects(self.view(seat)):
                self.game = self.game.object(seat)

    def view(self, seat: int | None) -> View:
        """What somebody may see now."""
        return view(self.game, seat)

    def scene(self) -> Scene:
        """The board with the last move on it."""
        stones = self.game.setup.layout.stones
        if not self.game.turns:
            return Scene(self.game.board, stones)
        last = self.game.turns[-1]
        return Scene(self.game.board, stones, last.standing, () if self.claims else self.explanations[-1].kakuros)

    def story(self) -> list[Paragraph]:
        """The last round of turns."""
        first = max(len(self.game.turns) - len(self.seats), 0)
        return [self.paragraph(turn, number) for number, turn in enumerate(self.game.turns[first:], start=first)]

    def paragraph(self, turn: Turn, number: int) -> Paragraph:
        """One turn of the story. Where points are claimed, finding the Kakuros is left to the players."""
        return self.teller.turn(turn, None if self.claims else self.explanations[number])

    def objectors(self) -> list[int]:
        """The people who may speak up against the last move."""
        return [seat for seat in self.people if seat != self.game.turns[-1].seat]

    def object(self, command: Command, speaker: int | None) -> str:
        """Let somebody object to the last move, the speaker unless a name is given; returns what came of it."""
        seat = find_seat(command.rest, self.seats) if command.rest else speaker
        if seat is None or seat in self.bots:
            return self.words("who_objects")
        try:
            self.game = self.game.object(seat)
        except Refused as refused:
            return self.words.say(refused)
        last = self.game.turns[-1]
        code = "objection_was_right" if last.upheld else "objection_was_wrong"
        return self.words(code, name=self.seats[seat].name, mover=self.seats[last.seat].name)

    def confirm_leaving(self) -> None:
        """Leave the game if that is really meant."""
        answer = self.screen.ask(self.words("leave_prompt"))
        if answer and read_command(answer, self.words).verb is Verb.YES:
            raise Left
