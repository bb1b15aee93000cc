"""Silent connections: one address cannot use up all connections."""

import os
import re
import socket
import subprocess
import sys
import time
from asyncio import BaseTransport
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage

from riverstones.server.http import connection_limits, uvicorn_protocols
from riverstones.server.http.connection_limits import ConnectionLimits
from riverstones.server.metrics import Metrics

from .running import API, TIMEOUT_S, Client, Running, running, settings_for

resource = pytest.importorskip("resource", reason="this system has no limit of open files")

SOFT, HARD = 256, 1024
"""The soft and hard limit of open files of the started server."""
SILENT = 1300
BEFORE_TIMEOUT_S = 10.0
"""Less than the server's timeout for silent connections, which would free connections again."""

HUNG_UP = (ConnectionError, ConnectionClosed, InvalidMessage)
"""The client's message for a handshake without an answer."""


@dataclass
class Started:
    """A server in its own process."""

    port: int
    process: int
    log: Path

    def health(self) -> int:
        answer = httpx.get(f"http://127.0.0.1:{self.port}{API}/health", timeout=BEFORE_TIMEOUT_S)
        return answer.status_code

    def files(self) -> int:
        """The number of its open files."""
        return len(list(Path(f"/proc/{self.process}/fd").iterdir()))

    def refused(self) -> int:
        text = httpx.get(f"http://127.0.0.1:{self.port}{API}/metrics", timeout=BEFORE_TIMEOUT_S).text
        found = re.search(r"^riverstones_refused_connections_total (\S+)", text, re.MULTILINE)
        return int(float(found[1])) if found else 0


@contextmanager
def started(folder: Path, *options: str) -> Iterator[Started]:
    """Start a server with a low limit of open files."""
    log = folder / "log"
    limited = f'ulimit -S -n {SOFT} && ulimit -H -n {HARD} && exec "$@"'
    command = [
        sys.executable,
        "-m",
        "riverstones",
        "serve",
        "--port",
        "0",
        "--database",
        f"sqlite:///{folder}/x.sqlite3",
    ]
    with log.open("w") as errors:
        process = subprocess.Popen(
            ["sh", "-c", limited, "sh", *command, *options], stdout=subprocess.PIPE, stderr=errors, text=True
        )
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)$", process.stdout.readline().strip())
            assert found, log.read_text()
            yield Started(int(found[1]), process.pid, log)
        finally:
            process.terminate()
            process.communicate(timeout=TIMEOUT_S)


@pytest.fixture
def _many_files() -> Iterator[None]:
    """Raise this process's limit of open files. If that fails, CI fails and other machines skip."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] < SILENT + 500 and "CI" not in os.environ:
        pytest.skip("this process may not open enough files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], SILENT + 500), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def silent(port: int, source: str) -> socket.socket:
    """A connection from this address that sends nothing."""
    return socket.create_connection(("127.0.0.1", port), BEFORE_TIMEOUT_S, source_address=(source, 0))


@pytest.mark.usefixtures("_many_files")
@pytest.mark.slow
def test_silent_connections_of_one_address_do_not_block_others(tmp_path: Path) -> None:
    with started(tmp_path) as server, ExitStack() as held:
        for _ in range(SILENT):
            held.enter_context(silent(server.port, "127.0.0.2"))
        assert [server.health() for _ in range(3)] == [200, 200, 200]
        allowed = SILENT - server.refused()
        assert 100 < allowed < HARD // 2
    log = server.log.read_text()
    assert f"Up to {HARD} files may be open (the limit was {SOFT})" in log
    assert log.count("127.0.0.2") == 1, "each refusal would fill the log"


@pytest.mark.skipif(sys.platform != "linux", reason="open files are counted in /proc")
@pytest.mark.usefixtures("_many_files")
@pytest.mark.slow
def test_behind_a_proxy_only_the_total_is_limited_and_files_are_reserved(tmp_path: Path) -> None:
    """All clients share the proxy's address. Connections are refused before the files run out."""
    with started(tmp_path, "--trust-proxy") as server, ExitStack() as held:
        for _ in range(HARD // 2):
            held.enter_context(silent(server.port, "127.0.0.2"))
        assert server.health() == 200
        for _ in range(SILENT - HARD // 2):
            held.enter_context(silent(server.port, "127.0.0.2"))
        # The kernel has accepted every connection; the server gets to the last ones a little later.
        deadline = time.monotonic() + TIMEOUT_S
        while "connections are in use" not in server.log.read_text():
            assert time.monotonic() < deadline, "no connection was refused"
            time.sleep(0.05)
        assert server.files() < HARD
    assert "Too many open files" not in server.log.read_text()


def connections(server: Running, count: int) -> list[socket.socket]:
    """This many silent connections, all accepted by the server."""
    held = [silent(server.port, "127.0.0.2") for _ in range(count)]
    for connection in held:
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.recv(1)
    return held


def is_refused(server: Running) -> bool:
    with silent(server.port, "127.0.0.2") as one_more:
        one_more.settimeout(0.5)
        try:
            return one_more.recv(1) == b""
        except ConnectionError:
            return True
        except TimeoutError:
            return False


def test_a_closed_connection_is_no_longer_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "PER_ADDRESS", 3)
    with running(settings_for(tmp_path, limits=True)) as server:
        held = connections(server, 3)
        assert is_refused(server)
        held.pop().close()
        deadline = time.monotonic() + TIMEOUT_S
        while is_refused(server):
            assert time.monotonic() < deadline
        for connection in held:
            connection.close()


def test_a_socket_is_counted_until_it_closes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "PER_ADDRESS", 4)
    with running(settings_for(tmp_path, limits=True)) as server:
        ann = server.client("Ann")
        table = ann.make_table("me", "open")
        ann.http.close()
        sockets = [ann.raw_socket(table) for _ in range(3)]
        assert not all_open(ann, table, 2)
        for opened in sockets:
            opened.close()
        deadline = time.monotonic() + TIMEOUT_S
        while not all_open(ann, table, 4):
            assert time.monotonic() < deadline
            time.sleep(1)  # each try counts as creations, which are limited to 60 per minute


