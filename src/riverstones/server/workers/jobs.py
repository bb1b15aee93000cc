"""The jobs of a worker. A job is a plain value that is pickled, sent to the worker and computed there.

A bot's job contains only the view of its seat, so it cannot cheat.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from riverstones.engine import bots
from riverstones.engine.analysis import Analysis
from riverstones.engine.levels import has_kernel
from riverstones.engine.loading import noticing
from riverstones.notation import read_record
from riverstones.rules import Game, Move, Position, Seed, Setup, View, view
from riverstones.rules.deal import SEED_BYTES
from riverstones.study import hints
from riverstones.study.board import rank_plays
from riverstones.study.hints import Advice
from riverstones.study.summary import GameSummary, summarise


class Job(Protocol):
    """A computation that runs in a worker."""

    def answer(self) -> Any:
        """Compute the result."""


Report = Callable[[Any], None]
"""Receives the progress of a long job."""


class LongJob(Protocol):
    """A computation that takes long enough to report its progress."""

    def answer_reporting(self, report: Report) -> Any:
        """Compute the result, and report the progress before it."""


@dataclass(frozen=True, slots=True)
class ChooseMove:
    """Choose the move of a bot, and its claim."""

    view: View
    level: str
    seed: int

    def answer(self) -> tuple[Move, int | None]:
        """The move, and the points claimed; None if the game is not scored by claims."""
        return bots.take_turn(self.view, self.level, self.seed)


@dataclass(frozen=True, slots=True)
class JudgeClaim:
    """Decide whether a bot objects to the last move."""

    view: View
    level: str
    seed: int

    def answer(self) -> bool:
        """Whether the bot objects."""
        return bots.objects(self.view, self.level, self.seed)


@dataclass(frozen=True, slots=True)
class FindHint:
    """Find a good play for a hint. The level must look ahead."""

    view: View
    level: str

    def answer(self) -> Advice:
        """The move that a bot of this level makes, with what it scores."""
        return hints.find(self.view, self.level)


@dataclass(frozen=True, slots=True)
class RankPlays:
    """Rank every play of a position for the study board."""

    position: Position
    compiled: bool
    """Whether the compiled kernel may be used."""

    def answer(self) -> Analysis:
        """All plays, best first."""
        return rank_plays(self.position, compiled=self.compiled)


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Compile and cache the engine, by searching an opening and an endgame."""

    def answer(self) -> None:
        """Search with one node at every level that is offered."""
        opening = game = Game.begin(Setup(), Seed(bytes(SEED_BYTES)).deal())
        while game.bag:
            game = game.play(game.plays()[0].move)
        with noticing(_print_notice) if has_kernel() else nullcontext():
            for level in bots.offered():
                for each in (view(opening, 0), view(game, game.to_move)):
                    bots.make(level, nodes=1)(each)
            rank_plays(view(game, game.to_move).position)


def _print_notice() -> None:
    """Print why a bot may be slow at the moment."""
    print("Compiling the engine in the background; this happens once.", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class SummariseGame:
    """Find the play with the most points of every turn of a finished game, and each seat's biggest miss."""

    game: Game
    compiled: bool = False
    """Whether the compiled kernel may be used; without it misses are found by points alone."""

    def answer(self) -> GameSummary:
        """The summary of the game."""
        return summarise(self.game, compiled=self.compiled)


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """Review a game, given its record as text."""

    record: str

    def answer_reporting(self, report: Report) -> str:
        """The report as JSON; the progress is the number of moves judged so far, and of all moves."""
        from riverstones.study.review import review_record, to_json

        found = review_record(read_record(self.record), progress=lambda done, total: report((done, total)))
        return json.dumps(to_json(found), separators=(",", ":"), allow_nan=False)
