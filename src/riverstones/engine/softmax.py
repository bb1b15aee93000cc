"""Probabilities from values, the same to the last bit on every target.

The exponential functions of NumPy, of the C library and of a browser differ in the last bit, from one to the next and
from one processor to the next. So compiled code has its own, of operations that IEEE 754 defines exactly.
"""

from __future__ import annotations

from typing import Final

from .arrays import Floats
from .jit import jit

_LOG2: Final = 0.6931471805599453
_LOG2_HIGH: Final = 0.693147180369123816490
"""The logarithm of 2 to 32 bits, so that small multiples of it are exact."""
_LOG2_LOW: Final = 1.90821492927058770002e-10
_LOWEST: Final = -700.0
"""Below this the result is smaller than any number that matters here."""


@jit()
def exponential(x: float) -> float:
    """The exponential function of a number that is not positive, correct to about the last bit."""
    if x < _LOWEST:
        return 0.0
    halvings = int(0.5 - x / _LOG2)
    rest = (x + halvings * _LOG2_HIGH) + halvings * _LOG2_LOW
    # The rest is at most half of the logarithm of 2, for which 14 terms of the series are enough.
    total = 1.0
    for term in range(13, 0, -1):
        total = 1.0 + total * rest / term
    half = 0.5
    while halvings:
        if halvings & 1:
            total *= half
        half *= half
        halvings >>= 1
    return total


@jit("float64(float64[::1], int64, float64)")
def share(values: Floats, chosen: int, temperature: float) -> float:
    """The probability of one of several options with these values: a softmax at this temperature."""
    most = values[0]
    for value in values:
        most = max(most, value)
    total = 0.0
    for value in values:
        total += exponential((value - most) / temperature)
    return exponential((values[chosen] - most) / temperature) / total
