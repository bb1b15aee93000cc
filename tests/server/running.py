"""A real server for tests on a free port, and clients with real sockets."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
import uvicorn
from sqlalchemy import create_engine
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from riverstones.notation import parse_position
from riverstones.rules import Move, Play, plays
from riverstones.server.protocol import SERVER_MESSAGE
from riverstones.server.run import config
from riverstones.server.settings import Settings
from riverstones.server.storage.events import EventLog
from riverstones.server.storage.migrate import migrate
from riverstones.server.workers import pool

API = "/api/v1"
TIMEOUT_S = 60.0
Result = TypeVar("Result")


def settings_for(folder: Path, **changes: Any) -> Settings:
    """Settings for tests: a new database, fast bots, and no limits, also for ratings, unless `changes` has them."""
    file = folder / "test.sqlite3"
    if "database" not in changes and folder.is_dir() and not file.exists():
        file.touch(0o600)
        file.write_bytes(_migrated_file())
    values: dict[str, Any] = {
        "database": f"sqlite:///{file}",
        "port": 0,
        "limits": False,
        "bot_pace_ms": 0,
        "claim_wait_ms": 0,
        "rated_turns": 0,
        "rated_age_ms": 0,
        "workers": 1,
    }
    return Settings(**{**values, **changes})


def replace_append(monkeypatch: pytest.MonkeyPatch, replacement: Callable[..., Coroutine[Any, Any, None]]) -> None:
    """Store events with this function, which has the parameters of `EventLog.append` and may call that."""

    def submit(self: EventLog, *given: Any) -> None:
        *what, done = given
        storing = asyncio.ensure_future(replacement(self, *what))
        storing.add_done_callback(lambda stored: done(stored.exception()))

    monkeypatch.setattr(EventLog, "append", replacement)
    monkeypatch.setattr(EventLog, "submit", submit)


@cache
def _migrated_file() -> bytes:
    """An SQLite file with all tables. To run the migrations takes longer than most tests of a server."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "migrated.sqlite3"
        engine = create_engine(f"sqlite:///{file}")
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
        return file.read_bytes()


@dataclass
class Running:
    """A server in a thread of this process."""

    server: uvicorn.Server
    thread: threading.Thread
    port: int
    clients: list[Client] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of work in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self.server.servers[0].get_loop()).result(TIMEOUT_S)

    def client(self, name: str | None = "Ann", colour: str = "teal") -> Client:
        """A client; with a name, signed in as a guest."""
        client = Client(self.url)
        self.clients.append(client)
        if name is not None:
            client.person = client.post("/me", {"name": name, "colour": colour})["person"]
        return client


@contextmanager
def running(settings: Settings) -> Iterator[Running]:
    """Run a server until the block ends."""
    with pytest.MonkeyPatch.context() as patch:
        # The other tests leave hardly any time to processes of a lower priority.
        patch.setattr(pool, "REVIEW_NICENESS", 0)
        setup = config(settings)
    setup.log_config = None
    server = uvicorn.Server(setup)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + TIMEOUT_S
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    found = Running(server, thread, server.servers[0].sockets[0].getsockname()[1])
    try:
        yield found
    finally:
        for client in found.clients:
            client.close()
        server.should_exit = True
        thread.join(TIMEOUT_S)
    assert not thread.is_alive(), "the server did not stop"


class Answer(Exception):
    """An answer that is not a success."""

    def __init__(self, status: int, body: Any) -> None:
        self.status = status
        self.error = body["error"]
        self.code = self.error["code"]
        super().__init__(f"{status} {self.error}")


