"""Counts frequent events per key, without waiting for anything.

The number of events in the last seconds is estimated as `limits` does it in its sliding window counter: those of the
current window, and the share of the previous one that the sliding window still covers, as if they were spread evenly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from limits import RateLimitItem

FEWEST_SWEPT = 1_000
"""The number of keys from which unused ones are removed from time to time."""


@dataclass(slots=True)
class Window:
    """The events of one key."""

    number: int
    """The number of the current window since the start of the clock."""
    count: int = 0
    before: int = 0
    """The events in the previous window."""


class SlidingWindows:
    """The events of all keys under one limit."""

    def __init__(self, limit: RateLimitItem) -> None:
        self._most = limit.amount
        self._seconds = limit.get_expiry()
        self._windows: dict[str, Window] = {}
        self._sweep_at = FEWEST_SWEPT

    def __len__(self) -> int:
        return len(self._windows)

    def hit(self, key: str, now_s: float | None = None) -> bool:
        """Count one more; False, and not counted, if that would be over the limit."""
        passed = (time.monotonic() if now_s is None else now_s) / self._seconds
        number = int(passed)
        window = self._windows.get(key)
        if window is None:
            window = self._windows[key] = Window(number)
            if len(self._windows) >= self._sweep_at:
                self._sweep(number)
        elif window.number != number:
            window.before = window.count if window.number == number - 1 else 0
            window.number, window.count = number, 0
        if window.before * (1 - (passed - number)) + window.count + 1 > self._most:
            return False
        window.count += 1
        return True

    def _sweep(self, number: int) -> None:
        """Remove the keys that have no events in this window and the previous one."""
        self._windows = {key: window for key, window in self._windows.items() if window.number >= number - 1}
        self._sweep_at = max(FEWEST_SWEPT, 2 * len(self._windows))
