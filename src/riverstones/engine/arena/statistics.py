"""Means with their 95 % intervals, and what a score means in Elo.

The games of one deal are not independent: the same tiles come in each of them. So the unit of every estimate is the
deal, with the mean over its seatings as its one value.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10, sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

Z = NormalDist().inv_cdf(0.975)
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's factor for 95 %, for one to ten degrees of freedom."""


class Interval(NamedTuple):
    """Where the truth lies, unless one is unlucky once in twenty times."""

    low: float
    high: float


def mean_interval(values: Sequence[float]) -> Interval:
    """The interval of a mean without bounds, such as a margin in points; one value alone says nothing."""
    if len(values) < 2:
        return Interval(-inf, inf)
    freedom = len(values) - 1
    factor = _T[freedom - 1] if freedom <= len(_T) else Z + (Z**3 + Z) / (4 * freedom) + 2.8 / freedom**2
    half = factor * stdev(values) / sqrt(len(values))
    return Interval(fmean(values) - half, fmean(values) + half)


def share_interval(shares: Sequence[float]) -> Interval:
    """The interval of a mean of values between 0 and 1, such as a win rate.

    As many deals as Z² are added in thought, half of them won and half lost. For single games this is the interval of
    Agresti and Coull; it is honest for few deals and at the edges, where all games won do not make a certain win.
    """
    count = len(shares) + Z**2
    mean = (sum(shares) + Z**2 / 2) / count
    variance = (sum(share**2 for share in shares) + Z**2 / 2) / count - mean**2
    half = Z * sqrt(variance / count)
    return Interval(max(0.0, mean - half), min(1.0, mean + half))


def elo(score: float) -> float:
    """The difference in Elo at which this share of games is scored; infinite for none or all."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """The share of games that is scored at this difference in Elo."""
    return float(1 / (1 + 10 ** (-difference / 400)))
