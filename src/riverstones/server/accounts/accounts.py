"""People, their sessions and their programs."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import replace
from typing import TypeVar

from riverstones.server.accounts.connections import Connections
from riverstones.server.accounts.person import Person
from riverstones.server.accounts.sessions import Sessions
from riverstones.server.accounts.tokens import Signer, hash_of, new_token
from riverstones.server.fanout import Fanout
from riverstones.server.settings import Settings
from riverstones.server.storage import UNAVAILABLE, Store, reason
from riverstones.server.storage.accounts import StoredPerson
from riverstones.server.storage.operators import SESSION_ID
from riverstones.server.tables.background import Background

log = logging.getLogger("riverstones.accounts")

COOKIE = "riverstones"
CACHED = 20_000
"""The most people cached in memory."""

KEYS_S = 60.0
"""How often the keys that sign cookies are read."""
KEYS_AGAIN_S = 1.0
"""How often they are read for cookies with another key, which may be forged."""

CHECK_S = 15.0
"""The interval at which sessions are compared with the database where there are several nodes."""

LINK_MS = 10 * 60_000
"""The lifetime of a one-time link."""

MOST_PROGRAMS = 10

Value = TypeVar("Value")


class Accounts:
    """People, programs and their sessions, cached in front of the database."""

    def __init__(self, settings: Settings, store: Store, fanout: Fanout | None = None) -> None:
        self._settings = settings
        self._store = store
        self._fanout = fanout = fanout or Fanout(settings.node)
        self._background = Background()
        fanout.on_message("session_ended", lambda _, hashed: self.sessions.forget(hashed))
        fanout.on_message("people_removed", lambda _, people: self._people_removed(people))
        fanout.on_message("person_changed", lambda _, person: self._person_changed(person))
        self._people: OrderedDict[str, Person] = OrderedDict()
        self._changes = 0
        """The number of changes so far: a row that was read before a change is not cached after it."""
        self.signer = Signer(())
        self._keys_read_s = 0.0
        self.connections = Connections()
        self.sessions = Sessions(settings, store, self.connections)

    async def open(self) -> None:
        """Load the keys that sign cookies; the first is created at the first start."""
        await self._read_keys()
        await self.sessions.open()
        if self._store.database.is_shared:
            self._background.start(self._check_regularly())

    async def _check_regularly(self) -> None:
        """Find out, at an interval, what another node has said about sessions and people in a message that was lost."""
        while True:
            await asyncio.sleep(CHECK_S)
            try:
                await self.check_sessions()
            except UNAVAILABLE as error:
                log.error("The sessions could not be checked: %s", reason(error))

    async def check_sessions(self) -> None:
        """Close the connections whose session has ended, and read everything else again when it is needed."""
        self._changes += 1
        self._people.clear()
        self.sessions.forget_all()
        await self.sessions.check_open()

    async def close(self) -> None:
        """Stop checking sessions, and finish what is being stored."""
        await self._background.stop()
        await self.sessions.close()

    async def _read_keys(self) -> None:
        self.signer = Signer(await self._store.cookie_keys())
        self._keys_read_s = time.monotonic()

    async def token_of(self, cookie: str) -> str | None:
        """The token in a cookie; None if its signature is not valid.

        An operator may have changed the keys, so they are read again now and then, and for a cookie with none of them.
        """
        if time.monotonic() - self._keys_read_s >= KEYS_S:
            await self._read_keys()
        token = self.signer.check("session", cookie)
        if token is None and time.monotonic() - self._keys_read_s >= KEYS_AGAIN_S:
            await self._read_keys()
            token = self.signer.check("session", cookie)
        return token

    async def by_cookie(self, cookie: str | None, address: str | None = None) -> Person | None:
        """The person of a cookie used from an address; None if it is missing, forged, expired or signed out."""
        token = await self.token_of(cookie) if cookie else None
        return await self._by_hash(hash_of(token), address) if token else None

    async def by_bearer(self, token: str, address: str | None = None) -> Person | None:
        """The program of a token; None if there is none."""
        person = await self._by_hash(hash_of(token), address)
        return person if person is not None and person.owner is not None else None

    async def signed_in(self, person: Person) -> bool:
        """Whether the session of this person's request is still valid."""
        return person.session is not None and await self._by_hash(person.session) is not None

    async def _by_hash(self, hashed: str, address: str | None = None) -> Person | None:
        session = await self.sessions.find(hashed)
        found = None if session is None else await self.get(session.person)
        if session is None or found is None:
            return None
        if not await self.sessions.use(session, address, program=found.owner is not None):
            return None
        return replace(found, session=hashed)

    def cached(self, person: str) -> Person | None:
        """A person or program whom the database need not be asked for; None if it must be."""
        return self._people.get(person)

    async def get(self, person: str) -> Person | None:
        """A person or program by id; None if there is none."""
        if (known := self.cached(person)) is not None:
            return known
        changes = self._changes
        row = await self._store.accounts.person(person)
        if row is None:
            return None
        found = Person(row.id, row.name, row.colour, row.account, row.owner, row.mu, row.sigma, row.rated_games)
        if changes == self._changes:
            _cache(self._people, person, found)
        return found

    def forget(self, person: str) -> None:
        """Remove a person from the caches of all nodes, after a change."""
        self._person_changed(person)
        self._fanout.send("person_changed", person)

    def _person_changed(self, person: str) -> None:
        self._changes += 1
        self._people.pop(person, None)

    async def create(
        self, name: str, colour: str, owner: str | None = None, device: str | None = None
    ) -> tuple[Person, str]:
        """Create a person, or a program of `owner`, with a session; its token is stored only as a hash."""
        person, token = Person("p" + self._settings.entropy()[:10].hex(), name, colour, owner=owner), new_token()
        row = StoredPerson(person.id, name, colour, owner=owner)
        await self._store.accounts.add(row, hash_of(token), self._settings.now_ms(), device)
        return person, token

    async def new_session(self, person: str, device: str | None) -> str:
        """Create a session for a person; its token is stored only as a hash."""
        token = new_token()
        await self._store.accounts.add_session(person, hash_of(token), self._settings.now_ms(), device)
        return token

    async def end_session(self, cookie: str) -> None:
        """End the session of a cookie and close its connections."""
        token = await self.token_of(cookie)
        if token is not None:
            await self._end(hash_of(token))

    async def end_other_session(self, person: Person, session: str) -> bool:
        """Sign a person's session out by the start of its hash; False if there is none."""
        for known in await self._store.accounts.sessions_of(person.id):
            if public_id(known.token_hash) == session:
                await self._end(known.token_hash)
                return True
        return False

    async def end_other_sessions(self, person: Person) -> None:
        """Sign a person out everywhere but here."""
        for hashed in await self._store.accounts.end_sessions_of(person.id, but=person.session):
            self.sessions.forget(hashed)
            self._fanout.send("session_ended", hashed)

    async def _end(self, hashed: str) -> None:
        await self.sessions.end(hashed)
        self._fanout.send("session_ended", hashed)

    async def change(self, person: Person, name: str, colour: str) -> Person:
        """Change a person's name and colour."""
        await self._store.accounts.rename(person.id, name, colour)
        self.forget(person.id)
        return replace(person, name=name, colour=colour)

    async def new_link(self, person: str) -> tuple[str, int]:
        """A new one-time code that signs another device in, and the time of its expiry."""
        code, now_ms = secrets.token_urlsafe(12), self._settings.now_ms()
        await self._store.accounts.add_link(person, hash_of(code), now_ms + LINK_MS, now_ms)
        return code, now_ms + LINK_MS

    async def redeem_link(self, code: str, device: str | None) -> tuple[str, str] | None:
        """Redeem a one-time code: the person and the token of a new session; None if the code is not valid."""
        token = new_token()
        now_ms = self._settings.now_ms()
        person = await self._store.accounts.redeem_link(hash_of(code), hash_of(token), now_ms, device)
        if person is None:
            return None
        self.forget(person)
        return person, token

    async def preferences(self, person: str) -> str | None:
        """The settings that somebody keeps with their account, as JSON."""
        return await self._store.accounts.preferences(person)

    async def keep_preferences(self, person: str, data: str) -> None:
        """Replace the settings that somebody keeps with their account."""
        await self._store.accounts.keep_preferences(person, data)

    async def programs_of(self, person: str) -> list[Person]:
        """The programs of a person."""
        found = [await self.get(program) for program in await self._store.accounts.programs_of(person)]
        return [program for program in found if program is not None]

    async def remove(self, person: str) -> bool:
        """Remove a person with their programs and sessions; False if there is none.

        Their games stay, under the name of the time.
        """
        gone = await self._store.accounts.remove(person)
        if gone is None:
            return False
        self._people_removed(gone)
        self._fanout.send("people_removed", list(gone))
        return True

    def _people_removed(self, gone: Collection[str]) -> None:
        for each in gone:
            self._person_changed(each)
        self.sessions.forget_people(gone)

    async def count(self) -> int:
        """The number of people and programs."""
        return await self._store.accounts.count()


def public_id(token_hash: str) -> str:
    """The part of a session's hash by which its owner names it."""
    return token_hash[:SESSION_ID]


def _cache(cache: OrderedDict[str, Value], key: str, value: Value) -> None:
    cache[key] = value
    if len(cache) > CACHED:
        cache.popitem(last=False)
