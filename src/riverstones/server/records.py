"""The record of a finished table, and what can be learnt from it."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from riverstones.notation import Player, Record, format_position, play_to_json, record_of, replay, write_record
from riverstones.rules import Game, Position, kakuros_made
from riverstones.table import Phase, Table
from riverstones.table.views import series_to_json

from .thinking.mind import ReviewGame


def record_text(table: Table) -> str | None:
    """The record of a table as text, or None before the end."""
    if table.phase is not Phase.OVER or table.game is None:
        return None
    record = record_of(
        table.game,
        players=tuple(Player(chair.name, chair.bot or "") for chair in table.chairs),
        date=datetime.fromtimestamp((table.ended_ms or 0) / 1000, UTC).date(),
        seed=table.seed,
        start_drawn=table.options.start == "random",
        tags=(("Table", table.id),),
        resigned=tuple(seat for seat, chair in enumerate(table.chairs) if chair.resigned),
    )
    return write_record(record)


def review_of(game: Game) -> ReviewGame:
    """The question that a review answers."""
    turns = tuple(
        (turn.move, turn.claim, turn.timed_out, tuple(objection.seat for objection in turn.objections))
        for turn in game.turns
    )
    return ReviewGame(game.setup, game.deal, turns)


def review_to_json(table: Table, found: list[Any]) -> dict[str, Any]:
    """The story of a finished game: the scores turn by turn, and what each turn could have been."""
    assert table.game is not None
    turns = []
    for number, (turn, (best, scores)) in enumerate(zip(table.game.turns, found, strict=True)):
        turns.append(
            {
                "turn": number,
                "seat": turn.seat,
                "hand": list(turn.hand or ()),
                "move": str(turn.move),
                "points": turn.points,
                "scores": list(scores),
                "best": {**play_to_json(best), "kakuros": [series_to_json(kakuro) for kakuro in best.kakuros]},
            }
        )
    return {"seats": [_seat_review(seat, chair.name, turns) for seat, chair in enumerate(table.chairs)], "turns": turns}


def _seat_review(seat: int, name: str, turns: list[dict[str, Any]]) -> dict[str, Any]:
    """A seat's best turn, and the one where it left most behind."""
    own = [turn for turn in turns if turn["seat"] == seat]
    best = max(own, key=lambda turn: turn["points"], default=None)
    missed = max(own, key=lambda turn: turn["best"]["points"] - turn["points"], default=None)
    left = 0 if missed is None else missed["best"]["points"] - missed["points"]
    return {
        "name": name,
        "best": best["turn"] if best is not None and best["points"] > 0 else None,
        "missed": missed["turn"] if missed is not None and left > 0 else None,
    }


def replay_to_json(record: Record) -> dict[str, Any]:
    """A record that somebody opened, as the data of a replay: every position, and the arithmetic of every move."""
    games = replay(record)
    turns = []
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
