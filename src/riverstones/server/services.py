"""The parts of a running server that requests use."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from riverstones.rules import View
from riverstones.server.accounts import Accounts
from riverstones.server.accounts.bans import Bans
from riverstones.server.accounts.passkeys import Passkeys
from riverstones.server.accounts.ratings import Ratings
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.fanout import Fanout, fanout_of
from riverstones.server.http.rate_limits import RateLimits
from riverstones.server.http.security_log import SecurityLog
from riverstones.server.http.socket_outbox import SocketWrites
from riverstones.server.metrics import Metrics
from riverstones.server.readiness import Readiness
from riverstones.server.settings import Settings
from riverstones.server.storage import Store
from riverstones.server.study.puzzle_ratings import PuzzleRatings
from riverstones.server.study.reviews import Reviews
from riverstones.server.tables.service import TableService
from riverstones.server.workers import LastAddresses, Requester, Workers
from riverstones.server.workers.assembly import ServerWorkers, workers_of
from riverstones.study.hints import Advice

HINTS_KEPT = 1000


class Hints:
    """Finds hints and caches them, so that the three steps of a hint cost one search."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._found: OrderedDict[tuple[str, int, View], Advice] = OrderedDict()
        self._searching: set[str] = set()

    async def find(self, who: Requester, table: str, turn: int, view: View) -> Advice:
        """A good play for this view, cached per table, turn and view.

        Raises `HINT_UNDER_WAY` if the person has a search running: a second one would delay other people's bots.
        """
        key = (table, turn, view)
        if key not in self._found:
            if who.name in self._searching:
                raise ServerError(ServerErrorCode.HINT_UNDER_WAY)
            self._searching.add(who.name)
            try:
                self._found[key] = await self._workers.hint(view, who, f"{table}/{turn}")
            finally:
                self._searching.discard(who.name)
            if len(self._found) > HINTS_KEPT:
                self._found.popitem(last=False)
        return self._found[key]


@dataclass(slots=True)
class Services:
    """The parts of a running server."""

    settings: Settings
    store: Store
    metrics: Metrics
    fanout: Fanout
    limits: RateLimits
    security_log: SecurityLog
    accounts: Accounts
    passkeys: Passkeys
    bans: Bans
    workers: Workers
    all_workers: ServerWorkers
    addresses: LastAddresses
    tables: TableService
    puzzle_ratings: PuzzleRatings
    reviews: Reviews
    socket_writes: SocketWrites = field(default_factory=SocketWrites)
    hints: Hints = field(init=False)
    readiness: Readiness = field(init=False)
    _person_locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    def person_lock(self, person: str) -> asyncio.Lock:
        """A lock per person, for requests that check a limit and then create something."""
        return self._person_locks.setdefault(person, asyncio.Lock())

    def __post_init__(self) -> None:
        self.hints = Hints(self.workers)
        self.readiness = Readiness(self.store)

    async def drain(self) -> None:
        """Finish the commands that have arrived, and ask all clients to reconnect."""
        await self.tables.drain()
        self.accounts.connections.close()

    @classmethod
    def of(cls, settings: Settings) -> Services:
        """Create the parts for these settings."""
        store, metrics, log = Store(settings.database, settings.node), Metrics(), SecurityLog()
        fanout = fanout_of(settings, store)
        accounts = Accounts(settings, store, fanout)
        workers, addresses = workers_of(settings, metrics), LastAddresses()
        store.database.writer.observer = metrics
        return cls(
            settings,
            store,
            metrics,
            fanout,
            RateLimits(settings, metrics, log, fanout),
            log,
            accounts,
            Passkeys(settings, store, accounts),
            Bans(settings, store, accounts.connections),
            workers.engine,
            workers,
            addresses,
            TableService(
                settings, store, workers.engine, metrics, Ratings(settings, store, accounts), addresses, fanout
            ),
            PuzzleRatings(settings, store),
            Reviews(settings, store, workers.engine, workers.reviews),
        )
