"""Reviews of games: computed once by workers in the background, kept in the database, and followed while they run.

A review is named by a hash of the game's record and of the version of reviews, so the same game is reviewed once for
everybody, and again when the engine has become better. A review that was interrupted by the end of the server is in the
database without a report; it is computed anew when somebody asks for it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import OrderedDict
from dataclasses import dataclass, field

from riverstones.engine.levels import has_kernel
from riverstones.notation import read_record, replay, write_record
from riverstones.rules import Board
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.settings import Settings
from riverstones.server.storage import UNAVAILABLE, Store, reason
from riverstones.server.storage.reviews import StoredReview
from riverstones.server.workers import Requester, WorkerFailed, Workers
from riverstones.study.refusals import StudyRefusal, StudyRefused
from riverstones.study.review import REVIEW_VERSION, ReportData
from riverstones.study.sight import findings

log = logging.getLogger("riverstones.reviews")

WAITING_EACH = 5
"""The most reviews that one person, or visitors without a name from one address, may have under way."""

FAILED_KEPT = 1000


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game to be reviewed."""

    record: str
    """The record in the form in which it is hashed."""
    moves: int
    board: Board
    """The board after the last move."""


@dataclass(slots=True)
class Running:
    """A review that waits for a worker or is being computed."""

    total: int
    done: int = 0
    requesters: set[str] = field(default_factory=set)
    task: asyncio.Task[None] | None = None


@dataclass(frozen=True, slots=True)
class ReviewState:
    """How far a review is."""

    done: int
    """The number of moves judged so far."""
    total: int
    """The number of moves."""
    report: str | None = None
    """The report as JSON, once it is final."""
    failed: bool = False


class Reviews:
    """All reviews of this server."""

    def __init__(self, settings: Settings, store: Store, engine: Workers, workers: Workers) -> None:
        self._settings = settings
        self._store = store
        self._engine = engine
        """The workers of bots; they compile the engine at the first start on a machine."""
        self.workers = workers
        """The workers of reviews."""
        self._running: dict[str, Running] = {}
        self._changing = asyncio.Lock()
        """Held while a review begins or is cancelled: what is asked for again at once must not be withdrawn."""
        self._failed: OrderedDict[str, None] = OrderedDict()
        """The reviews that failed since the start of the server. They are tried again when they are asked for again."""

    async def ask(self, game: RecordedGame, who: Requester, table: str | None = None) -> str:
        """Begin the review of a game unless it is kept or under way; returns its key.

        Raises `REVIEWS_UNDER_WAY` if there are too many of this requester.
        """
        review = StoredReview(key_of(game.record), game.record, game.moves, table)
        async with self._changing:
            await self._begin(review, who)
        return review.key

    async def _begin(self, review: StoredReview, who: Requester) -> None:
        self._failed.pop(review.key, None)
        table, kept = review.table, await self._store.reviews.get(review.key)
        if kept is not None and kept.table is None and table is not None:
            await self._store.reviews.attach(review.key, table)
            await self._note(table, kept.report)
        if kept is not None and kept.report is not None:
            return
        self._check_room(review.key, who)
        if kept is None:
            await self._store.reviews.add(review, self._settings.now_ms())
        self._follow(review, who)

    async def state(self, key: str, who: Requester) -> ReviewState:
        """How far a review is; raises `NO_SUCH_REVIEW`. One that was interrupted begins again."""
        running = self._running.get(key)
        if running is None:
            kept = await self._store.reviews.get(key)
            if kept is None:
                raise ServerError(ServerErrorCode.NO_SUCH_REVIEW)
            if kept.report is not None:
                return ReviewState(kept.moves, kept.moves, kept.report)
            if key in self._failed:
                return ReviewState(0, kept.moves, failed=True)
            self._check_room(key, who)
            running = self._follow(kept, who)
        running.requesters.add(who.name)
        return ReviewState(running.done, running.total)

    async def cancel(self, key: str, who: Requester) -> None:
        """Stop a review that this requester began, unless somebody else waits for it too."""
        async with self._changing:
            running = self._running.get(key)
            if running is None or who.name not in running.requesters:
                return
            running.requesters.discard(who.name)
            if not running.requesters and running.task is not None:
                running.task.cancel()
                await asyncio.gather(running.task, return_exceptions=True)
                await self._store.reviews.withdraw(key)

    async def stop(self) -> None:
        """Stop all reviews; those that are not final are computed again after the next start."""
        tasks = [running.task for running in self._running.values() if running.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.workers.close()

    def _check_room(self, key: str, who: Requester) -> None:
        """Refuse to begin one more review where there is no engine, or to somebody who waits for many."""
        if key in self._running:
            return
        if not has_kernel():
            raise StudyRefused(StudyRefusal.REVIEWS_NOT_OFFERED)
        if sum(who.name in running.requesters for running in self._running.values()) >= WAITING_EACH:
            raise ServerError(ServerErrorCode.REVIEWS_UNDER_WAY)

    def _follow(self, review: StoredReview, who: Requester) -> Running:
        """The running computation of a review, begun if there is none."""
        running = self._running.get(review.key)
        if running is None:
            running = self._running[review.key] = Running(review.moves)
            running.task = asyncio.create_task(self._compute(review, who, running), name="review")
        running.requesters.add(who.name)
        return running

    async def _compute(self, review: StoredReview, who: Requester, running: Running) -> None:
        def report(progress: tuple[int, int]) -> None:
            running.done, running.total = progress

        try:
            await self._engine.until_compiled()
            found: str = await self.workers.review_record(review.record, who, report)
            await self._note(await self._store.reviews.finish(review.key, found), found)
        except WorkerFailed as failure:
            log.error("A review failed: %s", failure)
            self._fail(review.key)
        except UNAVAILABLE as error:
            log.error("Database unavailable, a review was not stored: %s", reason(error))
            self._fail(review.key)
        finally:
            del self._running[review.key]

    async def _note(self, table: str | None, report: str | None) -> None:
        """Add what a report says about the players of a table to their profiles."""
        if table is not None and report is not None:
            found: ReportData = await asyncio.to_thread(json.loads, report)
            await self._store.played.note_review(table, lambda seat: findings(found, seat))

    def _fail(self, key: str) -> None:
        self._failed[key] = None
        if len(self._failed) > FAILED_KEPT:
            self._failed.popitem(last=False)


async def read_game(text: str) -> RecordedGame:
    """The game of a record; raises `NotationError` if the record is not sound."""

    def read() -> RecordedGame:
        record = read_record(text)
        return RecordedGame(write_record(record), len(record.turns), replay(record)[-1].board)

    return await asyncio.to_thread(read)


def key_of(record: str) -> str:
    """The key of the review of a record, which is hard to guess: whoever has it may see the review."""
    return hashlib.sha256(f"review {REVIEW_VERSION}\n{record}".encode()).hexdigest()[:32]
