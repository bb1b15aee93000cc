"""Rate limits per address, per socket and per person, and the limit of open requests per address."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from starlette.types import Scope

from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.fanout import Fanout
from riverstones.server.http.addresses import address_of
from riverstones.server.http.connection_limits import share_of_one_address
from riverstones.server.http.security_log import SecurityLog
from riverstones.server.http.shared_counts import SharedCounts
from riverstones.server.http.sliding_window import SlidingWindows
from riverstones.server.metrics import Metrics
from riverstones.server.settings import Settings
from riverstones.table import Command
from riverstones.table.commands import Ask, Proposal

if TYPE_CHECKING:
    from riverstones.server.http.site_limits import SiteLimiter

REQUESTS = parse("300/10 second")
"""Requests of one address to the API."""
FILES = parse("3000/10 second")
"""Requests of one address for files of the web app: a first visit loads about a hundred, and a class shares an
address."""
CREATIONS = parse("60/minute")
"""People, sessions, tables, programs and codes created by one address, and tries to sign in."""
LONG_WORK = parse("30/minute")
"""Slow requests of one address: reviews, and records to be read."""
STUDIES = parse("120/minute")
"""Positions analysed and puzzles tried by one address: short, but each asks a worker or writes."""
ADDED_GAMES = parse("500/day")
"""Games of devices added by one person: unlike an unfinished table, each stays."""
MESSAGES = parse("60/5 second")
"""Messages on one socket."""
MESSAGES_OF_ADDRESS = parse("1200/10 second")
"""Messages on all sockets of one address."""
MISTAKES = parse("30/minute")
"""Malformed messages on one socket."""

OF_SITE = (REQUESTS, CREATIONS, LONG_WORK, STUDIES, ADDED_GAMES)
"""Limits that hold for all nodes of a site together. The others are too frequent to ask Redis or tell other nodes."""

MOST_AT_ONCE = 250
"""Requests, streams and sockets that one address may have open at a time; fewer if few files may be open."""


def is_creation(command: Command) -> bool:
    """Whether a command can create a table, and so counts among `CREATIONS`."""
    return isinstance(command, Ask) and command.proposal is Proposal.REMATCH


class RateLimits:
    """Counts requests, messages and open connections per address or socket."""

    def __init__(self, settings: Settings, metrics: Metrics, log: SecurityLog, fanout: Fanout) -> None:
        self._on = settings.limits
        self._log = log
        self._open: Counter[str] = Counter()
        self._most_at_once = share_of_one_address(MOST_AT_ONCE)
        self._metrics = metrics
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._messages = SlidingWindows(MESSAGES)
        self._messages_of_address = SlidingWindows(MESSAGES_OF_ADDRESS)
        self._site: SiteLimiter | None = None
        if settings.redis is not None:
            from riverstones.server.http.site_limits import SiteLimiter  # most servers need no Redis

            self._site = SiteLimiter(settings.redis)
        self._shared = SharedCounts(self._limiter, OF_SITE, fanout)

    async def close(self) -> None:
        """Close the connections to Redis, if there are any."""
        if self._site is not None:
            await self._site.close()

    async def check(self, limit: RateLimitItem, *key: str) -> None:
        """Count one more for this key, whose last part is an address; raises `TOO_MANY_REQUESTS` beyond the limit."""
        if self._on and not await self._hit(limit, *key):
            raise self._over(limit, key[-1])

    async def check_added_game(self, person: str) -> None:
        """Count one more game of a device that a person adds; raises `TOO_MANY_ADDED_GAMES` beyond the limit."""
        if self._on and not await self._hit(ADDED_GAMES, "added game", person):
            self._metrics.limited.inc()
            raise ServerError(ServerErrorCode.TOO_MANY_ADDED_GAMES, count=ADDED_GAMES.amount)

    def check_message(self, socket: str, address: str) -> None:
        """Count a message on a socket. It is as `check`, but there are so many that none may wait."""
        if not self._on:
            return
        if not self._messages.hit(socket):
            raise self._over(MESSAGES, address)
        if not self._messages_of_address.hit(address):
            raise self._over(MESSAGES_OF_ADDRESS, address)

    def _over(self, limit: RateLimitItem, address: str) -> ServerError:
        self._metrics.limited.inc()
        self._log.note(f"More than {limit}", address)
        return ServerError(ServerErrorCode.TOO_MANY_REQUESTS)

    async def _hit(self, limit: RateLimitItem, *key: str) -> bool:
        if self._site is not None and limit in OF_SITE and (within := await self._site.hit(limit, *key)) is not None:
            return within
        within = await self._limiter.hit(limit, *key)
        if within and limit in OF_SITE:
            self._shared.counted(limit, key)
        return within

    async def check_command(self, command: Command, scope: Scope) -> None:
        """Count a rematch proposal as a creation, because it can create a table."""
        if is_creation(command):
            await self.check(CREATIONS, "creation", address_of(scope))

    def enter(self, address: str) -> None:
        """Count one more open request or socket; raises `TOO_MANY_REQUESTS` if it is over the limit."""
        if self._on and self._open[address] >= self._most_at_once:
            self._metrics.limited.inc()
            self._log.note(f"More than {self._most_at_once} open requests", address)
            raise ServerError(ServerErrorCode.TOO_MANY_REQUESTS)
        self._open[address] += 1

    def leave(self, address: str) -> None:
        """Count one open request or socket less."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]
