"""The course of a game: turn after turn, with the keyboard passed on in between."""

from __future__ import annotations

from .bots import Bot
from .commands import Verb, read_command
from .pages import Page
from .session import Session
from .turn import take_turn


def play_rounds(session: Session) -> None:
    """Play a game to its end."""
    while not session.game.over:
        seat = session.seats[session.game.seat]
        bot = session.bots.get(session.game.seat)
        if bot is not None:
            if may_be_contested(session):
                wait_in_the_open(session, "bot_is_next", "go_on_prompt", name=seat.name)
            let_bot_move(session, bot)
            continue
        if len(session.people) > 1 and session.game.turns:
            session.screen.forget()
            wait_in_the_open(session, "pass_to", "pass_prompt", name=seat.name)
        take_turn(session)
    if session.claims and session.objectors():
        wait_in_the_open(session, "confirm_result", "go_on_prompt")


def may_be_contested(session: Session) -> bool:
    """Whether somebody at the keyboard may still object to the last move. A bot would not wait for it."""
    turns = session.game.turns
    return session.claims and bool(turns) and not turns[-1].upheld and bool(session.objectors())


def let_bot_move(session: Session, bot: Bot) -> None:
    """Let the bot whose turn it is make its move; if that may take a while, a page says so."""
    words, seat = session.words, session.game.seat
    looker = session.people[0] if len(session.people) == 1 else None

    def tell(note_code: str) -> None:
        note = words(note_code, name=session.seats[seat].name)
        session.painter.show(session.view(looker), Page(session.scene(), session.story()), note)

    if bot.searches:
        tell("thinking")
    known = session.view(seat)
    move = bot.choose(known, compiling=lambda: tell("compiling"))
    session.play(move, bot.claim(known, move) if session.claims else None)


def wait_in_the_open(session: Session, note_code: str, prompt_code: str, **params: object) -> None:
    """Wait in front of a board without hands until somebody presses Enter; whoever wants to object does so here."""
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
