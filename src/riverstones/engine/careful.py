"""A careful seat: it makes the play with the most points less half of what the next seat may expect.

The look-ahead has the same seats inside its tree (`lookahead`), for all nine digits at once. This is one move of one
hand, for games that are played out.
"""

from __future__ import annotations

from .arrays import Floats
from .encoding import DIGIT_SHIFT, POINTS_SHIFT
from .jit import jit
from .kernel import Plays, State, apply, best_by_digit, generate, undo
from .ordering import sort_plays


@jit()
def expected_points(state: State, pool: Floats, hidden: float, best: Plays) -> float:
    """The points that a greedy seat may expect, if it holds two of the tiles that are not on the board.

    ``pool`` counts these tiles by digit, ``hidden`` of them in all; ``best`` is scratch memory of length ten.
    """
    best_by_digit(state, best)
    expected = 0.0
    if hidden < 1.5:
        for digit in range(1, 10):
            expected -= pool[digit] * (best[digit] >> POINTS_SHIFT)
        return expected / max(hidden, 1.0)
    # Of a pair, the play that sorts first is made; every ordered pair of different tiles is equally likely.
    for digit in range(1, 10):
        if pool[digit] < 0.5:
            continue
        pairs = pool[digit] * (pool[digit] - 1.0)
        for other in range(1, 10):
            if best[other] > best[digit]:
                pairs += 2.0 * pool[digit] * pool[other]
        expected -= pairs * (best[digit] >> POINTS_SHIFT)
    return expected / (hidden * (hidden - 1.0))


@jit()
def careful_play(state: State, hand: int, pool: Floats, plays: Plays, saved: State, best: Plays) -> int:
    """The play with the most points less half of what the next seat may expect, which knows only the board.

    ``pool`` counts the tiles that are not on the board, by digit.
    """
    count = generate(state, hand, plays)
    sort_plays(plays, count)
    chosen = plays[0]
    most = -1.0e9
    for i in range(count):
        play = plays[i]
        points = -(play >> POINTS_SHIFT)
        # Expected points are never negative, so the points bound the value of this play and of all after it.
        if points <= most:
            break
        digit = play >> DIGIT_SHIFT & 15
        pool[digit] -= 1.0
        hidden = 0.0
        for other in range(1, 10):
            hidden += pool[other]
        value = float(points)
        if hidden > 0.5:
            apply(state, play, saved)
            value -= 0.5 * expected_points(state, pool, hidden, best)
            undo(state, play, saved)
        pool[digit] += 1.0
        if value > most:
            most = value
            chosen = play
    return int(chosen)
