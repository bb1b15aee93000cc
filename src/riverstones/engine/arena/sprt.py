"""The sequential probability ratio test: stop as soon as the results favour one of two hypotheses.

Is the first bot better than its opponents by `elo0` or by `elo1`? After each deal the likelihood ratio says how
strongly the results favour the second. The value of a deal is the mean score over its seatings; with two seats it is
one of 0, ¼, ½, ¾ and 1. Nothing is assumed about their frequencies: for each hypothesis the distribution is used that
fits the results best among those with the right mean. In this way the test accounts for the fact that the seatings of a
deal are correlated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Any

from .statistics import expected_score

LARGEST_ELO = 4000
"""One game in ten billion is lost at this difference; floating point cannot represent much more."""
_PRIOR = 1e-3
"""Pseudo-counts of the worst and the best value before the first deal, so that any mean is possible."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """The hypotheses, and the error probabilities of the test."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """The probability of deciding for `elo1` if `elo0` is true."""
    beta: float = 0.05
    """The probability of deciding for `elo0` if `elo1` is true."""

    def __post_init__(self) -> None:
        if not (abs(self.elo0) <= LARGEST_ELO and abs(self.elo1) <= LARGEST_ELO):
            raise ValueError(f"elo0 and elo1 must be between -{LARGEST_ELO} and {LARGEST_ELO}.")
        if not self.elo0 < self.elo1:
            raise ValueError("elo0 must be less than elo1.")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must be between 0 and 0.5.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test decides for `elo0` and for `elo1`."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_ratio(self, counts: Mapping[float, float]) -> float:
        """The log-likelihood ratio for values with these counts: positive favours `elo1`, negative `elo0`."""
        return _log_likelihood(counts, expected_score(self.elo1)) - _log_likelihood(counts, expected_score(self.elo0))


class Trial:
    """A running test. Deals must be added in order; otherwise the stopping point would depend on timing."""

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self.deals = 0
        """The number of deals so far."""
        self.log_ratio = 0.0
        self._counts: dict[float, float] = {0.0: _PRIOR, 1.0: _PRIOR}

    def add(self, score: float) -> None:
        """Add the value of the next deal."""
        self.deals += 1
        self._counts[score] = self._counts.get(score, 0.0) + 1
        self.log_ratio = self.sprt.log_ratio(self._counts)

    @property
    def decision(self) -> str | None:
        """`elo0` or `elo1` once the test is decided, otherwise None."""
        low, high = self.sprt.bounds
        return "elo0" if self.log_ratio <= low else "elo1" if self.log_ratio >= high else None

    def to_json(self) -> dict[str, Any]:
        """The test and its current state as JSON."""
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
    """The log-likelihood of values with these counts, under the best-fitting distribution with this mean.

    It is computed up to a constant. The best-fitting distribution divides the count of each value by ``1 + tilt *
    (value - mean)``, where the tilt is chosen so that the mean is right.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(60):
        tilt = (low + high) / 2
        excess = sum(times * (value - mean) / (1 + tilt * (value - mean)) for value, times in counts.items())
        low, high = (tilt, high) if excess > 0 else (low, tilt)
    return -sum(times * log(1 + tilt * (value - mean)) for value, times in counts.items())
