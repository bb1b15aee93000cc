"""The last moves of a game, solved: which plays there are, and what each leads to.

Three cases. With two seats and an empty bag every hand is known. With one tile in the bag the three unseen tiles are
the one that will be drawn now and the two that the opponent holds; after the draw both know everything. With three or
four seats the last round is solved for every way in which the hidden tiles may lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np

from riverstones.engine.analysis import Analysis, Candidate, Progress, Report, Stop
from riverstones.engine.encoding import digit_of, move_text, points_of
from riverstones.engine.iterative import LookAhead
from riverstones.engine.kernel import SAVED_SHAPE, apply, undo
from riverstones.engine.lookahead import Integers
from riverstones.engine.situation import Situation
from riverstones.rules import DIGITS, Hand, Move, kakuros_made

from . import last_round, two_seats

MARGIN_SHARE = 0.001
"""What a point of margin is worth compared with a win."""
_WINDOW = 10_000

OPEN_HANDS = "Everybody plays their best; the bag is empty, so the hands are known."
LAST_DRAW = "Everybody plays their best; each of the unseen tiles may be the last in the bag."
LAST_ROUND = (
    "Every seat plays for its place at the end and knows all hands; every way the hidden tiles may lie is counted."
)


def solvable(situation: Situation) -> bool:
    """Whether this is the end of a game that can be solved."""
    sizes = situation.sizes
    if situation.seats == 2:
        return (situation.bag == 0 and sizes[0] - sizes[1] in (0, 1)) or (situation.bag == 1 and sizes == (2, 2))
    # In the last round whoever has moved has nothing left, and sits behind those who have not.
    return situation.bag == 0 and sizes[0] == 1 and all(a >= b for a, b in pairwise(sizes))


def solve(situation: Situation, stop: Stop | None = None, progress: Report | None = None) -> Analysis | None:
    """Rank the plays of a position that is `solvable`; None if it was stopped before the end."""
    search = LookAhead(situation)
    plays = search.plays()
    passes = np.zeros(1, np.int64)
    if situation.seats > 2:
        worth, method, assumption = _by_last_round(situation, search, passes), "endgame", LAST_ROUND
    elif situation.bag:
        worth, method, assumption = _by_last_draw(situation, search, passes), "pre-endgame", LAST_DRAW
    else:
        worth, method, assumption = _by_open_hands(situation, search, passes), "endgame", OPEN_HANDS
    found: list[tuple[float, Candidate]] = []
    for done, play in enumerate(plays):
        if stop is not None and stop():
            return None
        if progress is not None:
            progress(Progress(method, done, len(plays)))
        before = int(passes[0])
        mean, win = worth(play)
        utility = win + MARGIN_SHARE * mean
        candidate = Candidate(
            Move.parse(move_text(play)), points_of(play), mean, 0.0, int(passes[0]) - before, exact=True, win=win
        )
        found.append((utility, candidate))
    found.sort(key=lambda entry: -entry[0])
    return Analysis(tuple(candidate for _, candidate in found), method, assumption, int(passes[0]))


def best_variation(situation: Situation, move: Move, plies: int) -> tuple[Move, ...]:
    """What follows a play if everybody plays their best and the hidden tiles lie as is likeliest."""
    hands, scores, board = _likeliest_hands(situation, move), situation.scores, situation.board
    variation: list[Move] = []
    while len(variation) < plies and hands[1]:
        points = sum(kakuro.sum for kakuro in kakuros_made(board, move))
        hands, scores = (*hands[1:], hands[0]), (*scores[1:], scores[0] + points)
        board = move.on(board)
        following = Situation.with_even_probabilities(
            board, situation.variant, hands[0], tuple(map(len, hands)), scores, 0
        )
        known = tuple(tuple(float(digit in hand[:1]) for digit in (0, *DIGITS)) for hand in hands)
        solved = solve(replace(following, kept=known))
        assert solved is not None  # nobody stops it
        move = solved.best.move
        hands = (_without(hands[0], move.tile.digit), *hands[1:])
        variation.append(move)
    return tuple(variation)


def _likeliest_hands(situation: Situation, move: Move) -> tuple[Hand, ...]:
    """What each seat most likely holds after a play and the draw that follows it."""
    mine = _without(situation.hand, move.tile.digit)
    if situation.seats > 2:
        deals, weights = _last_deals(situation)
        deal = deals[int(np.argmax(weights))]
        return (mine, *((digit,) for digit in deal), *((),) * (situation.seats - 1 - len(deal)))
    if situation.bag:
        drawn, theirs, _ = max(_last_draws(situation), key=lambda draw: draw[2])
        return (*mine, drawn), theirs
    return mine, _tiles(situation.unseen)


Worth = Callable[[int], tuple[float, float]]
"""The mean margin gained by a play, and the chance to win."""


def _won(margin: int) -> float:
    return 0.5 + 0.5 * float(np.sign(margin))


def _solver(search: LookAhead, passes: Integers) -> Callable[[int, Hand, Hand], int]:
    """What a play gains until the end if the other seat holds the first hand and one is left with the second."""
    work = two_seats.Workspace()
    saved = np.zeros(SAVED_SHAPE, np.int32)

    def gain(play: int, theirs: Hand, mine: Hand) -> int:
        apply(search.state, play, saved)
        lost = two_seats.solve(
            search.state, np.array(theirs, np.int64), np.array(mine, np.int64), -_WINDOW, _WINDOW,
            work.notes, work.plays, work.saved, work.killer, passes,
        )  # fmt: skip
        undo(search.state, play, saved)
        return points_of(play) - lost

    return gain


def _by_open_hands(situation: Situation, search: LookAhead, passes: Integers) -> Worth:
    gain = _solver(search, passes)
    theirs = _tiles(situation.unseen)
    lead = situation.scores[0] - situation.scores[1]

    def worth(play: int) -> tuple[float, float]:
        margin = gain(play, theirs, _without(situation.hand, digit_of(play)))
        return float(margin), _won(lead + margin)

    return worth


def _by_last_draw(situation: Situation, search: LookAhead, passes: Integers) -> Worth:
    gain = _solver(search, passes)
    lead = situation.scores[0] - situation.scores[1]
    draws = list(_last_draws(situation))

    def worth(play: int) -> tuple[float, float]:
        mean = win = 0.0
        for drawn, theirs, probability in draws:
            mine = (*_without(situation.hand, digit_of(play)), drawn)
            margin = gain(play, theirs, mine)
            mean += probability * margin
            win += probability * _won(lead + margin)
        return mean, win

    return worth


def _by_last_round(situation: Situation, search: LookAhead, passes: Integers) -> Worth:
    work = last_round.Workspace()
    deals, weights = _last_deals(situation)
    seats = situation.seats
    before = max(situation.scores[1:]) - situation.scores[0]

    def worth(play: int) -> tuple[float, float]:
        mean = win = 0.0
        for deal, weight in zip(deals, weights, strict=True):
            work.scores[0] = -1
            work.scores[0, :seats] = situation.scores
            tiles = np.array((digit_of(play), *deal), np.int64)
            last_round.final_scores(search.state, play, tiles, work.scores, work.notes, work.plays, work.saved, passes)
            final = work.scores[0, :seats].tolist()
            mean += weight * (final[0] - max(final[1:]) + before)
            win += weight * (final[0] == max(final)) / final.count(max(final))
        return mean, win

    return worth


def _last_deals(situation: Situation) -> tuple[list[Hand], list[float]]:
    """Every way in which the tiles of the last round may lie, one a seat, and how likely each is."""
    deals = sorted(set(permutations(_tiles(situation.unseen))))
    probabilities = [
        float(np.prod([situation.kept[n][digit] for n, digit in enumerate(deal, start=1)])) for deal in deals
    ]
    # Hands that were thought impossible all alike are all alike possible.
    weights = np.array(probabilities if any(probabilities) else [1.0] * len(deals))
    return deals, (weights / weights.sum()).tolist()


def _last_draws(situation: Situation) -> Iterator[tuple[int, Hand, float]]:
    """Each tile that may be drawn last, what the opponent then holds, and how likely that is."""
    tiles = _tiles(situation.unseen)
    # Of the three one was kept by the opponent; which of the other two it drew and which one is left is even.
    odds = {
        drawn: sum(situation.kept[1][kept] * (tiles.count(drawn) - (kept == drawn)) for kept in set(tiles))
        for drawn in sorted(set(tiles))
    }
    total = sum(odds.values())
    for drawn, probability in odds.items():
        yield drawn, _without(tiles, drawn), probability / total


def _tiles(counts: tuple[int, ...]) -> Hand:
    return tuple(digit for digit in DIGITS for _ in range(counts[digit]))


def _without(hand: Hand, digit: int) -> Hand:
    left = list(hand)
    left.remove(digit)
    return tuple(left)
