"""Ratings of puzzles and of people as solvers: a first attempt is a match of the person against the puzzle."""

from __future__ import annotations

from functools import cache
from typing import Any, TypedDict

from riverstones.server.accounts.ratings import MODEL, SCALE
from riverstones.server.settings import Settings
from riverstones.server.storage import Store
from riverstones.server.storage.study import Attempt, Skill
from riverstones.study.profile import PuzzleRating
from riverstones.study.puzzles.file import shipped
from riverstones.study.puzzles.puzzle import GRADES

MIDDLE = (GRADES[0] + GRADES[-1]) / 2
STEP = 1.25
"""How much harder each grade is at the start, as the model counts: a solver in the middle is expected to solve about
four of five puzzles of the lowest grade, and one of five of the highest."""

PUZZLE_SIGMA = MODEL.sigma / 2
"""The uncertainty of a puzzle at the start: a grade says more than nothing."""


class Rated(TypedDict):
    """The ratings after an attempt at a puzzle."""

    first: bool
    """Whether it was your first attempt at this puzzle; only that counts."""
    rating: PuzzleRating
    """Your rating as a solver."""
    puzzle: PuzzleRating


def shown(skill: Skill) -> PuzzleRating:
    """A rating on the public scale."""
    return {"value": round(skill.mu * SCALE), "spread": round(2 * skill.sigma * SCALE)}


def of_grade(grade: float) -> Skill:
    """The rating of a puzzle of this grade that nobody has tried."""
    return Skill(MODEL.mu + STEP * (grade - MIDDLE), PUZZLE_SIGMA)


def rate(solver: Skill, puzzle: Skill, *, solved: bool) -> tuple[Skill, Skill]:
    """The ratings of a solver and a puzzle after a first attempt."""
    teams = [[_rating(solver)], [_rating(puzzle)]]
    (new_solver,), (new_puzzle,) = MODEL.rate(teams, ranks=[1, 2] if solved else [2, 1])
    return Skill(new_solver.mu, new_solver.sigma), Skill(new_puzzle.mu, new_puzzle.sigma)


def _rating(skill: Skill) -> Any:
    return MODEL.rating(mu=skill.mu, sigma=skill.sigma)


NEW_SOLVER = Skill(MODEL.mu, MODEL.sigma)


@cache
def grades() -> dict[str, int]:
    """The grade of every puzzle, by its id. The first call reads the file."""
    return shipped().grades()


class PuzzleRatings:
    """Counts first attempts."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store

    async def attempt(self, person: str, puzzle: str, grade: float, *, solved: bool) -> Rated:
        """Count an attempt if it is the person's first at this puzzle; returns the ratings afterwards."""
        start = of_grade(grade)
        first, mine, its = await self._store.study.attempt(
            person,
            Attempt(puzzle, solved, self._settings.now_ms()),
            lambda before, known: rate(before or NEW_SOLVER, known or start, solved=solved),
        )
        return {"first": first, "rating": shown(mine or NEW_SOLVER), "puzzle": shown(its or start)}

    async def changed(self) -> dict[str, int]:
        """The value of every puzzle that somebody has tried."""
        return {puzzle: shown(skill)["value"] for puzzle, skill in (await self._store.study.puzzles()).items()}
