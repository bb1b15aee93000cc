"""Write what Python reads in the puzzle file, chooses for dates and rates to puzzle-cases.json for the browser."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from riverstones.server.study.puzzle_ratings import NEW_SOLVER, of_grade, rate, shown
from riverstones.study.puzzles.daily import puzzle_index, sprint_index
from riverstones.study.puzzles.file import read_puzzle, read_sprint, shipped
from riverstones.study.puzzles.puzzle import GRADES, Puzzle, Scored, Sprint

EVERY = 97
"""One of so many puzzles and sprints becomes a case, besides the first of each kind and variant."""
DATES = [
    *(date(2026, 12, 28) + timedelta(n) for n in range(10)),
    *(date(2024, 2, 27) + timedelta(n) for n in range(5)),
    *(date(2026, 3, 27) + timedelta(n) for n in range(5)),
    *(date(2026, 10, 23) + timedelta(n) for n in range(5)),
    *(date(2027, 1, 1) + timedelta(37 * n) for n in range(60)),
    date(1970, 1, 1),
    date(1969, 12, 28),
    date(2100, 2, 28),
    date(2100, 3, 1),
]


def scored(told: Scored | None) -> dict[str, Any] | None:
    """A move with its points as the browser knows it."""
    return None if told is None else {"move": str(told.move), "points": told.points}


def puzzle_case(line: str) -> dict[str, Any]:
    """A puzzle as the browser knows it, with its line."""
    puzzle: Puzzle = read_puzzle(line)
    return {
        "type": "puzzle",
        "line": line,
        "read": {
            "id": puzzle.id,
            "kind": str(puzzle.kind),
            "grade": puzzle.grade,
            "variant": puzzle.variant.value,
            "board": puzzle.board.cells,
            "hand": list(puzzle.hand),
            "others": None if puzzle.others is None else list(puzzle.others),
            "scores": None if puzzle.scores is None else list(puzzle.scores),
            "best": puzzle.best,
            "answer": str(puzzle.answer),
            "answers": None if puzzle.answers is None else list(map(str, puzzle.answers)),
            "nextBest": scored(puzzle.next_best),
            "claim": scored(puzzle.claim),
        },
    }


def sprint_case(line: str) -> dict[str, Any]:
    """A sprint as the browser knows it, with its line."""
    sprint: Sprint = read_sprint(line)
    return {
        "type": "sprint",
        "line": line,
        "read": {
            "id": sprint.id,
            "variant": sprint.variant.value,
            "board": sprint.board.cells,
            "hand": list(sprint.hand),
            "tiles": list(sprint.tiles),
            "optimum": sprint.optimum,
            "line": list(map(str, sprint.line)),
        },
    }


def rating_case(tries: list[tuple[int, bool]]) -> dict[str, Any]:
    """The ratings of a solver after each of these first tries, at puzzles that nobody else has tried."""
    skill, ratings = NEW_SOLVER, []
    for grade, solved in tries:
        skill, _ = rate(skill, of_grade(grade), solved=solved)
        ratings.append([skill.mu, skill.sigma, *shown(skill).values()])
    return {"type": "rating", "tries": tries, "ratings": ratings}


def main() -> None:
    """Write the cases."""
    book = shipped()
    first_of = {line[4]: line for line in reversed(book.puzzle_lines)}
    cases = [puzzle_case(line) for line in (*sorted(first_of.values()), *book.puzzle_lines[::EVERY])]
    first_sprint_of = {line[4]: line for line in reversed(book.sprint_lines)}
    cases += [sprint_case(line) for line in (*sorted(first_sprint_of.values()), *book.sprint_lines[::EVERY])]
    cases += [
        {
            "type": "date",
            "date": [day.year, day.month, day.day],
            "weekday": day.weekday(),
            "iso": day.isoformat(),
            "indexes": [[count, puzzle_index(count, day), sprint_index(count, day)] for count in (7, 434, 5600, 5605)],
        }
        for day in DATES
    ]
    cases += [
        rating_case([(5, True)]),
        rating_case([(10, False)]),
        rating_case([(grade, grade % 3 > 0) for grade in GRADES] * 5),
        rating_case([(GRADES[0], False)] * 60),
        rating_case([(GRADES[-1], True)] * 200),
    ]
    target = Path(__file__).with_name("puzzle-cases.json")
    target.write_text("[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in cases) + "\n]\n")
    print(f"{len(cases)} puzzles, sprints, dates and ratings")


if __name__ == "__main__":
    main()
