"""`riverstones analyse`: the engine's verdict on each move of a recorded game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from riverstones.engine import bots
from riverstones.engine.levels import SEARCHING, Level
from riverstones.engine.review import GLYPHS, Judgement, review
from riverstones.notation import NotationError, Record, read_record, replay, write_record
from riverstones.words import quotable

from .complaint import Complaint, why
from .loading import load
from .output import print_json
from .verify import record_bytes
from .words import DEFAULT, words_for


def analyse(record: str, level: str, out: Path | None, json: bool) -> None:
    """Judge every move, print the verdicts, and with `out` write an annotated copy of the record."""
    words = words_for(DEFAULT)
    chosen = _level(level)
    try:
        read = read_record(record_bytes(record, words))
        games = replay(read)
    except NotationError as error:
        raise Complaint(words.say(error)) from None
    load([level])
    console = Console(stderr=True)
    judging = track(
        review(games, chosen), "Analysing", len(read.turns), console=console, disable=not console.is_terminal
    )
    judged = list(judging)
    if out is not None:
        _write(out, _annotated(read, judged))
    if json:
        turns = [_to_json(judgement) for judgement in judged]
        print_json({"level": level, "turns": turns, "seats": [_summary(seat, judged) for seat in _seats(read)]})
    else:
        print("\n".join(_lines(read, judged)))


def _level(name: str) -> Level:
    """The level with this name. Human-like levels do not rank plays, so they are refused."""
    try:
        bots.check(name)
        return SEARCHING[name]
    except (bots.UnknownBot, KeyError):
        ranking = ", ".join(level for level in bots.offered() if level in SEARCHING)
        raise Complaint(f"The level “{name}” cannot analyse here; {ranking} can.") from None


def _annotated(record: Record, judged: Sequence[Judgement]) -> Record:
    turns = (
        replace(turn, annotation=judgement.annotation) for turn, judgement in zip(record.turns, judged, strict=True)
    )
    return replace(record, turns=tuple(turns))


def _write(path: Path, record: Record) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(write_record(record))
    except FileExistsError:
        raise Complaint(f"The file {path} already exists.") from None
    except OSError as error:
        raise Complaint(f"The file {path} cannot be written: {why(error)}.") from None


def _lines(record: Record, judged: Sequence[Judgement]) -> list[str]:
    names = [_name(record, seat) for seat in _seats(record)]
    wide = max(map(len, names))
    lines = []
    for judgement, turn in zip(judged, record.turns, strict=True):
        # The points the move is worth, which may differ from the claim.
        points = 0 if judgement.played is None else judgement.played.points
        start = f"{judgement.number:2}. {names[judgement.seat]:{wide}}  {turn.move!s:9} {points:3}"
        best = judgement.best
        if judgement.played is None:
            lines.append(f"{start}      not legal")
        elif judgement.as_good:
            lines.append(f"{start}      best")
        else:
            by = f"better by {judgement.loss:.1f}"
            lines.append(f"{start}  {judgement.glyph:2}  {best.move!s:9} {best.points:3}, {by}")
    lines.append("")
    for seat, name in enumerate(names):
        found = _summary(seat, judged)
        slips = ", ".join(f"{found['glyphs'][glyph]} {glyph}" for _, glyph in GLYPHS)
        lines.append(
            f"{name:{wide}}  {found['moves']} moves, {found['best']} of them the best; "
            f"{found['mean_loss']:.1f} points lost per move; {slips}"
        )
    return lines


def _seats(record: Record) -> range:
    return range(record.header.setup.seats)


def _name(record: Record, seat: int) -> str:
    """A seat's name from the record, without control characters that could affect the terminal."""
    return quotable(record.header.players[seat].name) or f"Seat {seat}"


def _summary(seat: int, judged: Sequence[Judgement]) -> dict[str, Any]:
    own = [judgement for judgement in judged if judgement.seat == seat]
    glyphs = [judgement.glyph for judgement in own]
    return {
        "seat": seat,
        "moves": len(own),
        "best": sum(judgement.as_good for judgement in own),
        "mean_loss": round(sum(judgement.loss for judgement in own) / max(len(own), 1), 3),
        "glyphs": {glyph: glyphs.count(glyph) for _, glyph in GLYPHS},
    }


def _to_json(judgement: Judgement) -> dict[str, Any]:
    played, best = judgement.played, judgement.best
    return {
        "turn": judgement.number,
        "seat": judgement.seat,
        "move": None if played is None else str(played.move),
        "points": None if played is None else played.points,
        "mean": None if played is None else round(played.mean, 3),
        "rank": judgement.rank,
        "plays": judgement.plays,
        "loss": round(judgement.loss, 3),
        "glyph": judgement.glyph,
        "best": {
            "move": str(best.move),
            "points": best.points,
            "mean": round(best.mean, 3),
            "exact": best.exact,
            "win": None if best.win is None else round(best.win, 4),
            "line": [str(move) for move in best.variation],
        },
        "most_points": judgement.most_points,
        "method": judgement.method,
    }
