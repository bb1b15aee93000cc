"""Views: what one seat may know, and all that bots, players and spectators ever receive."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .board import Board
from .game import Game, Hand, Outcome, Turn, objection_refusal
from .position import Position
from .setup import Setup


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat, or a spectator, sees it.

    It holds the board, the scores, the tile counts, the seat's own hand and the moves so far. It does not contain the
    other hands, the order of the bag or the seed in any form: two games that differ only in those have equal views.
    """

    seat: int | None
    """The seat whose view this is; None for a spectator."""
    setup: Setup
    position: Position
    """The position with the other hands unknown."""
    turns: tuple[Turn, ...]
    """The turns so far; only the seat's own include the hand."""
    over: bool

    @property
    def hand(self) -> Hand:
        """The seat's own tiles; empty for a spectator."""
        return () if self.seat is None else self.position.hands[self.seat].known

    @property
    def is_my_turn(self) -> bool:
        """Whether it is this seat's turn."""
        return not self.over and self.position.to_move == self.seat

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return Outcome.of(self.position.scores) if self.over else None

    @property
    def may_object(self) -> bool:
        """Whether this seat may object to the last move."""
        return self.seat is not None and objection_refusal(self.setup.scoring, self.turns, self.seat) is None

    def board_before_last(self) -> Board:
        """The board on which the last move was made."""
        return self.turns[-1].board_before(self.position.board)

    def _repr_svg_(self) -> str:
        from riverstones import svg  # drawn for notebooks only

        return svg.game(self)


def view(game: Game, seat: int | None) -> View:
    """The game as this seat sees it; None is a spectator."""
    if seat is not None and not 0 <= seat < game.setup.seats:
        raise ValueError(f"no seat {seat} in a game with {game.setup.seats} seats")
    turns = tuple(turn if turn.seat == seat else replace(turn, hand=None) for turn in game.turns)
    return View(seat, game.setup, Position.of(game).seen_by(seat), turns, game.over)
