"""The record of a terminal game.

A record contains every hand, so nothing of a running game is written: `save` only claims the file, with a record that
has no moves, and the whole game is written when it is over or left.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from riverstones.cli.complaint import Complaint, why
from riverstones.notation.record import Ending, Player, Record
from riverstones.notation.replay import record_of
from riverstones.notation.write import write_record
from riverstones.rules import Game, Seed

from .session import Session


def claim_file(session: Session, path: Path) -> None:
    """Create the file for the record, which must be new; raises `Complaint` if that fails."""
    if path == session.record:
        return
    beginning = _record(session, Game.begin(session.game.setup, session.game.deal))
    nothing_told = replace(beginning, end=replace(beginning.end, hands=None))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(write_record(nothing_told))
    except FileExistsError:
        raise Complaint(session.words("file_exists", file=path)) from None
    except (OSError, ValueError) as error:
        raise Complaint(session.words("file_unwritable", file=path, why=why(error))) from None
    session.record = path


def save(session: Session) -> None:
    """Write the whole game, with its seed, to the claimed file; raises `Complaint` if that fails."""
    if session.record is None:
        return
    record = _record(session, session.game, session.seed)
    try:
        session.record.write_text(write_record(record), encoding="utf-8")
    except OSError as error:
        raise Complaint(session.words("file_unwritable", file=session.record, why=why(error))) from None


def _record(session: Session, game: Game, seed: Seed | None = None) -> Record:
    players = tuple(Player(seat.name, seat.bot or "") for seat in session.seats)
    return record_of(
        game,
        players=players,
        date=date.today(),
        commitment=session.seed.commitment,
        seed=seed,
        start_drawn=session.local.table.options.start == "random",
        # A game that was left cannot continue once its seed is revealed.
        how=None if game.over or seed is None else Ending.ABANDONED,
    )
