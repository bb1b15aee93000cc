"""Sessions: listed, ended, expired, and the keys that sign their cookies."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from riverstones.server.accounts import sessions as sessions_module
from riverstones.server.accounts.sessions import ABSOLUTE_MS, IDLE_MS, SEEN_EVERY_MS
from riverstones.server.accounts.tokens import Signer
from riverstones.server.storage import Store

from .running import Answer, Client, Running, running, settings_for

START_MS = 1_800_000_000_000


@dataclass
class Time:
    """A clock that tests set."""

    now_ms: int = START_MS

    def __call__(self) -> int:
        return self.now_ms


def again(server: Running, client: Client) -> Client:
    """The same session without the server's cache of it."""
    services = server.server.config.app.state.services  # type: ignore[union-attr]  # the app is a FastAPI
    server.run(services.accounts.sessions.written())
    services.accounts.sessions.forget_all()
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/me") is not None


def sessions(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/account")["sessions"]
    return found


def with_devices(server: Running, count: int) -> list[Client]:
    """One person on several devices."""
    first = server.client("Ann")
    devices = [first]
    for _ in range(count - 1):
        other = server.client(None)
        other.post("/account/links/redeem", {"code": first.post("/account/links")["code"]})
        devices.append(other)
    return devices


def test_all_other_sessions_are_ended_at_once(server: Running) -> None:
    first, second, third = with_devices(server, 3)
    table = second.make_table("me", "open")
    socket = second.socket(table)
    socket.wait("presence")
    first.request("DELETE", "/account/sessions")
    assert [is_signed_in(each) for each in (first, second, third)] == [True, False, False]
    assert [each["current"] for each in sessions(first)] == [True]
    assert socket.wait("bye")["error"]["code"] == "not_signed_in"


@pytest.mark.parametrize("cached", [True, False])
def test_a_session_expires_when_it_is_not_used(tmp_path: Path, cached: bool) -> None:
    time = Time()
    with running(settings_for(tmp_path, now_ms=time)) as server:
        ann = server.client("Ann")
        time.now_ms += IDLE_MS - SEEN_EVERY_MS
        assert is_signed_in(ann if cached else again(server, ann))
        time.now_ms += IDLE_MS + 1
        assert not is_signed_in(ann if cached else again(server, ann))
        time.now_ms -= IDLE_MS
        assert not is_signed_in(ann), "an expired session does not come back"


def test_a_session_expires_however_much_it_is_used(tmp_path: Path) -> None:
    time = Time()
    with running(settings_for(tmp_path, now_ms=time)) as server:
        ann = server.client("Ann")
        token = ann.post("/programs", {"name": "Otter"})["token"]
        while time.now_ms < START_MS + ABSOLUTE_MS:
            assert is_signed_in(ann)
            assert ann.http.get("/api/v1/me", headers={"authorization": f"Bearer {token}"}).status_code == 200
            time.now_ms += IDLE_MS // 2
        assert not is_signed_in(ann)
        program = ann.http.get("/api/v1/me", headers={"authorization": f"Bearer {token}"})
        assert program.status_code == 200, "a program in use keeps its token"


def test_the_last_use_is_stored_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time()
    with running(settings_for(tmp_path, now_ms=time)) as server:
        ann = server.client("Ann")
        services = server.server.config.app.state.services  # type: ignore[union-attr]  # the app is a FastAPI
        written: list[int] = []
        note_seen = services.store.accounts.note_seen

        async def count(token_hash: str, seen_ms: int, network: str | None) -> None:
            written.append(seen_ms)
            await note_seen(token_hash, seen_ms, network)

        monkeypatch.setattr(services.store.accounts, "note_seen", count)
        for _ in range(30):
            time.now_ms += SEEN_EVERY_MS // 10
            assert is_signed_in(ann)
        (session,) = sessions(ann)
        assert len(written) == 3  # checked after another request: the server stores a use after its answer
    assert START_MS < session["seen_ms"] <= time.now_ms
    assert session["created_ms"] == START_MS


def test_expired_sessions_are_deleted(tmp_path: Path) -> None:
    async def work() -> None:
        store = Store(f"sqlite:///{tmp_path}/x.sqlite3")
        await store.database.open()
        from riverstones.server.storage.accounts import StoredPerson

        await store.accounts.add(StoredPerson("p1", "Ann", "teal"), "old", 1_000)
        await store.accounts.add_session("p1", "unused", 5_000, None)
        await store.accounts.add_session("p1", "new", 5_000, None)
        await store.accounts.note_seen("old", 9_000, None)
        await store.accounts.note_seen("new", 9_000, None)
        await store.accounts.add(StoredPerson("p2", "Otter", "teal", owner="p1"), "program", 1_000)
        await store.accounts.note_seen("program", 9_000, None)
        assert await store.accounts.delete_expired_sessions(idle_before_ms=6_000, created_before_ms=2_000) == 2
        assert [each.token_hash for each in await store.accounts.sessions_of("p1")] == ["new"]
        assert [each.token_hash for each in await store.accounts.sessions_of("p2")] == ["program"]
        assert await store.accounts.end_sessions_of("p1") == ["new"]
        assert await store.accounts.sessions_of("p1") == []
        await store.database.close()

    asyncio.run(work())


def test_a_session_ended_in_the_database_is_soon_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Operators end sessions with a command, and other nodes by a request."""
    monkeypatch.setattr(sessions_module, "TRUSTED_S", 0.0)
    monkeypatch.setattr(sessions_module, "CHECK_S", 0.05)
    with running(settings_for(tmp_path)) as server:
        ann = server.client("Ann")
        table = ann.make_table("me", "open")
        socket = ann.socket(table)
        socket.wait("presence")

        async def end() -> None:
            store = Store(f"sqlite:///{tmp_path}/test.sqlite3")
            await store.database.open()
            assert ann.person is not None
            assert len(await store.accounts.end_sessions_of(ann.person)) == 1
            await store.database.close()

        asyncio.run(end())
        assert socket.wait("bye")["error"]["code"] == "not_signed_in"
        assert not is_signed_in(ann)


# The keys that sign cookies


def test_a_signer_checks_with_all_keys_and_signs_with_the_first() -> None:
    old, both, new = Signer(["old"]), Signer(["new", "old"]), Signer(["new"])
    signed = old.sign("session", "token")
    assert both.check("session", signed) == "token"
    assert not both.is_current("session", signed)
    assert new.check("session", signed) is None
    assert new.check("session", both.sign("session", "token")) == "token"
    assert both.is_current("session", both.sign("session", "token"))
    assert both.check("link", signed) is None


def rotate(folder: Path, *, keep: int) -> None:
    async def work() -> None:
        store = Store(f"sqlite:///{folder}/test.sqlite3")
        await store.database.open()
        await store.rotate_cookie_key(keep=keep)
        await store.database.close()

    asyncio.run(work())


def test_the_cookie_key_is_rotated_without_signing_anybody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.server.accounts.accounts.KEYS_S", 0.0)
    with running(settings_for(tmp_path)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        before = dict(ann.http.cookies)
        rotate(tmp_path, keep=1)
        assert is_signed_in(ann)
        after = dict(ann.http.cookies)
        assert after != before, "the cookie was signed again"
        assert is_signed_in(server.client("Cid"))
        rotate(tmp_path, keep=1)
        assert is_signed_in(ann)
        assert not is_signed_in(bob), "his cookie was signed two keys ago"
        rotate(tmp_path, keep=0)
        assert not is_signed_in(ann)


def test_a_key_of_another_node_is_read_when_a_cookie_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.server.accounts.accounts.KEYS_S", 3600.0)
    monkeypatch.setattr("riverstones.server.accounts.accounts.KEYS_AGAIN_S", 0.0)
    with running(settings_for(tmp_path)) as server:
        ann = server.client("Ann")
        rotate(tmp_path, keep=1)

        async def sign() -> str:
            store = Store(f"sqlite:///{tmp_path}/test.sqlite3")
            await store.database.open()
            signer = Signer(await store.cookie_keys())
            await store.database.close()
            return signer.sign("session", ann.http.cookies["riverstones"].rpartition(".")[0])

        ann.http.cookies.set("riverstones", asyncio.run(sign()), domain="127.0.0.1", path="/")
        assert is_signed_in(ann)


def test_ending_sessions_needs_a_session(server: Running) -> None:
    with pytest.raises(Answer) as refused:
        server.client(None).request("DELETE", "/account/sessions")
    assert refused.value.status == 401
