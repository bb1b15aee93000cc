"""What people solve: their progress, their first attempts at puzzles, and the ratings of puzzles and solvers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, literal, select, update

from . import schema as s
from .database import Database


@dataclass(frozen=True, slots=True)
class Skill:
    """A rating of a person or a puzzle: the mean and its uncertainty, as the model counts."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class StoredProgress:
    """A row of `study_progress`; version 0 and no data if nothing is stored."""

    version: int = 0
    data: str | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's first attempt at a puzzle."""

    puzzle: str
    solved: bool
    at_ms: int


Rate = Callable[[Skill | None, Skill | None], tuple[Skill, Skill]]
"""The new ratings of a solver and a puzzle, from the old ones; None for those that have none yet."""


class StudyStorage:
    """The rows of what people solve."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, person: str) -> StoredProgress:
        """The progress that a person has stored."""
        query = select(s.study_progress).where(s.study_progress.c.person == person)
        for row in await self._database.rows(query):
            return StoredProgress(row.version, row.data)
        return StoredProgress()

    async def keep_progress(self, person: str, version: int, data: str) -> StoredProgress:
        """Replace a person's progress if `version` is the stored one; returns what is stored afterwards."""

        async def work(connection: Any) -> StoredProgress:
            row = s.study_progress.c
            found = (await connection.execute(select(s.study_progress).where(row.person == person))).first()
            if found is None and version == 0:
                await connection.execute(s.study_progress.insert().values(person=person, version=1, data=data))
            elif found is not None and found.version == version:
                change = update(s.study_progress).where(row.person == person)
                await connection.execute(change.values(version=version + 1, data=data))
            else:
                return StoredProgress() if found is None else StoredProgress(found.version, found.data)
            return StoredProgress(version + 1, data)

        return await self._database.writer.transact(work)

    async def attempt(self, person: str, attempt: Attempt, rate: Rate) -> tuple[bool, Skill | None, Skill | None]:
        """Count an attempt if it is the person's first at this puzzle, and rate both.

        Returns whether it counted, and the ratings of the person and of the puzzle afterwards.
        """

        async def work(connection: Any) -> tuple[bool, Skill | None, Skill | None]:
            tried = s.puzzle_attempts.c
            known = select(tried.solved).where(tried.person == person, tried.puzzle == attempt.puzzle)
            first = (await connection.execute(known)).first() is None
            solver = await _skill(connection, s.solver_ratings, person)
            puzzle = await _skill(connection, s.puzzle_ratings, attempt.puzzle)
            if not first:
                return False, solver, puzzle
            row = {"person": person, "puzzle": attempt.puzzle, "solved": attempt.solved, "at_ms": attempt.at_ms}
            await connection.execute(s.puzzle_attempts.insert().values(row))
            rated = rate(solver, puzzle)
            await _keep_skill(connection, s.solver_ratings, person, rated[0], new=solver is None)
            await _keep_skill(connection, s.puzzle_ratings, attempt.puzzle, rated[1], new=puzzle is None)
            return True, *rated

        return await self._database.writer.transact(work)

    async def attempts_of(self, person: str) -> list[Attempt]:
        """A person's first attempts, oldest first."""
        query = select(s.puzzle_attempts).where(s.puzzle_attempts.c.person == person)
        rows = await self._database.rows(query.order_by(s.puzzle_attempts.c.at_ms, s.puzzle_attempts.c.puzzle))
        return [Attempt(row.puzzle, row.solved, row.at_ms) for row in rows]

    async def solver(self, person: str) -> Skill | None:
        """A person's rating as a solver; None before the first attempt."""
        query = select(s.solver_ratings).where(s.solver_ratings.c.person == person)
        for row in await self._database.rows(query):
            return Skill(row.mu, row.sigma)
        return None

    async def puzzles(self) -> dict[str, Skill]:
        """The ratings of all puzzles that somebody has tried."""
        return {row.puzzle: Skill(row.mu, row.sigma) for row in await self._database.rows(select(s.puzzle_ratings))}


async def carry_over_study(connection: Any, guest: str, person: str) -> None:
    """Add a guest's first attempts to another person's; progress and rating only if the person has none."""
    tried = s.puzzle_attempts
    known = select(tried.c.puzzle).where(tried.c.person == person)
    found = select(literal(person), tried.c.puzzle, tried.c.solved, tried.c.at_ms).where(
        tried.c.person == guest, tried.c.puzzle.not_in(known)
    )
    await connection.execute(tried.insert().from_select(["person", "puzzle", "solved", "at_ms"], found))
    for table in (s.study_progress, s.solver_ratings):
        if (await connection.execute(select(table).where(table.c.person == person))).first() is None:
            names = [column.name for column in table.columns if column.name != "person"]
            copied = select(literal(person), *(table.c[name] for name in names)).where(table.c.person == guest)
            await connection.execute(table.insert().from_select(["person", *names], copied))


async def _skill(connection: Any, table: Table, key: str) -> Skill | None:
    (column,) = table.primary_key.columns
    row = (await connection.execute(select(table).where(column == key))).first()
    return None if row is None else Skill(row.mu, row.sigma)


async def _keep_skill(connection: Any, table: Table, key: str, skill: Skill, *, new: bool) -> None:
    (column,) = table.primary_key.columns
    values = {"mu": skill.mu, "sigma": skill.sigma}
    if new:
        await connection.execute(table.insert().values({column.name: key, **values}))
    else:
        await connection.execute(update(table).where(column == key).values(values))
