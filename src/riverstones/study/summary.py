"""The summary of a finished game, shown at its end: the scores turn by turn, the best plays and the biggest misses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from riverstones.engine.levels import has_kernel
from riverstones.rules import Game, Play
from riverstones.table import Table, wire
from riverstones.table.views import series_to_json

from .review.misses import biggest_misses


@dataclass(frozen=True, slots=True)
class GameSummary:
    """What the end of a game shows of its turns."""

    most: tuple[Play, ...]
    """For each turn, a play with the most points for the hand."""
    scores: tuple[tuple[int, ...], ...]
    """The scores after each turn."""
    misses: tuple[int | None, ...]
    """For each seat the turn of its biggest miss, if it has one."""


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


def summarise(game: Game, *, compiled: bool = True) -> GameSummary:
    """The summary of a finished game.

    Without the compiled kernel, or if `compiled` is False, misses are found by points alone.
    """
    games = _states(game)
    most = tuple(game.plays()[0] for game in games[:-1])
    misses = biggest_misses(games, most, judged=compiled and has_kernel())
    return GameSummary(most, tuple(game.scores for game in games[1:]), misses)


def _states(game: Game) -> list[Game]:
    """The game before each turn and, last, as it is."""
    games = [Game.begin(game.setup, game.deal)]
    for turn in game.turns:
        after = games[-1].play(turn.move, claim=turn.claim, timed_out=turn.timed_out)
        for objection in turn.objections:
            after = after.object(objection.seat)
        games.append(after)
    return games


def summary_to_json(table: Table, found: GameSummary) -> Review:
    """The summary of a finished table, as it is sent."""
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
