"""The log of refusals: who was refused and why, without secrets, and never much of it."""

import logging
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from limits import parse

from riverstones.server.http import middleware, security_log
from riverstones.server.http.security_log import SecurityLog

from .running import API, running, settings_for
from .test_safety import handshake

LOGGER = "riverstones.security"


@pytest.fixture(autouse=True)
def _heard(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Starting a server replaces the handlers of the root logger, where `caplog` listens."""
    logger = logging.getLogger(LOGGER)
    logger.addHandler(caplog.handler)
    logger.propagate = False
    yield
    logger.propagate = True
    logger.removeHandler(caplog.handler)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == LOGGER]


def test_rate_limits_are_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "REQUESTS", parse("5/hour"))
    with running(settings_for(tmp_path, limits=True, trust_proxy=True)) as server:
        http = server.client(None).http
        codes = [http.get(f"{API}/me", headers={"x-forwarded-for": "192.0.2.7"}).status_code for _ in range(9)]
        assert codes[-1] == 429
    (line,) = lines(caplog)
    assert "192.0.2.7" in line
    assert "5 per 1 hour" in line


def test_refused_origins_and_hosts_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running(settings_for(tmp_path)) as server:
        table = server.client("Ann").make_table("me", "open")
        for _ in range(3):
            assert handshake(server, table, origin="http://evil.example") == 403
        httpx.get(f"{server.url}{API}/me", headers={"host": "rebound.example"})
    assert lines(caplog) == [
        "Refused origin 'http://evil.example' from 127.0.0.1.",
        "Refused host 'rebound.example' from 127.0.0.1.",
    ]
    assert table not in caplog.text


def test_failed_sign_ins_are_logged_without_their_secrets(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    secret = "a-secret-that-nobody-may-read"
    with running(settings_for(tmp_path)) as server:
        client = server.client("Ann")
        assert client.http.post(f"{API}/account/links/redeem", json={"code": secret}).status_code == 400
        assert client.http.get(f"{API}/me", headers={"authorization": f"Bearer {secret}"}).status_code == 401
        body = {"ticket": secret, "credential": {"id": secret}}
        assert client.http.post(f"{API}/account/passkeys/login", json=body).status_code == 400
        client.http.cookies.clear()
        client.http.get(f"{API}/me", headers={"cookie": f"riverstones={secret}.0123"})
    found = lines(caplog)
    assert [line.partition(" from ")[0] for line in found] == [
        "Failed sign-in with a code",
        "Failed sign-in with a token",
        "Failed sign-in with a passkey",
        "Failed sign-in with a forged cookie",
    ]
    assert secret not in caplog.text


def test_an_unusual_detail_cannot_forge_a_line(caplog: pytest.LogCaptureFixture) -> None:
    SecurityLog().note("Refused origin", "192.0.2.7", "http://x\r\nERROR all is lost \u202e" + "y" * 500)
    (line,) = lines(caplog)
    assert "\n" not in line
    assert line.isascii()
    assert len(line) < 200


def test_clients_cannot_fill_the_log(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 1000.0
    monkeypatch.setattr("riverstones.server.http.security_log.time.monotonic", lambda: now_s)
    log = SecurityLog()
    for number in range(500):
        for _ in range(3):
            log.note("Refused origin", f"192.0.2.{number}", "http://evil.example")
    assert len(lines(caplog)) == security_log.LINES_PER_MINUTE
    now_s += 61
    log.note("Refused origin", "192.0.2.1", "http://evil.example")
    assert lines(caplog)[-2:] == [
        f"{1500 - security_log.LINES_PER_MINUTE} more refusals were not logged.",
        "Refused origin 'http://evil.example' from 192.0.2.1.",
    ]