@dataclass
class Client:
    """An HTTP client with its own cookie."""

    url: str
    person: str | None = None
    http: httpx.Client = field(init=False)
    sockets: list[ClientConnection] = field(default_factory=list)

    def __post_init__(self) -> None:
        # Without `verify=False` it would load the certificates of all authorities, which takes longer than most tests.
        self.http = httpx.Client(base_url=self.url, headers={"origin": self.url}, timeout=TIMEOUT_S, verify=False)

    def request(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.http.request(method, API + path, json=body)
        data = answer.json() if answer.content else None
        if answer.status_code >= 400:
            raise Answer(answer.status_code, data)
        return data

    def get(self, path: str) -> Any:
        return self.request("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.request("POST", path, {} if body is None else body)

    def keep_account(self) -> None:
        """Get an account by linking a device."""
        self.post("/account/links/redeem", {"code": self.post("/account/links")["code"]})

    def make_table(self, *seats: str, **options: Any) -> str:
        """Create a table: `me`, `me:Name`, `open`, or a bot's level for each seat."""
        forms: list[dict[str, str]] = []
        for seat in seats:
            who, _, name = seat.partition(":")
            if who == "me":
                forms.append({"who": "me", **({"name": name} if name else {})})
            else:
                forms.append({"who": "open"} if who == "open" else {"who": "bot", "level": who})
        made = self.post("/tables", {"options": {"seats": len(seats), **options}, "seats": forms})
        return str(made["table"])

    def do(self, table: str, command: str, **fields: Any) -> int:
        """A command over HTTP."""
        body = {"id": uuid.uuid4().hex, "command": {"type": command, **fields}}
        return int(self.post(f"/tables/{table}/do", body)["seq"])

    def socket(self, table: str, since: int | None = None, seat: int | None = None) -> Socket:
        """A socket at a table, after hello."""
        opened = Socket(self.raw_socket(table))
        hello: dict[str, Any] = {"type": "hello", "protocol": 1}
        if since is not None:
            hello["since"] = since
        if seat is not None:
            hello["seat"] = seat
        opened.send(hello)
        return opened

    def raw_socket(self, table: str) -> ClientConnection:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        url = f"{self.url.replace('http', 'ws')}{API}/tables/{table}/socket"
        headers = {"cookie": cookie} if cookie else {}
        opened = connect(
            url,
            legacy=True,
            origin=Origin(self.url),
            additional_headers=headers,
            compression=None,
            max_queue=None,
            close_timeout=1,
        )
        self.sockets.append(opened)
        return opened

    def close(self) -> None:
        for opened in self.sockets:
            opened.close()
        self.http.close()


@contextmanager
def clients(*urls: str) -> Iterator[list[Client]]:
    """A client for each of these servers, which need not be in this process; all are closed at the end."""
    found = [Client(url) for url in urls]
    try:
        yield found
    finally:
        for client in found:
            client.close()


class Socket:
    """A socket that checks every message against the protocol."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.seq = 0
        self.now: dict[str, Any] = {}
        self.hand: list[int] | None = None
        self.snapshot: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.raw: list[str] = []

    def send(self, message: Any) -> None:
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self, timeout: float = TIMEOUT_S) -> dict[str, Any]:
        """The next message, checked and folded into the snapshot."""
        raw = self.connection.recv(timeout)
        assert isinstance(raw, str)
        self.raw.append(raw)
        message: dict[str, Any] = json.loads(raw)
        SERVER_MESSAGE.validate_json(raw)
        if message["type"] == "snapshot":
            self.snapshot = message["snapshot"]
            self.seq, self.now, self.hand = self.snapshot["seq"], self.snapshot["now"], self.snapshot["you"]["hand"]
        elif message["type"] == "event":
            assert not self.seq or message["seq"] == self.seq + 1, (self.seq, message["seq"])
            self.seq, self.now = message["seq"], message["now"]
            self.hand = message.get("hand", self.hand)
            self.events.append(message)
        return message

    def wait(self, *types: str, **fields: Any) -> dict[str, Any]:
        """Read up to a message of one of these types with these fields."""
        while True:
            message = self.receive()
            if message["type"] in types and all(message.get(name) == value for name, value in fields.items()):
                return message

    def wait_event(self, kind: str) -> dict[str, Any]:
        while True:
            message = self.wait("event")
            if message["event"]["type"] == kind:
                return message

    def wait_seq(self, seq: int) -> None:
        while self.seq < seq:
            self.receive()

    def do(self, command: str, **fields: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        name = uuid.uuid4().hex
        self.send({"type": "do", "id": name, "command": {"type": command, **fields}})
        return self.wait("ack", "refused", id=name)

    def plays(self) -> list[Play]:
        """Every play of the viewed hand."""
        position = parse_position(self.now["position"])
        return plays(position.board, self.hand or [], position.variant)

    def play(self, seat: int, move: Move | str, claim: int | None = None) -> dict[str, Any]:
        fields = {} if claim is None else {"claim": claim}
        return self.do("play", seat=seat, turn=self.now["turn"], move=str(move), **fields)

    def close(self) -> None:
        self.connection.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def play_out(sockets: list[Socket], rng: random.Random, *, claims: bool = False, turns: int = 100) -> None:
    """Play random legal moves, with one socket per seat, to the end or for some turns."""
    for _ in range(turns):
        front = max(each.seq for each in sockets)
        for each in sockets:
            each.wait_seq(front)
        seat = sockets[0].now["to_move"]
        if seat is None:
            return
        play = rng.choice(sockets[seat].plays()[:20])
        answer = sockets[seat].play(seat, play.move, play.points if claims else None)
        assert answer["type"] == "ack", answer
        for each in sockets:
            each.wait_seq(answer["seq"])
