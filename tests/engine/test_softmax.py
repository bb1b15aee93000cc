"""Softmax: the exponential function is correct to about the last bit, and probabilities follow from it."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.engine import softmax
from riverstones.engine.arrays import array


def test_the_exponential_function_is_correct_to_the_last_bits() -> None:
    compiled: Any = softmax.exponential
    rng = random.Random(1)
    for x in [
        0.0,
        -1e-300,
        -1e-9,
        -0.5 * math.log(2),
        *(-rng.uniform(0, 1) * 10 ** rng.uniform(-3, 2.8) for _ in range(3000)),
    ]:
        assert abs(compiled.py_func(x) - math.exp(x)) <= 2 * math.ulp(math.exp(x))


def test_values_too_unlikely_to_matter_are_zero() -> None:
    compiled: Any = softmax.exponential
    assert compiled.py_func(-701.0) == 0.0
    assert softmax.share(array([0.0, -1e9], "float64"), 1, 0.3) == 0.0


@pytest.mark.parametrize("temperature", [0.3, 1.5])
def test_shares_sum_to_one_and_equal_their_definition(temperature: float) -> None:
    rng = random.Random(2)
    for _ in range(50):
        values = [rng.uniform(-50, 50) for _ in range(rng.randrange(1, 40))]
        shares = [softmax.share(array(values, "float64"), chosen, temperature) for chosen in range(len(values))]
        odds = [math.exp((value - max(values)) / temperature) for value in values]
        assert shares == pytest.approx([each / math.fsum(odds) for each in odds], rel=1e-12)
        assert math.fsum(shares) == pytest.approx(1.0)
