"""The end of a game: the winners, the best plays, and the proof that the deal was fair."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from riverstones.cli.complaint import Complaint
from riverstones.cli.output import arithmetic
from riverstones.rules import Outcome

from .pages import FAINT_STYLE, SEAT_STYLES, WATER_STYLE
from .records import claim_file
from .session import Session


def offer_to_save(session: Session) -> None:
    """Ask where to save the record of a finished game, unless a file was given."""
    note = ""
    while session.record is None:
        session.screen.show(*result_lines(session), Text(note, WATER_STYLE))
        file = session.screen.ask(session.words("save_prompt"))
        if not file:
            return
        try:
            claim_file(session, Path(file))
        except Complaint as complaint:
            note = str(complaint)


def result_lines(session: Session) -> list[Text]:
    """The result of a finished game, or the scores of a game that was left."""
    words, game = session.words, session.game
    outcome = Outcome.of(game.scores)
    names = [session.seats[seat].name for seat in outcome.winners]
    if not game.over:
        headline = words("left_after", count=len(game.turns))
    elif len(names) == 1:
        headline = words("player_wins", name=names[0])
    else:
        headline = words("shared_win", names=names)
    lines = [Text(headline, WATER_STYLE), Text()]
    order = sorted(range(len(session.seats)), key=lambda seat: -game.scores[seat])
    width = max(len(seat.name) for seat in session.seats)
    for seat in order:
        line = Text(f"  {session.screen.glyphs.pawns[seat]} ", SEAT_STYLES[seat])
        line.append(f"{session.seats[seat].name:{width}} {game.scores[seat]:4}  ", "bold default")
        line.append_text(session.painter.track(seat, game.scores[seat]))
        lines.append(line)
    return [*lines, Text(), *_best_plays(session)]


def proof_lines(session: Session) -> list[Text]:
    """The seed of the deal, which matches the commitment shown at the start."""
    words, seed = session.words, session.seed
    return [
        Text(words("seed")),
        Text(seed.reveal(), FAINT_STYLE),
        Text(words("commitment_again")),
        Text(seed.commitment, FAINT_STYLE),
    ]


def _best_plays(session: Session) -> list[Text]:
    """The best play of each seat that has scored."""
    lines: list[Text] = []
    for seat in range(len(session.seats)):
        own = [(number, turn) for number, turn in enumerate(session.game.turns) if turn.seat == seat]
        number, turn = max(own, key=lambda pair: pair[1].points, default=(0, None))
        if turn is None or not turn.points:
            continue
        line = Text(f"  {session.screen.glyphs.pawns[seat]} ", SEAT_STYLES[seat])
        line.append(f"{turn.move}  +{turn.points}  ", "bold default")
        line.append(", ".join(map(arithmetic, session.kakuros(number))), "default not bold")
        lines.append(line)
    return [Text(session.words("best_plays")), *lines, Text()] if lines else []
