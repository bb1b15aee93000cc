"""No viewer receives secrets of others.

Non-interference: two tables that differ only in secrets of a viewer, the other hands and the order of the bag, send
that viewer byte-identical traffic over a whole game, in sockets, HTTP answers and errors.
"""

import asyncio
import itertools
import json
import logging
import random
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from riverstones.rules import Game, Move, Scoring, Seed, Setup
from riverstones.server.workers import WorkerPool
from riverstones.server.workers.jobs import Job
from riverstones.table import bot_seed, fold
from tests.table.helpers import table_of
from tests.table.test_laws import other_deal

from .running import Client, Running, Socket, running, settings_for
from .test_failures import capture

SEATS = 3


def known_entropy() -> Callable[[], bytes]:
    """Entropy that is the same in every run."""
    numbers = itertools.count()
    return lambda: sha256(str(next(numbers)).encode()).digest()


def random_game(scoring: Scoring) -> tuple[Game, list[tuple[Move, int]]]:
    """A whole game; if it is scored by claims, some are wrong."""
    rng = random.Random(17)
    game = Game.begin(Setup(SEATS, scoring=scoring), Seed(sha256(b"secret").digest()).deal())
    moves = []
    while not game.over:
        play = rng.choice(game.plays()[:15])
        claim = play.points + (rng.random() < 0.2)
        moves.append((play.move, claim))
        game = game.play(play.move, claim=claim if scoring is Scoring.CLAIMS else None)
    return game, moves


class Recorder:
    """All traffic to one viewer, as text."""

    def __init__(self, server: Running, client: Client, table: str, seat: int | None) -> None:
        self.client, self.table, self.seat = client, table, seat
        self.url = server.url
        self.heard: list[str] = []
        self.client.http.headers["accept-language"] = ["it", "fr", "es", "nl"][SEATS if seat is None else seat]
        self.socket: Socket = client.socket(table)
        self.socket.wait("presence")

    def ask(self, method: str, path: str, body: Any = None) -> None:
        answer = self.client.http.request(method, f"/api/v1{path}", json=body)
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        self.heard.append(f"{answer.status_code} {headers} {answer.text}")

    def try_everything(self, turn: int) -> None:
        """Send every request that might reveal a secret."""
        for path in ("", "?seat=0", "?seat=1", "?seat=2", "?seat=3", "/record", "/record?form=json", "/review"):
            self.ask("GET", f"/tables/{self.table}{path}")
        self.ask("POST", f"/tables/{self.table}/review", {})
        fields = str(self.socket.now["position"]).split(" ")
        hands = fields[2].split(",")
        for tiles in ("12", "58"):  # the board of the game, with a hand that anybody can make up
            made_up = [tiles[: len(hand)] if seat == int(fields[1]) else hand for seat, hand in enumerate(hands)]
            position = " ".join([*fields[:2], ",".join(made_up), *fields[3:]])
            self.ask("POST", "/study/analyse", {"position": position})
        number = len(self.heard)
        for seat in range(SEATS):
            self.socket.send({"type": "hint", "id": f"h{number}-{seat}", "seat": seat, "step": 3})
            self.socket.wait("refused", id=f"h{number}-{seat}")
            if seat != self.seat:
                for command in self.of_others(seat, turn):
                    name = f"{command['type']}{number}-{seat}"
                    self.ask("POST", f"/tables/{self.table}/do", {"id": name, "command": command})
                self.socket.send({"type": "look", "seat": seat})
                self.socket.wait("refused")
        if self.seat is not None:
            for digit in range(1, 10):
                # The middle is taken, but the refusal might depend on the hand.
                command = {"type": "play", "seat": self.seat, "turn": turn, "move": f"e5+{digit}", "claim": 3}
                self.ask("POST", f"/tables/{self.table}/do", {"id": f"own{number}-{digit}", "command": command})

    @staticmethod
    def of_others(seat: int, turn: int) -> list[dict[str, Any]]:
        """Commands that only another player may send."""
        return [
            {"type": "play", "seat": seat, "turn": turn, "move": "e4+1", "claim": 3},
            {"type": "object", "seat": seat, "turn": turn - 1},
            {"type": "confirm", "seat": seat, "turn": turn - 1},
            {"type": "ask", "seat": seat, "proposal": "take_back"},
            {"type": "sit", "seat": seat},
            {"type": "seat_bot", "seat": seat, "level": "pebble"},
            {"type": "stand", "seat": seat},
        ]

    def reconnect_from_the_start(self) -> None:
        """Reconnect as a client that has missed everything, over a socket and a stream."""
        seq = self.client.get(f"/tables/{self.table}")["seq"]
        again = self.client.socket(self.table, since=0)
        again.wait_seq(seq)
        again.close()
        self.heard += without_presence(again.raw)
        with self.client.http.stream("GET", f"/api/v1/tables/{self.table}/stream?since=0") as answer:
            lines = answer.iter_lines()
            self.heard += [next(lines) for _ in range(seq)]

    def everything(self) -> list[str]:
        ended = next((n for n, raw in enumerate(self.socket.raw) if '"type":"ended"' in raw), len(self.socket.raw))
        heard = (*self.heard, *without_presence(self.socket.raw[:ended]))
        return [text.replace(self.url, "URL") for text in heard]


