"""The observation: what one seat sees, as two arrays, in the same form in every environment.

An observation is a dictionary. `"observation"` is `int16[100 + 3 * players]`, in this order:

| part | length | contents |
|---|---|---|
| `board` | 81 | the squares in reading order: 0 empty, 1 to 9 a yellow tile (an addend), -1 to -9 a red one (a total) |
| `hand` | 9 | the number of tiles of each digit 1-9 in the viewer's hand: 0, 1 or 2 |
| `unseen` | 9 | the number of tiles of each digit 1-9 that are in the bag or in the other hands: 0 to 8 |
| `bag` | 1 | the number of tiles in the bag: 0 to 72 |
| `hand_sizes` | players | the number of tiles in each hand: 0, 1 or 2 |
| `scores` | players | the points of each seat |
| `to_move` | players | 1 for the seat to move, otherwise 0; all 0 when the game is over |

Parts that go by seat begin with the viewer and go on in the order of play: the viewer is always number 0, the seat
after it number 1. `parts` gives the parts by name.

`"action_mask"` is `int8[3978]`: 1 for each legal action of the viewer, as in `actions`; all 0 when it is not the
viewer's turn.

Both depend on the viewer's `rules.View` alone. `observe` is the definition; faster code is tested against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from riverstones.rules import DIGITS, HAND_SIZE, SQUARES, TILE_COUNT, View
from riverstones.rules.squares import SIZE
from riverstones.rules.tiles import ADDENDS, COPIES, EMPTY, TOTALS

from . import actions
from .extras import needs

with needs("envs", "The observation"):
    import numpy as np
    from numpy.typing import NDArray

if TYPE_CHECKING:
    from gymnasium import spaces

__all__ = ["OBSERVATION_VERSION", "Observation", "bounds", "length", "observe", "parts", "space"]

OBSERVATION_VERSION: Final = 1
"""Changes whenever a number of the observation gets another meaning."""

BOARD: Final = slice(0, 81)
HAND: Final = slice(81, 90)
UNSEEN: Final = slice(90, 99)
BAG: Final = 99
SEATS_START: Final = 100
"""Where the parts that go by seat begin: sizes of hands, scores, seat to move."""

HIGHEST_SCORE: Final = 32767
"""The upper bound of scores, which none reaches: a move scores at most 10 Kakuros of at most 44 points."""

_CELL_VALUES: Final = {
    EMPTY: 0,
    **{char: digit for digit, char in enumerate(ADDENDS, 1)},
    **{char: -digit for digit, char in enumerate(TOTALS, 1)},
}


Observation = dict[str, NDArray[Any]]
"""What one seat sees: the arrays `observation` and `action_mask`."""


def length(players: int) -> int:
    """The number of numbers in the array `observation`."""
    return SEATS_START + 3 * players


def bounds(players: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The lowest and the highest value of each number of `observation`."""
    low, high = np.zeros((2, length(players)), np.int16)
    low[BOARD], high[BOARD] = -max(DIGITS), max(DIGITS)
    high[HAND] = HAND_SIZE
    high[UNSEEN] = COPIES
    high[BAG] = TILE_COUNT
    sizes, scores, to_move = np.split(high[SEATS_START:], 3)
    sizes[:], scores[:], to_move[:] = HAND_SIZE, HIGHEST_SCORE, 1
    return low, high


def space(players: int) -> spaces.Dict:
    """A new Gymnasium space of these observations."""
    from gymnasium import spaces

    low, high = bounds(players)
    mask = spaces.Box(0, 1, (actions.ACTION_COUNT,), np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int16), "action_mask": mask})


def parts(observation: NDArray[np.int16]) -> dict[str, NDArray[np.int16]]:
    """The parts of `observation` by name, as views of it; `board` becomes 9 x 9.

    `observation` may have more axes in front, as in a vector of games.
    """
    players = (observation.shape[-1] - SEATS_START) // 3
    sizes, scores, to_move = (
        observation[..., SEATS_START + number * players : SEATS_START + (number + 1) * players] for number in range(3)
    )
    return {
        "board": observation[..., BOARD].reshape(*observation.shape[:-1], SIZE, SIZE),
        "hand": observation[..., HAND],
        "unseen": observation[..., UNSEEN],
        "bag": observation[..., BAG : BAG + 1],
        "hand_sizes": sizes,
        "scores": scores,
        "to_move": to_move,
    }


def observe(seen: View) -> Observation:
    """The observation of a seat, as new arrays. `ValueError` for the view of a spectator."""
    if seen.seat is None:
        raise ValueError("only a seat has an observation, not a spectator")
    position, players = seen.position, seen.setup.seats
    order = [(seen.seat + number) % players for number in range(players)]
    numbers = [_CELL_VALUES[position.board.cells[square]] for square in SQUARES]
    numbers += [seen.hand.count(digit) for digit in DIGITS]
    numbers += position.unseen
    numbers.append(position.bag)
    numbers += [len(position.hands[seat]) for seat in order]
    numbers += [position.scores[seat] for seat in order]
    numbers += [not seen.over and seat == position.to_move for seat in order]
    legal = actions.mask(position) if seen.is_my_turn else np.zeros(actions.ACTION_COUNT, np.int8)
    return {"observation": np.array(numbers, np.int16), "action_mask": legal}
