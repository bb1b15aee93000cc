"""Security: foreign origins, rate limits, slow requests, slow readers."""

import json
import logging
import socket as sockets
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from limits import parse
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from riverstones.server.http import addresses, middleware, rate_limits, uvicorn_protocols
from riverstones.server.http.routes import common
from riverstones.server.logs import configure
from riverstones.server.run import config
from riverstones.server.tables import live_table

from .running import API, TIMEOUT_S, Running, running, settings_for
from .test_games import two_people


def handshake(server: Running, table: str, **headers: str) -> int:
    """The status of a socket's handshake with these headers."""
    url = f"ws://127.0.0.1:{server.port}{API}/tables/{table}/socket"
    origin = headers.pop("origin", None)
    try:
        with connect(url, legacy=True, origin=None if origin is None else Origin(origin), additional_headers=headers):
            return 101
    except InvalidStatus as error:
        return error.response.status_code


def test_the_origin_is_checked_in_the_handshake(server: Running) -> None:
    table = server.client("Ann").make_table("me", "open")
    assert handshake(server, table, origin=server.url) == 101
    assert handshake(server, table, origin="http://evil.example") == 403
    assert handshake(server, table, origin=f"http://127.0.0.1:{server.port + 1}") == 403
    assert handshake(server, table, origin="null") == 403
    assert handshake(server, table) == 403


