"""The biggest miss of each seat: the turn in which the play with the most points was the one to make, and was not made.

Points alone would blame moves that gave up points for something better, and contradict hints and reviews. So the turns
that left the most points are judged, as in a review, until one is found in which these points were worth taking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from riverstones.engine.choose import analyse
from riverstones.rules import Game, Move, Play, view

from .accuracy import CLASSES, MoveClass
from .judgement import JUDGE, as_judged, find, loss_of

MOST_JUDGED: Final = 4
"""The most turns of a seat that are judged; most of the time the first one is a miss."""
_WORTH: Final = next(least for least, name in CLASSES if name is MoveClass.DUBIOUS)
"""The least loss of a miss, in points all things considered: smaller ones are good moves."""


def biggest_misses(games: Sequence[Game], most: Sequence[Play], *, judged: bool) -> tuple[int | None, ...]:
    """For each seat the turn of its biggest miss; None if there is none.

    `games` are the game before each turn and after the last one, `most` a play with the most points for each turn.
    Unless `judged`, which needs the compiled kernel, only points are compared.
    """
    turns = games[-1].turns
    left = [play.points - turn.points for play, turn in zip(most, turns, strict=True)]

    def miss_of(seat: int) -> int | None:
        own = sorted((n for n, turn in enumerate(turns) if turn.seat == seat and left[n] > 0), key=lambda n: -left[n])
        if not judged:
            return next(iter(own), None)
        return next((n for n in own[:MOST_JUDGED] if _was_missed(games[n], turns[n].move, most[n])), None)

    return tuple(miss_of(seat) for seat in range(games[-1].setup.seats))


def _was_missed(before: Game, move: Move, most: Play) -> bool:
    """Whether the play with the most points was much better than the move that was made, all things considered."""
    known = view(before, before.to_move)
    played = as_judged(before.board, move, before.setup.variant)
    found = analyse(known, JUDGE, variations=0, also=[played, most])
    return loss_of(find(found, played), found) - loss_of(find(found, most), found) >= _WORTH
