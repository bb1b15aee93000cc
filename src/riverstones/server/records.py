"""The game record of a finished table, its review and its replay, as they are sent."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Annotated, TypedDict

from riverstones.notation import Player, Record, format_position, record_of, replay, write_record
from riverstones.rules import Game, Layout, Position, Scoring, Variant, kakuros_made
from riverstones.server.workers.jobs import GameSummary, SummariseGame
from riverstones.study.review.review import LEFT_TAG
from riverstones.table import Phase, Table, wire
from riverstones.table.views import series_to_json


class BestPlay(TypedDict):
    """A play with the most points for the hand."""

    move: str
    points: int
    kakuros: list[wire.SeriesInfo]


class ReviewTurn(TypedDict):
    """A turn, the scores after it, and the best play it had."""

    turn: int
    seat: int
    hand: list[int]
    move: str
    points: int
    scores: list[int]
    best: BestPlay


class ReviewSeat(TypedDict):
    """A seat's highest-scoring turn, and its biggest miss: see `riverstones.study.review.misses`."""

    name: str
    best: int | None
    missed: int | None


class Review(TypedDict):
    """The review of a finished game."""

    seats: list[ReviewSeat]
    turns: list[ReviewTurn]


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
    return write_record(record)


def _left(table: Table) -> tuple[tuple[str, str], ...]:
    """The tag for a game that went on after somebody had left: reviews do not count what followed."""
    if table.left_after is None or table.left_after >= table.turn:
        return ()
    return ((LEFT_TAG, str(table.left_after)),)


def summary_job(game: Game) -> SummariseGame:
    """The worker job for the end of this game."""
    turns = tuple(
        (turn.move, turn.claim, turn.timed_out, tuple(objection.seat for objection in turn.objections))
        for turn in game.turns
    )
    return SummariseGame(game.setup, game.deal, turns)


def summary_to_json(table: Table, found: GameSummary) -> Review:
    """The summary of a finished table, from the answer of its job."""
    assert table.game is not None
    turns: list[ReviewTurn] = []
    for number, (turn, most, scores) in enumerate(zip(table.game.turns, found.most, found.scores, strict=True)):
        turns.append(
            {
                "turn": number,
                "seat": turn.seat,
                "hand": list(turn.hand or ()),
                "move": str(turn.move),
                "points": turn.points,
                "scores": list(scores),
                "best": {
                    "move": str(most.move),
                    "points": most.points,
                    "kakuros": [series_to_json(kakuro) for kakuro in most.kakuros],
                },
            }
        )
    seats = zip(table.chairs, found.misses, strict=True)
    return {
        "seats": [
            {"name": chair.name, "best": _best_turn(seat, turns), "missed": missed}
            for seat, (chair, missed) in enumerate(seats)
        ],
        "turns": turns,
    }


def _best_turn(seat: int, turns: list[ReviewTurn]) -> int | None:
    """The turn in which a seat scored most; None if it scored nothing."""
    best = max((turn for turn in turns if turn["seat"] == seat), key=lambda turn: turn["points"], default=None)
    return best["turn"] if best is not None and best["points"] > 0 else None


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
