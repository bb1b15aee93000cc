"""The last four tiles: scores set so that only the exact best play wins.

The bag is empty and both hands are full, so everything is known. The plays with the most points must not be among the
right answers, otherwise the puzzle would be about points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from riverstones.engine.encoding import board_from_text, digit_of, hand_from_digits, move_text, points_of
from riverstones.engine.endgame import two_seats
from riverstones.engine.kernel import MAX_PLAYS, SAVED_SHAPE, STATE_SHAPE, apply, generate, load, undo
from riverstones.rules import Board, Hand, Move, Variant

from .games import Moment

MOST_ANSWERS: Final = 3
GAP: Final = 2
"""The points by which every other play is worse: it then loses and does not even tie."""
_WINDOW: Final = 10_000


@dataclass(frozen=True, slots=True)
class Found:
    """A position to win."""

    answers: list[Move]
    following: Move
    scores: tuple[int, int]


def gains(board: Board, variant: Variant, mine: Hand, theirs: Hand, cutoff: bool) -> dict[int, int]:
    """What each encoded play gains until the end under best play by both: one's own points less the opponent's.

    With ``cutoff`` the gains of plays that are not the best are upper bounds, still lower than the best.
    """
    state = np.zeros(STATE_SHAPE, np.int32)
    load(state, board_from_text(board.cells), variant is Variant.EXPERT)
    listed = np.zeros(MAX_PLAYS, np.int64)
    count = generate(state, hand_from_digits("".join(map(str, mine))), listed)
    work, saved = two_seats.Workspace(), np.zeros(SAVED_SHAPE, np.int32)
    passes = np.zeros(1, np.int64)
    others = np.array(theirs, np.int64)
    found: dict[int, int] = {}
    best = -_WINDOW
    for play in sorted(listed[:count].tolist()):
        kept = np.array([sum(mine) - digit_of(play)], np.int64)
        most = min(points_of(play) - best + 1, _WINDOW) if cutoff else _WINDOW
        apply(state, play, saved)
        lost = two_seats.solve(
            state, others, kept, -_WINDOW, most, work.notes, work.plays, work.saved, work.killer, work.best, passes
        )
        undo(state, play, saved)
        found[play] = points_of(play) - lost
        best = max(best, found[play])
    return found


def win(moment: Moment) -> Found | None:
    """The right answers, the runner-up and the scores, or None if the position does not meet the criteria."""
    bounds = gains(moment.board, moment.variant, moment.hand, moment.other, cutoff=True)
    best, most = max(bounds.values()), max(map(points_of, bounds))
    right = [play for play in bounds if bounds[play] == best]
    if len(right) > MOST_ANSWERS or any(points_of(play) == most for play in right):
        return None
    exact = gains(moment.board, moment.variant, moment.hand, moment.other, cutoff=False)
    rest = [play for play in exact if play not in right]
    following = max(rest, key=lambda play: (exact[play], points_of(play), -play))
    gap = best - exact[following]
    if gap < GAP:
        return None
    # The best play wins by one point or more, every other one loses by one or more.
    lead = 1 - best + (gap - GAP) // 2
    theirs = max(moment.scores[1], -lead)
    return Found(
        [Move.parse(move_text(play)) for play in right], Move.parse(move_text(following)), (theirs + lead, theirs)
    )


def winning_moves(board: Board, variant: Variant, mine: Hand, theirs: Hand, scores: tuple[int, int]) -> set[Move]:
    """The moves that win, with these scores before them."""
    lead = scores[0] - scores[1]
    found = gains(board, variant, mine, theirs, cutoff=False)
    return {Move.parse(move_text(play)) for play, gain in found.items() if lead + gain > 0}
