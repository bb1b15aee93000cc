"""The work of making a puzzle file, in blocks of games that can be done in any order and on any machine.

The result of a block is text, one line per candidate, and depends only on the seed and the number of the block. A
result that is already there need not be computed again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from riverstones.study.puzzles.file import write_puzzle, write_sprint
from riverstones.study.puzzles.grading import ease
from riverstones.study.puzzles.puzzle import Puzzle

from . import finders
from .games import PlayedGame
from .sprints import find_sprint


@dataclass(frozen=True, slots=True)
class Plan:
    """How many games are searched for what. Games are numbered; the sprints' games come after all others."""

    games: int = 9_000
    """Searched for triples, which are rare."""
    ordinary: int = 3_000
    """The first so many: searched for everything that is quickly found as well."""
    wins: int = 4_500
    """The first so many: searched for endgames to win."""
    further: int = 750
    """The first so many: searched for positions in which one has to look further."""
    sprints: int = 840
    """The number of further games, each with one position that may become a sprint."""
    block: int = 25
    """The number of games in a block."""

    def blocks(self) -> int:
        """The number of blocks."""
        return -(-(self.games + self.sprints) // self.block)


FULL: Final = Plan()


def do_block(seed: int, plan: Plan, number: int) -> list[str]:
    """The candidates of a block: for each the ease, a space and the line of the file (a sprint has the ease 0)."""
    lines = []
    first = number * plan.block
    for index in range(first, min(first + plan.block, plan.games + plan.sprints)):
        game = PlayedGame(seed, index)
        rng = random.Random(f"riverstones puzzles {seed} choice {index}")
        if index >= plan.games:
            sprint = find_sprint(game, rng)
            if sprint is not None:
                lines.append(f"0 {write_sprint(sprint)}")
        else:
            lines += [f"{ease(puzzle):.6f} {write_puzzle(puzzle)}" for puzzle in _candidates(game, seed, plan, rng)]
    return lines


def _candidates(game: PlayedGame, seed: int, plan: Plan, rng: random.Random) -> Iterator[Puzzle]:
    number = game.number
    yield from finders.by_points(game, rng, gems_only=number >= plan.ordinary)
    if number < plan.ordinary:
        yield from finders.errors(game, rng)
    if number < plan.wins:
        yield from finders.wins(game)
    if number < plan.further:
        yield from finders.further(game, seed)
