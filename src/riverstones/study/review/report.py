"""The JSON form of a review, as `riverstones analyse --json` and the server give it. docs/study.md has an example."""

from __future__ import annotations

from typing import TypedDict

from riverstones.notation import format_position
from riverstones.rules import Board, Direction, Move, kakuros_made

from .facts import Fact
from .review import Report, ReviewedMove, SeatReview

REVIEW_VERSION = 1
"""Increase it when reviews come out different: kept ones of older versions are then computed again."""


class FactData(TypedDict):
    """A fact about a move; the sentence for it has the key `review_KIND`."""

    kind: str
    points: int | None
    squares: list[str]
    digit: int | None
    better: int | None


class BestData(TypedDict):
    """The best move, and what one has to see to find it."""

    move: str
    points: int
    flips: int
    """The number of tiles it flips."""
    addends: int
    """The length of its longest run; 0 if it makes no Kakuro."""
    columns: int
    """The number of its Kakuros that read downwards."""
    kakuros: int


ClassData = TypedDict("ClassData", {"class": str})
"""The class of a move; `class` cannot be a name in Python."""


class MoveData(ClassData):
    """A move, its judgement, and how the turn changed the chances of each seat."""

    number: int
    seat: int
    hand: list[int]
    position: str
    """The position before the move, as the seat knew it."""
    move: str
    points: int
    """What the move scores by the rules."""
    scored: int
    """What was written down."""
    claim: int | None
    upheld: bool
    timed_out: bool
    legal: bool
    best: BestData
    loss: float
    counted: bool
    chances: list[float]
    luck: list[float]
    slip: list[float]
    rest: list[float]
    exact: bool
    method: str
    facts: list[FactData]


class SeatData(TypedDict):
    """A seat: its accuracy, and the effect on each seat of its luck, its slips and the rest."""

    name: str
    bot: str | None
    accuracy: float | None
    counted: int
    luck: list[float]
    slips: list[float]
    rest: list[float]
    mattered: list[int]
    """The numbers of the turns that mattered most, largest loss first."""


class ReportData(TypedDict):
    """The review of a game."""

    variant: str
    scoring: str
    start: list[float]
    result: list[float]
    scores: list[int]
    decided: bool
    seats: list[SeatData]
    moves: list[MoveData]


class ReviewProgress(TypedDict):
    """How far a review is, and its report once it is final."""

    done: int
    """The number of moves judged so far."""
    total: int
    report: ReportData | None
    failed: bool
    """Whether it could not be computed; asking for the review again tries again."""


def to_json(report: Report) -> ReportData:
    """A review as JSON. Nothing is rounded, so that every sum can be checked."""
    return {
        "variant": report.variant.value,
        "scoring": report.scoring.value,
        "start": list(report.start),
        "result": list(report.result),
        "scores": list(report.scores),
        "decided": report.decided,
        "seats": [_seat(seat) for seat in report.seats],
        "moves": [_move(move) for move in report.moves],
    }


def _seat(seat: SeatReview) -> SeatData:
    return {
        "name": seat.name,
        "bot": seat.bot or None,
        "accuracy": seat.accuracy,
        "counted": seat.counted,
        "luck": list(seat.luck),
        "slips": list(seat.slips),
        "rest": list(seat.rest),
        "mattered": list(seat.mattered),
    }


def _move(move: ReviewedMove) -> MoveData:
    judged = move.judgement
    return {
        "number": move.number,
        "seat": move.seat,
        "hand": list(move.hand),
        "position": format_position(move.position),
        "move": str(move.move),
        "points": judged.played.points,
        "scored": move.scored,
        "claim": move.claim,
        "upheld": move.upheld,
        "timed_out": move.timed_out,
        "legal": judged.legal,
        "best": _best(move.position.board, judged.best.move, judged.best.points),
        "loss": judged.loss,
        "counted": move.counted,
        "class": judged.move_class.value,
        "chances": list(move.chances),
        "luck": list(move.luck),
        "slip": list(move.slip),
        "rest": list(move.rest),
        "exact": judged.best.exact,
        "method": judged.analysis.method,
        "facts": [_fact(fact) for fact in move.facts],
    }


def _best(board: Board, move: Move, points: int) -> BestData:
    kakuros = kakuros_made(board, move)
    return {
        "move": str(move),
        "points": points,
        "flips": len(move.flips),
        "addends": max((len(kakuro.addends) for kakuro in kakuros), default=0),
        "columns": sum(kakuro.direction is Direction.DOWN for kakuro in kakuros),
        "kakuros": len(kakuros),
    }


def _fact(fact: Fact) -> FactData:
    return {
        "kind": fact.kind.value,
        "points": fact.points,
        "squares": list(fact.squares),
        "digit": fact.digit,
        "better": fact.better,
    }
