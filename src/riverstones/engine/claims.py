"""What a bot claims and when it objects, at tables where players claim their points.

Most levels count exactly: they claim what the move scores, and they object to every wrong move and to no other. The
human-like levels (see `human`) also make human errors: they forget an addend or a carry, overlook the second Kakuro of
a move, accept a repeated digit or a total after its addends, and miss some of the errors of others.

Everything is computed from a view: the board, and the turns that everybody saw.
"""

from __future__ import annotations

import random

from riverstones.rules import Code, Move, Series, View, explain, kakuros_made, refusal

from .human import PERSONAS, Persona, is_mirage

HARD_TO_MISS = 60
"""An error of this many points is always noticed."""


def claim(view: View, move: Move, level: str, rng: random.Random) -> int:
    """The points that a bot of this level claims for its move, before it is played."""
    board = view.position.board
    persona = PERSONAS.get(level)
    if persona is None:
        return sum(kakuro.sum for kakuro in kakuros_made(board, move))
    return sum(_count(series, persona, rng) for series in _believed(view, move, persona, rng))


def objects(view: View, level: str, rng: random.Random) -> bool:
    """Whether a bot of this level objects to the last move."""
    if not view.may_object:
        return False
    error = _error(view)
    persona = PERSONAS.get(level)
    if error is None or persona is None:
        return error is not None
    return rng.random() < persona.catches + (1 - persona.catches) * error / HARD_TO_MISS


def _error(view: View) -> int | None:
    """The error of the last claim in points; None if the move is correct."""
    last = view.turns[-1]
    before = view.board_before_last()
    claimed = last.claim or 0
    if refusal(before, last.move, view.setup.variant) is not None:
        return claimed
    return abs(claimed - sum(kakuro.sum for kakuro in kakuros_made(before, last.move))) or None


def _believed(view: View, move: Move, persona: Persona, rng: random.Random) -> list[Series]:
    """The series that a persona takes for the Kakuros of a move.

    The move was made for the best of them, so that one is never forgotten; if there is none, the move was made for a
    mirage.
    """
    board = view.position.board
    true = sorted(kakuros_made(board, move), key=lambda kakuro: -kakuro.sum)
    believed = [kakuro for n, kakuro in enumerate(true) if n == 0 or rng.random() >= persona.overlooks]
    for miss in explain(board, move, view.setup.variant).near_misses:
        meant = not true and is_mirage(miss.series)
        tempting = is_mirage(miss.series) or miss.reason.code in (Code.TOTAL_FOLLOWS, Code.STOPPED_BY_FLIPPED)
        if meant or (tempting and rng.random() < persona.falls_for_mirages):
            believed.append(miss.series)
    return believed


def _count(series: Series, persona: Persona, rng: random.Random) -> int:
    """The sum a persona computes for a series: sometimes an addend is forgotten, or a ten lost or carried twice."""
    additions = len(series.addends) - 1
    if rng.random() < (1 - persona.miscounts) ** additions:
        return series.sum
    if rng.random() < 0.5:
        return series.sum - rng.choice(series.addends)
    return series.sum + 10 if series.sum < 10 else series.sum + rng.choice((-10, 10))
