"""People, their sessions, passkeys and one-time links, and the programs of people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select, update

from . import schema as s
from .database import Database


@dataclass(frozen=True, slots=True)
class StoredPerson:
    """A row of `people`."""

    id: str
    name: str
    colour: str
    account: bool = False
    owner: str | None = None
    mu: float | None = None
    sigma: float | None = None
    rated_games: int = 0


@dataclass(frozen=True, slots=True)
class StoredPasskey:
    """A row of `passkeys`."""

    credential: str
    person: str
    public_key: bytes
    sign_count: int


class AccountStorage:
    """The rows of accounts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def person(self, person: str) -> StoredPerson | None:
        """Somebody by id."""
        for row in await self._database.rows(select(s.people).where(s.people.c.id == person)):
            return person_of(row)
        return None

    async def person_of_session(self, token_hash: str) -> str | None:
        """Whose session has a token with this hash."""
        query = select(s.sessions.c.person).where(s.sessions.c.token_hash == token_hash)
        found: str | None = await self._database.value(query)
        return found

    async def programs_of(self, person: str) -> list[str]:
        """The programs of a person, oldest first."""
        query = select(s.people.c.id).where(s.people.c.owner == person).order_by(s.people.c.created_ms)
        return await self._database.column(query)

    async def count(self) -> int:
        """How many people and programs there are."""
        return int(await self._database.value(select(func.count()).select_from(s.people)) or 0)

    async def add(self, person: StoredPerson, token_hash: str, now_ms: int) -> None:
        """Add a person with a first session."""
        row = {
            "id": person.id,
            "name": person.name,
            "colour": person.colour,
            "created_ms": now_ms,
            "account": person.account,
            "owner": person.owner,
            "rated_games": person.rated_games,
        }

        async def work(connection: Any) -> None:
            await connection.execute(s.people.insert().values(row))
            await _add_session(connection, person.id, token_hash, now_ms)

        await self._database.writer.transact(work)

    async def rename(self, person: str, name: str, colour: str) -> None:
        """Change somebody's name and colour."""

        async def work(connection: Any) -> None:
            change = update(s.people).where(s.people.c.id == person)
            await connection.execute(change.values(name=name, colour=colour))

        await self._database.writer.transact(work)

    async def remove(self, person: str) -> list[str] | None:
        """Remove somebody with their programs, sessions and places in lists; the ids of all who are gone.

        Their games stay, with the name that they were played under. None if there is no such person.
        """

        async def work(connection: Any) -> list[str] | None:
            programs = (await connection.scalars(select(s.people.c.id).where(s.people.c.owner == person))).all()
            gone = [person, *programs]
            await connection.execute(delete(s.sessions).where(s.sessions.c.person.in_(gone)))
            await connection.execute(delete(s.seats).where(s.seats.c.person.in_(gone)))
            count = (await connection.execute(delete(s.people).where(s.people.c.id == person))).rowcount
            return gone if count else None

        return await self._database.writer.transact(work)

    async def add_session(self, person: str, token_hash: str, now_ms: int) -> None:
        """Sign somebody in once more."""

        async def work(connection: Any) -> None:
            await _add_session(connection, person, token_hash, now_ms)

        await self._database.writer.transact(work)

    async def end_session(self, token_hash: str) -> None:
        """Remove a session."""

        async def work(connection: Any) -> None:
            await connection.execute(delete(s.sessions).where(s.sessions.c.token_hash == token_hash))

        await self._database.writer.transact(work)

    async def add_link(self, person: str, code_hash: str, expires_ms: int, now_ms: int) -> None:
        """Add a one-time link, and remove those that have expired."""

        async def work(connection: Any) -> None:
            await connection.execute(delete(s.links).where(s.links.c.expires_ms < now_ms))
            row = {"code_hash": code_hash, "person": person, "expires_ms": expires_ms}
            await connection.execute(s.links.insert().values(row))

        await self._database.writer.transact(work)

    async def redeem_link(self, code_hash: str, token_hash: str, now_ms: int) -> str | None:
        """Use a link up for a new session of its person, who has an account then; None if it is not valid."""

        async def work(connection: Any) -> str | None:
            valid = (s.links.c.code_hash == code_hash) & (s.links.c.expires_ms >= now_ms)
            person: str | None = await connection.scalar(select(s.links.c.person).where(valid))
            if person is None:
                return None
            await connection.execute(delete(s.links).where(s.links.c.code_hash == code_hash))
            await connection.execute(update(s.people).where(s.people.c.id == person).values(account=True))
            await _add_session(connection, person, token_hash, now_ms)
            return person

        return await self._database.writer.transact(work)

    async def passkeys_of(self, person: str) -> list[str]:
        """The credentials of a person's passkeys."""
        return await self._database.column(select(s.passkeys.c.credential).where(s.passkeys.c.person == person))

    async def passkey(self, credential: str) -> StoredPasskey | None:
        """A passkey by its credential."""
        for row in await self._database.rows(select(s.passkeys).where(s.passkeys.c.credential == credential)):
            return StoredPasskey(row.credential, row.person, row.public_key, row.sign_count)
        return None

    async def add_passkey(self, passkey: StoredPasskey, now_ms: int) -> bool:
        """Add a passkey for a person, who has an account then; False if the credential is taken."""

        async def work(connection: Any) -> bool:
            query = select(s.passkeys.c.person).where(s.passkeys.c.credential == passkey.credential)
            if await connection.scalar(query) is not None:
                return False
            row = {
                "credential": passkey.credential,
                "person": passkey.person,
                "public_key": passkey.public_key,
                "sign_count": passkey.sign_count,
                "created_ms": now_ms,
            }
            await connection.execute(s.passkeys.insert().values(row))
            await connection.execute(update(s.people).where(s.people.c.id == passkey.person).values(account=True))
            return True

        return await self._database.writer.transact(work)

    async def count_passkey_use(self, credential: str, sign_count: int) -> None:
        """Store how often a passkey has signed."""

        async def work(connection: Any) -> None:
            change = update(s.passkeys).where(s.passkeys.c.credential == credential)
            await connection.execute(change.values(sign_count=sign_count))

        await self._database.writer.transact(work)


def person_of(row: Any) -> StoredPerson:
    """The person of a row of `people`."""
    return StoredPerson(row.id, row.name, row.colour, row.account, row.owner, row.mu, row.sigma, row.rated_games)


async def _add_session(connection: Any, person: str, token_hash: str, now_ms: int) -> None:
    row = {"token_hash": token_hash, "person": person, "created_ms": now_ms, "seen_ms": now_ms}
    await connection.execute(s.sessions.insert().values(row))
