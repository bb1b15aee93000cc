"""The server is killed again and again during play; acknowledged commands are never lost."""

import os
import random
import signal
import socket as sockets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from riverstones.server.storage import Store
from riverstones.table import Phase, fold
from riverstones.table.events import Moved

from .postgres import make_database
from .running import TIMEOUT_S, Client, Socket, clients, free_port
from .test_storage import with_store

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")

Command = tuple[str, str]
"""A command's id and its move."""


@contextmanager
def forker() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.server.forking_server"]
    folder = Path(__file__).parents[2]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, text=True, cwd=folder, start_new_session=True, **pipes)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        process.wait()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # a server that a failed test has left running


def start(forker: subprocess.Popen[str], database: str, port: int) -> int:
    """Start a server and return its process id once it answers."""
    assert forker.stdin is not None
    assert forker.stdout is not None
    forker.stdin.write(f"{database} {port}\n")
    forker.stdin.flush()
    pid = int(forker.stdout.readline())
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with suppress(OSError), sockets.create_connection(("127.0.0.1", port), 1):
            return pid
        time.sleep(0.005)
    raise AssertionError("the server did not start")


def kill(pid: int) -> None:
    """Kill a server and wait for its end, when its port and its database lock are free."""
    os.kill(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        while True:
            os.kill(pid, 0)
            time.sleep(0.001)


class Game:
    """Two people who play game after game and note every acknowledged move."""

    def __init__(self, people: list[Client]) -> None:
        self.people = people
        self.table = ""
        self.acked: dict[str, dict[int, str]] = {}
        self.pending: list[tuple[int, dict[str, object]]] = []
        self.deadlines: dict[str, int] = {}
        self.count = 0

    def introduce(self) -> None:
        for number, person in enumerate(self.people):
            person.person = person.post("/me", {"name": f"Person {number}"})["person"]

    def sit_down(self) -> None:
        self.table = ""
        table = self.people[0].make_table("me", "open", clock="strict", seconds=900)
        self.people[1].do(table, "sit")
        self.table, self.acked[table] = table, {}

    def play(self, rng: random.Random, moves: int, then: Callable[[], None]) -> None:
        """Play until the connection breaks; an unacknowledged command is kept and sent again the next time.

        After this many moves `then` is called, which starts the killer.
        """
        if not self.table:
            self.sit_down()
        ends = [person.socket(self.table) for person in self.people]
        for end in ends:
            end.wait("snapshot")
        if (known := self.deadlines.get(self.table)) is not None and not self.pending:
            assert ends[0].now["deadline_ms"] >= known  # the time of the outage is given back
        enough = self.count + moves
        while True:
            if self.count == enough:
                enough = 0
                then()
            for seat, message in tuple(self.pending):
                self.send(ends[seat], seat, message)
            front = max(end.seq for end in ends)
            for end in ends:
                end.wait_seq(front)
            seat = ends[0].now["to_move"]
            if seat is None:
                self.deadlines.pop(self.table, None)
                self.sit_down()
                ends = [person.socket(self.table) for person in self.people]
                for end in ends:
                    end.wait("snapshot")
                continue
            move = str(rng.choice(ends[seat].plays()[:20]).move)
            self.count += 1
            command = {"type": "play", "seat": seat, "turn": ends[seat].now["turn"], "move": move}
            message = {"type": "do", "id": f"m{self.count}", "command": command}
            self.pending.append((seat, message))

    def send(self, end: Socket, seat: int, message: dict[str, object]) -> None:
        end.send(message)
        answer = end.wait("ack", "refused", id=message["id"])
        assert answer["type"] == "ack", answer
        command = message["command"]
        assert isinstance(command, dict)
        self.acked[self.table][answer["seq"]] = command["move"]
        end.wait_seq(answer["seq"])
        if end.seq == answer["seq"]:
            self.deadlines[self.table] = end.now["deadline_ms"]
        self.pending.remove((seat, message))


def play_and_kill(database: str, times: int, rng: random.Random) -> Game:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with forker() as parent, clients(url, url, url) as (*people, last):
        game = Game(people)
        for number in range(times):
            pid = start(parent, database, port)
            if number == 0:
                game.introduce()
            killer = threading.Timer(rng.uniform(0.0, 0.05), kill, (pid,))
            with suppress(ConnectionClosed, InvalidHandshake, httpx.TransportError, OSError, EOFError):
                game.play(rng, rng.randrange(1, 8), killer.start)
            killer.join()
            for person in people:
                for opened in person.sockets:
                    opened.close()
                person.sockets.clear()
                cookies = dict(person.http.cookies)
                person.http.close()
                person.__post_init__()
                person.http.cookies.update(cookies)
        pid = start(parent, database, port)
        for table, moves in game.acked.items():
            turns = [turn["move"] for turn in last.get(f"/tables/{table}")["turns"]]
            assert [move for _, move in sorted(moves.items())] == turns[: len(moves)]
        os.kill(pid, signal.SIGTERM)
    return game


def rating_of(client: Client, person: str | None) -> dict[str, int] | None:
    found: dict[str, int] | None = client.get(f"/people/{person}")["rating"]
    return found


def rename(database: str, old: str, new: str) -> None:
    """Rename a table of the database while the server runs."""

    async def work(store: Store) -> None:
        async with store.database.write_engine.begin() as connection:
            await connection.execute(text(f"ALTER TABLE {old} RENAME TO {new}"))

    with_store(database, work)


def test_a_game_that_ends_just_before_a_kill_is_rated_at_the_start(new_database: Callable[[], str]) -> None:
    """The end is stored, storing the ratings fails, and the server is killed. No request loads the table afterwards."""
    database, port = new_database(), free_port()
    url = f"http://127.0.0.1:{port}"
    with forker() as parent, clients(url, url, url) as (ann, bob, watcher):
        pid = start(parent, database, port)
        for client, name in ((ann, "Ann"), (bob, "Bob")):
            client.person = client.post("/me", {"name": name})["person"]
            client.keep_account()
        table = ann.make_table("me", "open", rated=True)
        bob.do(table, "sit")
        rename(database, "ratings", "lost_ratings")
        ann.do(table, "resign", seat=0)
        assert rating_of(bob, bob.person) is None
        kill(pid)
        rename(database, "lost_ratings", "ratings")
        pid = start(parent, database, port)
        deadline = time.monotonic() + TIMEOUT_S
        while (rating := rating_of(watcher, bob.person)) is None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert rating["games"] == 1
        os.kill(pid, signal.SIGTERM)


def check_log(database: str, game: Game) -> int:
    """Compare the stored logs with the acknowledged moves; returns the number of moves."""
    total = 0
    for table, moves in game.acked.items():

        async def work(store: Store, table: str = table) -> dict[int, str]:
            log = await store.events.read(table)
            state = fold(log)
            assert state.phase in (Phase.PLAYING, Phase.OVER)
            return {entry.seq: entry.event.move for entry in log if isinstance(entry.event, Moved)}

        stored = with_store(database, work)
        # The last move of a game is acknowledged with the number of the end that follows it.
        for seq, move in moves.items():
            assert move in (stored.get(seq), stored.get(seq - 1))
        assert len(moves) <= len(stored) <= len(moves) + 1
        total += len(moves)
    return total


@pytest.mark.long
@pytest.mark.slow
def test_fifty_kills_lose_no_acknowledged_move(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'killed.sqlite3'}"
    game = play_and_kill(database, 50, random.Random(50))
    assert check_log(database, game) > 100


@pytest.mark.slow
def test_kills_on_postgresql(postgres_cluster: str) -> None:
    database = make_database(postgres_cluster, "killed")
    game = play_and_kill(database, 5, random.Random(5))
    assert check_log(database, game) > 5
