"""What a viewer may know about a table. Every byte that leaves a table is made here or in `telling`.

A viewer is a person who looks at the table, possibly from one of the seats that the person holds. With several seats on
one device the viewer has one of them at a time. Only the hand of the viewer's seat depends on the viewer. Everything
else is public, and only `hand_of` reads anything that is not.
"""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.notation import format_position
from riverstones.rules import Explanation, Position, Reason, Series, Turn, View, view

from . import wire
from .errors import NotAllowed, TableRefusal
from .players import Chair
from .state import Phase, Table


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person looking at a table, and the seat they look from."""

    person: str | None = None
    seat: int | None = None


def check_viewer(table: Table, viewer: Viewer) -> None:
    """Refuse a viewer whose seat is not their own."""
    if viewer.seat is not None and viewer.seat not in table.seats_of(viewer.person):
        raise NotAllowed(TableRefusal.NOT_YOUR_SEAT, seat=viewer.seat)


def viewer_after(viewer: Viewer, table: Table) -> Viewer:
    """The viewer after a seat change: without a seat they have lost, and at their only seat if they have one."""
    seats = table.seats_of(viewer.person)
    if viewer.seat is not None:
        return viewer if viewer.seat in seats else Viewer(viewer.person)
    return Viewer(viewer.person, seats[0]) if len(seats) == 1 else viewer


def hand_of(table: Table, seat: int | None) -> list[int] | None:
    """The hand of the viewer's seat: the only secret that is ever sent, and only to its owner."""
    return None if table.game is None or seat is None else list(table.game.hands[seat])


def seat_view(table: Table, seat: int | None) -> View:
    """The game as a seat may know it; bots receive this and nothing else."""
    if table.game is None:
        raise NotAllowed(TableRefusal.NOT_STARTED)
    return view(table.game, seat)


def now(table: Table) -> wire.Now:
    """The public part of the state that changes from turn to turn."""
    return {
        "phase": table.phase.value,
        "paused": table.paused,
        "turn": table.turn,
        "to_move": table.to_move,
        "deadline_ms": table.deadline_ms,
        "left_ms": table.left_ms,
        "awaiting_reveal": table.awaiting_reveal,
        "objections_ms": table.objections_until_ms,
        "position": None if table.game is None else format_position(Position.public(table.game)),
    }


def snapshot(table: Table, viewer: Viewer) -> wire.Snapshot:
    """Everything that this viewer may know about the table."""
    check_viewer(table, viewer)
    game = table.game
    turns = game.turns if game else ()
    return {
        "table": table.id,
        "seq": table.seq,
        "created_ms": table.created_ms,
        "options": table.options.to_json(),
        "host": table.host,
        "chairs": [chair_to_json(chair) for chair in table.chairs],
        "stones": [str(square) for square in table.options.layout.stones],
        "now": now(table),
        "first": game.setup.start if game else None,
        "turns": [turn_to_json(n, turn, made) for n, (turn, made) in enumerate(zip(turns, table.made, strict=True))],
        "confirmed": sorted(table.confirmed),
        "proposals": [
            {"proposal": p.proposal.value, "seat": p.seat, "agreed": sorted(p.agreed)} for p in table.proposals
        ],
        "chat": [{"at_ms": w.at_ms, "person": w.person, "name": w.name, "text": w.text} for w in table.chat],
        "commitment": table.commitment,
        "result": result(table),
        "previous": table.previous,
        "next": table.next,
        "device": table.device,
        "you": {
            "person": viewer.person,
            "seats": list(table.seats_of(viewer.person)),
            "seat": viewer.seat,
            "hand": hand_of(table, viewer.seat),
        },
    }


def result(table: Table) -> wire.Result | None:
    """How the game ended, and the seed of its deal; None before the end."""
    outcome = table.outcome
    if outcome is None or table.seed is None or table.ended_ms is None:
        return None
    return {
        "scores": list(outcome.scores),
        "winners": list(outcome.winners),
        "resigned": [seat for seat, chair in enumerate(table.chairs) if chair.resigned],
        "seed": table.seed.reveal(),
        "ended_ms": table.ended_ms,
    }


def chair_to_json(chair: Chair) -> wire.Chair:
    """Who holds a seat."""
    return {
        "person": chair.person,
        "bot": chair.bot,
        "name": chair.name,
        "colour": chair.colour,
        "program": chair.program,
        "owner": chair.owner,
        "resigned": chair.resigned,
    }


def turn_to_json(number: int, turn: Turn, made: tuple[Series, ...] | None) -> wire.Turn:
    """A turn as everybody saw it. The Kakuros of a claim are hidden until somebody objects."""
    return {
        "turn": number,
        "seat": turn.seat,
        "move": str(turn.move),
        "points": turn.points,
        "claim": turn.claim,
        "timed_out": turn.timed_out,
        "kakuros": None if made is None else [series_to_json(series) for series in made],
        "objections": [{"seat": o.seat, "upheld": o.upheld} for o in turn.objections],
    }


def series_to_json(series: Series) -> wire.SeriesInfo:
    """A total with its addends, their squares and their points."""
    return {
        "squares": [str(square) for square in series.squares],
        "total": series.total,
        "addends": list(series.addends),
        "sum": series.sum,
        "points": series.points,
    }


def reason_to_json(reason: Reason) -> wire.ReasonInfo:
    """A reason as code and parameters; the client's catalogue has the sentence."""
    return {"code": reason.code.value, "params": dict(reason.params)}


def explanation_to_json(explanation: Explanation) -> wire.Explanation:
    """A move judged: whether it is legal, what it would score, and its near misses."""
    return {
        "move": str(explanation.move),
        "legal": explanation.legal,
        "refusal": None if explanation.refusal is None else reason_to_json(explanation.refusal),
        "points": explanation.points,
        "kakuros": [series_to_json(series) for series in explanation.kakuros],
        "near_misses": [
            {"series": series_to_json(miss.series), "reason": reason_to_json(miss.reason)}
            for miss in explanation.near_misses
        ],
    }


def summary(table: Table) -> wire.TableSummary:
    """A table's entry in a list of tables."""
    return {
        "table": table.id,
        "options": table.options.to_json(),
        "host": table.host,
        "chairs": [chair_to_json(chair) for chair in table.chairs],
        "phase": table.phase.value,
        "turn": table.turn,
        "to_move": table.to_move,
        "scores": list(table.game.scores) if table.game else None,
        "created_ms": table.created_ms,
        "changed_ms": table.changed_ms,
        "ended_ms": table.ended_ms,
    }


def is_open(table: Table) -> bool:
    """Whether this table is listed and has a seat that anybody may take."""
    return table.options.listed and table.phase is Phase.WAITING
