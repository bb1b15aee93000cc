"""A dataset of games that bots played: what is in its folder, and how to read it.

A dataset is a folder with `dataset.json`, which says how it was made (`Plan`), and files of games, `games-00000.npy`,
`games-00001.npy` and so on, each with `shard` games (the last may have fewer). They are NumPy arrays with a row of
fixed size for each game:

| field | type | contents |
|---|---|---|
| `number` | `uint32` | the number of the game, from 0 |
| `levels` | `uint8[seats]` | the level of each seat, as its index in the levels of the plan |
| `deal` | `uint8[72]` | the digits of the tiles in the order in which they are drawn |
| `actions` | `uint16[67]` | the moves, as ids of `riverstones.envs.actions` |
| `points` | `uint16[67]` | the points of each move |
| `scores` | `uint16[seats]` | the final scores |

Seat 0 moves first. `make_dataset` writes such folders; `check` verifies them.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from riverstones.notation import Player, Record, record_of
from riverstones.rules import TILE_COUNT, Deal, Game, Position, Setup

from . import options
from .actions import ACTION_SPACE_VERSION, decode
from .extras import needs

with needs("envs", "The dataset reader"):
    import numpy as np
    from numpy.typing import NDArray

    from .dataset_kernel import check_games
    from .game_kernel import GAME_MOVES

__all__ = [
    "DATASET_VERSION",
    "DatasetError",
    "Plan",
    "check",
    "checksum",
    "read",
    "read_plan",
    "record",
    "replay",
    "shard_path",
]

DATASET_VERSION: Final = 1
"""Changes whenever a field gets another meaning."""
DESCRIPTION: Final = "dataset.json"


class DatasetError(ValueError):
    """A folder that is no dataset, or another one than expected; the message says why."""


@dataclass(frozen=True)
class Plan:
    """What determines a dataset: the same plan gives the same games with the same version of the bots."""

    levels: tuple[str, ...]
    """A level for each seat of game 0; in game n they have moved on by n seats."""
    games: int = 100_000
    seed: int = 0
    variant: str = "standard"
    layout: str = "sides"
    shard: int = 100
    """The number of games in a file."""

    def __post_init__(self) -> None:
        options.setup_of(len(self.levels), self.variant, self.layout)
        if self.games < 1 or self.shard < 1:
            raise ValueError("a dataset has one game or more, and so has each of its files")

    @property
    def setup(self) -> Setup:
        """The setup of every game."""
        return options.setup_of(len(self.levels), self.variant, self.layout)

    @property
    def shards(self) -> int:
        """The number of files of games."""
        return -(-self.games // self.shard)

    def numbers(self, shard: int) -> range:
        """The numbers of the games in a file."""
        return range(shard * self.shard, min((shard + 1) * self.shard, self.games))

    def seating(self, number: int) -> tuple[int, ...]:
        """The level of each seat in a game, as its index in `levels`."""
        seats = len(self.levels)
        return tuple((seat + number) % seats for seat in range(seats))

    @property
    def row_type(self) -> np.dtype[Any]:
        """The type of a row."""
        seats = len(self.levels)
        return np.dtype(
            [
                ("number", "<u4"),
                ("levels", "u1", (seats,)),
                ("deal", "u1", (TILE_COUNT,)),
                ("actions", "<u2", (GAME_MOVES,)),
                ("points", "<u2", (GAME_MOVES,)),
                ("scores", "<u2", (seats,)),
            ]
        )

    def to_json(self) -> str:
        """The content of `dataset.json`."""
        versions = {"dataset_version": DATASET_VERSION, "action_space_version": ACTION_SPACE_VERSION}
        return json.dumps({**versions, **asdict(self)}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read what `to_json` wrote; `DatasetError` if it is something else."""
        try:
            found = json.loads(text)
            versions = found.pop("dataset_version"), found.pop("action_space_version")
            plan = cls(**{**found, "levels": tuple(found["levels"])})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DatasetError(f"{DESCRIPTION} does not describe a dataset: {error}") from None
        if versions != (DATASET_VERSION, ACTION_SPACE_VERSION):
            raise DatasetError(f"{DESCRIPTION} has other versions than this program: {versions}")
        return plan


def shard_path(folder: Path, shard: int) -> Path:
    """The file of games with this number."""
    return folder / f"games-{shard:05}.npy"


def read_plan(folder: Path) -> Plan:
    """The plan of a dataset; `DatasetError` if the folder is none."""
    try:
        text = (folder / DESCRIPTION).read_text(encoding="utf-8")
    except OSError as error:
        raise DatasetError(f"there is no dataset in {folder}: {error.strerror}") from None
    return Plan.from_json(text)


def read(folder: Path) -> tuple[Plan, NDArray[Any]]:
    """The plan of a dataset, and the rows of the games that it has so far, by number."""
    plan = read_plan(folder)
    paths = [shard_path(folder, shard) for shard in range(plan.shards)]
    rows = [np.load(path) for path in paths if path.exists()]
    if any(part.dtype != plan.row_type for part in rows):
        raise DatasetError("a file of games does not fit the description")
    return plan, np.concatenate([np.zeros(0, plan.row_type), *rows])


def check(plan: Plan, rows: NDArray[Any]) -> None:
    """Check every row, in compiled code; `DatasetError` names the first game that is wrong.

    A right one has the deal and the levels that the plan gives its number, its moves are legal, and they make its
    points and scores.
    """
    if rows.dtype != plan.row_type:
        raise DatasetError("the rows do not fit the plan")
    fields = (np.ascontiguousarray(rows[name]) for name in ("deal", "actions", "points", "scores"))
    right = check_games(plan.seed, np.ascontiguousarray(rows["number"]), plan.setup, *fields)
    right &= rows["number"] < plan.games
    right &= np.append(True, rows["number"][1:] > rows["number"][:-1])[: len(rows)]
    seats = np.arange(len(plan.levels))
    right &= (rows["levels"] == (seats + rows["number"][:, None]) % len(plan.levels)).all(axis=1)
    if not right.all():
        raise DatasetError(f"game {rows['number'][~right][0]} is wrong")


def checksum(rows: NDArray[Any]) -> str:
    """The SHA-256 of the rows, in hexadecimal digits: equal for equal games, however they are spread over files."""
    return hashlib.sha256(rows.tobytes()).hexdigest()


def replay(plan: Plan, row: NDArray[Any] | np.void) -> Game:
    """The finished game of a row, played again by the rules, which check every move."""
    game = Game.begin(plan.setup, Deal(tuple(row["deal"].tolist())))
    for action in row["actions"].tolist():
        game = game.play(decode(Position.of(game), action))
    points = [turn.points for turn in game.turns]
    if points != row["points"].tolist() or list(game.scores) != row["scores"].tolist():
        raise DatasetError(f"game {row['number']} has other points or scores than its moves make")
    return game


def record(plan: Plan, row: NDArray[Any] | np.void) -> Record:
    """The record of a row; `riverstones.notation.write_record` makes a `.river` file of it."""
    players = tuple(Player(bot=plan.levels[index]) for index in row["levels"].tolist())
    return record_of(replay(plan, row), players=players)