def test_a_program_needs_no_origin_but_a_token(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.make_table("me", "open")
    token = ann.post("/programs", {"name": "Otter"})["token"]
    assert handshake(server, table, authorization=f"Bearer {token}") == 101
    assert handshake(server, table, authorization="Bearer wrong") != 101


def test_origins_in_the_settings_are_allowed(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, origins=("https://play.example.org",))) as server:
        table = server.client("Ann").make_table("me", "open")
        assert handshake(server, table, origin="https://play.example.org") == 101
        assert handshake(server, table, origin="https://play.example.com") == 403
        known = server.client(None).http.get(f"{API}/health", headers={"host": "play.example.org"})
        assert known.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_requests_from_pages_of_other_sites_are_refused(server: Running, headers: dict[str, str]) -> None:
    ann = server.client("Ann")
    answer = ann.http.post(f"{API}/me", json={"name": "Mallory"}, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_origin")
    assert ann.get("/me")["name"] == "Ann"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_bodies_are_accepted(server: Running, kind: str) -> None:
    answer = server.client("Ann").http.post(f"{API}/me", content=b'{"name": "x"}', headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "not_json")


@pytest.mark.parametrize(("host", "status"), [("evil.example", 403), ("127.0.0.1", 200), ("localhost:99", 200)])
def test_unknown_host_names_are_refused(server: Running, host: str, status: int) -> None:
    assert server.client(None).http.get(f"{API}/me", headers={"host": host}).status_code == status


@pytest.mark.parametrize("path", ["/", f"{API}/me", f"{API}/nothing", "/missing.js", f"{API}/tables/nowhere"])
def test_every_answer_has_the_security_headers(server: Running, path: str) -> None:
    headers = server.client(None).http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    # WebAssembly may be compiled; no text may be run as a script.
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert policy.count("unsafe") == 1
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers


def test_the_size_of_a_body_is_limited(server: Running) -> None:
    ann = server.client("Ann")
    answer = ann.http.post(f"{API}/study/record", json={"text": "x" * 140_000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "body_too_large")

    def endless() -> Any:
        for _ in range(200):
            yield b" " * 1000

    kind = {"content-type": "application/json"}
    assert ann.http.post(f"{API}/me", content=endless(), headers=kind).status_code == 413


@pytest.fixture
def _limits_per_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits per hour, so that a slow machine reaches them too."""
    monkeypatch.setattr(middleware, "REQUESTS", parse("300/hour"))
    monkeypatch.setattr(common, "CREATIONS", parse("60/hour"))
    monkeypatch.setattr(rate_limits, "CREATIONS", parse("60/hour"))
    monkeypatch.setattr(rate_limits, "MESSAGES", parse("60/hour"))


@pytest.mark.usefixtures("_limits_per_hour")
def test_requests_of_one_address_are_limited(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, limits=True)) as server:
        http = server.client(None).http
        codes = [http.get(f"{API}/levels").status_code for _ in range(320)]
        assert codes.count(200) >= 290
        assert codes[-1] == 429
        # The files of the page are counted apart: many people behind one address may open it at the same time.
        assert http.get("/").status_code == 200


@pytest.mark.usefixtures("_limits_per_hour")
def test_a_forged_address_does_not_bypass_the_limits_behind_a_proxy(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, limits=True, trust_proxy=True)) as server:
        http = server.client(None).http

        def status(named: str) -> int:
            return http.get(f"{API}/levels", headers={"x-forwarded-for": named}).status_code

        codes = [status(f"10.0.{number // 250}.{number % 250}, 192.0.2.1") for number in range(320)]
        assert codes[-1] == 429
        assert status("192.0.2.1, 192.0.2.2") == 200


def test_the_open_requests_of_one_address_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST_AT_ONCE", 4)
    with running(settings_for(tmp_path, limits=True)) as server:
        ann = server.client("Ann")
        table = ann.make_table("me", "open")
        with ExitStack() as open_streams:
            for _ in range(4):
                stream = ann.http.stream("GET", f"{API}/tables/{table}/stream")
                assert open_streams.enter_context(stream).status_code == 200
            assert ann.http.get(f"{API}/me").status_code == 429
            assert handshake(server, table, origin=server.url) == 429
        deadline = time.monotonic() + TIMEOUT_S
        while ann.http.get(f"{API}/me").status_code == 429:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("::ffff:192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3::4", 1), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 1), "fe80::/64"),
        (("made up", 0), "unknown"),
        (None, "unknown"),
    ],
)
def test_the_limit_key_of_a_request(client: Any, counted: str) -> None:
    assert addresses.address_of({"type": "http", "client": client}) == counted


@pytest.mark.parametrize(
    ("values", "address"),
    [
        ((), None),
        (("192.0.2.7",), "192.0.2.7"),
        (("10.0.0.1, 192.0.2.7",), "192.0.2.7"),
        (("10.0.0.1", "10.0.0.2,192.0.2.7"), "192.0.2.7"),
        (("10.0.0.1,  192.0.2.7:4711 ",), "192.0.2.7"),
        (("2001:db8::1",), "2001:db8::1"),
        (("192.0.2.7, [2001:db8::1]:4711",), "2001:db8::1"),
        (("192.0.2.7,",), ""),
    ],
)
def test_the_last_forwarded_address_counts(values: tuple[str, ...], address: str | None) -> None:
    headers = [(b"x-forwarded-for", value.encode()) for value in values]
    scope: dict[str, Any] = {"type": "http", "headers": headers, "client": ("127.0.0.1", 1), "scheme": "http"}
    assert addresses.forwarded_for(scope) == address
    assert addresses.is_proxied(scope) == (address is not None)
    addresses.apply_proxy_headers(scope)
    assert scope["client"][0] == ("127.0.0.1" if address is None else address)


@pytest.mark.parametrize("trust_proxy", [True, False])
def test_only_a_trusted_proxy_sets_the_scheme(tmp_path: Path, trust_proxy: bool) -> None:
    with running(settings_for(tmp_path, trust_proxy=trust_proxy)) as server:
        headers = {"x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https"}
        answer = server.client(None).http.post(f"{API}/me", json={"name": "Ann"}, headers=headers)
        assert ("Secure" in answer.headers["set-cookie"]) is trust_proxy


def test_uvicorn_does_not_read_proxy_headers(tmp_path: Path) -> None:
    """It would use another address than `addresses`."""
    setup = config(settings_for(tmp_path, trust_proxy=True))
    setup.load()
    assert isinstance(setup.loaded_app, FastAPI)


def test_a_mapped_public_address_is_not_private() -> None:
    far = addresses.client_address({"client": ("::ffff:8.8.8.8", 1)})
    assert far is not None
    assert not far.is_private


def test_a_proxied_request_is_not_local(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, addresses=("http://192.0.2.7:8765",))) as server:
        http = server.client(None).http
        assert http.get(f"{API}/addresses").json() == {"addresses": ["http://192.0.2.7:8765"]}
        through = {"x-forwarded-for": "198.51.100.3"}
        assert http.get(f"{API}/addresses", headers=through).json() == {"addresses": []}
        assert http.get(f"{API}/metrics", headers=through).status_code == 404


def answer_to(server: Running, data: bytes) -> bytes:
    """The server's answer to these bytes, until it closes the connection."""
    with sockets.create_connection(("127.0.0.1", server.port), TIMEOUT_S) as caller:
        answer = b""
        try:
            caller.sendall(data)
            while chunk := caller.recv(65536):
                answer += chunk
        except ConnectionError:
            pass
        return answer


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /api/v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{",
    ],
    ids=["silence", "head", "body"],
)
def test_an_incomplete_request_times_out(server: Running, half: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_protocols, "LONGEST_REQUEST_S", 0.3)
    assert answer_to(server, half) == b""
    whole = b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert answer_to(server, whole + half).startswith(b"HTTP/1.1 200")


def test_a_stream_does_not_time_out(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_protocols, "LONGEST_REQUEST_S", 0.3)
    table, ann, _ = two_people(server)
    with server.client(None).http.stream("GET", f"{API}/tables/{table}/stream") as answer:
        lines = answer.iter_lines()
        assert json.loads(next(lines))["type"] == "snapshot"
        time.sleep(0.6)
        assert ann.do("say", text="hello")["type"] == "ack"
        assert any(json.loads(line)["type"] == "event" for line in lines if line)


def test_the_size_of_headers_is_limited(server: Running) -> None:
    endless = b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n" + b"X-More: and more\r\n" * 30_000
    assert answer_to(server, endless) == b""


def test_an_endless_body_closes_the_connection(server: Running) -> None:
    """It was refused for its size before, but parsing each of its tiny chunks costs time."""
    head = b"POST /api/v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    endless = head + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 2_000_000
    with sockets.create_connection(("127.0.0.1", server.port), TIMEOUT_S) as caller, pytest.raises(ConnectionError):
        caller.sendall(endless)


def test_messages_of_one_address_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MESSAGES_OF_ADDRESS", parse("50/hour"))
    with running(settings_for(tmp_path, limits=True)) as server:
        _, ann, bob = two_people(server)
        for socket in (ann, bob) * 25:
            socket.send({"type": "ping"})
            socket.wait("pong")
        for socket in (ann, bob):
            socket.send({"type": "ping"})
            assert socket.wait("bye")["error"]["code"] == "too_many_requests"


def test_long_work_for_one_address_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "LONG_WORK", parse("5/hour"))
    with running(settings_for(tmp_path, limits=True)) as server:
        http = server.client(None).http
        codes = [http.post(f"{API}/study/record", json={"text": "x"}).status_code for _ in range(4)]
        codes += [http.get(f"{API}/tables/nowhere/review").status_code for _ in range(2)]
        codes += [http.post(f"{API}/study/reviews", json={"text": "x"}).status_code]
        codes += [http.post(f"{API}/tables/nowhere/review", json={}).status_code]
        assert codes == [400, 400, 400, 400, 404, 429, 429, 429]


