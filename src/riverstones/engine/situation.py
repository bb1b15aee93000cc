"""A position as the seat to move knows it, in the form that every search uses.

Seats are counted from the searching one: it is seat 0, and the next to move is seat 1. Lists by digit have ten items,
of which index 0 is unused.
"""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.rules import COPIES, Board, Hand, Position, Variant, View


@dataclass(frozen=True, slots=True)
class Situation:
    """The input of a search."""

    board: Board
    variant: Variant
    hand: Hand
    sizes: tuple[int, ...]
    """The number of tiles each seat holds."""
    scores: tuple[int, ...]
    bag: int
    off_board: tuple[int, ...]
    """The number of tiles of each digit that are not on the board."""
    kept: tuple[tuple[float, ...], ...]
    """For each seat, the probability of each digit to be the tile it has held longest; all 0 for seat 0."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.sizes)

    @property
    def unseen(self) -> tuple[int, ...]:
        """The number of tiles of each digit in the bag or in the other hands."""
        return tuple(count - self.hand.count(digit) for digit, count in enumerate(self.off_board))

    @property
    def tiles_left(self) -> int:
        """The number of tiles still to be placed, by all seats."""
        return self.bag + sum(self.sizes)

    @classmethod
    def of(cls, known: View | Position) -> Situation:
        """The situation of the seat to move; whatever a position knows about the other hands is ignored."""
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
        """The situation of a seat that knows its hand and considers every unseen tile equally likely anywhere."""
        off_board = (0, *(COPIES - count for count in board.counts()))
        unseen = [count - hand.count(digit) for digit, count in enumerate(off_board)]
        even = tuple(count / max(sum(unseen), 1) for count in unseen)
        kept = ((0.0,) * len(off_board), *(even for _ in sizes[1:]))
        return cls(board, variant, hand, sizes, scores, bag, off_board, kept)
