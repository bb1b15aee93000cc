"""`riverstones puzzle`: solving in the terminal, JSON for programs, and the check of a file."""

import json
from datetime import date
from pathlib import Path
from typing import Any, get_args

import pytest

from riverstones.cli import choices
from riverstones.rules import plays
from riverstones.study.puzzles.daily import daily
from riverstones.study.puzzles.file import PuzzleFile, shipped
from riverstones.study.puzzles.puzzle import GRADES, Kind, Puzzle
from riverstones.words import LANGUAGES, phrase

from .helpers import environment, riverstones_here

NARROW = environment(COLUMNS="60")
"""A terminal on which the text stands below the board."""


def puzzle(kind: Kind) -> Puzzle:
    return shipped().of_kind(kind)[0]


def asked(*arguments: str) -> Any:
    done = riverstones_here("puzzle", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_the_choices_are_those_of_the_puzzles() -> None:
    assert set(get_args(choices.Kinds)) == set(Kind)
    assert max(GRADES) == choices.HARDEST_GRADE


# JSON ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", Kind)
def test_a_puzzle_is_printed_with_its_answers(kind: Kind) -> None:
    wanted = puzzle(kind)
    told = asked(wanted.id)
    assert list(told)[:6] == ["id", "kind", "grade", "position", "answers", "next_best"]
    assert (told["id"], told["kind"], told["grade"]) == (wanted.id, str(kind), wanted.grade)
    listed = json.loads(riverstones_here("plays", told["position"], "--json").stdout)["plays"]
    scored = {play["move"]: play["points"] for play in listed}
    assert all(scored[answer["move"]] == answer["points"] for answer in told["answers"])
    if kind is Kind.SPOT_THE_ERROR:
        assert told["answers"] == []
        assert told["right"] is (told["claim"]["points"] == told["scores"])
    else:
        assert told["answers"][0] == {"move": str(wanted.answer), "points": wanted.best}
        assert scored[told["next_best"]["move"]] == told["next_best"]["points"]


def test_every_play_of_equal_value_is_an_answer() -> None:
    several = next(it for it in shipped().of_kind(Kind.FLIP) if len(it.right_plays()) > 1)
    best = [
        str(play.move) for play in plays(several.board, several.hand, several.variant) if play.points == several.best
    ]
    assert sorted(answer["move"] for answer in asked(several.id)["answers"]) == sorted(best)


def test_a_day_has_a_puzzle_and_a_sprint() -> None:
    told = asked("--daily", "2026-11-16")
    assert list(told) == ["date", "puzzle", "sprint"]
    offered = daily(shipped(), date(2026, 11, 16))
    assert (told["date"], told["puzzle"]["id"]) == ("2026-11-16", offered.puzzle.id)
    sprint = told["sprint"]
    assert sprint["id"] == offered.sprint.id
    assert (len(sprint["tiles"]), len(sprint["line"]), sprint["optimum"]) == (3, 4, offered.sprint.optimum)
    assert asked(sprint["id"]) == sprint
    assert asked("--daily")["date"] == date.today().isoformat()


def test_a_kind_and_a_grade_narrow_the_choice() -> None:
    told = asked("--kind", "two_kakuros", "--grade", "8")
    assert (told["kind"], told["grade"]) == ("two_kakuros", 8)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--daily", "2026-02-30"), "“2026-02-30” is not a date"),
        (("--daily", "16.11.2026"), "is not a date"),
        (("--daily", "20261116"), "is not a date"),
        (("nobody",), "There is no puzzle or sprint called “nobody”."),
        (("--kind", "spot_the_error", "--grade", "10"), "There is no puzzle of this kind and grade."),
        (("--daily", "--grade", "3"), "not by several of these"),
        (("--grade", "11"), "must be 10 or less"),
        (("--kind", "chess"), "must be one of"),
        (("--check", "nowhere.txt"), "does not exist"),
    ],
)
def test_a_wrong_call_gets_one_sentence(arguments: tuple[str, ...], says: str) -> None:
    done = riverstones_here("puzzle", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


# Solving -------------------------------------------------------------------------------------------------------------


def solving(id: str, *lines: str, language: str = "en") -> str:
    done = riverstones_here(
        "puzzle", id, "--language", language, stdin="".join(f"{line}\n" for line in lines), env=NARROW
    )
    assert (done.returncode, done.stderr) == (0, "")
    return " ".join(done.stdout.split())


def test_a_wrong_try_is_told_what_it_is_worth() -> None:
    wanted = puzzle(Kind.MOST_POINTS)
    assert wanted.next_best is not None
    told = solving(wanted.id, str(wanted.next_best.move), "a1+10", str(wanted.answer))
    assert f"{wanted.next_best.points}; there are {wanted.best}." in told
    assert told.index("there are") < told.index("Right!")
    assert f"{wanted.answer} scores {wanted.best}:" in told
    assert "Goodbye!" in told


@pytest.mark.parametrize("kind", [Kind.LOOK_FURTHER, Kind.WIN])
def test_points_alone_are_not_the_answer(kind: Kind) -> None:
    wanted = puzzle(kind)
    most = plays(wanted.board, wanted.hand, wanted.variant)[0]
    told = solving(wanted.id, str(most.move), "solution")
    assert f"{most.move} scores {most.points}, but" in told
    assert "Right!" not in told
    assert str(wanted.answer) in told


@pytest.mark.parametrize("right", [True, False])
def test_a_claim_is_judged(right: bool) -> None:
    wanted = next(it for it in shipped().of_kind(Kind.SPOT_THE_ERROR) if it.claim_is_right is right)
    verdict = "The claim is right:" if right else "The claim is wrong:"
    for said in ("right", "wrong"):
        told = solving(wanted.id, "e4+7", said)
        assert verdict in told
        assert ("Right!" in told) is (said == ("right" if right else "wrong"))


def test_a_sprint_is_played_with_moves_taken_back() -> None:
    sprint = shipped().sprints()[0]
    line = list(map(str, sprint.line))
    told = solving(sprint.id, line[0], "no", *line)
    assert "Taken back." in told
    assert f"You scored {sprint.optimum} of {sprint.optimum} points." in told
    assert "a gem" in told
    assert "No star yet" in solving(sprint.id, "solution")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_solves_the_day(language: str) -> None:
    offered = daily(shipped(), date(2026, 11, 16))
    word = phrase("verb_solution", {}, language).split()[0]
    done = riverstones_here(
        "puzzle", "--daily", "2026-11-16", "--language", language,
        stdin=f"{offered.puzzle.answer}\n\n{word}\n\n", env=NARROW,
    )  # fmt: skip
    told = " ".join(done.stdout.split())
    assert " ".join(phrase("puzzle_solved", {}, language).split()) in told
    assert phrase("sprint_result", {"points": 0, "optimum": offered.sprint.optimum}, language) in told


def test_leaving_is_no_error() -> None:
    assert "Goodbye!" in solving(puzzle(Kind.FLIP).id, "quit")
    assert "Goodbye!" in solving(puzzle(Kind.FLIP).id)


# The check -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    book = shipped()
    path = tmp_path / "small.txt"
    path.write_text(str(PuzzleFile(book.seed, book.puzzle_lines[:14], book.sprint_lines[:1])), encoding="ascii")
    return path


def test_a_file_is_checked_line_by_line(small: Path) -> None:
    done = riverstones_here("puzzle", "--check", str(small), "--rules-only")
    assert done.returncode == 1
    assert "only 14 puzzles and 1 sprints" in done.stdout
    assert f"{small}:2:" not in done.stdout
    lines = small.read_text(encoding="ascii").splitlines()
    lines[1] = lines[1][:6] + "AAA" + lines[1][9:]
    lines[3] = lines[3][:-1] + "!"
    small.write_text("\n".join(lines) + "\n", encoding="ascii")
    again = riverstones_here("puzzle", "--check", str(small), "--rules-only")
    assert f"{small}:2: " in again.stdout
    assert f"{small}:4: the line has" in again.stdout
    assert f"{small}:3:" not in again.stdout


@pytest.mark.parametrize(
    "content", [b"", b"hello\n", b"\xff\xfe", b"riverstones-puzzles 1 seed 1 puzzles 9 sprints 0\n"]
)
def test_a_file_that_is_not_a_puzzle_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(content)
    done = riverstones_here("puzzle", "--check", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a puzzle file" in done.stderr
