"""Hints for the player to move. They produce no events.

A hint has three steps, which show more and more of one good play. `check` says whether a table gives one, `find`
searches the play, and `hint_to_json` shows as much of it as a step does.
"""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.engine import bots
from riverstones.engine.levels import OCEAN, RIVER, has_kernel
from riverstones.rules import Play, View
from riverstones.table import NotAllowed, Table, TableRefusal, Viewer, seat_view, wire
from riverstones.table.views import check_viewer


@dataclass(frozen=True, slots=True)
class Advice:
    """A good play, and why it is good."""

    play: Play
    most: int
    """The most points that any play scores."""
    looked_ahead: bool
    """Whether the play was found by looking ahead; if not, only by its points."""


def hint_level() -> str:
    """The level that finds hints.

    It is the one that reviews judge by, so that no review blames a move that was hinted; reviews need the kernel too.
    """
    return (OCEAN if has_kernel() else RIVER).name


def check(table: Table, person: str | None, seat: int) -> View:
    """What the seat that asks for a hint knows.

    Raises `NotAllowed` if the seat is not the person's or not to move, or if the table allows no hints.
    """
    check_viewer(table, Viewer(person, seat))
    view = seat_view(table, seat)
    if not table.options.hints or table.by_claims:
        raise NotAllowed(TableRefusal.NO_HINTS_HERE)
    if table.to_move != seat or table.paused:
        raise NotAllowed(TableRefusal.NOT_YOUR_TURN)
    return view


def find(view: View, level: str) -> Advice:
    """The move that a bot of this level makes, with what it scores. The level must look ahead."""
    move = bots.make(level)(view)
    plays = view.position.plays()
    return Advice(next(play for play in plays if play.move == move), plays[0].points, looked_ahead=True)


def hint_to_json(advice: Advice, turn: int, step: int) -> wire.Hint:
    """A step of a hint: the square, from step 2 on the tile, at step 3 the whole move and its points.

    If no move scores, every step says so: `most` is 0.
    """
    play = advice.play
    return {
        "turn": turn,
        "step": step,
        "square": str(play.move.square),
        "tile": str(play.move.tile) if step >= 2 else None,
        "move": str(play.move) if step >= 3 else None,
        "points": play.points if step >= 3 else None,
        "most": advice.most if step >= 3 or not advice.most else None,
        "looked_ahead": advice.looked_ahead if step >= 3 else None,
    }
