"""One game in compiled code, for tree search: play an action, copy the state and go back, each in microseconds.

    game = KernelGame(Setup(), deal(seed=7))
    before = game.snapshot()
    points = game.play(int(game.legal_actions()[0]))
    game.restore(before)

The array of a game holds the hidden tiles too. A fair search of a seat begins with `resample`, which replaces them by
any others that the seat could not tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from riverstones.rules import TILE_COUNT, Board, Deal, Game, Hand, Held, Move, Position, Setup

from . import actions
from .actions import ACTION_COUNT, IllegalAction
from .extras import needs

with needs("envs", "KernelGame"):
    import numpy as np
    from numpy.typing import NDArray

    from riverstones.engine.encoding import move_text, points_of
    from riverstones.engine.kernel import board_text

    from . import game_kernel, observation, vector_kernel
    from .game_kernel import DEAL, DRAWN, HANDS, MOST_ACTIONS, MOVES, NOTES, SCORES, TO_MOVE, GameArray
    from .observation import Observation

__all__ = ["KernelGame"]


class KernelGame:
    """A game that changes in place. `riverstones.rules.Game` is its slow and immutable equal."""

    def __init__(self, setup: Setup, deal: Deal) -> None:
        """Begin a game: lay the stones, deal every seat its tiles."""
        self._adopt(setup, game_kernel.begin_game(setup, deal))

    @classmethod
    def of(cls, game: Game) -> KernelGame:
        """The same game at the same moment. Scoring by claims is not possible here: moves score what they make."""
        return cls.from_array(game.setup, game_kernel.array_of(game))

    @classmethod
    def from_array(cls, setup: Setup, array: GameArray) -> KernelGame:
        """The game with this state, for example a snapshot; the array becomes the game's own."""
        made = cls.__new__(cls)
        made._adopt(setup, array)
        return made

    def _adopt(self, setup: Setup, array: GameArray) -> None:
        self.setup = setup
        self.array = array
        """The state; see `game_kernel`. Whoever changes it makes the game invalid."""
        self._saved = game_kernel.scratch()
        self._ids = np.zeros(MOST_ACTIONS, np.int64)

    def snapshot(self) -> GameArray:
        """A copy of the whole state, for `restore`. It is a NumPy array: it can be stored, pickled and compared."""
        return self.array.copy()

    def restore(self, snapshot: GameArray) -> None:
        """Go back (or forward) to a snapshot of a game with the same setup."""
        self.array[:] = snapshot

    def copy(self) -> KernelGame:
        """An independent game in the same state."""
        return KernelGame.from_array(self.setup, self.snapshot())

    @property
    def to_move(self) -> int:
        """The seat to move. Once the game is over, the seat that would be next."""
        return int(self.array[NOTES, TO_MOVE])

    @property
    def over(self) -> bool:
        """Whether the last tile has been placed."""
        return game_kernel.is_over(self.array)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat."""
        return tuple(self.array[NOTES, SCORES : SCORES + self.setup.seats].tolist())

    @property
    def moves_made(self) -> int:
        """The number of moves made, from 0 to 67."""
        return int(self.array[NOTES, MOVES])

    def hand(self, seat: int) -> Hand:
        """The digits that a seat holds, ascending."""
        return tuple(sorted(digit for digit in self.array[NOTES, self._slots(seat)].tolist() if digit))

    @property
    def board(self) -> Board:
        """The board."""
        return Board(board_text(self.array))

    @property
    def position(self) -> Position:
        """The position with full knowledge; `position.seen_by(seat)` is what a seat knows of it."""
        hands = tuple(Held(self.hand(seat)) for seat in range(self.setup.seats))
        bag = TILE_COUNT - int(self.array[NOTES, DRAWN])
        return Position(self.board, self.to_move, hands, self.scores, bag, self.setup.variant)

    def legal_actions(self) -> NDArray[np.int64]:
        """The ids of all legal actions of the seat to move, ascending; none when the game is over."""
        count = game_kernel.list_actions(self.array, self._ids)
        return self._ids[:count].copy()

    def points(self, action: int) -> int:
        """The points that a legal action would score; `IllegalAction` if it is not legal."""
        return points_of(self._play_of(action))

    def move(self, action: int) -> Move:
        """The move with this id; `IllegalAction` if it is not legal."""
        return Move.parse(move_text(self._play_of(action)))

    def play(self, action: int) -> int:
        """Play a legal action for the seat to move and return its points.

        An action that is not legal raises `IllegalAction` and changes nothing.
        """
        play = self._play_of(action)
        game_kernel.make(self.array, play, self._saved)
        return points_of(play)

    def _play_of(self, action: int) -> int:
        play: int = game_kernel.play_of(self.array, action)
        if play == 0:
            if self.over:
                raise IllegalAction("the game is over")
            actions.decode(self.position, action)
            raise AssertionError(f"the rules allow action {action}, the kernel does not")
        return play

    def observation(self, seat: int | None = None) -> Observation:
        """What a seat sees, as new arrays; by default the seat to move."""
        viewer = self.to_move if seat is None else seat
        if not 0 <= viewer < self.setup.seats:
            raise ValueError(f"no seat {viewer} in a game with {self.setup.seats} seats")
        numbers = np.zeros(observation.length(self.setup.seats), np.int16)
        vector_kernel.observe(self.array, viewer, numbers)
        mask = np.zeros(ACTION_COUNT, np.int8)
        if viewer == self.to_move:
            mask[self.legal_actions()] = 1
        return {"observation": numbers, "action_mask": mask}

    def resample(self, seat: int, rng: np.random.Generator) -> None:
        """Shuffle the tiles that a seat cannot see: those in the bag and in the other hands.

        Everything that the seat knows stays the same. All arrangements are equally likely; what the others' moves say
        about their hands is not taken into account.
        """
        flat = self.array.reshape(-1)
        hidden = np.fromiter(self._hidden(seat), np.int64)
        flat[hidden] = rng.permutation(flat[hidden])

    def _hidden(self, seat: int) -> Iterator[int]:
        """Where in the array the tiles are that a seat cannot see."""
        columns = self.array.shape[1]
        for other in range(self.setup.seats):
            if other != seat:
                slots = range(*self._slots(other).indices(columns))
                yield from (NOTES * columns + slot for slot in slots if self.array[NOTES, slot])
        yield from range(DEAL * columns + int(self.array[NOTES, DRAWN]), DEAL * columns + TILE_COUNT)

    @staticmethod
    def _slots(seat: int) -> slice:
        return slice(HANDS + 2 * seat, HANDS + 2 * seat + 2)
