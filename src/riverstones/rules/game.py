"""A whole game: its setup, its deal and its moves. There is no other state, and no randomness."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .board import Board
from .deal import Deal
from .errors import Code, Malformed, Reason, Refused
from .generate import Play, plays
from .moves import Move
from .scoring import flips_refusal, kakuros_made, placement_refusal, refusal
from .setup import HAND_SIZE, Scoring, Setup
from .tiles import TILE_COUNT

Hand = tuple[int, ...]
"""The digits that a seat holds, ascending."""

HIGHEST_CLAIM = 999


@dataclass(frozen=True, slots=True)
class Objection:
    """An opponent's objection to a claimed move."""

    seat: int
    upheld: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it was played."""

    seat: int
    hand: Hand | None
    """The hand before the move; None in a view that must not show it."""
    move: Move
    points: int
    """The points that were finally scored: 0 after an upheld objection."""
    claim: int | None = None
    """The claimed points; None with automatic scoring."""
    timed_out: bool = False
    """Whether the clock made the move because time ran out."""
    objections: tuple[Objection, ...] = ()

    @property
    def upheld(self) -> bool:
        """Whether an objection was upheld, which cancels the points and the flips."""
        return any(objection.upheld for objection in self.objections)

    @property
    def standing(self) -> Move:
        """The move as it remains on the board: without its flips if an objection was upheld."""
        return replace(self.move, flips=()) if self.upheld else self.move

    def board_before(self, after: Board) -> Board:
        """The board on which this turn was played, given the board right after it."""
        return self.standing.off(after)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    """The seats with the most points; a tie shares the win."""

    @classmethod
    def of(cls, scores: tuple[int, ...], resigned: Collection[int] = ()) -> Outcome:
        """The outcome for these final scores. Seats that resigned cannot win; at least one must not have resigned."""
        staying = {seat: score for seat, score in enumerate(scores) if seat not in resigned}
        best = max(staying.values())
        return cls(scores, tuple(seat for seat, score in staying.items() if score == best))


def objection_refusal(scoring: Scoring, turns: Sequence[Turn], seat: int) -> Reason | None:
    """Why a seat may not object to the last of these turns, or None if it may.

    Only public facts decide this, so views use it too.
    """
    if scoring is not Scoring.CLAIMS or not turns:
        return Reason.of(Code.NOTHING_TO_OBJECT_TO)
    last = turns[-1]
    if seat == last.seat:
        return Reason.of(Code.OWN_MOVE)
    if last.upheld:
        return Reason.of(Code.ALREADY_UPHELD)
    if any(objection.seat == seat for objection in last.objections):
        return Reason.of(Code.ALREADY_OBJECTED)
    return None


class Track(NamedTuple):
    """A score as the track shows it: the pawn's space and the number of hundred tiles beside it."""

    space: int
    hundreds: int


