"""The course of a game: turn after turn, with the keyboard handed over in between."""

from __future__ import annotations

from riverstones.table import SYSTEM, BotMove, BotVerdict

from .bots import Bot
from .commands import Verb, read_command
from .pages import Page
from .session import Session
from .turn import take_turn


def play_rounds(session: Session) -> None:
    """Play a game to its end."""
    while (need := session.local.next_need()) is not None or not session.game.over:
        if need is None:
            hand_over(session)
            take_turn(session)
        elif need.not_before_ms is not None:
            # The table's time stands still, so only the players can end the wait for their objections.
            wait_without_hands(session, "bot_is_next", "go_on_prompt", name=session.seats[session.game.to_move].name)
            session.local.accept_claim()
        elif isinstance(need, BotVerdict):
            session.local.judge(need)
        else:
            let_bot_move(session, need)
    if session.claims:
        if session.objectors():
            wait_without_hands(session, "confirm_result", "go_on_prompt")
        session.local.accept_claim()


def hand_over(session: Session) -> None:
    """Ask for the keyboard to be handed over to the player to move, unless they have it."""
    if len(session.human_seats) > 1 and session.game.turns:
        session.screen.forget()
        wait_without_hands(session, "pass_keyboard", "pass_prompt", name=session.seats[session.game.to_move].name)


def let_bot_move(session: Session, need: BotMove) -> None:
    """Let a bot move, and show a page meanwhile if that may take a while."""
    words, bot, seat = session.words, Bot(need.level, need.seed), need.seat
    viewer = session.human_seats[0] if len(session.human_seats) == 1 else None

    def tell(note_code: str) -> None:
        note = words(note_code, name=session.seats[seat].name)
        session.painter.show(session.view(viewer), Page(session.scene(), session.story()), note)

    if bot.searches:
        tell("thinking")
    known = session.view(seat)
    move = bot.choose(known, compiling=lambda: tell("compiling"))
    session.local.submit(need.command(move, bot.claim(known, move) if session.claims else None), SYSTEM)


def wait_without_hands(session: Session, note_code: str, prompt_code: str, **params: object) -> None:
    """Show the board without hands and wait for Enter; players may object here."""
    words = session.words
    usual = words(note_code, **params)
    if session.claims and session.objectors():
        usual += " " + words("may_object")
    note = usual
    while True:
        session.painter.show(session.view(None), Page(session.scene(), session.story()), note)
        command = read_command(session.screen.ask(words(prompt_code, **params)), words)
        note = usual
        match command.verb:
            case Verb.YES:
                return
            case Verb.QUIT:
                session.confirm_leaving()
            case Verb.OBJECT:
                objectors = session.objectors()
                note = session.object(command, objectors[0] if len(objectors) == 1 else None)
