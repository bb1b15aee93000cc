"""Means with 95 % confidence intervals, and conversion between scores and Elo.

The games of one deal are not independent: they share its tiles. So the unit of every estimate is the deal, whose value
is the mean over its seatings.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10, sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

Z = NormalDist().inv_cdf(0.975)
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""The factors for a two-sided 95 % interval of Student's t-distribution, for one to ten degrees of freedom."""


class Interval(NamedTuple):
    """A 95 % confidence interval."""

    low: float
    high: float


def mean_interval(values: Sequence[float]) -> Interval:
    """The interval of the mean of unbounded values, such as margins in points; unbounded for a single value."""
    if len(values) < 2:
        return Interval(-inf, inf)
    freedom = len(values) - 1
    factor = _T[freedom - 1] if freedom <= len(_T) else Z + (Z**3 + Z) / (4 * freedom) + 2.8 / freedom**2
    half = factor * stdev(values) / sqrt(len(values))
    return Interval(fmean(values) - half, fmean(values) + half)


def share_interval(shares: Sequence[float]) -> Interval:
    """The interval of the mean of values between 0 and 1, such as win rates.

    Z² pseudo-deals are added, half of them won and half lost. For single games this is the Agresti-Coull interval; it
    is reliable for few deals and near 0 and 1, where a clean sweep does not prove a certain win.
    """
    count = len(shares) + Z**2
    mean = (sum(shares) + Z**2 / 2) / count
    variance = (sum(share**2 for share in shares) + Z**2 / 2) / count - mean**2
    half = Z * sqrt(variance / count)
    return Interval(max(0.0, mean - half), min(1.0, mean + half))


def elo(score: float) -> float:
    """The Elo difference for this score; infinite for 0 and 1."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """The expected score for this Elo difference."""
    return float(1 / (1 + 10 ** (-difference / 400)))
