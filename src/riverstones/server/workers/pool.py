"""Runs jobs in worker processes, and replaces processes that fail."""

from __future__ import annotations

import asyncio
import logging
import pickle
from dataclasses import replace
from typing import Any

from riverstones.engine import bots
from riverstones.engine.analysis import Analysis
from riverstones.engine.levels import OCEAN, RIVER, SEARCHING, STREAM, has_kernel
from riverstones.rules import Move, Position, View, plays
from riverstones.server.workers.fair_queue import FairQueue
from riverstones.server.workers.jobs import (
    Advice,
    ChooseMove,
    FindHint,
    GameSummary,
    Job,
    JudgeClaim,
    LongJob,
    RankPlays,
    Report,
    SummariseGame,
    WarmUp,
)
from riverstones.server.workers.process import Process, WorkerFailed

log = logging.getLogger("riverstones.workers")

LONGEST_S = 30.0
"""The timeout of a job. Budgets are nodes, so a job that takes this long has failed."""

LONGEST_COMPILATION_S = 600.0
"""The timeout of the warm-up: the first search on a machine compiles the kernel, which may take minutes."""

HINT_LEVEL = (OCEAN if has_kernel() else RIVER).name
"""The level that reviews judge by, so that no review blames a move that was hinted; reviews need the kernel too."""
PROCESS_ERRORS = (OSError, EOFError, TimeoutError, pickle.UnpicklingError)
"""Exceptions of a call to a process that dies, hangs or writes garbage."""


class WorkerPool:
    """A number of worker processes, started when they are first needed."""

    def __init__(self, count: int, longest_s: float = LONGEST_S, niceness: int = 0) -> None:
        self._longest_s = longest_s
        self._niceness = niceness
        self._queue = FairQueue(count)
        self._idle: list[Process] = []
        self._living: set[Process] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False
        self._compiled = asyncio.Event()
        self._warming: asyncio.Task[None] | None = None

    def warm_up(self) -> None:
        """Compile the engine in the background; levels that search wait for it."""
        self._warming = asyncio.create_task(self._warm_up(), name="warm-up")

    async def _warm_up(self) -> None:
        """Compile in an extra process, so that bots that do not search need not wait."""
        process = self._new_process()
        try:
            await asyncio.wait_for(process.run(WarmUp()), LONGEST_COMPILATION_S)
        except (WorkerFailed, *PROCESS_ERRORS) as failure:
            log.warning("engine warm-up failed: %s", failure)
        finally:
            self._compiled.set()
            self._end(process)

    async def close(self) -> None:
        """End all processes and wait for them. Running jobs are lost."""
        self._closed = True
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        for process in tuple(self._living):
            self._end(process)
        await asyncio.gather(*self._ending)

    def _new_process(self) -> Process:
        process = Process(self._niceness)
        self._living.add(process)
        return process

    def _end(self, process: Process) -> None:
        """End a process in a separate task, so that it ends even if the caller is cancelled."""
        if process in self._living:
            self._living.remove(process)
            ending = asyncio.create_task(process.end(), name="end a worker process")
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def run(
        self, job: Job | LongJob, owner: str = "", group: str | None = None, report: Report | None = None
    ) -> Any:
        """Run a job when it is its owner's turn, and return its result. Cancelling it ends its process.

        `report` receives the progress of a long job. Owners of one group take turns among themselves, see `FairQueue`.
        Raises `WorkerFailed` if the job raises an error, takes too long, or its process dies.
        """
        async with self._queue.slot(owner, group):
            if self._closed:
                raise WorkerFailed("the server is stopping")
            process = self._idle.pop() if self._idle else self._new_process()
            try:
                answer = await asyncio.wait_for(process.run(job, report), self._longest_s)
            except WorkerFailed:
                self._idle.append(process)
                raise
            except PROCESS_ERRORS as error:
                self._end(process)
                raise WorkerFailed(f"{type(error).__name__} while running a job") from error
            except BaseException:
                self._end(process)
                raise
            self._idle.append(process)
            return answer

    async def choose(self, view: View, level: str, seed: int, owner: str) -> tuple[Move, int | None]:
        """A bot's move and claim. If its level fails, weaker ones are tried, then the play with the most points."""
        await self._until_compiled(level)
        for weaker in _level_and_weaker(level):
            try:
                move, claim = await self.run(ChooseMove(view, weaker, seed), owner)
            except WorkerFailed as failure:
                log.warning("a bot of level %s failed (%s); trying a weaker one", weaker, failure)
            else:
                return move, claim
        log.error("every bot level failed; playing the most points")
        best = await asyncio.to_thread(lambda: plays(view.position.board, view.hand, view.setup.variant)[0])
        return best.move, best.points if view.setup.scoring.value == "claims" else None

    async def objects(self, view: View, level: str, seed: int, owner: str) -> bool:
        """Whether a bot objects to the last move; False if its worker fails."""
        try:
            return bool(await self.run(JudgeClaim(view, level, seed), owner))
        except WorkerFailed as failure:
            log.warning("a bot of level %s could not judge a claim (%s)", level, failure)
            return False

    async def hint(self, view: View, owner: str) -> Advice:
        """A good play for the seat to move, and why; from a weaker level if the search fails."""
        await self._until_compiled(HINT_LEVEL)
        try:
            advice: Advice = await self.run(FindHint(view, HINT_LEVEL), owner)
        except WorkerFailed as failure:
            log.warning("the search for a hint failed (%s); using level stream", failure)
            move, _ = await self.choose(view, STREAM.name, 0, owner)
            found = await asyncio.to_thread(view.position.plays)
            play = next(play for play in found if play.move == move)
            advice = Advice(play, found[0].points, looked_ahead=False)
        return advice

    async def rank(self, position: Position, owner: str) -> Analysis:
        """Every play of a position, best first; from a weaker search while the engine is being compiled."""
        found: Analysis = await self.run(RankPlays(position, self._has_compiled), owner)
        return found

    async def _until_compiled(self, level: str) -> None:
        """Wait for a running warm-up, if this level searches."""
        if level in SEARCHING and SEARCHING[level].stages:
            await self.until_compiled()

    async def until_compiled(self) -> None:
        """Wait for a running warm-up."""
        if self._warming is not None:
            await self._compiled.wait()

    @property
    def _has_compiled(self) -> bool:
        """Whether no warm-up is running."""
        return self._warming is None or self._compiled.is_set()

    async def summarise(self, game: SummariseGame, owner: str) -> GameSummary:
        """The summary of a finished game; raises `WorkerFailed`."""
        found: GameSummary = await self.run(replace(game, compiled=self._has_compiled), owner)
        return found


def _level_and_weaker(level: str) -> list[str]:
    """A level and the weaker ones that are offered, strongest first."""
    offered = bots.offered()
    upto = offered.index(level) + 1 if level in offered else len(offered)
    return list(reversed(offered[:upto]))
