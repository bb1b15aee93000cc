"""The sequential test: stop as soon as it is decided which of two strengths the results speak for.

The first bot is better than its opponents by `elo0` or by `elo1`: which? After each deal the ratio of the two
likelihoods says how strongly the results speak for the second. A deal's value is the mean score over its seatings, for
two seats one of five: 0, ¼, ½, ¾ or 1. Nothing is assumed about how often each of them comes: for each hypothesis that
distribution over the values is taken which fits the results best among those of the right mean. So the test knows
that the seatings of a deal belong together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Any

from .statistics import expected_score

LARGEST_ELO = 4000
"""Here one game in ten thousand million is lost; much further, and floating point cannot tell it from none."""
_PRIOR = 1e-3
"""How often the worst and the best value are taken to have come before the first deal: any mean is then possible."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """What is tested, and how often the test may be wrong."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """The chance to decide for `elo1` where `elo0` is true."""
    beta: float = 0.05
    """The chance to decide for `elo0` where `elo1` is true."""

    def __post_init__(self) -> None:
        if not (abs(self.elo0) <= LARGEST_ELO and abs(self.elo1) <= LARGEST_ELO):
            raise ValueError(f"The differences elo0 and elo1 lie between -{LARGEST_ELO} and {LARGEST_ELO}.")
        if not self.elo0 < self.elo1:
            raise ValueError("The test needs an elo0 that is smaller than elo1.")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("The chances alpha and beta lie between 0 and 0.5.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratio at which it is decided for `elo0`, and for `elo1`."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_ratio(self, counts: Mapping[float, float]) -> float:
        """How strongly values that came so often speak for `elo1`: positive for it, negative for `elo0`."""
        return _log_likelihood(counts, expected_score(self.elo1)) - _log_likelihood(counts, expected_score(self.elo0))


class Trial:
    """A test under way. The deals have to come in their order, else it would depend on chance where it ends."""

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self.deals = 0
        """How many deals it has taken so far."""
        self.log_ratio = 0.0
        self._counts: dict[float, float] = {0.0: _PRIOR, 1.0: _PRIOR}

    def add(self, score: float) -> None:
        """Take in the value of the next deal."""
        self.deals += 1
        self._counts[score] = self._counts.get(score, 0.0) + 1
        self.log_ratio = self.sprt.log_ratio(self._counts)

    @property
    def decision(self) -> str | None:
        """`elo0` or `elo1` if it is decided for one of them, else None."""
        low, high = self.sprt.bounds
        return "elo0" if self.log_ratio <= low else "elo1" if self.log_ratio >= high else None

    def to_json(self) -> dict[str, Any]:
        """The test and how it stands."""
        low, high = self.sprt.bounds
        return {
            "elo0": self.sprt.elo0,
            "elo1": self.sprt.elo1,
            "alpha": self.sprt.alpha,
            "beta": self.sprt.beta,
            "bounds": [round(low, 3), round(high, 3)],
            "log_ratio": round(self.log_ratio, 3),
            "deals": self.deals,
            "decision": self.decision,
        }


def _log_likelihood(counts: Mapping[float, float], mean: float) -> float:
    """The likelihood of values that came so often, under the best distribution over them that has this mean.

    Up to a constant, that is. The best one divides how often each value came by ``1 + tilt * (value - mean)``, where
    the tilt is such that the mean comes out right.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(60):
        tilt = (low + high) / 2
        excess = sum(times * (value - mean) / (1 + tilt * (value - mean)) for value, times in counts.items())
        low, high = (tilt, high) if excess > 0 else (low, tilt)
    return -sum(times * log(1 + tilt * (value - mean)) for value, times in counts.items())
