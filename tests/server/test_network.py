"""An unreliable network: messages get lost, arrive twice or out of order, and the game stays consistent.

A Hypothesis state machine is the network between two clients and a real server. The clients follow docs/protocol.md:
they keep a command until it is answered, resend it after reconnecting, and resume from the last number.
"""

import json
import random
import socket
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from riverstones.notation import parse_position
from riverstones.rules import plays

from .running import Client, Running, Socket, running, settings_for

SEATS = st.integers(0, 1)


class UnreliableNetwork(RuleBasedStateMachine):
    """Two clients whose messages wait in a queue, from which the network delivers or drops any."""

    stack: ExitStack
    server: Running

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        self.server = self.stack.enter_context(running(settings_for(Path(folder))))
        self.clients: list[Client] = [self.server.client("Ann"), self.server.client("Bob")]
        self.table = self.clients[0].make_table("me", "open")
        self.clients[1].do(self.table, "sit")
        self.sockets: list[Socket] = []
        self.pile: list[tuple[int, dict[str, Any]]] = []
        self.waiting: list[dict[str, dict[str, Any]]] = [{}, {}]
        self.acked: dict[str, int] = {}
        self.made: dict[str, str] = {}
        self.count = 0
        self.told: dict[int, Any] = {}

    @initialize()
    def connect(self) -> None:
        self.sockets = [client.socket(self.table) for client in self.clients]
        for end in self.sockets:
            end.wait("snapshot")

    def listen(self, seat: int) -> None:
        """Read all messages up to the answer to a ping."""
        end = self.sockets[seat]
        end.send({"type": "ping"})
        while (message := end.receive())["type"] != "pong":
            if message["type"] == "ack":
                assert self.acked.setdefault(message["id"], message["seq"]) == message["seq"]
                self.waiting[seat].pop(message["id"], None)
            elif message["type"] == "refused":
                self.waiting[seat].pop(message["id"], None)
            elif message["type"] == "event":
                public = {name: value for name, value in message.items() if name != "hand"}
                assert self.told.setdefault(message["seq"], public) == public

    @rule(seat=SEATS, pick=st.integers(0, 10**6))
    def decide_a_move(self, seat: int, pick: int) -> None:
        """A client that believes it is to move sends a move, perhaps from an outdated state."""
        end = self.sockets[seat]
        if end.now["to_move"] != seat or self.waiting[seat]:
            return
        position = parse_position(end.now["position"])
        move = str(random.Random(pick).choice(plays(position.board, end.hand or [], position.variant)).move)
        self.count += 1
        name = f"{seat}-{self.count}"
        self.made[name] = move
        command = {"type": "play", "seat": seat, "turn": end.now["turn"], "move": move}
        message = {"type": "do", "id": name, "command": command}
        self.waiting[seat][name] = message
        self.pile.append((seat, message))

    @rule(seat=SEATS)
    def say_something(self, seat: int) -> None:
        self.count += 1
        name = f"{seat}-{self.count}"
        self.pile.append((seat, {"type": "do", "id": name, "command": {"type": "say", "text": name}}))

    @rule(pick=st.integers(0, 10**6), twice=st.booleans())
    def deliver(self, pick: int, twice: bool) -> None:
        """Deliver any waiting message, perhaps twice, perhaps long after others."""
        if self.pile:
            seat, message = self.pile[pick % len(self.pile)]
            if not twice:
                self.pile.remove((seat, message))
            self.sockets[seat].send(message)
            self.listen(seat)

    @rule(pick=st.integers(0, 10**6))
    def lose(self, pick: int) -> None:
        if self.pile:
            self.pile.pop(pick % len(self.pile))

    @rule(seat=SEATS)
    def hear(self, seat: int) -> None:
        self.listen(seat)

    @rule(seat=SEATS, polite=st.booleans())
    def reconnect(self, seat: int, polite: bool) -> None:
        """The connection breaks; the client reconnects, catches up, and resends unanswered commands."""
        old = self.sockets[seat]
        if polite:
            old.close()
        else:
            old.connection.socket.shutdown(socket.SHUT_RDWR)
        new = self.clients[seat].socket(self.table, since=old.seq)
        new.seq, new.now, new.hand = old.seq, old.now, old.hand
        self.sockets[seat] = new
        self.listen(seat)
        for message in tuple(self.waiting[seat].values()):
            new.send(message)
        self.listen(seat)

    @invariant()
    def nothing_is_lost_or_done_twice(self) -> None:
        if not self.sockets:
            return
        state = self.clients[0].get(f"/tables/{self.table}")
        moves = [turn["move"] for turn in state["turns"]]
        by_seq = {event["seq"]: event for event in self.told.values()}
        for name, seq in self.acked.items():
            if name in self.made:
                assert moves.count(self.made[name]) >= 1
                if seq in by_seq and by_seq[seq]["event"]["type"] == "moved":
                    assert by_seq[seq]["event"]["move"] == self.made[name]
        said = [words["text"] for words in state["chat"]]
        assert len(said) == len(set(said))
        assert [turn["turn"] for turn in state["turns"]] == list(range(len(moves)))

    def teardown(self) -> None:
        with self.stack:
            for client, end in zip(self.clients, self.sockets, strict=True) if self.sockets else ():
                # A command that was delivered last may still be carried out, so the number can grow once more.
                while (snapshot := client.get(f"/tables/{self.table}"))["seq"] != end.seq:
                    end.wait_seq(snapshot["seq"])
                assert json.dumps(snapshot["now"]) == json.dumps(end.now)


UnreliableNetwork.TestCase.settings = settings(
    max_examples=12, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestUnreliableNetworkNetwork = UnreliableNetwork.TestCase
