"""A position: the game at one moment, as far as a given observer knows it.

With every hand known, only the order of the bag is missing; with unknown tiles it is what one seat, or a spectator, may
know. `faults` lists everything that is impossible about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .board import Board
from .game import Game, Hand
from .generate import Play, plays
from .scoring import Variant
from .setup import HAND_SIZE, SEAT_COUNTS
from .tiles import COPIES, DIGITS, TILE_COUNT


class Fault(StrEnum):
    """The ways in which a position can be impossible."""

    SEATS = "seats"
    SCORES = "scores"
    TURN = "turn"
    HAND_TOO_LARGE = "hand_too_large"
    TOO_MANY_OF_A_DIGIT = "too_many_of_a_digit"
    TILE_COUNT = "tile_count"


@dataclass(frozen=True, slots=True)
class FaultFound:
    """A fault with its parameters."""

    fault: Fault
    params: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, fault: Fault, **params: int) -> FaultFound:
        """Make a fault with its parameters."""
        return cls(fault, tuple(params.items()))


@dataclass(frozen=True, slots=True)
class Held:
    """A hand as far as it is known: the known digits, ascending, and the number of unknown tiles."""

    known: Hand = ()
    unknown: int = 0

    def __len__(self) -> int:
        return len(self.known) + self.unknown


@dataclass(frozen=True, slots=True)
class Position:
    """A board, the seat to move, the hands as far as known, the scores, the bag's count and the variant."""

    board: Board
    to_move: int
    """The seat to move."""
    hands: tuple[Held, ...]
    scores: tuple[int, ...]
    bag: int
    """The number of tiles left in the bag."""
    variant: Variant = Variant.STANDARD

    @classmethod
    def of(cls, game: Game) -> Position:
        """The position of a game with full knowledge."""
        hands = tuple(Held(hand) for hand in game.hands)
        return cls(game.board, game.to_move, hands, game.scores, game.bag, game.setup.variant)

    @classmethod
    def public(cls, game: Game) -> Position:
        """The position of a game as everybody knows it: `Position.of(game).seen_by(None)`."""
        hands = tuple([Held((), len(hand)) for hand in game.hands])
        return cls(game.board, game.to_move, hands, game.scores, game.bag, game.setup.variant)

    def seen_by(self, seat: int | None) -> Position:
        """The position as this seat knows it; None is a spectator."""
        hands = tuple(hand if number == seat else Held((), len(hand)) for number, hand in enumerate(self.hands))
        return Position(self.board, self.to_move, hands, self.scores, self.bag, self.variant)

    @property
    def hand(self) -> Hand | None:
        """The hand of the seat to move, or None if any of it is unknown."""
        held = self.hands[self.to_move]
        return None if held.unknown else held.known

    @property
    def unseen(self) -> tuple[int, ...]:
        """The number of tiles of each digit 1-9 that are neither on the board nor in a known hand."""
        held = [digit for hand in self.hands for digit in hand.known]
        return tuple(COPIES - self.board.count(digit) - held.count(digit) for digit in DIGITS)

    def plays(self) -> list[Play]:
        """Every legal play of the seat to move, best first; `ValueError` if its hand is not fully known."""
        if self.hand is None:
            raise ValueError("the hand of the seat to move is not known")
        return plays(self.board, self.hand, self.variant)

    def faults(self) -> list[FaultFound]:
        """Everything that is impossible about this position; an empty list if nothing is.

        Reachability is not checked: positions may be composed freely for study.
        """
        found: list[FaultFound] = []
        seats = len(self.hands)
        if seats not in SEAT_COUNTS:
            found.append(FaultFound.of(Fault.SEATS, count=seats))
        if len(self.scores) != seats:
            found.append(FaultFound.of(Fault.SCORES, count=len(self.scores), seats=seats))
        if not 0 <= self.to_move < seats:
            found.append(FaultFound.of(Fault.TURN, seat=self.to_move, seats=seats))
        for seat, hand in enumerate(self.hands):
            if len(hand) > HAND_SIZE:
                found.append(FaultFound.of(Fault.HAND_TOO_LARGE, seat=seat, count=len(hand)))
        for digit, left in zip(DIGITS, self.unseen, strict=True):
            if left < 0:
                found.append(FaultFound.of(Fault.TOO_MANY_OF_A_DIGIT, digit=digit, count=COPIES - left))
        count = len(self.board) + sum(map(len, self.hands)) + self.bag
        if count != TILE_COUNT:
            found.append(FaultFound.of(Fault.TILE_COUNT, count=count))
        return found

    def _repr_svg_(self) -> str:
        from riverstones import svg  # drawn for notebooks only

        return svg.position(self)
