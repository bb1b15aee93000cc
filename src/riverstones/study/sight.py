"""What a player sees and what a player overlooks: how often the best move was found, by what it takes to find it."""

from __future__ import annotations

from typing import Final, TypedDict

from riverstones.study.review import MoveClass, ReportData
from riverstones.study.review.report import BestData

LONG_RUN: Final = 4
"""The number of addends from which a run counts as long."""


class Found(TypedDict):
    """How often the best move, or one that is as good to half a point, was found."""

    found: int
    chances: int


class Sight(TypedDict):
    """How often the best move was found, among the counted moves of a seat. A move may need several of these."""

    all: Found
    flips: Found
    """Best moves that flip a tile."""
    long_runs: Found
    """Best moves that complete a run of `LONG_RUN` addends or more."""
    columns: Found
    """Best moves that make a Kakuro that reads downwards."""
    rows: Found
    """Best moves that make Kakuros, all of which read to the right."""


class SeatFindings(TypedDict):
    """What a review says about one seat, for a profile."""

    accuracy: float | None
    counted: int
    sight: Sight


def nothing() -> Sight:
    """The sight of somebody who has made no move."""
    return {
        "all": {"found": 0, "chances": 0},
        "flips": {"found": 0, "chances": 0},
        "long_runs": {"found": 0, "chances": 0},
        "columns": {"found": 0, "chances": 0},
        "rows": {"found": 0, "chances": 0},
    }


def add(one: Sight, other: Sight) -> Sight:
    """The sum of two."""
    return {
        "all": _sum(one["all"], other["all"]),
        "flips": _sum(one["flips"], other["flips"]),
        "long_runs": _sum(one["long_runs"], other["long_runs"]),
        "columns": _sum(one["columns"], other["columns"]),
        "rows": _sum(one["rows"], other["rows"]),
    }


def _sum(one: Found, other: Found) -> Found:
    return {"found": one["found"] + other["found"], "chances": one["chances"] + other["chances"]}


def findings(report: ReportData, seat: int) -> SeatFindings:
    """What a review says about one seat."""
    about = report["seats"][seat]
    sight = nothing()
    for move in report["moves"]:
        if move["seat"] == seat and move["counted"]:
            sight = add(sight, _seen(move["best"], found=move["class"] == MoveClass.BEST))
    return {"accuracy": about["accuracy"], "counted": about["counted"], "sight": sight}


def _seen(best: BestData, *, found: bool) -> Sight:
    def counted(applies: bool) -> Found:
        return {"found": int(applies and found), "chances": int(applies)}

    return {
        "all": counted(True),
        "flips": counted(best["flips"] > 0),
        "long_runs": counted(best["addends"] >= LONG_RUN),
        "columns": counted(best["columns"] > 0),
        "rows": counted(best["kakuros"] > 0 and best["columns"] == 0),
    }
