"""Hosting from the command line: the server starts, prints its address, stops, and reports errors in one sentence."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from riverstones.cli import serve
from riverstones.cli.complaint import Complaint
from riverstones.cli.serve import addresses_for_others, names_of, play_in_browser

from .helpers import COMMAND, riverstones_here


@contextmanager
def started(*arguments: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running command and its address."""
    env = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "BROWSER": "true"}
    process = subprocess.Popen(
        [str(COMMAND), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"open at (http://\S+)", line)
        assert found, (line, process.stderr.read() if process.stderr else "")
        yield process, found[1]
    finally:
        process.terminate()
        process.communicate(timeout=60)


@pytest.mark.slow
def test_serve_starts_and_stops(tmp_path: Path) -> None:
    with started("serve", "--port", "0", folder=tmp_path) as (process, address):
        assert httpx.get(f"{address}/api/v1/health", timeout=60).json()["status"] == "ok"
        assert list(tmp_path.rglob("riverstones.sqlite3"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (0, -signal.SIGTERM)


@pytest.mark.slow
def test_without_a_command_the_game_opens_in_the_browser(tmp_path: Path) -> None:
    with started(folder=tmp_path) as (_, address):
        assert "Riverstones" in httpx.get(address, timeout=60).text


def test_a_server_prints_usable_addresses() -> None:
    assert names_of("127.0.0.1") == ["127.0.0.1"]
    assert names_of("::1") == ["[::1]"]
    here, *others = names_of("0.0.0.0")
    assert here == "localhost"
    assert others
    assert not any(name.startswith("127.") for name in others)


def test_a_server_that_listens_for_others_prints_their_addresses() -> None:
    assert addresses_for_others("127.0.0.1", 8765) == ()
    assert addresses_for_others("localhost", 8765) == ()
    assert addresses_for_others("192.0.2.7", 8765) == ("http://192.0.2.7:8765",)
    assert addresses_for_others("0.0.0.0", 8765) == tuple(f"http://{name}:8765" for name in names_of("0.0.0.0")[1:])


@pytest.mark.parametrize("host", ["LOCALHOST", "127.1", "127.9.9.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])
def test_a_loopback_address_is_recognised_in_any_spelling(host: str) -> None:
    assert addresses_for_others(host, 8765) == ()


@pytest.mark.parametrize("host", ["0", "::0", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0"])
def test_the_any_address_is_recognised_in_any_spelling(host: str) -> None:
    assert addresses_for_others(host, 8765) == addresses_for_others("0.0.0.0", 8765)


@pytest.mark.slow
def test_the_game_in_the_browser_can_be_opened_to_others(tmp_path: Path) -> None:
    with started("play", "--host", "127.0.0.2", folder=tmp_path) as (_, address):
        assert address.startswith("http://127.0.0.2:")
        answer = httpx.post(f"{address}/api/v1/me", json={"name": "Ann"}, headers={"origin": address})
        assert answer.json()["name"] == "Ann"


@pytest.mark.slow
def test_a_running_game_for_one_computer_is_not_offered_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started("serve", "--port", "0", folder=tmp_path) as (_, address):
        monkeypatch.setattr(serve, "DEFAULT_PORT", int(address.rpartition(":")[2]))
        # If the refusal is missing, the test must not open anything to the network.
        monkeypatch.setattr(serve, "bind", lambda host, port: pytest.fail(f"would listen on {host}"))
        with pytest.raises(Complaint, match="for this computer only"):
            play_in_browser("0.0.0.0")


def test_other_devices_cannot_join_in_the_terminal() -> None:
    done = riverstones_here("play", "--host", "0.0.0.0", "--terminal")
    assert done.returncode == 2
    assert done.stderr.startswith("--host cannot be used with a terminal game")


@pytest.mark.slow
def test_ctrl_c_ends_a_game_in_the_browser(tmp_path: Path) -> None:
    with started("play", "--host", "127.0.0.2", folder=tmp_path) as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


@pytest.mark.parametrize("host", ["", "no such host", "nowhere.invalid", "\udcff", "a" * 300])
def test_an_invalid_host_is_refused(host: str) -> None:
    with pytest.raises(Complaint, match="The server cannot listen on “"):
        serve.serve(host, 0, None, None, (), trust_proxy=False, limits=True)
    with pytest.raises(Complaint, match="The server cannot listen on “"):
        play_in_browser(host)


@pytest.mark.parametrize("origin", ["play.example.org", "ftp://a.org", "https://", "https://a/b", "https://a:x", ""])
def test_an_invalid_origin_is_refused(origin: str) -> None:
    with pytest.raises(Complaint, match="is not an origin; --origin needs one like"):
        serve.serve("127.0.0.1", 0, None, None, (origin,), trust_proxy=False, limits=True)


@pytest.mark.slow
def test_an_origin_is_recognised_in_any_spelling(tmp_path: Path) -> None:
    spelled = ("--origin", "HTTPS://Play.Example.org:443/", "--origin", "http://[::1]:8080")
    with started("serve", "--port", "0", *spelled, folder=tmp_path) as (_, address):
        assert httpx.get(f"{address}/api/v1/addresses").json()["addresses"] == [
            "https://play.example.org",
            "http://[::1]:8080",
        ]


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = riverstones_here("serve", "--port", str(port), "--database", f"sqlite:///{tmp_path}/x.sqlite3")
    assert done.returncode == 2
    assert done.stderr.startswith(f"The server cannot listen on 127.0.0.1 port {port}: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "database", ["mysql://x/y", "nonsense", "sqlite:////no/such/folder/x.sqlite3", "postgresql://127.0.0.1:1/none"]
)
def test_an_unusable_database_is_refused(database: str) -> None:
    done = riverstones_here("serve", "--port", "0", "--database", database)
    assert done.returncode == 2
    assert done.stderr.startswith("The database")
    assert done.stderr.count("\n") == 1
