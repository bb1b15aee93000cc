"""The puzzle and the sprint of a day, chosen by the file and the calendar date alone.

A date is a year, a month and a day, wherever and whenever it is that date for somebody; no clock and no time zone take
part. The puzzles of the file are in seven parts of equal size, by grade: the first part is for Mondays, the last one
for Sundays. Each part is read in the order of the file, a puzzle per week, so no puzzle comes twice before all have
been used. Sprints follow each other day by day.

web/src/study/daily.ts makes the same choice; shared cases hold the two equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from .file import PuzzleFile, read_puzzle, read_sprint
from .puzzle import Puzzle, Sprint

DAYS_A_WEEK = 7
_FIRST_MONDAY = date(1969, 12, 29).toordinal()
_FIRST_DAY = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class Daily:
    """What a day offers."""

    puzzle: Puzzle
    sprint: Sprint


def daily(book: PuzzleFile, day: date) -> Daily:
    """The puzzle and the sprint of a date. The file needs at least seven puzzles and one sprint."""
    return Daily(
        read_puzzle(book.puzzle_lines[puzzle_index(len(book.puzzle_lines), day)]),
        read_sprint(book.sprint_lines[sprint_index(len(book.sprint_lines), day)]),
    )


def puzzle_index(puzzles: int, day: date) -> int:
    """The index of a date's puzzle in a file with this many puzzles."""
    week, weekday = divmod(day.toordinal() - _FIRST_MONDAY, DAYS_A_WEEK)
    size = puzzles // DAYS_A_WEEK
    return weekday * size + week % size


def sprint_index(sprints: int, day: date) -> int:
    """The index of a date's sprint in a file with this many sprints."""
    return (day.toordinal() - _FIRST_DAY) % sprints
