"""The profile of a person: their finished games, their reviews and their puzzles, in figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TypedDict

from .played import BestMove, Opponent, PlayedGame
from .sight import SeatFindings, Sight, add, nothing


@dataclass(frozen=True, slots=True)
class ProfileGame:
    """A finished game of a person."""

    table: str
    ended_ms: int
    game: PlayedGame
    review: SeatFindings | None
    """What the review of the game found about this person; None without a review."""


class OpponentRecord(TypedDict):
    """The games against one person, or against bots of one level."""

    person: str | None
    level: str | None
    name: str
    """The name at the latest game."""
    games: int
    won: int
    shared: int
    """Games won together with somebody."""
    points: int
    """One's own points in these games."""
    against: int
    """The points of this opponent; of the best one, if several bots of the level took part."""
    last_ms: int


class BestMoveEver(BestMove):
    """The move that scored most, and the game it was played in."""

    table: str
    variant: str
    ended_ms: int


class GameAccuracy(TypedDict):
    """The accuracy of a reviewed game."""

    table: str
    ended_ms: int
    accuracy: float
    counted: int


class AccuracyOverTime(TypedDict):
    """The accuracy of every reviewed game, oldest first."""

    mean: float | None
    spread: float | None
    """The standard deviation of single games; null for fewer than two."""
    games: list[GameAccuracy]


class PuzzleRating(TypedDict):
    """A rating: the value, and half the width of its 95 % interval (`spread`)."""

    value: int
    spread: int


class Puzzles(TypedDict):
    """First attempts at puzzles."""

    tried: int
    solved: int
    rating: PuzzleRating | None


class Profile(TypedDict):
    """Your games, reviews and puzzles in figures."""

    games: int
    won: int
    shared: int
    opponents: list[OpponentRecord]
    """By the number of games, most first."""
    moves: int
    points_per_move: float | None
    best_move: BestMoveEver | None
    accuracy: AccuracyOverTime
    sight: Sight
    """How often you found the best move in reviewed games, by what it takes to see it."""
    puzzles: Puzzles


def profile_of_games(games: Sequence[ProfileGame], puzzles: Puzzles) -> Profile:
    """The profile of a person, from their finished games, oldest first, and their puzzles."""
    moves = sum(each.game["moves"] for each in games)
    seen = nothing()
    for each in games:
        if each.review is not None:
            seen = add(seen, each.review["sight"])
    return {
        "games": len(games),
        "won": sum(_won(each.game) for each in games),
        "shared": sum(_shared(each.game) for each in games),
        "opponents": _opponents(games),
        "moves": moves,
        "points_per_move": sum(each.game["points"] for each in games) / moves if moves else None,
        "best_move": _best_move(games),
        "accuracy": _accuracy(games),
        "sight": seen,
        "puzzles": puzzles,
    }


def _won(game: PlayedGame) -> bool:
    return game["winners"] == [game["seat"]]


def _shared(game: PlayedGame) -> bool:
    return game["seat"] in game["winners"] and len(game["winners"]) > 1


def _opponents(games: Sequence[ProfileGame]) -> list[OpponentRecord]:
    found: dict[tuple[str | None, str | None], OpponentRecord] = {}
    for each in games:
        game = each.game
        seats = [seat for seat in range(len(game["scores"])) if seat != game["seat"]]
        scores: dict[tuple[str | None, str | None], tuple[Opponent, int]] = {}
        for opponent, seat in zip(game["opponents"], seats, strict=True):
            key = opponent["person"], opponent["bot"]
            scores[key] = opponent, max(game["scores"][seat], scores[key][1] if key in scores else 0)
        for key, (opponent, score) in scores.items():
            record = found.setdefault(
                key,
                {
                    "person": opponent["person"],
                    "level": opponent["bot"],
                    "name": opponent["name"],
                    "games": 0,
                    "won": 0,
                    "shared": 0,
                    "points": 0,
                    "against": 0,
                    "last_ms": 0,
                },
            )
            record["name"], record["last_ms"] = opponent["name"], each.ended_ms
            record["games"] += 1
            record["won"] += _won(game)
            record["shared"] += _shared(game)
            record["points"] += game["scores"][game["seat"]]
            record["against"] += score
    return sorted(found.values(), key=lambda record: (-record["games"], -record["last_ms"]))


def _best_move(games: Sequence[ProfileGame]) -> BestMoveEver | None:
    """The move that scored most; the first of several."""
    best: BestMoveEver | None = None
    for each in games:
        move = each.game["best"]
        if move is not None and (best is None or move["points"] > best["points"]):
            best = {**move, "table": each.table, "variant": each.game["variant"], "ended_ms": each.ended_ms}
    return best


def _accuracy(games: Sequence[ProfileGame]) -> AccuracyOverTime:
    reviewed: list[GameAccuracy] = [
        {
            "table": each.table,
            "ended_ms": each.ended_ms,
            "accuracy": each.review["accuracy"],
            "counted": each.review["counted"],
        }
        for each in games
        if each.review is not None and each.review["accuracy"] is not None
    ]
    values = [game["accuracy"] for game in reviewed]
    return {
        "mean": fmean(values) if values else None,
        "spread": stdev(values) if len(values) > 1 else None,
        "games": reviewed,
    }
