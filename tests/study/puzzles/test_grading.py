"""Grades follow from the model of beginners, in closed form."""

import random
from statistics import mean

import pytest

from riverstones.engine.human import BROOK, PERSONAS, Persona, main_kakuro, notice_probability
from riverstones.rules import Play, plays
from riverstones.study.puzzles.file import shipped
from riverstones.study.puzzles.grading import BEGINNERS, ease, solve_probability
from riverstones.study.puzzles.puzzle import GRADES, Kind, Puzzle

EVERY = 4
"""One in so many puzzles of a grade is looked at."""


def solved(grade: int, persona: Persona) -> float:
    """The share of a grade that a persona solves."""
    return mean(solve_probability(puzzle, persona) for puzzle in shipped().of_kind(grade=grade)[::EVERY])


@pytest.mark.parametrize("persona", BEGINNERS, ids=lambda persona: persona.name)
def test_beginners_solve_most_of_the_easiest_grade_and_at_most_a_fifth_of_the_hardest(persona: Persona) -> None:
    assert solved(1, persona) > 0.5
    assert solved(10, persona) <= 0.2


def test_the_beginners_are_the_two_weakest_levels_that_flip() -> None:
    assert tuple(PERSONAS.values())[-2:] == BEGINNERS


def test_a_higher_grade_is_harder() -> None:
    eases = [mean(ease(puzzle) for puzzle in shipped().of_kind(grade=grade)[::40]) for grade in GRADES]
    assert eases == sorted(eases, reverse=True)


def seen(play: Play, persona: Persona, rng: random.Random) -> bool:
    """Whether a persona sees a play in full, by chance."""
    main = main_kakuro(play.move, play.kakuros)
    return all(
        rng.random() < notice_probability(persona, kakuro, play.move, None, crossing=kakuro is not main)
        for kakuro in play.kakuros
    )


def played_out(puzzle: Puzzle, legal: list[Play], rng: random.Random) -> bool:
    """One attempt at a puzzle with one answer: it is seen, and no play with more points is."""
    for play in legal:
        if play.points > puzzle.best:
            if rng.random() < notice_probability(BROOK, main_kakuro(play.move, play.kakuros), play.move, None):
                return False
        elif play.move == puzzle.answer:
            return seen(play, BROOK, rng)
    return False


@pytest.mark.parametrize("kind", [Kind.MOST_POINTS, Kind.FLIP, Kind.TWO_KAKUROS])
def test_the_closed_form_is_how_often_the_answer_is_seen(kind: Kind) -> None:
    rng = random.Random(3)
    for puzzle in shipped().of_kind(kind)[:3]:
        right = puzzle.right_plays()
        share = mean(any(seen(play, BROOK, rng) for play in right) for _ in range(4000))
        assert solve_probability(puzzle, BROOK) == pytest.approx(share, abs=0.035)


def test_a_beginner_looks_further_only_by_overlooking_points() -> None:
    rng = random.Random(4)
    checked = 0
    for puzzle in shipped().of_kind(Kind.LOOK_FURTHER):
        legal = plays(puzzle.board, puzzle.hand, puzzle.variant)
        better = [play for play in legal if play.points > puzzle.best]
        mains = {main_kakuro(play.move, play.kakuros) for play in better}
        # Plays made for the same Kakuro are seen together, which an attempt played out here does not know.
        if not puzzle.best or puzzle.answers is None or len(puzzle.answers) > 1 or len(mains) < len(better):
            continue
        share = mean(played_out(puzzle, legal, rng) for _ in range(1500))
        assert solve_probability(puzzle, BROOK) == pytest.approx(share, abs=0.05)
        checked += 1
        if checked == 4:
            return
    assert checked


def test_a_grade_does_not_give_away_whether_a_claim_is_right() -> None:
    puzzles = shipped().of_kind(Kind.SPOT_THE_ERROR)
    right = [ease(puzzle) for puzzle in puzzles if puzzle.claim_is_right]
    wrong = [ease(puzzle) for puzzle in puzzles if not puzzle.claim_is_right]
    assert 0.4 < len(right) / len(puzzles) < 0.6
    assert abs(mean(right) - mean(wrong)) < 0.06
