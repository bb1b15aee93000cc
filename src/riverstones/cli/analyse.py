"""`riverstones analyse`: the review of a recorded game, as text, as JSON, as a page, and as notes in its record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from riverstones.engine.levels import has_kernel
from riverstones.notation import NotationError, Record, read_record, write_record
from riverstones.study.review import Report, review_record, to_json
from riverstones.study.review.accuracy import GLYPHS
from riverstones.study.review.review import ReviewedMove
from riverstones.words import quotable

from .complaint import Complaint, why
from .loading import load
from .output import print_json
from .verify import record_bytes
from .words import DEFAULT, words_for

STATUS_INTERRUPTED = 130


def analyse(record: str, out: Path | None, html: Path | None, json: bool, language: str | None) -> int:
    """Review a game, print it, and write the files that are asked for; returns the exit status."""
    words = words_for(language or (DEFAULT if json else None))
    for path in (out, html):
        if path is not None and path.exists():
            raise Complaint(f"The file {path} already exists.")
    if not has_kernel():
        raise Complaint('A review needs the extra “engine”: pip install "riverstones[engine]".')
    try:
        read = read_record(record_bytes(record, words))
        report = _review(read)
    except NotationError as error:
        raise Complaint(words.say(error)) from None
    except KeyboardInterrupt:
        return STATUS_INTERRUPTED
    if out is not None:
        _write(out, write_record(_annotated(read, report)))
    if html is not None:
        from riverstones.study.review.page import to_html

        _write(html, to_html(report, words.language))
    if json:
        print_json(to_json(report))
    else:
        print("\n".join(_lines(report)))
    return 0


def _review(record: Record) -> Report:
    """The review, with a progress bar on a terminal's standard error."""
    load(["ocean"])
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Analysing", total=len(record.turns))
        return review_record(record, progress=lambda done, _: bar.update(task, completed=done))


def _annotated(record: Record, report: Report) -> Record:
    turns = (
        replace(turn, annotation=move.judgement.annotation)
        for turn, move in zip(record.turns, report.moves, strict=True)
    )
    return replace(record, turns=tuple(turns))


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Complaint(f"The file {path} already exists.") from None
    except OSError as error:
        raise Complaint(f"The file {path} cannot be written: {why(error)}.") from None


def _lines(report: Report) -> list[str]:
    # A name may hold control characters that would affect the terminal.
    names = [quotable(seat.name) or f"Seat {number}" for number, seat in enumerate(report.seats)]
    wide = max(map(len, names))
    lines = [_line(move, f"{names[move.seat]:{wide}}") for move in report.moves]
    lines.append("")
    for number, (name, seat) in enumerate(zip(names, report.seats, strict=True)):
        own = [move.judgement for move in report.moves if move.seat == number]
        glyphs = [judged.glyph for judged in own]
        value = "none" if seat.accuracy is None else f"{seat.accuracy:.1f}"
        slips = ", ".join(f"{glyphs.count(glyph)} {glyph}" for glyph in reversed(GLYPHS.values()))
        best = sum(judged.as_good for judged in own)
        lines.append(f"{name:{wide}}  accuracy {value}: {len(own)} moves, {best} of them the best; {slips}")
    lines += ["", "Chances in %: start, luck, slips and rest, result"]
    for number, name in enumerate(names):
        all_parts = zip(*((seat.luck, seat.slips, seat.rest) for seat in report.seats), strict=True)
        parts = "".join(f" {100 * sum(each[number] for each in part):+6.1f}" for part in all_parts)
        lines.append(f"{name:{wide}}  {100 * report.start[number]:5.1f}{parts}  {100 * report.result[number]:5.1f}")
    return lines


def _line(move: ReviewedMove, name: str) -> str:
    """A turn: the move, the points it is worth (which may differ from the claim), and any better move."""
    judged = move.judgement
    start = f"{move.number:2}. {name}  {move.move!s:9} {judged.played.points:3}"
    if judged.as_good:
        return f"{start}      best"
    better = f"{judged.best.move!s:9} {judged.best.points:3}, better by {judged.loss:.1f}"
    return f"{start}  {judged.glyph:2}  {better}" + ("" if judged.legal else "; not legal")
