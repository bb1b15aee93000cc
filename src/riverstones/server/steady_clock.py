"""The time of a node: steps of its wall clock do not change it.

It runs with the monotonic clock. On SQLite it starts from the wall clock. On PostgreSQL the database's clock decides,
and every heartbeat measures how far that is from the monotonic clock, so that all nodes have the same time however
wrong their own clocks are.
"""

from __future__ import annotations

import time
from collections.abc import Callable

DRIFT = 0.0002
"""How much two clocks may drift apart, as a share of the time that passes."""


class SteadyClock:
    """Milliseconds since 1970, as a function without arguments."""

    def __init__(
        self, wall_ms: Callable[[], float] | None = None, monotonic_ms: Callable[[], float] | None = None
    ) -> None:
        self._monotonic_ms = monotonic_ms or (lambda: time.monotonic_ns() / 1_000_000)
        self._measured_ms = self._monotonic_ms()
        start_ms = time.time_ns() / 1_000_000 if wall_ms is None else wall_ms()
        self._low_ms = self._high_ms = start_ms - self._measured_ms
        self._is_synchronised = False

    def __call__(self) -> int:
        """The time now."""
        return int(self._monotonic_ms() + (self._low_ms + self._high_ms) / 2)

    def monotonic_ms(self) -> float:
        """The time of the monotonic clock, for `synchronise`."""
        return self._monotonic_ms()

    def synchronise(self, database_ms: float, asked_ms: float) -> None:
        """Follow the database's clock. It was asked at `asked_ms` of the monotonic clock and has just answered.

        An answer gives bounds, as wide as it took. They narrow with every answer that agrees with those before; one
        that does not shows that a clock was set.
        """
        answered_ms = self._monotonic_ms()
        low_ms, high_ms = database_ms - answered_ms, database_ms - asked_ms
        slack_ms = (answered_ms - self._measured_ms) * DRIFT
        old_low_ms, old_high_ms = self._low_ms - slack_ms, self._high_ms + slack_ms
        if self._is_synchronised and old_low_ms <= high_ms and low_ms <= old_high_ms:
            low_ms, high_ms = max(low_ms, old_low_ms), min(high_ms, old_high_ms)
        self._low_ms, self._high_ms, self._measured_ms = low_ms, high_ms, answered_ms
        self._is_synchronised = True

    def advance_to(self, at_ms: int) -> None:
        """Go on from this time if it is still to come: a clock that was set back must not repeat the past."""
        if (ahead_ms := at_ms - self()) > 0:
            self._low_ms += ahead_ms
            self._high_ms += ahead_ms
