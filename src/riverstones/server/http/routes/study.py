"""Judging moves and reading records, without a table."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Depends
from pydantic import Field

from riverstones.notation import read_record
from riverstones.rules import Board, Move, Scoring, Variant, explain
from riverstones.server.contract import field, model
from riverstones.server.protocol import Incoming
from riverstones.server.records import ReplayData, replay_to_json
from riverstones.table import NotAllowed, TableRefusal, wire
from riverstones.table.views import explanation_to_json
from riverstones.table.wire.client import MOVE_BOUNDS

from .common import LongWork, Parts, Whoever, new_router

router = new_router("study")


class ExplainForm(Incoming):
    """A move on a board."""

    board: Annotated[str, Field(max_length=100)]
    move: Annotated[str, field(MOVE_BOUNDS)]
    variant: Variant = Variant.STANDARD


class RecordForm(Incoming):
    """A record as text."""

    text: Annotated[str, Field(max_length=100_000)]


async def count_yourself(parts: Parts, person: Whoever) -> None:
    """Refuse to count for somebody who plays by claims just now: there it is up to the players.

    Who is bent on it finds other ways to have a move counted, but the server lends no hand.
    """
    if person is None:
        return
    for listed in await parts.store.projections.unfinished_of(person.id):
        table = listed.summary
        playing = table["scores"] is not None and person.id in [chair["person"] for chair in table["chairs"]]
        if playing and table["options"]["scoring"] == Scoring.CLAIMS.value:
            raise NotAllowed(TableRefusal.NO_PREVIEW_WITH_CLAIMS)


@router.post("/study/explain", response_model=model(wire.Explanation), dependencies=[Depends(count_yourself)])
async def explain_move(form: ExplainForm) -> wire.Explanation:
    """Judge any move on any board; not for who sits at a game by claims that is going on."""
    return explanation_to_json(explain(Board.parse(form.board), Move.parse(form.move), form.variant))


@router.post("/study/record", response_model=model(ReplayData), dependencies=[LongWork])
async def open_record(form: RecordForm) -> ReplayData:
    """Read a record and give the data for a replay."""
    return await asyncio.to_thread(lambda: replay_to_json(read_record(form.text)))