def all_open(client: Client, table: str, count: int) -> bool:
    """Whether this many sockets can be open at a time. They are closed again, so that they no longer count."""
    with ExitStack() as opened:
        try:
            for _ in range(count):
                opened.callback(client.raw_socket(table).close)
        except HUNG_UP:
            return False
    return True


def test_a_silent_connection_is_closed_after_a_while(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_protocols, "LONGEST_REQUEST_S", 0.2)
    with silent(server.port, "127.0.0.2") as connection:
        assert connection.recv(1) == b""


@pytest.mark.parametrize(
    ("files", "changes", "total", "per_address"),
    [
        (100_000, {}, 99_872, 500),
        (1024, {}, 896, 224),
        (100, {}, 50, 12),
        (None, {}, None, 500),
        (1024, {"limits": False}, 896, None),
        (1024, {"trust_proxy": True}, 896, None),
    ],
)
def test_few_files_are_shared_by_several_addresses(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: int | None,
    changes: dict[str, bool],
    total: int | None,
    per_address: int | None,
) -> None:
    monkeypatch.setattr(connection_limits, "file_limit", lambda: files)
    limits = ConnectionLimits(settings_for(tmp_path, **{"limits": True, **changes}), Metrics())
    assert (limits.total, limits.per_address) == (total, per_address)


def test_the_addresses_of_one_ipv6_network_share_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "PER_ADDRESS", 2)
    limits = ConnectionLimits(settings_for(tmp_path, limits=True), Metrics())
    clients = (
        "2001:db8::1",
        "2001:db8::2",
        "2001:db8::3",
        "2001:db8:0:1::1",
        "::ffff:192.0.2.7",
        "192.0.2.7",
        "192.0.2.7",
    )
    admitted = [limits.admit(BaseTransport(), client) for client in clients]
    assert admitted == [True, True, False, True, True, True, False]


def test_one_address_behind_a_proxy_has_a_share_of_the_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All connections are the proxy's, and with few files 250 open streams of one client would take most of them."""
    monkeypatch.setattr(connection_limits, "file_limit", lambda: 200)
    with running(settings_for(tmp_path, limits=True, trust_proxy=True)) as server, ExitStack() as opened:
        table = server.client("Ann").make_table("me", "open")

        def status(address: str) -> int:
            http = opened.enter_context(httpx.Client(base_url=server.url, timeout=TIMEOUT_S))
            stream = http.stream("GET", f"{API}/tables/{table}/stream", headers={"x-forwarded-for": address})
            return opened.enter_context(stream).status_code

        assert [status("192.0.2.7") for _ in range(25)] == [200] * 25
        assert status("192.0.2.7") == 429
        assert status("198.51.100.3") == 200
