"""Study without a table: explained moves, game records, ranked plays, puzzles, and the progress that people keep."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, TypedDict

from fastapi import Depends, Path, Request, Response
from pydantic import Field

from riverstones.notation import read_record
from riverstones.notation.position import LONGEST
from riverstones.rules import Board, Move, Scoring, Variant, explain
from riverstones.server.contract import field, model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.addresses import address_of
from riverstones.server.protocol import Incoming
from riverstones.server.storage.study import StoredProgress
from riverstones.server.study.in_play import refuse_in_play
from riverstones.server.study.puzzle_ratings import Rated, grades
from riverstones.server.study.reviews import read_game
from riverstones.server.workers import Requester
from riverstones.study.board import RankedPlays, ranking_to_json, read_position
from riverstones.study.records import LONGEST_RECORD, ReplayData, replay_to_json
from riverstones.study.review import ReviewProgress
from riverstones.table import NotAllowed, TableRefusal, wire
from riverstones.table.exact import Integer, Truth
from riverstones.table.views import explanation_to_json
from riverstones.table.wire.client import MOVE_BOUNDS

from .common import AnyPerson, Human, LongWork, Parts, Study, TableId, finished_record, new_router

router = new_router("study")
LARGEST_PROGRESS = 64 * 1024
"""The most bytes of progress that a person keeps on the server, as JSON."""

PROGRESS_FIELDS: dict[str, type] = {
    "version": int,
    "days": dict,
    "tried": dict,
    "rush": list,
    "slips": dict,
    "level": list,
}
"""The fields of the progress, which the page reads and writes (web/src/study/progress.ts), and their types."""

PuzzleId = Annotated[str, Path(max_length=32, pattern=r"^[0-9A-Za-z_-]+$", examples=["m0a1"])]


class ExplainForm(Incoming):
    """A move on a board."""

    board: Annotated[str, Field(max_length=100)]
    move: Annotated[str, field(MOVE_BOUNDS)]
    variant: Variant = Variant.STANDARD


class RecordForm(Incoming):
    """A record as text."""

    text: Annotated[str, Field(max_length=LONGEST_RECORD)]


async def refuse_during_claims(parts: Parts, person: AnyPerson) -> None:
    """Raise `NO_PREVIEW_WITH_CLAIMS` for a person in a running game by claims, where players count for themselves.

    It does not stop a determined cheat, who can sign out first.
    """
    if person is None:
        return
    projections = parts.store.projections
    for listed in await projections.summaries(await projections.unfinished_of(person.id)):
        table = listed.summary
        playing = table["scores"] is not None and person.id in [chair["person"] for chair in table["chairs"]]
        if playing and table["options"]["scoring"] == Scoring.CLAIMS.value:
            raise NotAllowed(TableRefusal.NO_PREVIEW_WITH_CLAIMS)


@router.post("/study/explain", response_model=model(wire.Explanation), dependencies=[Depends(refuse_during_claims)])
async def explain_move(form: ExplainForm) -> wire.Explanation:
    """Explain a move on a board. Refused while you play a game by claims."""
    return explanation_to_json(explain(Board.parse(form.board), Move.parse(form.move), form.variant))


@router.post("/study/record", response_model=model(ReplayData), dependencies=[LongWork])
async def open_record(form: RecordForm) -> ReplayData:
    """Replay data of a game record."""
    return await asyncio.to_thread(lambda: replay_to_json(read_record(form.text)))


class ReviewKey(TypedDict):
    """The key of a review."""

    review: str


async def requester(request: Request, person: AnyPerson) -> Requester:
    """Who asks for a review."""
    return Requester(None if person is None else person.id, address_of(request.scope))


Asking = Annotated[Requester, Depends(requester)]
ReviewId = Annotated[str, Path(max_length=32, pattern=r"^[0-9a-f]+$")]


@router.post("/study/reviews", response_model=model(ReviewKey), dependencies=[LongWork])
async def review_record(parts: Parts, person: AnyPerson, who: Asking, form: RecordForm) -> ReviewKey:
    """Begin the review of a pasted game record, unless it is kept already. Refused for a game that you are playing."""
    game = await read_game(form.text)
    await refuse_in_play(parts, person, game.board)
    return {"review": await parts.reviews.ask(game, who)}


@router.post("/tables/{table}/review", response_model=model(ReviewKey), dependencies=[LongWork])
async def review_table(parts: Parts, who: Asking, table: TableId) -> ReviewKey:
    """Begin the review of a finished game, unless it is kept already."""
    game = await read_game(await finished_record(parts, table))
    return {"review": await parts.reviews.ask(game, who, table)}


@router.get("/study/reviews/{review}", response_model=model(ReviewProgress))
async def reviewed(parts: Parts, who: Asking, review: ReviewId) -> Response:
    """Tell how far a review is; its report once it is final."""
    state = await parts.reviews.state(review, who)
    # The report is stored as it is sent.
    report, failed = state.report or "null", "true" if state.failed else "false"
    body = f'{{"done":{state.done},"total":{state.total},"report":{report},"failed":{failed}}}'
    return Response(body, media_type="application/json")


@router.delete("/study/reviews/{review}", status_code=204)
async def cancel_review(parts: Parts, who: Asking, review: ReviewId) -> None:
    """Stop a review that is under way, unless somebody else waits for it too."""
    await parts.reviews.cancel(review, who)


class PositionForm(Incoming):
    """A position as text."""

    position: Annotated[str, Field(max_length=LONGEST)]


@router.post("/study/analyse", response_model=model(RankedPlays), dependencies=[Study])
async def analyse(parts: Parts, person: AnyPerson, who: Asking, form: PositionForm) -> RankedPlays:
    """Rank every play of a position by what the seat to move knows. Refused for positions of games that you play."""
    position = read_position(form.position)
    await refuse_in_play(parts, person, position.board)
    return ranking_to_json(await parts.workers.rank(position, who))


class AttemptForm(Incoming):
    """The outcome of an attempt at a puzzle."""

    solved: Truth


class RatedPuzzles(TypedDict):
    """The ratings of puzzles that somebody has tried; the others have that of their grade."""

    ratings: dict[str, int]


@router.post("/study/puzzles/{puzzle}/attempts", response_model=model(Rated), dependencies=[Study])
async def attempt(parts: Parts, person: Human, puzzle: PuzzleId, form: AttemptForm) -> Rated:
    """Count an attempt at a puzzle: your first one rates you and the puzzle, later ones change nothing."""
    grade = (await asyncio.to_thread(grades)).get(puzzle)
    if grade is None:
        raise ServerError(ServerErrorCode.NO_SUCH_PUZZLE)
    return await parts.puzzle_ratings.attempt(person.id, puzzle, grade, solved=form.solved)


@router.get("/study/puzzles/ratings", response_model=model(RatedPuzzles))
async def rated_puzzles(parts: Parts) -> RatedPuzzles:
    """List the ratings of the puzzles that somebody has tried."""
    return {"ratings": await parts.puzzle_ratings.changed()}


class ProgressForm(Incoming):
    """Your progress as the page writes it, and the version that it replaces."""

    version: Annotated[Integer, Field(ge=0, le=2**31 - 2)]
    data: dict[str, Any]


class StudyProgress(TypedDict):
    """Your progress with puzzles and dailies."""

    version: int
    """The number of writes so far; 0 before the first."""
    data: dict[str, Any] | None


class KeptProgress(StudyProgress):
    """Your progress after an attempt to replace it."""

    kept: bool
    """Whether it was replaced. If not, another device was faster: merge `data` and try again with its `version`."""


@router.get("/account/study", response_model=model(StudyProgress))
async def progress(parts: Parts, person: Human) -> StudyProgress:
    """Tell the progress with puzzles and dailies that you keep on the server."""
    return _progress_to_json(await parts.store.study.progress(person.id))


@router.put("/account/study", response_model=model(KeptProgress))
async def keep_progress(parts: Parts, person: Human, form: ProgressForm) -> KeptProgress:
    """Replace your progress if `version` is that of the stored one; else nothing changes, and the answer has it."""
    fields = {name: type(value) for name, value in form.data.items()}
    if fields != PROGRESS_FIELDS:
        raise ServerError(ServerErrorCode.BAD_MESSAGE, where="body.data")
    try:
        data = json.dumps(form.data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        size = len(data.encode())
    except (ValueError, RecursionError):  # a lone surrogate, or a number that JSON does not have
        raise ServerError(ServerErrorCode.BAD_MESSAGE, where="body.data") from None
    if size > LARGEST_PROGRESS:
        raise ServerError(ServerErrorCode.BODY_TOO_LARGE, largest=LARGEST_PROGRESS)
    stored = await parts.store.study.keep_progress(person.id, form.version, data)
    return {**_progress_to_json(stored), "kept": stored == StoredProgress(form.version + 1, data)}


def _progress_to_json(stored: StoredProgress) -> StudyProgress:
    return {"version": stored.version, "data": None if stored.data is None else json.loads(stored.data)}