def test_study_by_one_address_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "STUDIES", parse("3/hour"))
    with running(settings_for(tmp_path, limits=True)) as server:
        http = server.client("Ann").http
        codes = [http.post(f"{API}/study/analyse", json={"position": "x"}).status_code for _ in range(2)]
        codes += [http.post(f"{API}/study/puzzles/none/attempts", json={"solved": True}).status_code for _ in range(2)]
        assert codes == [400, 400, 404, 429]


def test_the_length_of_a_log_is_limited(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "MOST_EVENTS", 20)
    _, ann, bob = two_people(server)
    answers = []
    for number in range(10):
        asker, seat = (ann, bob)[number % 2], number % 2
        answers.append(asker.do("ask", seat=seat, proposal="pause"))
        answers.append(asker.do("answer", seat=seat, proposal="pause", yes=False))
    assert answers[0]["type"] == "ack"
    assert answers[-2]["error"]["code"] == "too_many_requests"
    assert ann.do("say", text="hello")["type"] == "refused"
    assert ann.play(0, ann.plays()[0].move)["type"] == "ack"
    assert ann.seq < 25


def test_clients_cannot_fill_the_log(server: Running, capsys: pytest.CaptureFixture[str]) -> None:
    configure()
    for _ in range(3):
        with pytest.raises(InvalidStatus):
            connect(
                f"{server.url.replace('http', 'ws')}{API}/tables/x/socket",
                legacy=True,
                origin=Origin("http://evil.org"),
            )
    assert b"400" in answer_to(server, b"what?\r\n\r\n")
    logging.getLogger("uvicorn.error").error("something of ours")
    lines = [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()]
    assert [line for line in lines if "evil.org" not in line] == ["something of ours"]
    assert len(lines) <= 2, "a refused origin is logged once a minute"


