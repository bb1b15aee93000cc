"""Cookies and HSTS follow the public origin of the server."""

from pathlib import Path

import httpx
import pytest

from .running import API, Running, running, settings_for

PUBLIC = "play.example.org"


def answer_for(server: Running, host: str) -> httpx.Response:
    """The answer that makes a guest, asked for at this host."""
    return httpx.post(f"{server.url}{API}/me", json={"name": "Ann"}, headers={"host": host})


@pytest.mark.parametrize("trust_proxy", [True, False])
def test_cookies_are_secure_and_hsts_is_set_at_a_public_https_origin(tmp_path: Path, trust_proxy: bool) -> None:
    """The proxy ends TLS; whether it says so in a header must not decide whether the cookie is protected."""
    with running(settings_for(tmp_path, origins=(f"https://{PUBLIC}",), trust_proxy=trust_proxy)) as server:
        for host in (PUBLIC, f"{PUBLIC.upper()}", f"{PUBLIC}:443"):
            answer = answer_for(server, host)
            assert "Secure" in answer.headers["set-cookie"]
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
        local = answer_for(server, "localhost")
        assert "Secure" not in local.headers["set-cookie"]
        assert "strict-transport-security" not in local.headers


def test_a_public_origin_without_tls_has_plain_cookies(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, origins=(f"http://{PUBLIC}",))) as server:
        answer = answer_for(server, PUBLIC)
        assert "Secure" not in answer.headers["set-cookie"]
        assert "strict-transport-security" not in answer.headers


def test_a_port_of_its_own_is_part_of_the_origin(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, origins=(f"https://{PUBLIC}:8443",))) as server:
        assert "Secure" in answer_for(server, f"{PUBLIC}:8443").headers["set-cookie"]
        assert "Secure" not in answer_for(server, PUBLIC).headers["set-cookie"]
