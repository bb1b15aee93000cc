"""A player's turn: try moves, see their effect, and play one. Nothing is final before it is confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from riverstones.cli.complaint import Complaint
from riverstones.cli.output import arithmetic
from riverstones.rules import HIGHEST_CLAIM, Explanation, Malformed, Move, Refused, explain

from .commands import Command, Verb, read_command
from .drawing import Scene
from .help import help_lines
from .pages import Page
from .records import claim_file
from .session import Session


@dataclass(frozen=True, slots=True)
class Draft:
    """A move that is tried and not yet played, with its explanation or, with claims, the claim."""

    move: Move
    explanation: Explanation
    claim: int | None = None


def take_turn(session: Session) -> None:
    """Let the player to move make a move."""
    PlayerTurn(session).run()


class PlayerTurn:
    """The turn of one player, from the first look at the board to the confirmed move."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.words = session.words
        self.seat = session.game.to_move
        self.draft: Draft | None = None
        first_turn = len(session.game.turns) < len(session.seats)
        self.note = self.words("how_to_move") if first_turn else ""

    def run(self) -> None:
        """Read commands until a move is played."""
        turns = len(self.session.game.turns)
        while len(self.session.game.turns) == turns:
            self._show()
            command = read_command(self.session.screen.ask(self._prompt()), self.words)
            self.note = ""
            self._obey(command)

    def _show(self) -> None:
        session, draft = self.session, self.draft
        view = session.view(self.seat)
        if draft is None:
            page = Page(session.scene(), session.story())
        else:
            stones = view.setup.layout.stones
            board = draft.move.on(view.position.board)
            if session.claims:
                story = session.teller.unjudged_draft(draft.move, draft.claim)
                page = Page(Scene(board, stones, draft.move), story, keep_first=True)
            else:
                story = session.teller.draft(draft.explanation)
                page = Page(Scene(board, stones, draft.move, draft.explanation.kakuros), story, keep_first=True)
        session.painter.show(view, page, self.note)

    def _prompt(self) -> str:
        name = self.session.seats[self.seat].name
        if self.draft is None:
            return self.words("move_prompt", name=name)
        if self.session.claims and self.draft.claim is None:
            return self.words("claim_prompt")
        return self.words("play_prompt", move=self.draft.move)

    def _obey(self, command: Command) -> None:
        session = self.session
        match command.verb:
            case Verb.MOVE:
                self._try(command.rest)
            case Verb.NUMBER:
                self._claim(command.rest)
            case Verb.YES:
                self._play()
            case Verb.NO:
                self.note = self.words("taken_back" if self.draft else "how_to_move")
                self.draft = None
            case Verb.HELP:
                session.screen.read(help_lines(self.words, session.screen, session.claims), self.words("go_on_prompt"))
            case Verb.HINT:
                self.note = self._hint()
            case Verb.UNSEEN:
                self.note = self._unseen()
            case Verb.MOVES:
                self._list_moves()
            case Verb.SAVE:
                self.note = self._save(command.rest)
            case Verb.OBJECT:
                self.draft = None
                self.note = session.object(command, self.seat)
            case Verb.QUIT:
                session.confirm_leaving()

    def _try(self, text: str) -> None:
        """Try a move; a refusal changes nothing."""
        game = self.session.game
        try:
            move = Move.parse(text)
            self.session.check(move, 0 if self.session.claims else None)
        except (Malformed, Refused) as error:
            self.note = self.words.say(error)
            return
        self.draft = Draft(move, explain(game.board, move, game.setup.variant))

    def _claim(self, text: str) -> None:
        if self.draft is None or not self.session.claims:
            self.note = self.words("how_to_move")
            return
        # A few digits show that a number is too high, and Python refuses to parse one with thousands of them.
        claim = int(text.lstrip("0")[: len(str(HIGHEST_CLAIM)) + 1] or "0")
        try:
            self.session.check(self.draft.move, claim)
        except Refused as refused:
            self.note = self.words.say(refused)
            return
        self.draft = Draft(self.draft.move, self.draft.explanation, claim)

    def _play(self) -> None:
        if self.draft is None:
            self.note = self.words("how_to_move")
            return
        try:
            self.session.play(self.draft.move, self.draft.claim)
        except Refused as refused:  # the claim is still missing
            self.note = self.words.say(refused)

    def _hint(self) -> str:
        if self.session.claims:
            return self.words("no_hint")
        best = self.session.view(self.seat).position.plays()[0]
        if not best.points:
            return self.words("hint_nothing")
        made = ", ".join(map(arithmetic, best.kakuros))
        return f"{self.words('hint_move', move=best.move, points=best.points)} {made}"

    def _unseen(self) -> str:
        unseen = self.session.view(self.seat).position.unseen
        counts = "  ".join(f"{digit}\N{MULTIPLICATION SIGN}{count}" for digit, count in enumerate(unseen, start=1))
        return f"{self.words('unseen')} {counts}"

    def _save(self, file: str) -> str:
        if not file:
            return self.words("save_where")
        try:
            claim_file(self.session, Path(file))
        except Complaint as complaint:
            return str(complaint)
        return self.words("will_save", file=file)

    def _list_moves(self) -> None:
        session = self.session
        turns = [line for n, turn in enumerate(session.game.turns) for line in session.paragraph(turn, n)]
        session.screen.read(turns or [Text(self.words("no_moves"))], self.words("go_on_prompt"))
