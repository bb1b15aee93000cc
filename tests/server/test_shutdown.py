"""A server that is asked to stop hands its clients over to another one, quietly."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from . import postgres
from .running import TIMEOUT_S, Socket, clients

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM"),
]


@contextmanager
def served(database: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    command = [sys.executable, "-m", "riverstones", "serve", "--port", "0", "--database", database, "--no-limits"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, text=True, env={**os.environ, **environment}, **pipes)  # type: ignore[call-overload]
    try:
        yield process, process.stdout.readline().split()[-1]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def end_of(socket: Socket) -> tuple[str, int]:
    """The reason and the close code with which the server ends a connection."""
    code = socket.wait("bye")["error"]["code"]
    with pytest.raises(ConnectionClosed) as closed:
        socket.connection.recv(TIMEOUT_S)
    assert closed.value.rcvd is not None
    return code, closed.value.rcvd.code


def test_a_stopping_server_asks_its_clients_to_reconnect(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'test.sqlite3'}") as (process, url), clients(url) as (ann,):
        ann.person = ann.post("/me", {"name": "Ann", "colour": "teal"})["person"]
        table = ann.make_table("me", "open")
        socket = ann.socket(table)
        socket.wait("snapshot")
        lines: list[str] = []

        def read() -> None:
            with ann.http.stream("GET", f"/api/v1/tables/{table}/stream?since=0") as answer:
                opened.set()
                lines.extend(answer.iter_lines())

        opened = threading.Event()
        stream = threading.Thread(target=read)
        stream.start()
        assert opened.wait(TIMEOUT_S)
        socket.send({"type": "do", "id": "last", "command": {"type": "say", "text": "last words"}})
        process.send_signal(signal.SIGTERM)
        assert end_of(socket) == ("try_again", 1012)
        stream.join(TIMEOUT_S)
        assert not stream.is_alive()
        assert json.loads(lines[0])["type"] == "event"
        assert process.wait(TIMEOUT_S) in (0, -signal.SIGTERM)
        assert process.stderr is not None
        # On a busy machine uvicorn may run out of patience with a connection, and says so.
        assert [line for line in process.stderr if "timeout graceful shutdown exceeded" not in line] == []


@pytest.mark.long
def test_a_game_goes_on_at_another_node(postgres_cluster: str) -> None:
    database = postgres.new_database(postgres_cluster)
    with (
        served(database) as (first, url),
        served(database) as (_, other),
        clients(url, url, other) as (ann, bob, again),
    ):
        for client, name in ((ann, "Ann"), (bob, "Bob")):
            client.person = client.post("/me", {"name": name, "colour": "teal"})["person"]
        table = ann.make_table("me", "open", start=0)
        bob.do(table, "sit")
        socket = ann.socket(table)
        socket.wait("snapshot")
        move = str(socket.plays()[0].move)
        assert socket.play(0, move)["type"] == "ack"
        first.send_signal(signal.SIGTERM)
        assert end_of(socket) == ("try_again", 1012)
        again.http.cookies.update(dict(bob.http.cookies))
        resumed = again.socket(table, since=socket.seq)
        assert resumed.wait("welcome")["resumed"] is True
        now = again.get(f"/tables/{table}")
        assert (now["seq"], now["now"]["turn"]) == (socket.seq, 1)
