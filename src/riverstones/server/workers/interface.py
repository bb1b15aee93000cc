"""What the server asks of its engine workers. `pool` runs jobs in processes of this machine, `queued` on others."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from riverstones.engine import bots
from riverstones.engine.analysis import Analysis
from riverstones.engine.levels import SEARCHING, STREAM
from riverstones.rules import Move, Position, Scoring, View, plays
from riverstones.server.workers.fair_queue import Priority
from riverstones.server.workers.jobs import (
    ChooseMove,
    FindHint,
    Job,
    JudgeClaim,
    LongJob,
    RankPlays,
    Report,
    ReviewRecord,
    SummariseGame,
)
from riverstones.server.workers.requester import Requester
from riverstones.study.hints import Advice, hint_level
from riverstones.study.summary import GameSummary

log = logging.getLogger("riverstones.workers")

NOBODY = Requester()


class WorkerFailed(Exception):
    """A job failed: the process died, took too long, or raised an error."""


class Workers(ABC):
    """Runs engine jobs outside the server's event loop.

    A `key` names what a job is for, such as a table and its last event. Several servers may need the same job; those
    with equal keys and equal contents are run once if workers on other machines run them.
    """

    @abstractmethod
    async def run(
        self,
        job: Job | LongJob,
        who: Requester = NOBODY,
        priority: Priority = Priority.MOVE,
        key: str | None = None,
        report: Report | None = None,
    ) -> Any:
        """Run a job when it is its requester's turn, and return its result. Cancelling it stops the computation.

        `report` receives the progress of a long job. Raises `WorkerFailed` if the job raises an error or takes too
        long, or its process dies.
        """

    @abstractmethod
    def warm_up(self) -> None:
        """Compile the engine in the background; levels that search wait for it."""

    @property
    @abstractmethod
    def compiled(self) -> bool:
        """Whether the compiled kernel can be used without compiling it first."""

    @abstractmethod
    async def until_compiled(self) -> None:
        """Wait for a running warm-up, if jobs depend on it."""

    @abstractmethod
    async def close(self) -> None:
        """End all processes and wait for them. Running jobs are lost."""

    async def choose(
        self, view: View, level: str, seed: int, who: Requester = NOBODY, key: str | None = None
    ) -> tuple[Move, int | None]:
        """A bot's move and claim. If its level fails, weaker ones are tried, then the play with the most points."""
        await self._until_compiled(level)
        for weaker in _level_and_weaker(level):
            try:
                move, claim = await self.run(ChooseMove(view, weaker, seed), who, Priority.MOVE, key)
            except WorkerFailed as failure:
                log.warning("A bot of level %s failed (%s); trying a weaker one", weaker, failure)
            else:
                return move, claim
        log.error("Every bot level failed; playing the most points")
        best = await asyncio.to_thread(lambda: plays(view.position.board, view.hand, view.setup.variant)[0])
        return best.move, best.points if view.setup.scoring is Scoring.CLAIMS else None

    async def objects(self, view: View, level: str, seed: int, who: Requester = NOBODY, key: str | None = None) -> bool:
        """Whether a bot objects to the last move; False if its worker fails."""
        try:
            return bool(await self.run(JudgeClaim(view, level, seed), who, Priority.MOVE, key))
        except WorkerFailed as failure:
            log.warning("A bot of level %s could not judge a claim (%s)", level, failure)
            return False

    async def hint(self, view: View, who: Requester = NOBODY, key: str | None = None) -> Advice:
        """A good play for the seat to move, and why; from a weaker level if the search fails."""
        level = hint_level()
        await self._until_compiled(level)
        try:
            advice: Advice = await self.run(FindHint(view, level), who, Priority.HINT, key)
        except WorkerFailed as failure:
            log.warning("The search for a hint failed (%s); using level stream", failure)
            move, _ = await self.choose(view, STREAM.name, 0, who, key)
            found = await asyncio.to_thread(view.position.plays)
            play = next(play for play in found if play.move == move)
            advice = Advice(play, found[0].points, looked_ahead=False)
        return advice

    async def rank(self, position: Position, who: Requester = NOBODY) -> Analysis:
        """Every play of a position, best first; from a weaker search while the engine is being compiled."""
        found: Analysis = await self.run(RankPlays(position, self.compiled), who, Priority.HINT)
        return found

    async def summarise(self, game: SummariseGame, who: Requester = NOBODY) -> GameSummary:
        """The summary of a finished game; raises `WorkerFailed`."""
        found: GameSummary = await self.run(replace(game, compiled=self.compiled), who, Priority.REVIEW)
        return found

    async def review_record(self, record: str, who: Requester, report: Report) -> str:
        """The review of a record as JSON; `report` gets the moves judged so far, and of all. Raises `WorkerFailed`."""
        found: str = await self.run(ReviewRecord(record), who, Priority.REVIEW, report=report)
        return found

    async def _until_compiled(self, level: str) -> None:
        """Wait for a running warm-up, if this level searches."""
        if level in SEARCHING and SEARCHING[level].stages:
            await self.until_compiled()


def _level_and_weaker(level: str) -> list[str]:
    """A level and the weaker ones that are offered, strongest first."""
    offered = bots.offered()
    upto = offered.index(level) + 1 if level in offered else len(offered)
    return list(reversed(offered[:upto]))
