"""Bans: who is banned gets a sentence and no answer, also on connections that are open already."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from riverstones.server.accounts import bans
from riverstones.server.accounts.bans import Bans, parse_network
from riverstones.server.accounts.connections import Connections
from riverstones.server.accounts.person import Person
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.addresses import parse_address
from riverstones.server.storage import Store
from riverstones.server.storage.accounts import StoredPerson
from riverstones.server.storage.bans import Ban
from riverstones.words import LANGUAGES, phrase

from .running import Answer, Client, Socket, running, settings_for
from .test_storage import NewDatabase, with_store


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bans, "REFRESH_S", 0.05)


def ban(database: str, **who: Any) -> None:
    values = {"id": "b1", "person": None, "network": None, "created_ms": 0, **who}
    assert with_store(database, lambda store: store.bans.add(Ban(**values)))


def refusal_of(work: Callable[[], Any], tries: int = 2000) -> Answer:
    """The first refusal; the server reads the bans at an interval."""
    for _ in range(tries):
        try:
            work()
        except Answer as answer:
            return answer
    pytest.fail("no refusal")


def unban(client: Client, database: str, tries: int = 2000) -> None:
    assert with_store(database, lambda store: store.bans.remove("b1"))
    for _ in range(tries):
        if client.http.get("/api/v1/me").status_code == 200:
            return
    pytest.fail("still banned")


def test_a_banned_person_is_refused_everywhere_and_can_return_afterwards(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    database = new_database()
    with running(settings_for(tmp_path, database=database)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        table = ann.make_table("me", "open")
        socket = ann.socket(table)
        socket.wait("snapshot")
        ban(database, person=ann.person)
        bye = socket.wait("bye")
        assert bye["error"]["code"] == "banned"
        with pytest.raises(ConnectionClosed) as closed:
            socket.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4003
        for refused in (
            refusal_of(lambda: ann.get("/me")),
            refusal_of(lambda: ann.get(f"/tables/{table}")),
            refusal_of(lambda: ann.make_table("me", "open")),
            refusal_of(lambda: ann.do(table, "say", text="hello")),
        ):
            assert (refused.status, refused.code) == (403, "banned")
        again = Socket(ann.raw_socket(table))
        assert again.wait("bye")["error"]["code"] == "banned"
        for language in LANGUAGES:
            ann.http.headers["accept-language"] = language
            assert refusal_of(lambda: ann.get("/me")).error["text"] == phrase("refusal_banned", {}, language)
        bob.get(f"/tables/{table}")
        unban(ann, database)
        ann.make_table("me", "open")


def test_the_programs_of_a_banned_person_are_banned_too(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as server:
        ann = server.client("Ann")
        made = ann.post("/programs", {"name": "Robot"})
        program = server.client(None)
        program.http.headers["authorization"] = f"Bearer {made['token']}"
        assert program.get("/me")["person"] == made["person"]
        ban(settings.database, person=ann.person)
        assert refusal_of(lambda: program.get("/me")).code == "banned"


def test_a_banned_network_is_refused_also_to_visitors(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, trust_proxy=True)
    with running(settings) as server:
        ann, visitor = server.client("Ann"), server.client(None)
        table = ann.make_table("me", "open")
        visitor.http.headers["x-forwarded-for"] = "192.0.2.77"
        visitor.get(f"/tables/{table}")
        with visitor.http.stream("GET", f"/api/v1/tables/{table}/stream") as stream:
            lines = stream.iter_lines()
            assert '"snapshot"' in next(lines)
            ban(settings.database, network="192.0.2.0/24")
            assert all('"presence"' in line for line in lines if line)  # until it ends
        refused = refusal_of(lambda: visitor.get(f"/tables/{table}"))
        assert (refused.status, refused.code) == (403, "address_banned")
        assert visitor.http.get("/").status_code == 403
        ann.get(f"/tables/{table}")
        visitor.http.headers["x-forwarded-for"] = "192.0.3.77"
        visitor.get(f"/tables/{table}")


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::1/128", "2001:db8::1/128"),
        ("nonsense", None),
        ("192.0.2.7/33", None),
        ("", None),
    ],
)
def test_a_network_is_read_from_an_address_or_cidr(text: str, network: str | None) -> None:
    found = parse_network(text)
    assert (None if found is None else str(found)) == network


def test_a_ban_ends_at_its_time_and_the_longest_counts(tmp_path: Path) -> None:
    now_ms = 1000
    settings = replace(settings_for(tmp_path), now_ms=lambda: now_ms)
    ann, far = Person("ann", "Ann", "teal"), parse_address("2001:db8::9")

    async def work(store: Store) -> None:
        nonlocal now_ms
        await store.accounts.add(_stored("ann"), "hash", 0)
        for name, until_ms in (("a", 2000), ("b", 3000)):
            assert await store.bans.add(Ban(name, "ann", None, 0, until_ms))
        assert await store.bans.add(Ban("c", None, "2001:db8::/64", 0, 2000))
        assert not await store.bans.add(Ban("d", "nobody", None, 0))
        known = Bans(settings, store, Connections())
        await known.refresh()
        assert (refused(known, ann), refused(known, far)) == (ServerErrorCode.BANNED, ServerErrorCode.ADDRESS_BANNED)
        now_ms = 2500
        assert (refused(known, ann), refused(known, far)) == (ServerErrorCode.BANNED, None)
        now_ms = 3000
        assert refused(known, ann) is None

    with_store(settings.database, work)


def refused(known: Bans, who: Any) -> ServerErrorCode | None:
    try:
        if isinstance(who, Person):
            known.check_person(who)
        else:
            known.check_address(who)
    except ServerError as error:
        return error.code
    return None


def _stored(person: str) -> StoredPerson:
    return StoredPerson(person, person, "teal")


def test_a_database_that_is_down_keeps_the_bans(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)

    async def work(store: Store) -> None:
        await store.accounts.add(_stored("ann"), "hash", 0)
        await store.bans.add(Ban("a", "ann", None, 0))
        known = Bans(settings, store, Connections())
        await known.start()
        failed = asyncio.Event()

        async def down() -> list[Ban]:
            failed.set()
            raise OSError("down")

        store.bans.all = down  # type: ignore[method-assign]
        await asyncio.wait_for(failed.wait(), 60)
        await asyncio.sleep(0)
        assert refused(known, Person("ann", "Ann", "teal")) is ServerErrorCode.BANNED
        failed.clear()
        await asyncio.wait_for(failed.wait(), 60)
        await known.stop()

    with_store(settings.database, work)