def track(score: int) -> Track:
    """The pawn's space and the number of hundred tiles for this score."""
    return Track(score % 100, score // 100)


@dataclass(frozen=True, slots=True)
class Game:
    """The complete, immutable state of a game; `play` and `object` return the next state."""

    setup: Setup
    deal: Deal
    board: Board
    hands: tuple[Hand, ...]
    drawn: int
    """The number of tiles drawn from the bag so far, stones included."""
    scores: tuple[int, ...]
    to_move: int
    """The seat to move. Once the game is over, the seat that would be next."""
    turns: tuple[Turn, ...] = ()

    @classmethod
    def begin(cls, setup: Setup, deal: Deal) -> Game:
        """Lay the stones and deal every seat its tiles, beginning with the first seat."""
        board = setup.layout.board(deal.digits)
        drawn = len(board)
        hands: list[Hand] = []
        for _ in range(setup.seats):
            hands.append(tuple(sorted(deal.digits[drawn : drawn + HAND_SIZE])))
            drawn += HAND_SIZE
        return cls(setup, deal, board, tuple(hands), drawn, (0,) * setup.seats, setup.start)

    @property
    def hand(self) -> Hand:
        """The hand of the seat to move."""
        return self.hands[self.to_move]

    @property
    def bag(self) -> int:
        """The number of tiles left in the bag."""
        return TILE_COUNT - self.drawn

    @property
    def over(self) -> bool:
        """Whether the last tile has been placed."""
        return not any(self.hands)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return Outcome.of(self.scores) if self.over else None

    def plays(self) -> list[Play]:
        """Every legal play of the seat to move, best first."""
        return plays(self.board, self.hand, self.setup.variant)

    def play(self, move: Move, *, claim: int | None = None, timed_out: bool = False) -> Game:
        """Play a move for the seat to move; raises `Refused` if it is not allowed.

        With scoring by claims, `claim` is the number of points the player declares. Illegal flips are accepted then: it
        is up to the opponents to object.
        """
        reason = self._refusal(move, claim)
        if reason is not None:
            raise Refused(reason.code, **dict(reason.params))
        points = _points(self.board, move) if claim is None else claim
        return self._after(Turn(self.to_move, self.hand, move, points, claim, timed_out))

    def object(self, seat: int) -> Game:
        """Object to the last move; raises `Refused` if the seat may not, `Malformed` if there is no such seat.

        The objection is upheld if the claim is not what the move scores, or if a flip is illegal. Then the points are
        lost and the flips are undone, while the placed tile stays. Otherwise nothing changes.
        """
        if not 0 <= seat < self.setup.seats:
            raise Malformed("seat_number", seat=seat, seats=self.setup.seats)
        reason = self.objection_refusal(seat)
        if reason is not None:
            raise Refused(reason.code)
        last = self.turns[-1]
        upheld = not self._claim_is_right(last)
        objections = (*last.objections, Objection(seat, upheld))
        if not upheld:
            return replace(self, turns=(*self.turns[:-1], replace(last, objections=objections)))
        return replace(
            self,
            board=self.board.flip(last.move.flips),
            scores=_with_points(self.scores, last.seat, -last.points),
            turns=(*self.turns[:-1], replace(last, points=0, objections=objections)),
        )

    def objection_refusal(self, seat: int) -> Reason | None:
        """Why a seat may not object to the last move, or None if it may."""
        return objection_refusal(self.setup.scoring, self.turns, seat)

    def _repr_svg_(self) -> str:
        from riverstones import svg  # drawn for notebooks only

        return svg.game(self)

    def _refusal(self, move: Move, claim: int | None) -> Reason | None:
        """Why the seat to move may not play this, or None if it may."""
        if self.over:
            return Reason.of(Code.GAME_OVER)
        if move.tile.digit not in self.hand:
            return Reason.of(Code.TILE_NOT_IN_HAND, digit=move.tile.digit)
        if self.setup.scoring is Scoring.AUTOMATIC:
            if claim is not None:
                return Reason.of(Code.CLAIM_UNWANTED)
            return refusal(self.board, move, self.setup.variant)
        if claim is None:
            return Reason.of(Code.CLAIM_MISSING)
        if not 0 <= claim <= HIGHEST_CLAIM:
            return Reason.of(Code.CLAIM_OUT_OF_RANGE, highest=HIGHEST_CLAIM)
        return placement_refusal(self.board, move.square) or flips_refusal(self.board, move)

    def _claim_is_right(self, turn: Turn) -> bool:
        before = self.board_before_last()
        legal = refusal(before, turn.move, self.setup.variant) is None
        return legal and turn.claim == _points(before, turn.move)

    def board_before_last(self) -> Board:
        """The board on which the last move was made."""
        return self.turns[-1].board_before(self.board)

    def _after(self, turn: Turn) -> Game:
        hand = list(self.hand)
        hand.remove(turn.move.tile.digit)
        fresh = self.deal.digits[self.drawn : self.drawn + HAND_SIZE - len(hand)]
        hands = list(self.hands)
        hands[self.to_move] = tuple(sorted((*hand, *fresh)))
        return Game(
            self.setup,
            self.deal,
            turn.move.on(self.board),
            tuple(hands),
            self.drawn + len(fresh),
            _with_points(self.scores, turn.seat, turn.points),
            (self.to_move + 1) % self.setup.seats,
            (*self.turns, turn),
        )


def _points(board: Board, move: Move) -> int:
    return sum(kakuro.sum for kakuro in kakuros_made(board, move))


def _with_points(scores: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
    return (*scores[:seat], scores[seat] + points, *scores[seat + 1 :])
