"""Limits of open connections, in total and per address, applied when a connection is accepted.

The rate limits do not see a connection without a request, but it uses one of the files that the process may open.
Without a limit here, one address could use them all.

Behind a trusted proxy every connection comes from the proxy, so there is no limit per address here: the proxy has to
limit silent connections. Open requests, streams and sockets are limited by the forwarded address (`rate_limits`), to
the same share of all connections.
"""

from __future__ import annotations

import logging
import sys
import time
from asyncio import BaseTransport
from collections import Counter

from riverstones.server.http.addresses import limit_key, parse_address
from riverstones.server.metrics import Metrics
from riverstones.server.settings import Settings

log = logging.getLogger("riverstones.connections")

PER_ADDRESS = 500
"""Connections of one IPv4 address or IPv6 /64 network: its 250 requests and sockets, and idle ones between requests."""

LEAST_ADDRESSES = 4
"""The fewest addresses that can use up all connections, if few files may be open."""

FILES_KEPT = 128
"""Files reserved for the database, the worker processes and the pages."""

FEW_FILES = 4096
"""A limit of open files below this is logged as a warning."""

MOST_FILES = (1_048_576, 10_240)
"""Soft limits to try if the hard limit is infinite: some systems have a smaller one that they do not report."""

LOG_EVERY_S = 60.0


class ConnectionLimits:
    """Counts the open connections of one server."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.total = most_connections()
        self.per_address: int | None = None
        if settings.limits and not settings.trust_proxy:
            self.per_address = share_of_one_address(PER_ADDRESS)
        self._metrics = metrics
        self._open: dict[BaseTransport, str] = {}
        self._by_address: Counter[str] = Counter()
        self._refused = 0
        self._logged_s: float | None = None

    def admit(self, transport: BaseTransport, client: str | None) -> bool:
        """Count a new connection from this address; False if it is one too many and has to be closed."""
        address = limit_key(None if client is None else parse_address(client))
        if self.total is not None and len(self._open) >= self.total:
            self._refuse(f"{address}: all {self.total} connections are in use")
            return False
        if self.per_address is not None and self._by_address[address] >= self.per_address:
            self._refuse(f"{address}, which has {self.per_address} open")
            return False
        self._open[transport] = address
        self._by_address[address] += 1
        return True

    def release(self, transport: BaseTransport) -> None:
        """Stop counting a closed connection, if it was counted."""
        address = self._open.pop(transport, None)
        if address is not None:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def _refuse(self, last: str) -> None:
        """Count a refusal and log at most one line per minute, so that clients cannot fill the log."""
        self._metrics.refused_connections.inc()
        self._refused += 1
        now_s = time.monotonic()
        if self._logged_s is None or now_s - self._logged_s >= LOG_EVERY_S:
            log.warning("Connections refused: %d, the last from %s.", self._refused, last)
            self._refused, self._logged_s = 0, now_s


def most_connections() -> int | None:
    """The most open connections in total; None without a limit."""
    files = file_limit()
    return None if files is None else max(files - FILES_KEPT, files // 2)


def share_of_one_address(most: int) -> int:
    """The most open connections of one address: `most`, or fewer if few files may be open."""
    total = most_connections()
    return most if total is None else min(most, total // LEAST_ADDRESSES)


def file_limit() -> int | None:
    """The most files that this process may open; None without a limit and on Windows."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def raise_file_limit(*, announce: bool) -> None:
    """Raise the soft limit of open files to the hard limit; `announce` logs it."""
    if sys.platform == "win32":
        return
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before == resource.RLIM_INFINITY:
        return
    for wanted in MOST_FILES if hard == resource.RLIM_INFINITY else (hard,):
        if wanted <= before:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        if announce:
            log.info("Up to %d files may be open (the limit was %d).", wanted, before)
        break
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if announce and files < FEW_FILES:
        log.warning(
            "Only %d files may be open, and each connection needs one: raise the hard limit of open files.", files
        )
