"""Failures of the database or a worker: clients may retry, logs contain no secrets, and play continues."""

import hashlib
import itertools
import logging
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from riverstones.rules import Seed
from riverstones.server.workers.jobs import SummariseGame

from .running import API, TIMEOUT_S, Answer, Running, running, settings_for


def capture(caplog: pytest.LogCaptureFixture) -> None:
    """Capture the log of a running server, which has replaced the test's handler by its own."""
    logging.getLogger().addHandler(caplog.handler)


def change(folder: Path, *statements: str) -> None:
    """Change the database while the server runs."""
    with closing(sqlite3.connect(folder / "test.sqlite3", timeout=TIMEOUT_S)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


@contextmanager
def without(folder: Path, *names: str) -> Iterator[None]:
    """Hide these tables of the database while the block runs."""
    change(folder, *(f"ALTER TABLE {name} RENAME TO lost_{name}" for name in names))
    try:
        yield
    finally:
        change(folder, *(f"ALTER TABLE lost_{name} RENAME TO {name}" for name in names))


def test_requests_during_a_database_failure_may_be_retried(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running(settings_for(tmp_path)) as server:
        capture(caplog)
        ann = server.client("Ann")
        table = ann.make_table("me", "stream")
        hello = ("POST", "/me", {"name": "Bob", "colour": "plum"})
        make = ("POST", "/tables", {"seats": [{"who": "me"}, {"who": "open"}]})
        with without(tmp_path, "people", "events", "tables"):
            bob = server.client(None)
            for client, request in ((bob, hello), (ann, make), (ann, ("GET", "/tables"))):
                with pytest.raises(Answer) as refused:
                    client.request(*request)
                assert (refused.value.status, refused.value.code) == (503, "try_again")
            socket = bob.raw_socket("a23456789abc")
            assert "try_again" in str(socket.recv())
        assert not [entry for entry in caplog.records if entry.exc_info]
        assert "no such table" in caplog.text
        assert bob.request(*hello)["name"] == "Bob"
        assert ann.request(*make)["table"]
        assert ann.get(f"/tables/{table}")["seq"] >= 2


def test_events_that_could_not_be_stored_are_not_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    numbers = itertools.count()
    secrets: list[bytes] = []

    def entropy() -> bytes:
        secrets.append(hashlib.sha256(str(next(numbers)).encode()).digest())
        return secrets[-1]

    with running(settings_for(tmp_path, entropy=entropy)) as server:
        capture(caplog)
        ann, bob = server.client("Ann"), server.client("Bob")
        table = ann.make_table("me", "open")
        with without(tmp_path, "events"):
            for command in ({"type": "sit"}, {"type": "say", "text": "a word among friends"}):
                body = {"id": "x", "command": command}
                client = bob if command["type"] == "sit" else ann
                assert client.http.post(f"{API}/tables/{table}/do", json=body).status_code == 503
        bob.do(table, "sit")
    assert "did not store an event: no such table" in caplog.text
    assert not [entry for entry in caplog.records if entry.exc_info]
    assert "a word among friends" not in caplog.text
    assert not [secret for secret in secrets if Seed(secret).reveal() in caplog.text]


def test_a_broken_log_does_not_affect_other_tables(tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as server:
        ann = server.client("Ann")
        tables = [ann.make_table("me", "open") for _ in range(3)]
    change(tmp_path, f"UPDATE events SET type = 'unheard-of' WHERE table_id = '{tables[-1]}'")
    with running(settings_for(tmp_path)) as server:
        until = time.monotonic() + TIMEOUT_S
        while "live_tables 2.0" not in server.client(None).http.get(f"{API}/metrics").text:
            assert time.monotonic() < until
            time.sleep(0.02)


def test_a_failed_review_may_be_retried(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.make_table("me", "open")
    bob.do(table, "sit")
    ann.do(table, "resign", seat=0)
    with monkeypatch.context() as broken:
        tables = sys.modules["riverstones.server.http.routes.tables"]
        broken.setattr(tables, "SummariseGame", lambda game: SummariseGame(replace(game, turns=("no turn",))))
        with pytest.raises(Answer) as refused:
            bob.get(f"/tables/{table}/review")
    assert (refused.value.status, refused.value.code) == (503, "try_again")
    assert len(bob.get(f"/tables/{table}/review")["seats"]) == 2
