"""The game record of a finished table, and its replay, as they are sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Annotated, Final, TypedDict

from riverstones.notation import Player, Record, format_position, record_of, replay, write_record
from riverstones.rules import Layout, Position, Scoring, Variant, kakuros_made
from riverstones.table import Phase, Table, wire
from riverstones.table.views import series_to_json

from .refusals import StudyRefusal, StudyRefused
from .review.review import LEFT_TAG

LONGEST_RECORD: Final = 100_000
"""The most characters of a record that somebody opens."""


class ReplayPlayer(TypedDict):
    """The player of a seat."""

    name: str
    bot: str | None


class ReplayTurn(TypedDict):
    """A turn of a replay, with the position after it."""

    turn: int
    seat: int
    hand: list[int]
    move: str
    points: int
    claim: int | None
    timed_out: bool
    objections: list[wire.Objection]
    kakuros: list[wire.SeriesInfo]
    position: str


class ReplayData(TypedDict):
    """A game with the position after every turn."""

    players: list[ReplayPlayer]
    date: str | None
    variant: Annotated[str, wire.Plain(Variant)]
    layout: Annotated[str, wire.Plain(Layout)]
    scoring: Annotated[str, wire.Plain(Scoring)]
    first: int
    stones: list[str]
    start: str
    """The position before the first turn."""
    turns: list[ReplayTurn]
    ending: str
    scores: list[int]
    winners: list[int]
    seed: str | None


def record_text(table: Table) -> str | None:
    """A table's game record as text; None before the game is over."""
    if table.phase is not Phase.OVER or table.game is None:
        return None
    record = record_of(
        table.game,
        players=tuple(Player(chair.name, chair.bot or "") for chair in table.chairs),
        date=datetime.fromtimestamp((table.ended_ms or 0) / 1000, UTC).date(),
        seed=table.seed,
        start_drawn=table.options.start == "random",
        tags=(("Table", table.id), *_left(table)),
        resigned=tuple(seat for seat, chair in enumerate(table.chairs) if chair.resigned),
    )
    # `record_of` computes a commitment from any seed, but to that of a device nobody was committed.
    return write_record(replace(record, header=replace(record.header, commitment=table.commitment)))


def finished_record(table: Table) -> str:
    """The same; raises `StudyRefused` before the game is over."""
    text = record_text(table)
    if text is None:
        raise StudyRefused(StudyRefusal.RECORD_NOT_YET)
    return text


def _left(table: Table) -> tuple[tuple[str, str], ...]:
    """The tag for a game that went on after somebody had left: reviews do not count what followed."""
    if table.left_after is None or table.left_after >= table.turn:
        return ()
    return ((LEFT_TAG, str(table.left_after)),)


def replay_to_json(record: Record) -> ReplayData:
    """A record as replay data: every position, and the Kakuros of every move."""
    games = replay(record)
    turns: list[ReplayTurn] = []
    for number, (before, after) in enumerate(pairwise(games)):
        turn = after.turns[-1]
        turns.append(
            {
                "turn": number,
                "seat": turn.seat,
                "hand": list(turn.hand or ()),
                "move": str(turn.move),
                "points": turn.points,
                "claim": turn.claim,
                "timed_out": turn.timed_out,
                "objections": [{"seat": o.seat, "upheld": o.upheld} for o in turn.objections],
                "kakuros": [series_to_json(series) for series in kakuros_made(before.board, turn.move)],
                "position": format_position(Position.of(after)),
            }
        )
    first = games[0]
    return {
        "players": [{"name": player.name, "bot": player.bot or None} for player in record.header.players],
        "date": record.header.date.isoformat() if record.header.date else None,
        "variant": first.setup.variant.value,
        "layout": first.setup.layout.value,
        "scoring": first.setup.scoring.value,
        "first": first.setup.start,
        "stones": [str(square) for square in first.setup.layout.stones],
        "start": format_position(Position.of(first)),
        "turns": turns,
        "ending": record.end.how.value,
        "scores": list(record.end.scores),
        "winners": list(record.end.winners),
        "seed": record.header.seed.reveal() if record.header.seed else None,
    }
