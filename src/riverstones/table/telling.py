"""The message about an event: the same for every viewer, except for the hand of the viewer's seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from riverstones.rules import refusal

from . import events as e
from . import wire
from .state import Table
from .views import Viewer, chair_to_json, now, reason_to_json, result, turn_to_json
from .wire import events as w


@dataclass(frozen=True, slots=True)
class Telling:
    """An event as a message: the public part, and the hand of each seat after it."""

    seq: int
    public: wire.EventMessage
    hands: tuple[tuple[int, ...], ...]

    def to(self, viewer: Viewer) -> wire.EventMessage:
        """The message for one viewer. Its number is the same for all."""
        if viewer.seat is None or not self.hands:
            return self.public
        return {**self.public, "hand": list(self.hands[viewer.seat])}


def tell(entry: e.Entry, after: Table) -> Telling:
    """Prepare the messages for an event; `after` is the table right after it."""
    public: wire.EventMessage = {
        "type": "event",
        "seq": entry.seq,
        "at_ms": entry.at_ms,
        "event": told(entry.event, after),
        "now": now(after),
    }
    return Telling(entry.seq, public, after.game.hands if after.game else ())


def told(event: e.Event, after: Table) -> wire.TableEvent:
    """The public part of an event. An event without a case here is a type error: nothing is broadcast by default."""
    match event:
        case e.Moved():
            return _moved(after)
        case e.Created(options=options, host=host, chairs=chairs):
            seated = [chair_to_json(chair) for chair in chairs]
            return {"type": "created", "options": options.to_json(), "host": host, "chairs": seated}
        case e.Seated(seat, chair):
            return {"type": "seated", "seat": seat, "chair": chair_to_json(chair)}
        case e.Left(seat):
            return {"type": "left", "seat": seat, "chair": chair_to_json(after.chairs[seat])}
        case e.Started(_, start):
            return _started(start, after)
        case e.Revealed(seat):
            return {"type": "revealed", "seat": seat}
        case e.Objected(seat):
            return _objected(seat, after)
        case e.Confirmed(seat):
            return {"type": "confirmed", "seat": seat}
        case e.Asked(seat, proposal):
            return {"type": "asked", "seat": seat, "proposal": proposal.value}
        case e.Agreed(seat, proposal):
            return {"type": "agreed", "seat": seat, "proposal": proposal.value}
        case e.Declined(seat, proposal):
            return {"type": "declined", "seat": seat, "proposal": proposal.value}
        case e.Paused():
            return {"type": "paused"}
        case e.Resumed(seat):
            return {"type": "resumed", "seat": seat}
        case e.TakenBack(turns):
            return {"type": "taken_back", "turns": turns}
        case e.Resigned(seat):
            return {"type": "resigned", "seat": seat}
        case e.Extended(deadline_ms, objections_ms):
            return {"type": "extended", "deadline_ms": deadline_ms, "objections_ms": objections_ms}
        case e.Ended():
            return _ended(after)
        case e.Said(person, name, text):
            return {"type": "said", "person": person, "name": name, "text": text}
        case e.Rematched(table):
            return {"type": "rematched", "table": table}
        case e.Closed():
            return {"type": "closed"}
        case _:
            assert_never(event)


def _started(start: int, after: Table) -> w.Started:
    return {"type": "started", "first": start, "commitment": after.commitment}


def _moved(after: Table) -> w.Moved:
    assert after.game is not None
    return {"type": "moved", **turn_to_json(after.turn - 1, after.game.turns[-1], after.made[-1])}


def _objected(seat: int, after: Table) -> w.Objected:
    """An objection with its verdict: what the move really scores, or why it was not allowed."""
    assert after.game is not None
    last = after.game.turns[-1]
    reason = refusal(after.game.board_before_last(), last.move, after.options.variant)
    return {
        "type": "objected",
        "seat": seat,
        "upheld": last.upheld,
        "refusal": None if reason is None else reason_to_json(reason),
        "last": turn_to_json(after.turn - 1, last, after.made[-1]),
    }


def _ended(after: Table) -> w.Ended:
    final = result(after)
    assert final is not None
    return {"type": "ended", "result": final}
