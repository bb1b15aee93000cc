"""The terminal game: players at one keyboard with hidden hands, bots, or both.

Read `rounds` for the course of a game, `local_table` for its table, and `turn` for what a player can do; `pages` and
`drawing` render it.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console

from riverstones.cli.words import Words, words_for
from riverstones.rules import Seed

from .ending import offer_to_save, proof_lines, result_lines
from .opening import Options, ask_who_plays, seed_of, show_opening, table_options
from .records import claim_file, save
from .rounds import play_rounds
from .screen import Screen
from .seats import Seat, take_seats
from .session import Left, Session

__all__ = ["Options", "play"]


def play(options: Options) -> None:
    """Play one game. Leaving early, by command, Ctrl-C or end of input, is not an error."""
    words = words_for(options.language)
    seed = seed_of(options, words)
    screen = Screen(Console(markup=False, highlight=False, emoji=False))
    session: Session | None = None
    if options.say_who_plays:
        seats = take_seats(options.seats, options.names, options.bots, words)
        session = _begin(options, screen, words, seats, seed)
    try:
        with _signals_as_interrupts(), screen:
            session = session or _begin(options, screen, words, ask_who_plays(screen, words), seed)
            show_opening(session)
            play_rounds(session)
            offer_to_save(session)
    except (Left, EOFError, KeyboardInterrupt):
        pass
    if session is not None:
        _end(session)
    print(words("goodbye"))


def _begin(options: Options, screen: Screen, words: Words, seats: tuple[Seat, ...], seed: Seed) -> Session:
    session = Session(screen, words, seats, table_options(options, seats, words), seed)
    if options.record is not None:
        claim_file(session, options.record)
    return session


def _end(session: Session) -> None:
    """Save the record, and leave the result on the screen even if saving fails."""
    try:
        save(session)
    finally:
        for line in (*result_lines(session), *proof_lines(session)):
            session.screen.console.print(line)
    if session.record is not None:
        print(session.words("saved", file=session.record))


@contextmanager
def _signals_as_interrupts() -> Iterator[None]:
    """Treat SIGHUP and SIGTERM like Ctrl-C, so that the game ends cleanly and its record is saved."""
    names = [name for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), _interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _interrupt(signal_number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
