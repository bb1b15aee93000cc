"""Positions in which the best play is not one with the most points, and clearly so.

A position is accepted only if the same plays are best

- at every depth of the look-ahead from one to four plies, and with careful seats;
- by five points or more over every other play, both at the first and at the last of these depths;
- in 400 careful continuations in the same worlds, with the 99 % interval of the difference to every challenger clear
  of zero.
"""

from __future__ import annotations

from typing import Final

from riverstones.engine.encoding import move_text, points_of
from riverstones.engine.iterative import LookAhead
from riverstones.engine.levels import FADE, Stage
from riverstones.engine.situation import Situation
from riverstones.rules import HAND_SIZE, TILE_COUNT, Board, Hand, Move, Variant

from .continuations import Continuations, clearly_better
from .games import Moment

MARGIN: Final = 5.0
FIRST_STAGE: Final = Stage(2, fade=FADE)
DEPTHS: Final = (
    Stage(1, 24, fade=FADE),
    Stage(3, 24, cutoff=0.001, fade=FADE),
    Stage(4, 24, cutoff=0.0005, fade=FADE),
    Stage(3, 12, cutoff=0.002, fade=FADE, careful=2),
)
"""The depths after the first, each for so many of the best plays; the last two are those of the level `ocean`."""
CHALLENGERS: Final = 5
"""How many of the other plays take part in the continuations."""
MOST_ANSWERS: Final = 3
_EQUAL: Final = 1e-6


def look_further(moment: Moment, seed: int) -> tuple[list[Move], Move] | None:
    """The right answers of a position and the runner-up, or None if the position does not meet the criteria."""
    ranked = _clear_best(moment.board, moment.variant, moment.hand)
    if ranked is None:
        return None
    right, rest = ranked
    played = Continuations(moment.board, moment.variant, moment.hand, seed + 100 * moment.game + moment.ply)
    gains = [played.gains(play) for play in right]
    others = [(play, played.gains(play)) for play in rest[:CHALLENGERS]]
    if not all(clearly_better(mine, theirs) for mine in gains for _, theirs in others):
        return None
    runner_up = max(others, key=lambda other: float(other[1].mean()))[0]
    return [Move.parse(move_text(play)) for play in right], Move.parse(move_text(runner_up))


def clear_best(board: Board, variant: Variant, hand: Hand) -> list[Move] | None:
    """The best plays, if they are so by a clear margin and stay so at every depth; None if not."""
    ranked = _clear_best(board, variant, hand)
    return None if ranked is None else [Move.parse(move_text(play)) for play in ranked[0]]


def _clear_best(board: Board, variant: Variant, hand: Hand) -> tuple[list[int], list[int]] | None:
    """The best plays and the others by their value, if the best stay so at every depth; None if they do not."""
    bag = TILE_COUNT - len(board) - 2 * HAND_SIZE
    sizes = (HAND_SIZE, HAND_SIZE)
    search = LookAhead(Situation.with_even_probabilities(board, variant, hand, sizes, (0, 0), bag))
    plays = search.plays()
    ranked, right = _rank(search, plays, FIRST_STAGE)
    if len(right) > MOST_ANSWERS or max(map(points_of, right)) == points_of(plays[0]):
        return None
    if _margin(search, ranked, right, FIRST_STAGE) < MARGIN:
        return None
    for stage in DEPTHS:
        deeper, best = _rank(search, ranked[: stage.width], stage)
        if set(best) != set(right):
            return None
    if _margin(search, deeper, right, DEPTHS[-1]) < MARGIN:
        return None
    return right, [play for play in deeper if play not in right]


def _rank(search: LookAhead, plays: list[int], stage: Stage) -> tuple[list[int], list[int]]:
    """The plays by their value, and those among them that share the highest."""
    values = {play: search.value(play, stage) for play in plays}
    ranked = sorted(plays, key=lambda play: (-values[play], play))
    return ranked, [play for play in ranked if values[play] > values[ranked[0]] - _EQUAL]


def _margin(search: LookAhead, ranked: list[int], right: list[int], stage: Stage) -> float:
    """How much more the best plays are worth than the next one."""
    if len(ranked) == len(right):
        return 0.0
    return search.value(ranked[0], stage) - search.value(ranked[len(right)], stage)