def without_presence(raw: list[str]) -> list[str]:
    """All messages but presence, whose timing varies."""
    return [text for text in raw if not text.startswith('{"type":"presence"')]


ASKED = {0, 3, 20, 40, 58, 61, 64, 66}
"""The turns at which a viewer tries everything: more near the end, when hands can be deduced."""


def traffic(folder: Path, seat: int | None, scoring: Scoring, moves: list[tuple[Move, int]]) -> list[str]:
    """Play the moves on a new server; returns all traffic to the viewer at this seat before the end."""
    folder.mkdir()
    settings = settings_for(folder, now_ms=lambda: 1_700_000_000_000, entropy=known_entropy())
    with running(settings) as server:
        people = [server.client(f"Person {n}") for n in range(SEATS)]
        watcher = server.client("Watcher")
        table = people[0].make_table("me", *["open"] * (SEATS - 1), scoring=scoring.value)
        for person in people[1:]:
            person.do(table, "sit")
        recorder = Recorder(server, watcher if seat is None else people[seat], table, seat)
        for turn, (move, claim) in enumerate(moves):
            if turn in ASKED:
                recorder.try_everything(turn)
            if turn == 40:
                recorder.reconnect_from_the_start()
            mover = turn % SEATS
            claimed = {"claim": claim} if scoring is Scoring.CLAIMS else {}
            people[mover].do(table, "play", seat=mover, turn=turn, move=str(move), **claimed)
            if scoring is Scoring.CLAIMS and turn % 3 == 0:
                people[(mover + 1) % SEATS].do(table, "object", seat=(mover + 1) % SEATS, turn=turn)
        while recorder.socket.now["turn"] < len(moves):
            recorder.socket.receive()
        if scoring is Scoring.CLAIMS:  # the last claim may still be objected to
            recorder.try_everything(len(moves))
        return recorder.everything()


@pytest.fixture
def _workers_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs run in a thread: each of many servers would have to load the engine in a process of its own."""

    async def run(self: WorkerPool, job: Job, *_: object) -> Any:
        return await asyncio.to_thread(job.answer)

    monkeypatch.setattr(WorkerPool, "run", run)


@pytest.mark.usefixtures("_workers_of_this_process")
@pytest.mark.parametrize("seat", [None, 0, 1, 2])
@pytest.mark.parametrize("scoring", list(Scoring))
def test_tables_that_differ_only_in_secrets_send_the_same_traffic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seat: int | None, scoring: Scoring
) -> None:
    game, moves = random_game(scoring)
    twin = other_deal(game, seat)
    assert twin.digits[5:] != game.deal.digits[5:]
    monkeypatch.setattr(Seed, "deal", lambda self: game.deal)
    heard = traffic(tmp_path / "one", seat, scoring, moves)
    monkeypatch.setattr(Seed, "deal", lambda self: twin)
    heard_again = traffic(tmp_path / "two", seat, scoring, moves)
    assert heard == heard_again
    assert len(heard) > 67
    if seat is not None:
        assert any('"hand":[' in text for text in heard)


def test_the_seed_is_published_at_the_end_and_not_before(tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        table = ann.make_table("me", "open")
        bob.do(table, "sit")
        socket = ann.socket(table)
        socket.wait("snapshot")
        socket.do("resign", seat=0)
        ended = socket.events[-1] if socket.events[-1]["event"]["type"] == "ended" else socket.wait_event("ended")
        seed = ended["event"]["result"]["seed"]
        before = [raw for raw in socket.raw if '"ended"' not in raw]
        assert before
        assert not any(seed in raw for raw in before)
        assert Seed.parse(seed).commitment == socket.snapshot["commitment"]


def test_the_seed_of_a_bot_does_not_follow_from_public_data() -> None:
    one, two = (table_of("ann", "bot:brook", "bot:brook", seed=seed) for seed in (1, 2))
    assert (one.table.id, one.table.created_ms) == (two.table.id, two.table.created_ms)
    seeds = {bot_seed(played.table, seat) for played in (one, two) for seat in (1, 2)}
    assert len(seeds) == 4
    assert bot_seed(fold(one.log), 1) == bot_seed(one.table, 1)


def test_no_secret_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running(settings_for(tmp_path)) as server:
        capture(caplog)
        caplog.set_level("DEBUG", "riverstones")
        logging.getLogger("riverstones").debug("a word that is heard")
        ann = server.client("Ann")
        program = ann.post("/programs", {"name": "Otter"})
        link = ann.post("/account/links")
        table = ann.make_table("me", "stream")
        socket = ann.socket(table)
        socket.wait("snapshot")
        socket.play(0, socket.plays()[0].move)
        socket.do("resign", seat=0)
        while socket.now["phase"] != "over":
            socket.receive()
        seed = next(json.loads(raw) for raw in socket.raw if '"ended"' in raw)["event"]["result"]["seed"]
        cookie = ann.http.cookies["riverstones"]
    server_log = caplog.text
    assert "a word that is heard" in server_log
    for secret in (program["token"], link["code"], seed, cookie, cookie.partition(".")[0]):
        assert secret not in server_log
