"""The options that all environments share, given as plain numbers and names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from riverstones.rules import SEAT_COUNTS, Layout, Setup, Variant

REWARDS: Final = ("points", "margin", "win")
"""What agents are rewarded with.

`points`: their own points. `margin`: their points minus the mean of the other seats' points, so that all rewards add up
to 0. `win`: at the end, equal shares of 1 for the seats with the most points.
"""
ILLEGAL_REWARD: Final = -1.0
"""The reward of an illegal action, unless an environment is told otherwise."""


def setup_of(players: int = 2, variant: str = "standard", layout: str = "sides") -> Setup:
    """The setup of a game with automatic scoring in which the first seat starts; `ValueError` says what is wrong."""
    if players not in SEAT_COUNTS:
        raise ValueError(f"players must be one of 2, 3 and 4, not {players!r}")
    variant = one_of("variant", variant, (known.value for known in Variant))
    layout = one_of("layout", layout, (known.value for known in Layout))
    return Setup(players, Variant(variant), Layout(layout))


def one_of(option: str, value: str, known: Iterable[str]) -> str:
    """The value of an option, if it is a known one; `ValueError` lists those."""
    names = list(known)
    if value not in names:
        raise ValueError(f"{option} must be one of {', '.join(names)}, not {value!r}")
    return value


def rewards_of(kind: str, before: Sequence[int], after: Sequence[int], over: bool) -> list[float]:
    """The reward of each seat when the scores have changed from `before` to `after`: see `REWARDS`."""
    points = [new - old for old, new in zip(before, after, strict=True)]
    if kind == "points":
        return [float(gained) for gained in points]
    if kind == "margin":
        return [gained - (sum(points) - gained) / (len(points) - 1) for gained in points]
    best = max(after)
    return [1 / after.count(best) if over and score == best else 0.0 for score in after]
