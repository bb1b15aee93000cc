"""The log of refusals that an operator wants to know about: rate limits, foreign origins, failed sign-ins.

A line names the address and the reason, never a token, a code, a cookie or a path with a table's id. Clients cause
these lines, so there are few of them: one per reason and address in a minute, and `LINES_PER_MINUTE` in all.
"""

from __future__ import annotations

import logging
import time

log = logging.getLogger("riverstones.security")

LINES_PER_MINUTE = 30
MINUTE_S = 60.0
LONGEST_DETAIL = 80


class SecurityLog:
    """Logs refusals, within limits."""

    def __init__(self) -> None:
        self._since_s = time.monotonic()
        self._logged: set[tuple[str, str]] = set()
        """The reasons and addresses that have a line in this minute."""
        self._left_out = 0

    def note(self, reason: str, address: str, detail: str | None = None) -> None:
        """Log a refusal for an address. A detail, which may come from the client, is quoted and cut."""
        now_s = time.monotonic()
        if now_s - self._since_s >= MINUTE_S:
            if self._left_out:
                log.warning("%d more refusals were not logged.", self._left_out)
            self._since_s, self._left_out = now_s, 0
            self._logged.clear()
        if (reason, address) in self._logged or len(self._logged) >= LINES_PER_MINUTE:
            self._left_out += 1
            return
        self._logged.add((reason, address))
        quoted = "" if detail is None else f" {detail[:LONGEST_DETAIL]!a}"
        log.warning("%s%s from %s.", reason, quoted, address)
