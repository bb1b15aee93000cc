"""Judging moves and reading records, without a table."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from pydantic import BaseModel, Field

from riverstones.notation import read_record
from riverstones.rules import Board, Move, Variant, explain
from riverstones.server.protocol import Incoming, ObjectionInfo, Preview, SeriesInfo
from riverstones.server.records import replay_to_json
from riverstones.table.views import explanation_to_json

from .common import new_router

router = new_router("study")


class ExplainForm(Incoming):
    """A move on a board."""

    board: Annotated[str, Field(max_length=100)]
    move: Annotated[str, Field(max_length=64)]
    variant: Variant = Variant.STANDARD


class RecordForm(Incoming):
    """A record as text."""

    text: Annotated[str, Field(max_length=100_000)]


class ReplayPlayer(BaseModel):
    """Who sat on a seat."""

    name: str
    bot: str | None


class ReplayTurn(BaseModel):
    """A turn of a replay, with the position after it."""

    turn: int
    seat: int
    hand: list[int]
    move: str
    points: int
    claim: int | None
    timed_out: bool
    objections: list[ObjectionInfo]
    kakuros: list[SeriesInfo]
    position: str


class Replay(BaseModel):
    """A game to be stepped through."""

    players: list[ReplayPlayer]
    date: str | None
    variant: str
    layout: str
    scoring: str
    first: int
    stones: list[str]
    start: str
    turns: list[ReplayTurn]
    ending: str
    scores: list[int]
    winners: list[int]
    seed: str | None


@router.post("/study/explain", response_model=Preview)
async def explain_move(form: ExplainForm) -> Any:
    """Judge any move on any board."""
    return explanation_to_json(explain(Board.parse(form.board), Move.parse(form.move), form.variant))


@router.post("/study/record", response_model=Replay)
async def open_record(form: RecordForm) -> Any:
    """Read a record and give the data for a replay."""
    return await asyncio.to_thread(lambda: replay_to_json(read_record(form.text)))
