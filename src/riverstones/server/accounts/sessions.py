"""The sessions of people and programs: cached, expired, and checked against the database.

A session expires when it is not used for `IDLE_MS`. That of a browser also expires `ABSOLUTE_MS` after it began, like
its cookie. When a session was last used is stored once an hour at most, so that reading requests hardly ever write.

A session may be ended elsewhere, by an operator or at another node. So a cached one is read again after `TRUSTED_S`,
and those of open sockets and streams are checked every `CHECK_S`.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace

from riverstones.server.accounts.connections import Connections
from riverstones.server.settings import Settings
from riverstones.server.storage import UNAVAILABLE, Store, reason
from riverstones.server.storage.accounts import StoredSession

log = logging.getLogger("riverstones.sessions")

DAY_MS = 24 * 3_600_000
IDLE_MS = 180 * DAY_MS
ABSOLUTE_MS = 400 * DAY_MS
SEEN_EVERY_MS = 3_600_000
"""How often the last use of a session is stored."""

MOVED_EVERY_MS = 60_000
"""How often it is stored if the network changes."""

CACHED = 20_000
TRUSTED_S = 5.0
CHECK_S = 5.0
SWEEP_EVERY = 720
"""Expired sessions are deleted with every so many checks."""


@dataclass(frozen=True, slots=True)
class _Cached:
    session: StoredSession
    read_s: float


class Sessions:
    """The sessions, cached in front of the database."""

    def __init__(self, settings: Settings, store: Store, connections: Connections) -> None:
        self._settings = settings
        self._store = store
        self._connections = connections
        self._cache: OrderedDict[str, _Cached] = OrderedDict()
        self._network_key = b""
        self._writing: set[asyncio.Task[None]] = set()
        self._checking: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to check the sessions of open connections, and to delete expired ones."""
        self._network_key = (await self._store.server_value("network_key", secrets.token_hex(16))).encode()
        self._checking = asyncio.create_task(self._check_regularly(), name="sessions")

    async def close(self) -> None:
        """Stop checking, and finish what is being stored."""
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        await self.written()

    async def written(self) -> None:
        """Wait until the last uses so far are stored."""
        await asyncio.gather(*self._writing, return_exceptions=True)

    async def find(self, hashed: str) -> StoredSession | None:
        """A session by the hash of its token; None if there is none."""
        cached = self._cache.get(hashed)
        if cached is not None and time.monotonic() - cached.read_s < TRUSTED_S:
            return cached.session
        found = await self._store.accounts.session(hashed)
        if found is None:
            self._cache.pop(hashed, None)
        else:
            self._remember(found)
        return found

    async def use(self, session: StoredSession, address: str | None, *, program: bool) -> bool:
        """Note that a session is used from an address; False if it has expired, and is ended."""
        now_ms = self._settings.now_ms()
        old = not program and now_ms - session.created_ms > ABSOLUTE_MS
        if old or now_ms - session.seen_ms > IDLE_MS:
            await self.end(session.token_hash)
            return False
        network = None if address is None else self._hash_of(address)
        moved = network not in (None, session.network)
        wait_ms = (0 if session.network is None else MOVED_EVERY_MS) if moved else SEEN_EVERY_MS
        if now_ms - session.seen_ms >= wait_ms:
            self._remember(replace(session, seen_ms=now_ms, network=network or session.network))
            task = asyncio.create_task(self._store_use(session.token_hash, now_ms, network))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)
        return True

    async def end(self, hashed: str) -> None:
        """End a session and close its connections."""
        await self._store.accounts.end_session(hashed)
        # After the write: a request before it would have cached the session again.
        self.forget(hashed)

    def forget(self, hashed: str) -> None:
        """Remove an ended session from the cache, and close its connections."""
        self._cache.pop(hashed, None)
        self._connections.end_session(hashed)

    def forget_people(self, gone: Collection[str]) -> None:
        """Remove the sessions of deleted people from the cache, and close their connections."""
        for hashed in [hashed for hashed, cached in self._cache.items() if cached.session.person in gone]:
            self._cache.pop(hashed)
        self._connections.end_people(gone)

    def forget_all(self) -> None:
        """Empty the cache."""
        self._cache.clear()

    def _remember(self, session: StoredSession) -> None:
        self._cache[session.token_hash] = _Cached(session, time.monotonic())
        self._cache.move_to_end(session.token_hash)
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)

    def _hash_of(self, address: str) -> str:
        return hmac.new(self._network_key, address.encode(), "sha256").hexdigest()[:16]

    async def _store_use(self, hashed: str, seen_ms: int, network: str | None) -> None:
        try:
            await self._store.accounts.note_seen(hashed, seen_ms, network)
        except UNAVAILABLE as error:
            log.warning("The last use of a session could not be stored: %s", reason(error))

    async def _check_regularly(self) -> None:
        checks = 0
        while True:
            try:
                if checks % SWEEP_EVERY == 0:
                    now_ms = self._settings.now_ms()
                    await self._store.accounts.delete_expired_sessions(now_ms - IDLE_MS, now_ms - ABSOLUTE_MS)
                await self.check_open()
            except UNAVAILABLE as error:
                log.warning("The open sessions could not be checked: %s", reason(error))
            checks += 1
            await asyncio.sleep(CHECK_S)

    async def check_open(self) -> None:
        """Close the connections of sessions that were ended elsewhere."""
        held = sorted(self._connections.sessions())
        for start in range(0, len(held), 500):
            some = set(held[start : start + 500])
            for hashed in some - await self._store.accounts.known_sessions(some):
                self.forget(hashed)
