"""The worker processes and the jobs for them."""

from __future__ import annotations

import asyncio
import logging
import pickle
from typing import Any

from riverstones.engine import bots
from riverstones.engine.levels import SEARCHING, STREAM
from riverstones.rules import Move, Play, View, plays
from riverstones.rules.scoring import kakuros_made
from riverstones.server.workers.fair_queue import FairQueue
from riverstones.server.workers.jobs import ChooseMove, FindHint, Job, JudgeClaim, ReviewGame, WarmUp
from riverstones.server.workers.process import Process, WorkerFailed

log = logging.getLogger("riverstones.workers")

LONGEST_S = 30.0
"""The safety timeout: budgets are nodes, so a job that takes this long has gone wrong."""

LONGEST_COMPILATION_S = 600.0
"""The first search on a machine compiles the kernel, which may take minutes; later ones find it compiled."""

HINT_LEVEL = "river"
BROKEN = (OSError, EOFError, TimeoutError, pickle.UnpicklingError)
"""What a call to a process raises when it dies, hangs or writes garbage."""


class WorkerPool:
    """A few worker processes, started when they are first needed."""

    def __init__(self, count: int, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self._queue = FairQueue(count)
        self._idle: list[Process] = []
        self._living: set[Process] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False
        self._compiled = asyncio.Event()
        self._warming: asyncio.Task[None] | None = None

    def warm_up(self) -> None:
        """Compile what searching needs, in the background."""
        self._warming = asyncio.create_task(self._warm_up(), name="warm-up")

    async def _warm_up(self) -> None:
        """Compile in a process besides the others, so that bots that do not search need not wait for it."""
        process = self._new_process()
        try:
            await asyncio.wait_for(process.run(WarmUp()), LONGEST_COMPILATION_S)
        except (WorkerFailed, *BROKEN) as failure:
            log.warning("the engine could not be warmed up: %s", failure)
        finally:
            self._compiled.set()
            self._end(process)

    async def close(self) -> None:
        """End all processes and wait until they are gone. Running jobs are lost."""
        self._closed = True
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        for process in tuple(self._living):
            self._end(process)
        await asyncio.gather(*self._ending)

    def _new_process(self) -> Process:
        process = Process()
        self._living.add(process)
        return process

    def _end(self, process: Process) -> None:
        """End a process, in a task of its own so that it is done even if whoever wants it is cancelled."""
        if process in self._living:
            self._living.remove(process)
            ending = asyncio.create_task(process.end(), name="end a worker process")
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def run(self, job: Job, whose: str = "") -> Any:
        """Run a job when it is its owner's turn. Cancelling it ends its process."""
        async with self._queue.slot(whose):
            if self._closed:
                raise WorkerFailed("the server stops")
            process = self._idle.pop() if self._idle else self._new_process()
            try:
                answer = await asyncio.wait_for(process.run(job), self._longest_s)
            except WorkerFailed:
                self._idle.append(process)
                raise
            except BROKEN as error:
                self._end(process)
                raise WorkerFailed(f"{type(error).__name__} while running a job") from error
            except BaseException:
                self._end(process)
                raise
            self._idle.append(process)
            return answer

    async def choose(self, view: View, level: str, seed: int, whose: str) -> tuple[Move, int | None]:
        """A bot's move. If the level fails, weaker ones are tried, and at last the most points on the rules alone."""
        await self._until_compiled(level)
        for weaker in _downwards(level):
            try:
                move, claim = await self.run(ChooseMove(view, weaker, seed), whose)
            except WorkerFailed as failure:
                log.warning("a bot of level %s failed (%s); trying a weaker one", weaker, failure)
            else:
                return move, claim
        log.error("no level could think; playing the most points")
        best = await asyncio.to_thread(lambda: plays(view.position.board, view.hand, view.setup.variant)[0])
        return best.move, best.points if view.setup.scoring.value == "claims" else None

    async def objects(self, view: View, level: str, seed: int, whose: str) -> bool:
        """Whether a bot objects to the last move; a bot that cannot think does not."""
        try:
            return bool(await self.run(JudgeClaim(view, level, seed), whose))
        except WorkerFailed as failure:
            log.warning("a bot of level %s could not judge a claim (%s)", level, failure)
            return False

    async def hint(self, view: View, whose: str) -> Play:
        """A good play for the seat to move."""
        await self._until_compiled(HINT_LEVEL)
        try:
            play: Play = await self.run(FindHint(view, HINT_LEVEL), whose)
        except WorkerFailed as failure:
            log.warning("no hint could be found by search (%s)", failure)
            move, _ = await self.choose(view, STREAM.name, 0, whose)
            kakuros = kakuros_made(view.position.board, move)
            play = Play(move, kakuros, sum(kakuro.sum for kakuro in kakuros))
        return play

    async def _until_compiled(self, level: str) -> None:
        """Let a level that searches wait for a compilation that is under way."""
        if self._warming is not None and level in SEARCHING and SEARCHING[level].stages:
            await self._compiled.wait()

    async def review(self, game: ReviewGame, whose: str) -> list[tuple[Play, tuple[int, ...]]]:
        """The best play of every turn, and the scores after it."""
        found: list[tuple[Play, tuple[int, ...]]] = await self.run(game, whose)
        return found


def _downwards(level: str) -> list[str]:
    """A level and the weaker ones that can play here, strongest first."""
    offered = bots.offered()
    upto = offered.index(level) + 1 if level in offered else len(offered)
    return list(reversed(offered[:upto]))
