"""What operators rely on: health, readiness, metrics, methods, and the limits of a request's head."""

import json
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from riverstones.server.http import addresses

from .running import API, TIMEOUT_S, Running, running, settings_for
from .test_safety import answer_to

PROXY_HEADERS = [
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Server",
    "X-Real-IP",
    "X-Client-IP",
    "X-Cluster-Client-IP",
    "True-Client-IP",
    "CF-Connecting-IP",
    "Fly-Client-IP",
    "Fastly-Client-IP",
]


@pytest.mark.parametrize("header", PROXY_HEADERS)
def test_metrics_are_refused_behind_any_proxy_header(server: Running, header: str) -> None:
    http = server.client(None).http
    assert http.get(f"{API}/metrics").status_code == 200
    assert http.get(f"{API}/metrics", headers={header: "for=198.51.100.3"}).status_code == 404
    assert http.get(f"{API}/metrics", headers={header: ""}).status_code == 404


def test_ordinary_headers_do_not_make_a_request_proxied() -> None:
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"user-agent", b"Prometheus/3.5")]
    assert not addresses.is_proxied({"type": "http", "headers": headers})


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", f"{API}/account/links", {"POST"}),
        ("PUT", f"{API}/me", {"GET", "POST", "DELETE"}),
        ("POST", f"{API}/health", {"GET"}),
        ("DELETE", f"{API}/tables/k3w9xq5m2dab", {"GET"}),
        ("POST", "/", {"GET", "HEAD"}),
        ("DELETE", "/table/k3w9xq5m2dab", {"GET", "HEAD"}),
    ],
)
def test_a_wrong_method_is_answered_with_405_and_the_right_ones(
    server: Running, method: str, path: str, allowed: set[str]
) -> None:
    answer = server.client(None).http.request(method, path, json={})
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == allowed


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PATCH"])
def test_an_unknown_api_path_is_not_found_whatever_the_method(server: Running, method: str) -> None:
    assert server.client(None).http.request(method, f"{API}/nothing", json={}).status_code == 404


def test_pages_answer_head_without_a_body(server: Running) -> None:
    answer = server.client(None).http.head("/")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(("size", "accepted"), [(30_000, True), (34_000, False), (150_000, False)])
def test_the_head_of_a_request_is_limited_though_it_arrives_at_once(server: Running, size: int, accepted: bool) -> None:
    head = b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    more = b"X-More: " + b"a" * 990 + b"\r\n"
    answer = answer_to(server, head + more * (size // len(more)) + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 200") is accepted
    assert bool(answer) is accepted


def test_a_large_body_and_the_next_request_may_arrive_together(server: Running) -> None:
    body = json.dumps({"text": "x" * 100_000}).encode()
    first = b"POST /api/v1/study/record HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    first += b"Content-Length: %d\r\n\r\n" % len(body) + body
    second = b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = answer_to(server, first + second)
    assert answer.count(b"HTTP/1.1 ") == 2
    assert b"HTTP/1.1 200" in answer


def test_health_does_not_need_the_database(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    services = server.server.config.app.state.services  # type: ignore[union-attr]  # the app is a FastAPI

    async def fail() -> None:
        raise OSError("disk I/O error")

    monkeypatch.setattr(services.store.database, "check_writable", fail)
    http = server.client(None).http
    assert http.get(f"{API}/health").status_code == 200
    assert http.get(f"{API}/ready").status_code == 503


def test_ready_writes_at_most_once_a_second(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    services = server.server.config.app.state.services  # type: ignore[union-attr]  # the app is a FastAPI
    written = []

    async def count() -> None:
        written.append(1)

    monkeypatch.setattr(services.store.database, "check_writable", count)
    monkeypatch.setattr(services.readiness, "_checked_s", None)
    monkeypatch.setattr("riverstones.server.readiness.VALID_S", 3600.0)
    http = server.client(None).http
    assert [http.get(f"{API}/ready").status_code for _ in range(5)] == [200] * 5
    assert len(written) == 1


def test_a_full_disk_is_not_ready(tmp_path: Path) -> None:
    """The disk is full once the limit of a file's size is reached: writing fails with the same SQLITE_FULL."""
    with running(settings_for(tmp_path)) as server:
        ann = server.client("Ann")
        assert ann.http.get(f"{API}/ready").json() == {"status": "ready"}
    resource = pytest.importorskip("resource", reason="this system has no limit of the size of files")
    script = (
        "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "from riverstones.cli import main; sys.argv = ['riverstones', *sys.argv[1:]]; main()"
    )
    database = f"sqlite:///{tmp_path}/full.sqlite3"
    command = [sys.executable, "-c", script, "serve", "--no-limits", "--port", "0", "--database", database]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().rpartition(":")[2])
        unlimited = resource.RLIM_INFINITY
        with httpx.Client(base_url=f"http://127.0.0.1:{port}{API}", timeout=TIMEOUT_S) as http:

            def wait_for(status: int) -> None:
                deadline = time.monotonic() + TIMEOUT_S
                while http.get("/ready").status_code != status:
                    assert time.monotonic() < deadline
                    time.sleep(0.05)

            wait_for(200)
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (8192, unlimited))
            wait_for(503)
            assert http.get("/health").status_code == 200
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
            wait_for(200)
        process.terminate()
