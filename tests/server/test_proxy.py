"""Games behind Debian's Caddy with the configuration of `deploy/`: on three nodes without sticky sessions."""

import os
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from riverstones.server.accounts import bans
from riverstones.server.services import Services
from riverstones.server.storage.bans import Ban
from riverstones.table import Phase, fold
from riverstones.table.events import Moved, Said
from tests.programs import program

from . import postgres
from .running import API, TIMEOUT_S, Client, Running, Socket, free_port, play_out, running, settings_for
from .test_storage import with_store

pytestmark = pytest.mark.slow

CADDYFILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"


@contextmanager
def caddy_in_front_of(ports: list[int], folder: Path) -> Iterator[str]:
    """Run Caddy with the configuration of the large host, without TLS and with other upstreams; its URL."""
    config = CADDYFILE.read_text(encoding="utf-8")
    for part, other in (
        ("{\n\tservers", "{\n\tadmin off\n\tauto_https off\n\tservers"),
        ("web1:8765 web2:8765", " ".join(f"127.0.0.1:{port}" for port in ports)),
    ):
        assert part in config
        config = config.replace(part, other, 1)
    (folder / "Caddyfile").write_text(config, encoding="utf-8")
    url = f"http://127.0.0.1:{free_port()}"
    env = {**os.environ, "SITE": url, "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + TIMEOUT_S
        while not answers(url):
            assert process.poll() is None, "Caddy has ended"
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield url
    finally:
        process.terminate()
        process.wait(TIMEOUT_S)


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}{API}/health", timeout=TIMEOUT_S).status_code == 200
    except httpx.HTTPError:
        return False


def services_of(node: Running) -> Services:
    found = node.server.config.app.state.services  # type: ignore[union-attr]  # the app is a FastAPI
    assert isinstance(found, Services)
    return found


def node_of(nodes: list[Running], table: str, person: str | None) -> Running | None:
    """The node to which somebody's socket at the table leads; None if it led to a node that was stopped."""
    for node in nodes:
        live = services_of(node).tables._registry.get(table)
        if live is not None and person in live.feed.here().people:
            return node
    return None


def stop(node: Running) -> None:
    node.server.should_exit = True
    node.thread.join(TIMEOUT_S)
    assert not node.thread.is_alive()


def until_closed(socket: Socket) -> None:
    with suppress(ConnectionClosed):
        while True:
            socket.receive()


def test_a_game_is_played_on_three_nodes_without_sticky_sessions(tmp_path: Path, postgres_cluster: str) -> None:
    """Every request may go to another node, and both nodes that have a player's socket are stopped during the game."""
    site = {"database": postgres.new_database(postgres_cluster), "trust_proxy": True}
    with ExitStack() as stack:
        nodes = [stack.enter_context(running(settings_for(tmp_path, **site))) for _ in range(3)]
        url = stack.enter_context(caddy_in_front_of([node.port for node in nodes], tmp_path))
        ann, bob = players = [stack.enter_context(closing(Client(url))) for _ in range(2)]
        for player, name in zip(players, ("Ann", "Bob"), strict=True):
            player.person = player.post("/me", {"name": name})["person"]
        table = ann.make_table("me", "open")
        bob.do(table, "sit")
        sockets = [player.socket(table) for player in players]
        for socket in sockets:
            socket.wait("snapshot")
        rng = random.Random(14)
        play_out(sockets, rng, turns=6)
        assert node_of(nodes, table, ann.person) is not node_of(nodes, table, bob.person)

        said = {"type": "do", "id": "said-once", "command": {"type": "say", "text": "through the proxy"}}
        for number, player in enumerate(players):
            sockets[number].send(said)
            seq = sockets[number].wait("ack", id="said-once")["seq"]
            gone = node_of(nodes, table, player.person)
            assert gone is not None
            stop(gone)
            nodes.remove(gone)
            for seat, other in enumerate(players):
                if node_of(nodes, table, other.person) is None:
                    until_closed(sockets[seat])
                    sockets[seat] = other.socket(table)
                    sockets[seat].wait("snapshot")
            # Another node recognises the command.
            sockets[number].send(said)
            assert sockets[number].wait("ack", id="said-once")["seq"] == seq
            play_out(sockets, rng, turns=6)

        assert len(nodes) == 1
        play_out(sockets, rng)
        services = services_of(nodes[0])
        entries = nodes[0].run(services.store.events.read(table))
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        final = fold(entries)
        assert final.phase is Phase.OVER
        assert sum(isinstance(entry.event, Said) for entry in entries) == 2
        moves = [entry.event.move for entry in entries if isinstance(entry.event, Moved)]
        assert [turn["move"] for turn in ann.get(f"/tables/{table}")["turns"]] == moves


def test_metrics_and_client_addresses_behind_caddy_with_one_server_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bans, "REFRESH_S", 0.05)
    settings = settings_for(tmp_path, trust_proxy=True)
    with (
        running(settings) as server,
        caddy_in_front_of([free_port(), server.port], tmp_path) as url,
        closing(Client(url)) as ann,
    ):
        assert httpx.get(f"{server.url}{API}/metrics").status_code == 200
        assert httpx.get(f"{url}{API}/metrics").status_code == 404
        ann.post("/me", {"name": "Ann", "colour": "teal"})
        table = ann.make_table("me", "me:Bo")
        socket = ann.socket(table)
        socket.wait("snapshot")
        assert socket.do("say", text="through the proxy")["type"] == "ack"

        # The address that counts is the one that Caddy has seen, not the one that a client claims.
        with_store(settings.database, lambda store: store.bans.add(Ban("a", None, "192.0.2.0/24", 0)))
        claimed = {"x-forwarded-for": "192.0.2.7"}
        deadline = time.monotonic() + TIMEOUT_S
        while httpx.get(f"{server.url}{API}/health", headers=claimed).status_code != 403:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert ann.http.get(f"{API}/me", headers=claimed).status_code == 200
        with_store(settings.database, lambda store: store.bans.add(Ban("b", None, "127.0.0.1", 0)))
        assert socket.wait("bye")["error"]["code"] == "address_banned"
        assert ann.http.get(f"{API}/me").status_code == 403
