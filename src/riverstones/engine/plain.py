"""The exact look-ahead on the readable rules: for installations without Numba, and as a reference for `lookahead`.

It computes the same as that module in the simplest way: the best play of every digit, and for every pair of tiles that
a seat may hold the better play of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from riverstones.rules import DIGITS, Board, Move, Play, Variant, plays

from .analysis import Analysis, Candidate, Stop
from .situation import Situation

PLIES = 2
"""The depth of the look-ahead: as deep as it gets within a few seconds."""
TYPICAL_ERROR = 2.0
"""The typical error of its values: see `Stage.error`."""
GREEDY_OTHERS = "Every seat plays for the most points."

Probabilities = tuple[float, ...]
"""A probability for each digit; index 0 is unused."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is known at a node of the tree, as in `Situation`."""

    board: Board
    variant: Variant
    kept: tuple[Probabilities, ...]
    off_board: tuple[float, ...]
    sizes: tuple[int, ...]
    bag: int

    def best(self) -> list[Play]:
        """The best play of each digit, most points first."""
        found: dict[int, Play] = {}
        for play in sorted(plays(self.board, DIGITS, self.variant), key=_rank):
            found.setdefault(play.move.tile.digit, play)
        return list(found.values())

    @classmethod
    def of(cls, situation: Situation, move: Move) -> Outlook:
        """What is known after a move of seat 0."""
        board, variant, kept = situation.board, situation.variant, situation.kept
        root = cls(board, variant, kept, situation.off_board, situation.sizes, situation.bag)
        hand = list(situation.hand)
        hand.remove(move.tile.digit)
        return root.after(0, move, tuple(float(digit in hand) for digit in range(len(DIGITS) + 1)))

    def after(self, seat: int, move: Move, keeps: Probabilities) -> Outlook:
        """The outlook after a seat's move and draw; `keeps` has the probabilities of the tile that it keeps."""
        digit = move.tile.digit
        sizes = self.sizes
        if not self.bag:
            sizes = _put(sizes, seat, sizes[seat] - 1)
        return replace(
            self,
            board=move.on(self.board),
            kept=_put(self.kept, seat, keeps),
            off_board=_put(self.off_board, digit, self.off_board[digit] - 1),
            sizes=sizes,
            bag=max(self.bag - 1, 0),
        )

    def hands(self, seat: int) -> dict[tuple[int, int], float]:
        """The probability of each pair of a kept and a fresh tile; the fresh one is 0 if there is none."""
        if self.sizes[seat] == 1:
            return {(digit, 0): probability for digit, probability in enumerate(self.kept[seat]) if probability}
        others = [kept for number, kept in enumerate(self.kept) if number != seat]
        fresh = [max(count - sum(kept[digit] for kept in others), 0.0) for digit, count in enumerate(self.off_board)]
        pairs = {
            (kept, drawn): self.kept[seat][kept] * max(fresh[drawn] - (kept == drawn), 0.0)
            for kept, drawn in product(DIGITS, repeat=2)
        }
        total = sum(pairs.values())
        return {pair: probability / total for pair, probability in pairs.items() if probability}


def look_ahead(situation: Situation, plies: int, stop: Stop | None = None, also: Sequence[Play] = ()) -> Analysis:
    """Rank every play, and `also`, by its points and the expected value of the plies after it."""
    candidates: list[Candidate] = []
    complete = True
    for play in all_plays(situation, also):
        if stop is not None and stop():
            complete = False
            break
        value, nodes = _expect(Outlook.of(situation, play.move), 1, plies)
        value += play.points
        candidates.append(Candidate(play.move, play.points, value, TYPICAL_ERROR, nodes, exact=False))
    candidates.sort(key=lambda candidate: -candidate.mean)
    nodes = sum(candidate.samples for candidate in candidates)
    return Analysis(tuple(candidates), "look-ahead", GREEDY_OTHERS, nodes, complete)


def all_plays(situation: Situation, also: Sequence[Play]) -> list[Play]:
    """Every play, most points first, and some more that need not be legal."""
    found = plays(situation.board, situation.hand, situation.variant)
    known = {(play.move, play.points) for play in found}
    return [*found, *(play for play in also if (play.move, play.points) not in known)]


def _expect(outlook: Outlook, seat: int, plies: int) -> tuple[float, int]:
    """The expected gain of seat 0 on the others in these plies, and the number of positions evaluated."""
    if plies == 0 or outlook.sizes[seat] == 0:
        return 0.0, 0
    worth = 1.0 if seat == 0 else -1.0 / (len(outlook.sizes) - 1)
    value, nodes = 0.0, 1
    for play, likely, keeps in _likely_plays(outlook, seat):
        ahead, looked_at = _expect(outlook.after(seat, play.move, keeps), (seat + 1) % len(outlook.sizes), plies - 1)
        value += likely * (worth * play.points + ahead)
        nodes += looked_at
    return value, nodes


def _likely_plays(outlook: Outlook, seat: int) -> Iterator[tuple[Play, float, Probabilities]]:
    """The plays that a seat may make, their probabilities, and what the seat keeps after each."""
    hands = outlook.hands(seat)
    for play in outlook.best():
        digit = play.move.tile.digit
        here = {pair: probability for pair, probability in hands.items() if digit in pair}
        likely = sum(here.values())
        if not likely:
            continue
        for pair in here:
            del hands[pair]
        keeps = [0.0] * (len(DIGITS) + 1)
        for (kept, fresh), probability in here.items():
            keeps[fresh if kept == digit else kept] += probability / likely
        keeps[0] = 0.0
        yield play, likely, tuple(keeps)


def likely_variation(situation: Situation, move: Move, plies: int) -> tuple[Move, ...]:
    """The moves that are most likely to follow a move of the seat that searches."""
    outlook, seat = Outlook.of(situation, move), 1
    variation: list[Move] = []
    while len(variation) < plies and outlook.sizes[seat]:
        play, _, keeps = max(_likely_plays(outlook, seat), key=lambda entry: entry[1])
        variation.append(play.move)
        outlook, seat = outlook.after(seat, play.move, keeps), (seat + 1) % situation.seats
    return tuple(variation)


def _rank(play: Play) -> tuple[int, ...]:
    """The order that `encoding` gives plays, which breaks ties between equal points."""
    move = play.move
    upright = bool(move.flips) and move.flips[0].column == move.square.column
    flipped = sum(1 << (square.row if upright else square.column) for square in move.flips)
    return -play.points, move.square, move.tile.digit, move.tile.is_total, upright, flipped


def _put(values: tuple, place: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:place], value, *values[place + 1 :])