@pytest.mark.parametrize("frame", [b"\x89\x80", b"\x8a\x80", b"\x00\x80"], ids=["pings", "pongs", "continuations"])
def test_control_and_continuation_frames_are_limited(server: Running, frame: bytes) -> None:
    """Many fit into one packet, and the message limit does not count them."""
    table = server.client("Ann").make_table("me", "open")
    head = (
        f"GET {API}/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    begun = b"\x01\x80" + bytes(4)
    with sockets.create_connection(("127.0.0.1", server.port), 5) as caller:
        caller.sendall(head.encode())
        assert b"101" in caller.recv(1000)
        caller.sendall(begun + (frame + bytes(4)) * 500)
        heard = b""
        with suppress(ConnectionError):
            while chunk := caller.recv(65536):
                heard += chunk
        assert b"hello" not in heard, "it was cut off long before it should have said hello"
        assert heard.count(b"\x8a\x00") < 200


@pytest.mark.usefixtures("_limits_per_hour")
def test_creations_of_one_address_are_limited(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, limits=True)) as server:
        client = server.client("Ann")
        codes = [client.http.post(f"{API}/tables", json={"seats": []}).status_code for _ in range(80)]
        assert codes[-1] == 429


@pytest.mark.usefixtures("_limits_per_hour")
def test_rematches_of_one_address_are_limited(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, limits=True)) as server:
        table, ann, _ = two_people(server)
        proposal = {"id": "x", "command": {"type": "ask", "seat": 0, "proposal": "rematch"}}
        other = server.client("Cid")
        codes = [other.http.post(f"{API}/tables/{table}/do", json=proposal).status_code for _ in range(80)]
        assert codes[0] == 409
        assert codes[-1] == 429
        assert ann.do("ask", seat=0, proposal="rematch")["error"]["code"] == "too_many_requests"
        assert ann.do("say", text="hello")["type"] == "ack"


@pytest.mark.usefixtures("_limits_per_hour")
def test_messages_of_one_socket_are_limited(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, limits=True)) as server:
        _, ann, bob = two_people(server)
        with pytest.raises(ConnectionClosed) as closed:
            _flood(ann)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4008
        assert bob.do("say", text="still here")["type"] == "ack"


def _flood(socket: Any) -> None:
    for _ in range(200):
        socket.send({"type": "ping"})
    while True:
        socket.receive()


def test_a_slow_reader_is_disconnected_and_delays_nobody(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, outbox=20)) as server:
        table, ann, bob = two_people(server)
        ann.do("say", text="hello")
        sleeper = sockets.create_connection(("127.0.0.1", server.port))
        sleeper.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        sleeper.sendall(
            (
                f"GET {API}/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.url}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            ).encode()
        )
        sleeper.recv(300)
        hello = json.dumps({"type": "hello", "protocol": 1}).encode()
        sleeper.sendall(bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello)
        dropped = server.server.config.app.state.services.metrics.dropped  # type: ignore[union-attr]  # the app is a FastAPI
        looks = json.dumps({"type": "look", "seat": None}).encode()
        frame = bytes([0x81, 0x80 | len(looks)]) + bytes(4) + looks
        worst = 0.0
        deadline = time.monotonic() + TIMEOUT_S
        while dropped._value.get() == 0 and time.monotonic() < deadline:
            try:
                sleeper.sendall(frame * 50)
            except OSError:
                break
            begun = time.perf_counter()
            bob.send({"type": "ping"})
            bob.wait("pong")
            worst = max(worst, time.perf_counter() - begun)
        while dropped._value.get() == 0 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert dropped._value.get() == 1
        assert worst < 10.0
        sleeper.close()


def test_metrics(server: Running) -> None:
    _, ann, _ = two_people(server)
    ann.play(0, ann.plays()[0].move)
    text = server.client(None).http.get(f"{API}/metrics").text
    assert "riverstones_sockets" in text
    assert 'riverstones_commands_total{kind="play",outcome="done"}' in text
    assert server.client(None).http.get(f"{API}/metrics", headers={"x-forwarded-for": "1.2.3.4"}).status_code == 404


def test_health(server: Running) -> None:
    assert server.client(None).get("/health")["status"] == "ok"
