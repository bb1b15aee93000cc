"""A game whose tiles are drawn one by one, each when it is needed: for searches that treat a draw as a move of chance.

Nothing hidden is decided in advance. First the stones are drawn, then the hands, seat by seat; later one tile after
each move while the bag lasts. `Terms` say what is played: the whole game, or a miniature whose complete tree can be
searched.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverstones.engine.encoding import POINTS_SHIFT, RED, move_text
from riverstones.engine.kernel import SAVED_SHAPE, board_text
from riverstones.rules import COPIES, DIGITS, HAND_SIZE, Board, Setup, Square, Variant

from . import game_kernel, vector_kernel
from .actions import ACTION_COUNT, DIGIT_STRIDE, FLIPS_START, LINE_STRIDE, SIDE_STRIDE, TRIPLES, IllegalAction
from .game_kernel import HANDS, NOTES, OFF_BOARD, SCORES, SEATS, TO_MOVE
from .observation import BAG, length


@dataclass(frozen=True)
class Terms:
    """What is played: the setup, the tiles, and where they may be placed."""

    setup: Setup
    stones: tuple[Square, ...]
    """The squares of the stones: the first is a total, the others are addends."""
    fixed: tuple[int, ...]
    """The digits of the first stones, which are not drawn; empty if all are."""
    tiles: tuple[int, ...]
    """The number of tiles of each digit 1-9 that are drawn."""
    hand_size: int = HAND_SIZE
    squares: frozenset[Square] | None = None
    """The squares of the board; None for all 81."""

    @property
    def moves(self) -> int:
        """The number of moves in a game."""
        return sum(self.tiles) - (len(self.stones) - len(self.fixed))


def whole_game(setup: Setup) -> Terms:
    """The whole game: 72 tiles, 67 moves."""
    return Terms(setup, setup.layout.stones, (), (COPIES,) * len(DIGITS))


def miniature(variant: Variant) -> Terms:
    """Two seats on 3 x 3 squares, d4 to f6, of which only the corners are free; two 1s and two 3s are drawn.

    Each seat holds one tile and draws another after its first move, so that there are four moves. The stones are fixed:
    3 | 2 + 1 can be made in the rows d4-f4 and d6-f6, and 1 | 8 + 3 in the columns d4-d6 and f4-f6.
    """
    stones = tuple(Square.parse(name) for name in ("e5", "e4", "d5", "f5", "e6"))
    squares = frozenset(Square.parse(column + row) for column in "def" for row in "456")
    return Terms(Setup(2, variant), stones, (4, 2, 8, 8, 2), (2, 0, 2, 0, 0, 0, 0, 0, 0), 1, squares)


def allowed_ids(squares: frozenset[Square]) -> NDArray[np.bool_]:
    """Whether each id places its tile on one of these squares."""
    allowed = np.zeros(ACTION_COUNT, np.bool_)
    for action in range(ACTION_COUNT):
        if action < FLIPS_START:
            square = action % DIGIT_STRIDE % SIDE_STRIDE
        else:
            line, triple = divmod(action - FLIPS_START, LINE_STRIDE)
            placed = TRIPLES[triple][1]
            square = 9 * line + placed if line < 9 else 9 * placed + line - 9
        allowed[action] = square in squares
    return allowed


@dataclass(frozen=True)
class Draw:
    """A tile drawn for a hand, or for a stone if the seat is None."""

    seat: int | None
    digit: int


@dataclass(frozen=True)
class Made:
    """A move: its id, and its text, which is the same for everybody."""

    seat: int
    action: int
    text: str


class DrawnGame:
    """A game in progress; `draw` and `play` change it. Copies are cheap."""

    def __init__(self, terms: Terms, allowed: NDArray[np.bool_] | None = None) -> None:
        self.terms = terms
        self._allowed = allowed if allowed is not None or terms.squares is None else allowed_ids(terms.squares)
        self.left = [0, *terms.tiles]
        """The number of tiles of each digit that have not been drawn."""
        self.events: list[Draw | Made] = []
        self.gained = [0] * terms.setup.seats
        """The points of the last move, for the seat that made it."""
        self.moves_made = 0
        self.stones = list(terms.fixed)
        seats = range(terms.setup.seats)
        self._to_fill: list[tuple[int | None, int]] = [
            *[(None, 0)] * (len(terms.stones) - len(terms.fixed)),
            *((seat, slot) for seat in seats for slot in range(terms.hand_size)),
        ]
        self._array = game_kernel.new_game()
        self._array[NOTES, SEATS] = terms.setup.seats
        self._set_board()

    def copy(self) -> DrawnGame:
        """An independent game in the same state."""
        twin = DrawnGame.__new__(DrawnGame)
        twin.terms, twin._allowed, twin.moves_made = self.terms, self._allowed, self.moves_made
        twin.left, twin.events, twin.gained = self.left.copy(), self.events.copy(), self.gained.copy()
        twin.stones, twin._to_fill = self.stones.copy(), self._to_fill.copy()
        twin._array = self._array.copy()
        return twin

    def __deepcopy__(self, memo: object) -> DrawnGame:
        return self.copy()

    # What is so ------------------------------------------------------------------------------------------------------

    @property
    def draws_next(self) -> bool:
        """Whether a tile has to be drawn before anything else."""
        return bool(self._to_fill)

    @property
    def over(self) -> bool:
        """Whether the last tile has been placed."""
        return self.moves_made == self.terms.moves

    @property
    def to_move(self) -> int:
        """The seat to move, after the draw if one is due."""
        return int(self._array[NOTES, TO_MOVE])

    @property
    def scores(self) -> list[int]:
        """The points of each seat."""
        scores: list[int] = self._array[NOTES, SCORES : SCORES + self.terms.setup.seats].tolist()
        return scores

    @property
    def board(self) -> Board:
        """The board."""
        return Board(board_text(self._array))

    def hand(self, seat: int) -> list[int]:
        """The digits that a seat holds, ascending."""
        slots = self._array[NOTES, HANDS + 2 * seat : HANDS + 2 * seat + 2]
        return sorted(digit for digit in slots.tolist() if digit)

    def numbers(self, viewer: int) -> NDArray[np.int16]:
        """What a seat sees, as the array `observation` of `riverstones.envs.observation`."""
        seen = np.zeros(length(self.terms.setup.seats), np.int16)
        vector_kernel.observe(self._array, viewer, seen)
        seen[BAG] = sum(self.left)
        if self.over:
            seen[-self.terms.setup.seats :] = 0
        return seen

    # What happens ----------------------------------------------------------------------------------------------------

    def draws(self) -> list[tuple[int, float]]:
        """Each digit that may be drawn next, with its probability."""
        total = sum(self.left)
        return [(digit, count / total) for digit, count in enumerate(self.left) if count]

    def draw(self, digit: int) -> None:
        """Draw a tile with this digit for the stone or the hand that waits for one."""
        if not self._to_fill or not self.left[digit]:
            raise ValueError(f"no {digit} can be drawn now")
        seat, slot = self._to_fill.pop(0)
        self.left[digit] -= 1
        self.events.append(Draw(seat, digit))
        if seat is None:
            self.stones.append(digit)
            self._set_board()
        else:
            self._array[NOTES, HANDS + 2 * seat + slot] = digit

    def legal_actions(self) -> list[int]:
        """The ids of the legal moves of the seat to move, ascending; none while a tile has to be drawn."""
        if self.draws_next or self.over:
            return []
        found = np.empty(game_kernel.MOST_ACTIONS, np.int64)
        ids = found[: game_kernel.list_actions(self._array, found)]
        legal: list[int] = (ids if self._allowed is None else ids[self._allowed[ids]]).tolist()
        return legal

    def text(self, action: int) -> str:
        """The move with this id as text; `IllegalAction` if it is not legal."""
        return move_text(self._play_of(action))

    def play(self, action: int) -> int:
        """Make the move with this id and return its points; `IllegalAction` if it is not legal."""
        play = self._play_of(action)
        seat = self.to_move
        self.events.append(Made(seat, action, move_text(play)))
        game_kernel.make(self._array, play, np.empty(SAVED_SHAPE, np.int32))
        self.moves_made += 1
        points = -(play >> POINTS_SHIFT)
        self.gained = [0] * self.terms.setup.seats
        self.gained[seat] = points
        if any(self.left):
            placed_second = self._array[NOTES, HANDS + 2 * seat] != 0
            self._to_fill.append((seat, int(placed_second)))
        return points

    def _play_of(self, action: int) -> int:
        play = 0
        possible = 0 <= action < ACTION_COUNT and not self.draws_next and not self.over
        if possible and (self._allowed is None or self._allowed[action]):
            play = game_kernel.play_of(self._array, action)
        if play == 0:
            raise IllegalAction(f"action {action} is not legal now")
        return play

    def _set_board(self) -> None:
        """Lay the stones that are known."""
        board = np.zeros(81, np.uint8)
        for number, (square, digit) in enumerate(zip(self.terms.stones, self.stones, strict=False)):
            board[square] = digit if number else digit + RED
        game_kernel.set_board(self._array, board, self.terms.setup.variant is Variant.EXPERT)
        # The kernel counts eight tiles of each digit; a miniature has fewer.
        self._array[NOTES, OFF_BOARD : OFF_BOARD + 10] = self.left


def resampled(game: DrawnGame, seat: int, rng: np.random.Generator) -> list[int]:
    """The history of a game that a seat cannot tell from this one, as OpenSpiel counts it: ids, and digits less one.

    The tiles in the other hands are exchanged for tiles drawn at random from all that the seat cannot see. Every past
    move stays possible, because only tiles change that are still held.
    """
    held = _held_draws(game)
    others = [index for owner, draws in held.items() if owner != seat for index in draws]
    unseen = [digit for digit, count in enumerate(game.left) for _ in range(count)]
    unseen += [event.digit for event in (game.events[index] for index in others) if isinstance(event, Draw)]
    chosen = dict(zip(others, rng.permutation(unseen).tolist(), strict=False))
    return [
        event.action if isinstance(event, Made) else chosen.get(index, event.digit) - 1
        for index, event in enumerate(game.events)
    ]


def _held_draws(game: DrawnGame) -> dict[int, list[int]]:
    """For each seat the events in which the tiles that it holds were drawn."""
    held: dict[int, list[int]] = {seat: [] for seat in range(game.terms.setup.seats)}
    digits: dict[int, int] = {}
    for index, event in enumerate(game.events):
        if isinstance(event, Made):
            placed = int(event.text[3])
            draws = held[event.seat]
            draws.remove(next(draw for draw in draws if digits[draw] == placed))
        elif event.seat is not None:
            digits[index] = event.digit
            held[event.seat].append(index)
    return held
