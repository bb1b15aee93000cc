"""Shipped puzzles are what they promise, and the check finds those that are not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from riverstones.engine.levels import has_kernel
from riverstones.rules import Board, Move
from riverstones.study.puzzles.checking import Depth, faults, file_faults, puzzle_faults, sprint_faults
from riverstones.study.puzzles.file import PuzzleFile, shipped
from riverstones.study.puzzles.packing import reflected
from riverstones.study.puzzles.puzzle import Kind, Puzzle, Scored, Sprint

SAMPLE = 37
"""One in so many puzzles and sprints is verified here; `riverstones puzzle --check` verifies all."""


def test_a_sample_of_the_shipped_file_has_no_faults() -> None:
    found = list(faults(shipped(), Depth.RULES, SAMPLE))
    assert len(found) > 100
    assert [fault for fault in found if fault[1]] == []


@pytest.mark.skipif(not has_kernel(), reason="the engine is not installed")
@pytest.mark.parametrize("kind", [Kind.WIN, Kind.LOOK_FURTHER])
def test_a_sample_of_what_needs_a_search_has_no_faults(kind: Kind) -> None:
    puzzles = shipped().of_kind(kind)[::40]
    assert {puzzle.id: fault for puzzle in puzzles if (fault := puzzle_faults(puzzle, Depth.ENGINE))} == {}


@pytest.mark.slow
@pytest.mark.skipif(not has_kernel(), reason="the engine is not installed")
def test_no_entry_can_exceed_the_optimum_of_a_sprint() -> None:
    for sprint in shipped().sprints()[::100]:
        assert sprint_faults(sprint, Depth.ENGINE) == []


def test_the_shipped_file_keeps_its_promises_as_a_whole() -> None:
    assert file_faults(shipped()) == []


def puzzle(kind: Kind) -> Puzzle:
    return shipped().of_kind(kind)[0]


DAMAGES: list[tuple[Kind, Callable[[Puzzle], Puzzle]]] = [
    (Kind.MOST_POINTS, lambda it: replace(it, best=it.best + 1)),
    (Kind.MOST_POINTS, lambda it: replace(it, answer=_second(it).move, best=_second(it).points)),
    (Kind.MOST_POINTS, lambda it: replace(it, kind=Kind.THREE_KAKUROS)),
    (Kind.MOST_POINTS, lambda it: replace(it, next_best=Scored(_second(it).move, _second(it).points + 1))),
    (Kind.MOST_POINTS, lambda it: replace(it, next_best=Scored(it.answer, it.best))),
    (Kind.MOST_POINTS, lambda it: replace(it, next_best=None)),
    (Kind.MOST_POINTS, lambda it: replace(it, board=Board(it.board.cells.replace(".", "9")))),
    (Kind.FLIP, lambda it: replace(it, kind=Kind.WIN)),
    (Kind.TWO_KAKUROS, lambda it: replace(it, kind=Kind.THREE_KAKUROS)),
    (Kind.THREE_KAKUROS, lambda it: replace(it, kind=Kind.TWO_KAKUROS)),
    (Kind.LOOK_FURTHER, lambda it: replace(it, answers=(it.answer, Move.parse("a1+1~b1")))),
    (Kind.SPOT_THE_ERROR, lambda it: replace(it, best=it.best + 1)),
    (Kind.SPOT_THE_ERROR, lambda it: replace(it, claim=None)),
    (Kind.SPOT_THE_ERROR, lambda it: replace(it, claim=Scored(_on_a_tile(it), it.best))),
    (Kind.SPOT_THE_ERROR, lambda it: replace(it, claim=Scored(it.answer, 0))),
]


def _second(it: Puzzle) -> Scored:
    assert it.next_best is not None
    return it.next_best


def _on_a_tile(it: Puzzle) -> Move:
    square, _ = next(iter(it.board))
    return replace(it.answer, square=square, flips=())


@pytest.mark.parametrize("number", range(len(DAMAGES)))
def test_a_puzzle_that_breaks_its_promise_is_found(number: int) -> None:
    kind, damage = DAMAGES[number]
    sound = puzzle(kind)
    assert puzzle_faults(sound) == []
    assert puzzle_faults(damage(sound)) != []


def test_a_flip_that_hardly_matters_is_found() -> None:
    plain = next(it for it in shipped().of_kind(Kind.MOST_POINTS) if not it.answer.flips)
    assert puzzle_faults(replace(plain, kind=Kind.FLIP)) != []


@pytest.mark.skipif(not has_kernel(), reason="the engine is not installed")
def test_a_search_finds_wrong_answers() -> None:
    win = puzzle(Kind.WIN)
    assert win.scores is not None
    for mine in (win.scores[0] - 60, win.scores[0] + 60):
        assert puzzle_faults(replace(win, scores=(max(mine, 0), win.scores[1])), Depth.ENGINE) != []
    further = puzzle(Kind.LOOK_FURTHER)
    second = _second(further)
    swapped = replace(
        further,
        answer=second.move,
        best=second.points,
        answers=(second.move,),
        next_best=Scored(further.answer, further.best),
    )
    assert puzzle_faults(swapped, Depth.ENGINE) != []


SPRINT_DAMAGES: list[Callable[[Sprint], Sprint]] = [
    lambda it: replace(it, optimum=it.optimum + 1),
    lambda it: replace(it, line=it.line[:3]),
    lambda it: replace(it, line=(it.line[0], it.line[0], *it.line[2:])),
    lambda it: replace(it, tiles=(it.tiles[0],) * 3, board=it.board),
]


@pytest.mark.parametrize("number", range(len(SPRINT_DAMAGES)))
def test_a_sprint_that_breaks_its_promise_is_found(number: int) -> None:
    sound = shipped().sprints()[0]
    assert sprint_faults(sound) == []
    assert sprint_faults(SPRINT_DAMAGES[number](sound)) != []


@pytest.mark.slow
def test_repetitions_and_a_wrong_order_are_found() -> None:
    book = shipped()
    puzzles = book.puzzles()
    first = puzzles[0]
    mirrored = replace(first, board=reflected(first.board))
    assert "reflections" in " ".join(file_faults(PuzzleFile.of(1, [*puzzles, mirrored], book.sprints())))
    turned = " ".join(file_faults(PuzzleFile.of(1, puzzles[::-1], book.sprints())))
    assert "do not become harder" in turned
    crowded = [replace(each, game=1) for each in puzzles[:3]] + puzzles[3:]
    assert "more than 2 puzzles" in " ".join(file_faults(PuzzleFile.of(1, crowded, book.sprints())))
    few = " ".join(file_faults(PuzzleFile.of(1, puzzles[:70], [])))
    assert "only 70 puzzles and 0 sprints" in few
    assert "of the kind win" in few
    assert "of grade 10" in few
