"""A position as the seat to move knows it, in the terms that every search uses.

Seats are counted from the one that searches: it is seat 0, the next to move seat 1. Digits index lists of ten, whose
place 0 is unused.
"""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.rules import COPIES, Board, Hand, Position, Variant, View


@dataclass(frozen=True, slots=True)
class Situation:
    """What a search starts from."""

    board: Board
    variant: Variant
    hand: Hand
    sizes: tuple[int, ...]
    """How many tiles each seat holds."""
    scores: tuple[int, ...]
    bag: int
    off_board: tuple[int, ...]
    """How many tiles of each digit are not on the board."""
    kept: tuple[tuple[float, ...], ...]
    """For each seat the chance of each digit to be the tile that it has held longest; nothing for seat 0."""

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.sizes)

    @property
    def unseen(self) -> tuple[int, ...]:
        """How many tiles of each digit are in the bag or in the other hands."""
        return tuple(count - self.hand.count(digit) for digit, count in enumerate(self.off_board))

    @property
    def tiles_left(self) -> int:
        """How many tiles are still to be placed, by everybody."""
        return self.bag + sum(self.sizes)

    @classmethod
    def of(cls, known: View | Position) -> Situation:
        """The situation of the seat to move; whatever a position tells of the other hands is left aside."""
        position = known.position if isinstance(known, View) else known
        if isinstance(known, View) and not known.is_my_turn:
            raise ValueError("it is not this seat's turn")
        hand = position.hand
        if not hand:
            raise ValueError("the hand of the seat to move is not known" if hand is None else "the game is over")
        order = [(position.to_move + n) % len(position.hands) for n in range(len(position.hands))]
        sizes = tuple(len(position.hands[seat]) for seat in order)
        scores = tuple(position.scores[seat] for seat in order)
        return cls.with_even_probabilities(position.board, position.variant, hand, sizes, scores, position.bag)

    @classmethod
    def with_even_probabilities(
        cls, board: Board, variant: Variant, hand: Hand, sizes: tuple[int, ...], scores: tuple[int, ...], bag: int
    ) -> Situation:
        """The situation of a seat that knows its hand and thinks every unseen tile equally likely anywhere."""
        off_board = (0, *(COPIES - count for count in board.counts()))
        unseen = [count - hand.count(digit) for digit, count in enumerate(off_board)]
        even = tuple(count / max(sum(unseen), 1) for count in unseen)
        kept = ((0.0,) * len(off_board), *(even for _ in sizes[1:]))
        return cls(board, variant, hand, sizes, scores, bag, off_board, kept)
