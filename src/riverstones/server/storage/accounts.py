"""People, their sessions, passkeys and one-time links, and the programs of people."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, literal, select, update

from riverstones.table import Phase

from . import schema as s
from .database import Database
from .played import carry_over_played
from .study import carry_over_study


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
    created_ms: int = 0


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A row of `sessions`."""

    token_hash: str
    person: str
    created_ms: int
    seen_ms: int
    device: str | None
    network: str | None


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
        """A person or program by id; None if there is none."""
        for row in await self._database.rows(select(s.people).where(s.people.c.id == person)):
            return person_of(row)
        return None

    async def session(self, token_hash: str) -> StoredSession | None:
        """A session; None if there is none."""
        for row in await self._database.rows(select(s.sessions).where(s.sessions.c.token_hash == token_hash)):
            return _session_of(row)
        return None

    async def programs_of(self, person: str) -> list[str]:
        """The programs of a person, oldest first."""
        query = select(s.people.c.id).where(s.people.c.owner == person).order_by(s.people.c.created_ms)
        return await self._database.column(query)

    async def count(self) -> int:
        """The number of people and programs."""
        return int(await self._database.value(select(func.count()).select_from(s.people)) or 0)

    async def add(self, person: StoredPerson, token_hash: str, now_ms: int, device: str | None = None) -> None:
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
            await _add_session(connection, person.id, token_hash, now_ms, device)

        await self._database.writer.transact(work)

    async def rename(self, person: str, name: str, colour: str) -> None:
        """Change a person's name and colour."""

        async def work(connection: Any) -> None:
            change = update(s.people).where(s.people.c.id == person)
            await connection.execute(change.values(name=name, colour=colour))

        await self._database.writer.transact(work)

    async def remove(self, person: str) -> list[str] | None:
        """Remove a person with their programs, sessions and places in lists; returns the ids of all removed.

        Their games stay, under the name of the time. Returns None if there is no such person.
        """

        async def work(connection: Any) -> list[str] | None:
            programs = (await connection.scalars(select(s.people.c.id).where(s.people.c.owner == person))).all()
            gone = [person, *programs]
            await connection.execute(delete(s.sessions).where(s.sessions.c.person.in_(gone)))
            await connection.execute(delete(s.seats).where(s.seats.c.person.in_(gone)))
            await connection.execute(delete(s.played_games).where(s.played_games.c.person.in_(gone)))
            count = (await connection.execute(delete(s.people).where(s.people.c.id == person))).rowcount
            return gone if count else None

        return await self._database.writer.transact(work)

    async def preferences(self, person: str) -> str | None:
        """The settings that somebody keeps with their account, as JSON."""
        query = select(s.preferences.c.data).where(s.preferences.c.person == person)
        found: str | None = await self._database.value(query)
        return found

    async def keep_preferences(self, person: str, data: str) -> None:
        """Replace the settings that somebody keeps with their account."""

        async def work(connection: Any) -> None:
            change = update(s.preferences).where(s.preferences.c.person == person)
            if (await connection.execute(change.values(data=data))).rowcount == 0:
                await connection.execute(s.preferences.insert().values(person=person, data=data))

        await self._database.writer.transact(work)

    async def sessions_of(self, person: str) -> list[StoredSession]:
        """The sessions of a person, newest first."""
        query = select(s.sessions).where(s.sessions.c.person == person).order_by(s.sessions.c.created_ms.desc())
        rows = await self._database.rows(query.order_by(s.sessions.c.token_hash))
        return list(map(_session_of, rows))

    async def note_seen(self, token_hash: str, seen_ms: int, network: str | None) -> None:
        """Store when a session was last used, and the network unless it is unknown."""
        values = {"seen_ms": seen_ms} if network is None else {"seen_ms": seen_ms, "network": network}

        async def work(connection: Any) -> None:
            await connection.execute(update(s.sessions).where(s.sessions.c.token_hash == token_hash).values(values))

        await self._database.writer.transact(work)

    async def end_sessions_of(self, person: str, but: str | None = None) -> list[str]:
        """Remove the sessions of a person, except for one; returns their hashes."""

        async def work(connection: Any) -> list[str]:
            theirs = (s.sessions.c.person == person) & (s.sessions.c.token_hash != (but or ""))
            found = list((await connection.scalars(select(s.sessions.c.token_hash).where(theirs))).all())
            await connection.execute(delete(s.sessions).where(theirs))
            return found

        return await self._database.writer.transact(work)

    async def delete_expired_sessions(self, idle_before_ms: int, created_before_ms: int) -> int:
        """Remove sessions that were last used before a time, and those of people that began before another.

        Returns their number.
        """
        programs = select(s.people.c.id).where(s.people.c.owner.is_not(None))
        old = (s.sessions.c.created_ms < created_before_ms) & s.sessions.c.person.not_in(programs)

        async def work(connection: Any) -> int:
            expired = delete(s.sessions).where((s.sessions.c.seen_ms < idle_before_ms) | old)
            return int((await connection.execute(expired)).rowcount)

        return await self._database.writer.transact(work)

    async def carry_over(self, guest: str, person: str) -> None:
        """Add a guest's finished games to the games of another person, and what the guest has solved."""

        async def work(connection: Any) -> None:
            over = select(s.tables.c.id).where(s.tables.c.phase == Phase.OVER.value)
            known = select(s.seats.c.table_id).where(s.seats.c.person == person)
            found = select(s.seats.c.table_id, literal(person), s.seats.c.updated_ms, s.seats.c.dismissed).where(
                s.seats.c.person == guest, s.seats.c.table_id.in_(over), s.seats.c.table_id.not_in(known)
            )
            columns = ["table_id", "person", "updated_ms", "dismissed"]
            await connection.execute(s.seats.insert().from_select(columns, found))
            await carry_over_played(connection, guest, person)
            await carry_over_study(connection, guest, person)

        await self._database.writer.transact(work)

    async def known_sessions(self, hashes: Collection[str]) -> set[str]:
        """Those of these sessions that have not ended."""
        query = select(s.sessions.c.token_hash).where(s.sessions.c.token_hash.in_(hashes))
        return set(await self._database.column(query)) if hashes else set()

    async def add_session(self, person: str, token_hash: str, now_ms: int, device: str | None) -> None:
        """Add a session for a person."""

        async def work(connection: Any) -> None:
            await _add_session(connection, person, token_hash, now_ms, device)

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

    async def redeem_link(self, code_hash: str, token_hash: str, now_ms: int, device: str | None) -> str | None:
        """Redeem a link: delete it, add a session and mark the person as having an account.

        Returns the person's id; None if the link is not valid.
        """

        async def work(connection: Any) -> str | None:
            valid = (s.links.c.code_hash == code_hash) & (s.links.c.expires_ms >= now_ms)
            person: str | None = await connection.scalar(select(s.links.c.person).where(valid))
            if person is None:
                return None
            await connection.execute(delete(s.links).where(s.links.c.code_hash == code_hash))
            await connection.execute(update(s.people).where(s.people.c.id == person).values(account=True))
            await _add_session(connection, person, token_hash, now_ms, device)
            return person

        return await self._database.writer.transact(work)

    async def passkeys_of(self, person: str) -> list[str]:
        """The credentials of a person's passkeys."""
        return await self._database.column(select(s.passkeys.c.credential).where(s.passkeys.c.person == person))

    async def passkey_dates_of(self, person: str) -> list[int]:
        """When a person's passkeys were made, oldest first."""
        query = select(s.passkeys.c.created_ms).where(s.passkeys.c.person == person)
        return await self._database.column(query.order_by(s.passkeys.c.created_ms))

    async def passkey(self, credential: str) -> StoredPasskey | None:
        """A passkey by its credential; None if there is none."""
        for row in await self._database.rows(select(s.passkeys).where(s.passkeys.c.credential == credential)):
            return StoredPasskey(row.credential, row.person, row.public_key, row.sign_count)
        return None

    async def add_passkey(self, passkey: StoredPasskey, now_ms: int) -> bool:
        """Add a passkey and mark its person as having an account; False if the credential is taken."""

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
        """Update the signature counter of a passkey."""

        async def work(connection: Any) -> None:
            change = update(s.passkeys).where(s.passkeys.c.credential == credential)
            await connection.execute(change.values(sign_count=sign_count))

        await self._database.writer.transact(work)


def _session_of(row: Any) -> StoredSession:
    return StoredSession(row.token_hash, row.person, row.created_ms, row.seen_ms, row.device, row.network)


def person_of(row: Any) -> StoredPerson:
    """The person of a row of `people`."""
    return StoredPerson(
        row.id, row.name, row.colour, row.account, row.owner, row.mu, row.sigma, row.rated_games, row.created_ms
    )


async def _add_session(connection: Any, person: str, token_hash: str, now_ms: int, device: str | None) -> None:
    row = {"token_hash": token_hash, "person": person, "created_ms": now_ms, "seen_ms": now_ms, "device": device}
    await connection.execute(s.sessions.insert().values(row))
