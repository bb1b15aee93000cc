"""The people, their sessions and their programs."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, func, select, update

from riverstones.server.accounts.connections import Connections
from riverstones.server.accounts.person import Person
from riverstones.server.accounts.tokens import Signer, hash_of, new_token
from riverstones.server.settings import Settings
from riverstones.server.storage import Store
from riverstones.server.storage import schema as s

COOKIE = "riverstones"
REMEMBERED = 20_000
"""How many sessions are kept in memory, so that not every request asks the database."""

LINK_MS = 10 * 60_000
"""How long a device link is good for."""

MOST_PROGRAMS = 10


class Accounts:
    """Everybody, and how they are known again."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._known: OrderedDict[str, str] = OrderedDict()
        """The person of each session, by the hash of its token."""
        self._people: OrderedDict[str, Person] = OrderedDict()
        self._changes = 0
        """How often somebody has changed: what was read meanwhile is not remembered."""
        self.signer = Signer("")
        self.connections = Connections()

    async def open(self) -> None:
        """Fetch the key that signs cookies."""
        self.signer = Signer(await self._store.server_value("cookie_key", secrets.token_hex(32)))

    async def by_cookie(self, cookie: str | None) -> Person | None:
        """Who a cookie belongs to."""
        token = self.signer.check("session", cookie) if cookie else None
        return await self._by_hash(hash_of(token)) if token else None

    async def by_bearer(self, token: str) -> Person | None:
        """Which program a token belongs to."""
        person = await self._by_hash(hash_of(token))
        return person if person is not None and person.owner is not None else None

    async def signed_in(self, person: Person) -> bool:
        """Whether the session with which somebody came in goes on."""
        return person.session is not None and await self._by_hash(person.session) is not None

    async def _by_hash(self, hashed: str) -> Person | None:
        if (person := self._known.get(hashed)) is None:
            query = select(s.sessions.c.person).where(s.sessions.c.token_hash == hashed)
            async with self._store.database.read_engine.connect() as connection:
                person = await connection.scalar(query)
            if person is None:
                return None
            _remember(self._known, hashed, person)
        found = await self.get(person)
        return None if found is None else replace(found, session=hashed)

    async def get(self, person: str) -> Person | None:
        """Somebody by their id."""
        if (known := self._people.get(person)) is not None:
            return known
        changes = self._changes
        async with self._store.database.read_engine.connect() as connection:
            row = (await connection.execute(select(s.people).where(s.people.c.id == person))).first()
        if row is None:
            return None
        found = Person(row.id, row.name, row.colour, row.account, row.owner, row.mu, row.sigma, row.rated_games)
        if changes == self._changes:  # else what was read may be out of date already
            _remember(self._people, person, found)
        return found

    def forget(self, person: str) -> None:
        """Read somebody again the next time, because something about them has changed."""
        self._changes += 1
        self._people.pop(person, None)

    async def create(self, name: str, colour: str, owner: str | None = None) -> tuple[Person, str]:
        """Make a person and a session; the session's token is told this once."""
        person = Person("p" + self._settings.entropy()[:10].hex(), name, colour, owner=owner)
        row = {
            "id": person.id,
            "name": name,
            "colour": colour,
            "created_ms": self._settings.now_ms(),
            "account": False,
            "owner": owner,
            "rated_games": 0,
        }

        async def work(connection: Any) -> str:
            await connection.execute(s.people.insert().values(row))
            return await self._add_session(connection, person.id)

        return person, await self._store.database.writer.transact(work)

    async def _add_session(self, connection: Any, person: str) -> str:
        token, now_ms = new_token(), self._settings.now_ms()
        row = {"token_hash": hash_of(token), "person": person, "created_ms": now_ms, "seen_ms": now_ms}
        await connection.execute(s.sessions.insert().values(row))
        return token

    async def new_session(self, person: str) -> str:
        """Sign somebody in once more; the token is told this once."""
        return await self._store.database.writer.transact(lambda connection: self._add_session(connection, person))

    async def end_session(self, cookie: str) -> None:
        """Forget a session."""
        token = self.signer.check("session", cookie)
        if token is None:
            return
        hashed = hash_of(token)

        async def work(connection: Any) -> None:
            await connection.execute(delete(s.sessions).where(s.sessions.c.token_hash == hashed))

        await self._store.database.writer.transact(work)
        # Only now: a request that came in between would have had it remembered again.
        self._known.pop(hashed, None)
        self.connections.end_session(hashed)

    async def change(self, person: Person, name: str, colour: str) -> Person:
        """Give somebody another name or colour."""
        changed = replace(person, name=name, colour=colour)

        async def work(connection: Any) -> None:
            query = update(s.people).where(s.people.c.id == person.id)
            await connection.execute(query.values(name=name, colour=colour))

        await self._store.database.writer.transact(work)
        self.forget(person.id)
        return changed

    async def new_link(self, person: str) -> tuple[str, int]:
        """A one-time code that signs another device in, and when it ends."""
        code, expires_ms = secrets.token_urlsafe(12), self._settings.now_ms() + LINK_MS

        async def work(connection: Any) -> None:
            await connection.execute(delete(s.links).where(s.links.c.expires_ms < self._settings.now_ms()))
            row = {"code_hash": hash_of(code), "person": person, "expires_ms": expires_ms}
            await connection.execute(s.links.insert().values(row))

        await self._store.database.writer.transact(work)
        return code, expires_ms

    async def redeem_link(self, code: str) -> tuple[str, str] | None:
        """Use a code up: the person, and the token of the new session; None if the code is not good."""

        async def work(connection: Any) -> tuple[str, str] | None:
            good = (s.links.c.code_hash == hash_of(code)) & (s.links.c.expires_ms >= self._settings.now_ms())
            person = await connection.scalar(select(s.links.c.person).where(good))
            if person is None:
                return None
            await connection.execute(delete(s.links).where(s.links.c.code_hash == hash_of(code)))
            await connection.execute(update(s.people).where(s.people.c.id == person).values(account=True))
            return person, await self._add_session(connection, person)

        found = await self._store.database.writer.transact(work)
        if found is not None:
            self.forget(found[0])
        return found

    async def programs_of(self, person: str) -> list[Person]:
        """The programs of a person."""
        query = select(s.people.c.id).where(s.people.c.owner == person).order_by(s.people.c.created_ms)
        async with self._store.database.read_engine.connect() as connection:
            ids = (await connection.scalars(query)).all()
        found = [await self.get(program) for program in ids]
        return [program for program in found if program is not None]

    async def remove(self, person: str) -> bool:
        """Forget somebody, with their programs and sessions. Their games stay, with the name they were played under."""

        async def work(connection: Any) -> tuple[list[str], int]:
            programs = (await connection.scalars(select(s.people.c.id).where(s.people.c.owner == person))).all()
            gone = [person, *programs]
            await connection.execute(delete(s.sessions).where(s.sessions.c.person.in_(gone)))
            await connection.execute(delete(s.seats).where(s.seats.c.person.in_(gone)))
            return gone, (await connection.execute(delete(s.people).where(s.people.c.id == person))).rowcount

        gone, count = await self._store.database.writer.transact(work)
        for known in gone:
            self.forget(known)
        for hashed in [hashed for hashed, owner in self._known.items() if owner in gone]:
            self._known.pop(hashed)
        self.connections.end_people(gone)
        return count > 0

    async def count(self) -> int:
        """How many there are."""
        async with self._store.database.read_engine.connect() as connection:
            return int((await connection.scalar(select(func.count()).select_from(s.people))) or 0)


def _remember(known: OrderedDict[str, Any], key: str, value: Any) -> None:
    known[key] = value
    if len(known) > REMEMBERED:
        known.popitem(last=False)
