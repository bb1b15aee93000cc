"""Everything that a request may need, in one hand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from riverstones.rules import Play, View
from riverstones.server.accounts import Accounts
from riverstones.server.accounts.passkeys import Passkeys
from riverstones.server.accounts.ratings import Ratings
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.middleware import Limits
from riverstones.server.metrics import Metrics
from riverstones.server.settings import Settings
from riverstones.server.storage import Store
from riverstones.server.tables.service import TableService
from riverstones.server.workers import WorkerPool

HINTS_KEPT = 1000


class Hints:
    """The hints of the turns that are being played, so that three steps cost one search."""

    def __init__(self, workers: WorkerPool) -> None:
        self._workers = workers
        self._found: OrderedDict[tuple[str, int, View], Play] = OrderedDict()
        self._asking: set[str] = set()

    async def find(self, person: str, table: str, turn: int, view: View) -> Play:
        """A good play for this view. Nobody has two searches at once: the bots of others would wait for them."""
        key = (table, turn, view)
        if key not in self._found:
            if person in self._asking:
                raise ServerError(ServerErrorCode.HINT_UNDER_WAY)
            self._asking.add(person)
            try:
                self._found[key] = await self._workers.hint(view, person)
            finally:
                self._asking.discard(person)
            if len(self._found) > HINTS_KEPT:
                self._found.popitem(last=False)
        return self._found[key]


@dataclass(slots=True)
class Services:
    """The parts of a running server."""

    settings: Settings
    store: Store
    metrics: Metrics
    limits: Limits
    accounts: Accounts
    passkeys: Passkeys
    workers: WorkerPool
    tables: TableService
    hints: Hints = field(init=False)
    _turnstiles: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    def turnstile(self, person: str) -> asyncio.Lock:
        """What a person passes one request at a time, where having too many of something is checked and then made."""
        return self._turnstiles.setdefault(person, asyncio.Lock())

    def __post_init__(self) -> None:
        self.hints = Hints(self.workers)

    @classmethod
    def of(cls, settings: Settings) -> Services:
        """Put the parts together."""
        store, metrics = Store(settings.database), Metrics()
        accounts = Accounts(settings, store)
        workers = WorkerPool(settings.workers)
        return cls(
            settings,
            store,
            metrics,
            Limits(settings, metrics),
            accounts,
            Passkeys(settings, store, accounts),
            workers,
            TableService(settings, store, workers, metrics, Ratings(store, accounts)),
        )
