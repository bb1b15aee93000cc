"""What a puzzle is, and what a sprint is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from riverstones.rules import HAND_SIZE, TILE_COUNT, Board, Hand, Held, Move, Play, Position, Variant, plays

GRADES: Final = range(1, 11)
"""From the easiest to the hardest."""

CLEAR_BY: Final = 3
"""The points by which the play of `most_points` and `two_kakuros` stands out."""
FLIP_GAINS: Final = 5
"""The points by which the flip of `flip` matters."""
PER_GAME: Final = 2
"""The most puzzles of one game."""

SPRINT_MOVES: Final = 4
"""The number of tiles placed in a sprint."""
SPRINT_DRAWS: Final = SPRINT_MOVES - 1
"""The number of tiles drawn during a sprint: one after each move but the last."""


class Kind(StrEnum):
    """What a puzzle asks for."""

    MOST_POINTS = "most_points"
    """The play with the most points; it is the only one, by three points or more."""
    FLIP = "flip"
    """The play with the most points, which flips a tile and scores five or more than any play without a flip."""
    TWO_KAKUROS = "two_kakuros"
    """The play with the most points, which makes two Kakuros; no play with fewer comes within three points."""
    THREE_KAKUROS = "three_kakuros"
    """The play with the most points, which makes three Kakuros or more."""
    LOOK_FURTHER = "look_further"
    """The play that is worth most all things considered, which is not one with the most points."""
    WIN = "win"
    """The only play that wins, with an empty bag and open hands."""
    SPOT_THE_ERROR = "spot_the_error"
    """A move and the points claimed for it: right or wrong?"""


@dataclass(frozen=True, slots=True)
class Scored:
    """A move with its points: those it scores, or those claimed for it."""

    move: Move
    points: int


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle. The solver sees the position; the rest is the solution."""

    id: str
    kind: Kind
    grade: int
    variant: Variant
    board: Board
    hand: Hand
    """One's own two tiles, ascending."""
    best: int
    """The points of `answer`. With `Kind.SPOT_THE_ERROR` what the claimed move really scores, 0 if it is not legal."""
    answer: Move
    """A right answer; with `Kind.SPOT_THE_ERROR` the claimed move."""
    answers: tuple[Move, ...] | None = None
    """Every right answer, `answer` first; None if every legal move that scores `best` is right."""
    next_best: Scored | None = None
    """The runner-up."""
    claim: Scored | None = None
    """With `Kind.SPOT_THE_ERROR`: the move and the points claimed for it."""
    others: Hand | None = None
    """With `Kind.WIN`: the opponent's tiles, ascending."""
    scores: tuple[int, int] | None = None
    """With `Kind.WIN`: one's own score and the opponent's."""
    game: int = 0
    """The number of the game that the position comes from."""

    @property
    def claim_is_right(self) -> bool:
        """Whether the claimed points are what the move scores."""
        return self.claim is not None and self.claim.points == self.best

    def position(self) -> Position:
        """The position with two seats, of which one's own, to move, is seat 0."""
        other = Held((), HAND_SIZE) if self.others is None else Held(self.others)
        return _position(self.board, self.hand, other, self.scores or (0, 0), self.variant)

    def right_plays(self) -> list[Play]:
        """Every right answer as a play, `answer` first; none with `Kind.SPOT_THE_ERROR`."""
        if self.claim is not None:
            return []
        legal = plays(self.board, self.hand, self.variant)
        if self.answers is None:
            right = [play for play in legal if play.points == self.best]
        else:
            right = [play for play in legal if play.move in self.answers]
        return sorted(right, key=lambda play: play.move != self.answer)


@dataclass(frozen=True, slots=True)
class Sprint:
    """A position in which one places four tiles alone, knowing which tiles are drawn, for the most points."""

    id: str
    variant: Variant
    board: Board
    hand: Hand
    tiles: Hand
    """The digits drawn after the first, second and third move."""
    optimum: int
    """The most points that four moves can score, proven by exhaustive search."""
    line: tuple[Move, ...]
    """Four moves that score the optimum."""
    game: int = 0

    def position(self) -> Position:
        """The position with two seats, of which one's own, to move, is seat 0; the tiles to draw are in the bag."""
        return _position(self.board, self.hand, Held((), HAND_SIZE), (0, 0), self.variant)


def stars(points: int, optimum: int) -> int:
    """The stars for a sprint: one from 50 % of the optimum, two from 75 %, three from 90 %, four (a gem) for 100 %."""
    return sum(100 * points >= share * optimum for share in (50, 75, 90, 100))


def hand_after(hand: Hand, move: Move, drawn: Hand) -> Hand:
    """The hand, ascending, after a tile of it was placed and these tiles were drawn."""
    left = list(hand)
    left.remove(move.tile.digit)
    return tuple(sorted((*left, *drawn)))


def _position(board: Board, hand: Hand, other: Held, scores: tuple[int, int], variant: Variant) -> Position:
    bag = TILE_COUNT - len(board) - 2 * HAND_SIZE
    return Position(board, 0, (Held(hand), other), scores, bag, variant)
