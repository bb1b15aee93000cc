"""Errors as data: a code with parameters, which the catalogues turn into a sentence.

There are two kinds. Text that cannot be parsed, or a value out of range, raises `Malformed`. A move that is well formed
but not allowed raises `Refused`, which carries the `Reason`. Both are `ValueError`s.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """Every reason to refuse a move, and every reason why a series is not a Kakuro."""

    # Placing a tile.
    SQUARE_TAKEN = "square_taken"
    NOT_ADJACENT = "not_adjacent"
    TILE_NOT_IN_HAND = "tile_not_in_hand"
    GAME_OVER = "game_over"

    # Flipping tiles.
    FLIP_EMPTY = "flip_empty"
    FLIP_PLACED = "flip_placed"
    TOO_MANY_FLIPS = "too_many_flips"
    NO_SHARED_LINE = "no_shared_line"
    GAP = "gap"
    TWO_TOTALS = "two_totals"
    NO_TOTAL = "no_total"
    TOTAL_FOLLOWS = "total_follows"
    STOPPED_BY_FLIPPED = "stopped_by_flipped"
    STOPPED_BY_TOTAL = "stopped_by_total"

    # Why a series is not a Kakuro.
    ONE_ADDEND = "one_addend"
    REPEATED_ADDEND = "repeated_addend"
    WRONG_SUM = "wrong_sum"

    # Scoring by claims.
    CLAIM_MISSING = "claim_missing"
    CLAIM_UNWANTED = "claim_unwanted"
    CLAIM_OUT_OF_RANGE = "claim_out_of_range"
    NOTHING_TO_OBJECT_TO = "nothing_to_object_to"
    OWN_MOVE = "own_move"
    ALREADY_OBJECTED = "already_objected"
    ALREADY_UPHELD = "already_upheld"


@dataclass(frozen=True, slots=True)
class Reason:
    """A code with its parameters: `Reason.of(Code.WRONG_SUM, sum=8, total=5)`."""

    code: Code
    params: tuple[tuple[str, int | str], ...] = ()

    @classmethod
    def of(cls, code: Code, **params: object) -> Reason:
        """Make a reason. Numbers stay numbers, everything else is converted to text."""
        return cls(code, tuple((name, v if type(v) is int else str(v)) for name, v in params.items()))

    def __getitem__(self, name: str) -> int | str:
        return dict(self.params)[name]

    def __str__(self) -> str:
        if not self.params:
            return str(self.code)
        return f"{self.code} ({', '.join(f'{name} {value}' for name, value in self.params)})"


class Refused(ValueError):
    """A move or an objection that the rules do not allow; `reason` says why."""

    def __init__(self, code: Code, **params: object) -> None:
        self.reason = Reason.of(code, **params)
        super().__init__(str(self.reason))


class Malformed(ValueError):
    """Invalid input: `code` says what was expected, `params` what was found."""

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = params
        details = ", ".join(f"{name} {value!r}" for name, value in params.items())
        super().__init__(f"{code}: {details}" if details else code)
