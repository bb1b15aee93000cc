"""The benchmark measures what it says."""

from __future__ import annotations

import pytest

from riverstones.engine import benchmark
from riverstones.rules import Variant

pytest.importorskip("numba")


@pytest.mark.parametrize("variant", list(Variant))
def test_kernel_and_rules_are_measured_on_the_same_work(variant: Variant) -> None:
    """The same deals have about the same plays; ties between flips of one placement may be broken differently."""
    kernel = benchmark.kernel_rates(variant, games=3, runs=2)
    rules = benchmark.rules_rates(variant, games=3, runs=1)
    assert kernel.plays_per_position == pytest.approx(rules.plays_per_position, rel=0.2)
    assert len(kernel.positions_per_second) == 2
    assert kernel.median > rules.median


def test_a_rate_shows_its_spread() -> None:
    rates = benchmark.Rates((1000.0, 3000.0, 2000.0), 75.0)
    assert str(rates) == "2,000 positions per second (1,000 to 3,000 in 3 runs), 75.0 plays per position"
