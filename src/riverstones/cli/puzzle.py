"""`riverstones puzzle`: puzzles and sprints in the terminal or as JSON, and the check of a puzzle file."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from riverstones.engine.levels import has_kernel
from riverstones.notation import format_position
from riverstones.study.puzzles.checking import Depth, faults, file_faults
from riverstones.study.puzzles.daily import Daily
from riverstones.study.puzzles.daily import daily as of_day
from riverstones.study.puzzles.file import PuzzleFile, shipped
from riverstones.study.puzzles.packing import Unreadable
from riverstones.study.puzzles.puzzle import Kind, Puzzle, Scored, Sprint

from .complaint import Complaint, why
from .output import print_json
from .words import DEFAULT, Words, words_for

LARGEST = 4_000_000
"""A file with more bytes is not read at all."""
STATUS_SOUND = 0
STATUS_FAULTS = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which puzzle to show: one by its name, those of a day, or any of a kind and a grade."""

    which: str | None = None
    daily: bool = False
    kind: str | None = None
    grade: int | None = None


def solve(wanted: Wanted, json: bool, language: str | None) -> None:
    """Show the puzzle that is wanted, or print it as JSON."""
    words = words_for(language or (DEFAULT if json else None))
    book = shipped()
    narrowed = wanted.kind is not None or wanted.grade is not None
    if narrowed and (wanted.daily or wanted.which is not None):
        raise Complaint(words("puzzle_argument_unwanted"))
    if wanted.daily:
        day = _date(wanted.which, words)
        _solve_day(of_day(book, day), day, json, words)
    elif wanted.which is not None:
        _solve_one(_named(book, wanted.which, words), json, words)
    else:
        kind = None if wanted.kind is None else Kind(wanted.kind)
        puzzles = book.of_kind(kind, wanted.grade)
        if not puzzles:
            raise Complaint(words("no_puzzle_like_that"))
        random.shuffle(puzzles)
        if json:
            print_json(puzzle_to_json(puzzles[0]))
        else:
            from .terminal.puzzles import solve_puzzles

            solve_puzzles(puzzles, words)


def _date(text: str | None, words: Words) -> date:
    """The date given, or today's on the calendar of this machine."""
    if text is None:
        return date.today()
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text:
        raise Complaint(words("no_such_date", text=text))
    return found


def _named(book: PuzzleFile, name: str, words: Words) -> Puzzle | Sprint:
    found = book.find(name.lower())
    if found is None:
        raise Complaint(words("no_such_puzzle", text=name))
    return found


def _solve_day(offered: Daily, day: date, json: bool, words: Words) -> None:
    if json:
        puzzle, sprint = puzzle_to_json(offered.puzzle), sprint_to_json(offered.sprint)
        print_json({"date": day.isoformat(), "puzzle": puzzle, "sprint": sprint})
        return
    from .terminal.puzzles import solve_day

    solve_day(offered, day, words)


def _solve_one(found: Puzzle | Sprint, json: bool, words: Words) -> None:
    if json:
        print_json(puzzle_to_json(found) if isinstance(found, Puzzle) else sprint_to_json(found))
        return
    from .terminal.puzzles import solve_puzzles, solve_sprint

    if isinstance(found, Puzzle):
        solve_puzzles([found], words)
    else:
        solve_sprint(found, words)


def puzzle_to_json(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle with its answers. One about a claim has the claim, and whether it is right, instead."""
    told: dict[str, Any] = {
        "id": puzzle.id,
        "kind": str(puzzle.kind),
        "grade": puzzle.grade,
        "position": format_position(puzzle.position()),
        "answers": [{"move": str(play.move), "points": play.points} for play in puzzle.right_plays()],
        "next_best": None if puzzle.next_best is None else _scored(puzzle.next_best),
    }
    if puzzle.claim is not None:
        told |= {"claim": _scored(puzzle.claim), "scores": puzzle.best, "right": puzzle.claim_is_right}
    return told


def sprint_to_json(sprint: Sprint) -> dict[str, Any]:
    """A sprint with its best line."""
    return {
        "id": sprint.id,
        "kind": "sprint",
        "position": format_position(sprint.position()),
        "tiles": list(sprint.tiles),
        "optimum": sprint.optimum,
        "line": list(map(str, sprint.line)),
    }


def _scored(told: Scored) -> dict[str, Any]:
    return {"move": str(told.move), "points": told.points}


def check(file: Path, rules_only: bool, language: str | None) -> int:
    """Verify a puzzle file, print what is wrong with it, and return the exit status."""
    words = words_for(language)
    book = _read(file, words)
    depth = Depth.ENGINE if has_kernel() and not rules_only else Depth.RULES
    wrong = [f"{file}: {fault}" for fault in file_faults(book)]
    lines = len(book.puzzle_lines) + len(book.sprint_lines)
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    verified = track(faults(book, depth), "Verifying", lines, console=console, disable=not console.is_terminal)
    for number, found in verified:
        wrong += [f"{file}:{number}: {fault}" for fault in found]
    for fault in wrong:
        print(fault)
    how = "by the rules alone" if depth is Depth.RULES else "by the rules and, where they are not enough, by search"
    verdict = "no fault" if not wrong else f"{len(wrong)} faults"
    print(f"{len(book.puzzle_lines)} puzzles and {len(book.sprint_lines)} sprints verified {how}: {verdict}.")
    return STATUS_FAULTS if wrong else STATUS_SOUND


def _read(file: Path, words: Words) -> PuzzleFile:
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise Complaint(words("no_such_file", file=file)) from None
    except OSError as error:
        raise Complaint(words("file_unreadable", file=file, why=why(error))) from None
    try:
        if len(data) > LARGEST:
            raise Unreadable(f"more than {LARGEST} bytes")
        return PuzzleFile.parse(data.decode("ascii"))
    except (Unreadable, UnicodeDecodeError) as error:
        reason = "bytes that are not ASCII" if isinstance(error, UnicodeDecodeError) else str(error)
        raise Complaint(f"The file {file} is not a puzzle file: it has {reason}.") from None
