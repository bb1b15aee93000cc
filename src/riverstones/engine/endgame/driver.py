"""The endgame solver: rank the plays of the last moves of a game exactly.

There are three cases. With two seats and an empty bag every hand is known. With one tile in the bag the three unseen
tiles are the next draw and the opponent's two tiles; after the draw both seats know everything. With three or four
seats the last round is solved for every distribution of the hidden tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, permutations
from math import fsum, prod

from riverstones.engine.analysis import Analysis, Candidate, Progress, Report, Stop
from riverstones.engine.arrays import Integers, array, read, write, zeros
from riverstones.engine.encoding import digit_of, move_text, points_of
from riverstones.engine.iterative import LookAhead, with_plays
from riverstones.engine.kernel import SAVED_SHAPE, State, apply, undo
from riverstones.engine.situation import Situation
from riverstones.rules import DIGITS, Hand, Move, Play, kakuros_made

from . import last_round, two_seats

MARGIN_SHARE = 0.001
"""The value of one point of margin, in wins."""
_WINDOW = 10_000

OPEN_HANDS = "Best play by everybody; the bag is empty, so all hands are known."
LAST_DRAW = "Best play by everybody; any of the unseen tiles may be the last in the bag."
LAST_ROUND = "Every seat plays for its final rank with open hands, averaged over all distributions of the hidden tiles."


def solvable(situation: Situation) -> bool:
    """Whether this position can be solved."""
    sizes = situation.sizes
    if situation.seats == 2:
        return (situation.bag == 0 and sizes[0] - sizes[1] in (0, 1)) or (situation.bag == 1 and sizes == (2, 2))
    # In the last round, seats that have moved have no tile left and come after those that have not.
    return situation.bag == 0 and sizes[0] == 1 and all(a >= b for a, b in pairwise(sizes))


def solve(
    situation: Situation, stop: Stop | None = None, progress: Report | None = None, also: Sequence[Play] = ()
) -> Analysis | None:
    """Rank the plays of a `solvable` position; None if stopped before the end. Those of `also` need not be legal."""
    search = LookAhead(situation)
    plays, _ = with_plays(search.plays(), also)
    passes: Integers = zeros(1, "int64")
    if situation.seats > 2:
        worth, method, assumption = _by_last_round(situation, search, passes), "endgame", LAST_ROUND
    elif situation.bag:
        worth, method, assumption = _by_last_draw(situation, search, passes), "pre-endgame", LAST_DRAW
    else:
        worth, method, assumption = _by_open_hands(situation, search, passes), "endgame", OPEN_HANDS
    found: list[tuple[float, Candidate]] = []
    nodes = 0
    for done, play in enumerate(plays):
        if stop is not None and stop():
            return None
        if progress is not None:
            progress(Progress(method, done, len(plays)))
        before = nodes
        mean, wins = worth(play)
        nodes = read(passes, 0, 1)[0]
        utility = wins[0] + MARGIN_SHARE * mean
        candidate = Candidate(
            Move.parse(move_text(play)), points_of(play), mean, 0.0, nodes - before, exact=True, wins=wins
        )
        found.append((utility, candidate))
    found.sort(key=lambda entry: -entry[0])
    return Analysis(tuple(candidate for _, candidate in found), method, assumption, nodes)


def best_variation(situation: Situation, move: Move, plies: int) -> tuple[Move, ...]:
    """The continuation of a play under best play, with the most likely distribution of the hidden tiles."""
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
        assert solved is not None  # there is no `stop`
        move = solved.best.move
        hands = (_without(hands[0], move.tile.digit), *hands[1:])
        variation.append(move)
    return tuple(variation)


def _likeliest_hands(situation: Situation, move: Move) -> tuple[Hand, ...]:
    """The most likely hand of each seat after a play and the following draw."""
    mine = _without(situation.hand, move.tile.digit)
    if situation.seats > 2:
        deals, weights = _last_deals(situation)
        deal = deals[weights.index(max(weights))]
        return (mine, *((digit,) for digit in deal), *((),) * (situation.seats - 1 - len(deal)))
    if situation.bag:
        drawn, theirs, _ = max(_last_draws(situation), key=lambda draw: draw[2])
        return (*mine, drawn), theirs
    return mine, _tiles(situation.unseen)


Worth = Callable[[int], tuple[float, tuple[float, ...]]]
"""The mean margin gained by a play, and the win probability of each seat."""


def _won(margin: int) -> float:
    return 0.5 + 0.5 * ((margin > 0) - (margin < 0))


def _shares(win: float) -> tuple[float, ...]:
    return win, 1.0 - win


def _solver(search: LookAhead, passes: Integers) -> Callable[[int, Hand, Hand], int]:
    """A function for the gain of a play until the end, given the other seat's hand and the rest of one's own."""
    work = two_seats.Workspace()
    saved: State = zeros(SAVED_SHAPE, "int32")

    def gain(play: int, theirs: Hand, mine: Hand) -> int:
        apply(search.state, play, saved)
        lost = two_seats.solve(
            search.state, array(theirs, "int64"), array(mine, "int64"), -_WINDOW, _WINDOW,
            work.notes, work.plays, work.saved, work.killer, work.best, passes,
        )  # fmt: skip
        undo(search.state, play, saved)
        return points_of(play) - lost

    return gain


def _by_open_hands(situation: Situation, search: LookAhead, passes: Integers) -> Worth:
    gain = _solver(search, passes)
    theirs = _tiles(situation.unseen)
    lead = situation.scores[0] - situation.scores[1]

    def worth(play: int) -> tuple[float, tuple[float, ...]]:
        margin = gain(play, theirs, _without(situation.hand, digit_of(play)))
        return float(margin), _shares(_won(lead + margin))

    return worth


def _by_last_draw(situation: Situation, search: LookAhead, passes: Integers) -> Worth:
    gain = _solver(search, passes)
    lead = situation.scores[0] - situation.scores[1]
    draws = list(_last_draws(situation))

    def worth(play: int) -> tuple[float, tuple[float, ...]]:
        mean = win = 0.0
        for drawn, theirs, probability in draws:
            mine = (*_without(situation.hand, digit_of(play)), drawn)
            margin = gain(play, theirs, mine)
            mean += probability * margin
            win += probability * _won(lead + margin)
        return mean, _shares(win)

    return worth


def _by_last_round(situation: Situation, search: LookAhead, passes: Integers) -> Worth:
    work = last_round.Workspace()
    deals, weights = _last_deals(situation)
    seats = situation.seats
    before = max(situation.scores[1:]) - situation.scores[0]

    def worth(play: int) -> tuple[float, tuple[float, ...]]:
        mean = 0.0
        wins = [0.0] * seats
        for deal, weight in zip(deals, weights, strict=True):
            write(work.scores, 0, (*situation.scores, *(-1,) * (last_round.SEATS - seats)))
            last_round.final_scores(
                search.state, play, array((digit_of(play), *deal), "int64"),
                work.scores, work.notes, work.plays, work.saved, work.best, passes,
            )  # fmt: skip
            final = read(work.scores, 0, seats)
            mean += weight * (final[0] - max(final[1:]) + before)
            for seat, score in enumerate(final):
                wins[seat] += weight * (score == max(final)) / final.count(max(final))
        return mean, tuple(wins)

    return worth


def _last_deals(situation: Situation) -> tuple[list[Hand], list[float]]:
    """Every distribution of the tiles in the last round, one per seat, with its probability."""
    deals = sorted(set(permutations(_tiles(situation.unseen))))
    probabilities = [prod(situation.kept[n][digit] for n, digit in enumerate(deal, start=1)) for deal in deals]
    # If every hand was ruled out, none of them is more unlikely than another.
    weights = probabilities if any(probabilities) else [1.0] * len(deals)
    total = fsum(weights)
    return deals, [weight / total for weight in weights]


def _last_draws(situation: Situation) -> Iterator[tuple[int, Hand, float]]:
    """Each possible last draw, the opponent's hand in that case, and its probability."""
    tiles = _tiles(situation.unseen)
    # The opponent kept one of the three; the other two are equally likely to be its draw and the last tile.
    odds = {
        drawn: fsum(situation.kept[1][kept] * (tiles.count(drawn) - (kept == drawn)) for kept in set(tiles))
        for drawn in sorted(set(tiles))
    }
    total = fsum(odds.values())
    for drawn, probability in odds.items():
        yield drawn, _without(tiles, drawn), probability / total


def _tiles(counts: tuple[int, ...]) -> Hand:
    return tuple(digit for digit in DIGITS for _ in range(counts[digit]))


def _without(hand: Hand, digit: int) -> Hand:
    left = list(hand)
    left.remove(digit)
    return tuple(left)
