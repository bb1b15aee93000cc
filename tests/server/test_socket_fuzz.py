"""A fuzzer that knows the protocol: broken messages are refused one by one, and the game stays whole.

It sends valid messages and mutations of them. The budget is a number of messages; `FUZZ_MESSAGES` in the environment
raises it for longer runs.
"""

import copy
import json
import os
import random
from typing import Any

import pytest

from riverstones.table import fold

from .running import Running, Socket
from .test_games import two_people

MESSAGES = int(os.environ.get("FUZZ_MESSAGES", "400"))

ANSWERS = ("ack", "refused", "snapshot", "hint")
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 3, 4, 2**31, 2**63, 10**30, 0.5, 1e308, "", "0", "e4+7", "h3+7~e3", "\u202e", "\ud800",
    "\x00", "x" * 300, [], [[]], {}, {"type": "say"}, ["e4+7"], "pause", "newcomer", "rematch", "take_back", "brook",
]  # fmt: skip


def commands(turn: int, rng: random.Random) -> list[dict[str, Any]]:
    """Commands that the protocol allows, most of them at the wrong time."""
    seat = rng.randrange(2)
    return [
        {"type": "play", "seat": seat, "turn": turn, "move": rng.choice(("e4+7", "d5=3", "f5+1~e5", "e6+2"))},
        {"type": "say", "text": "hello"},
        {"type": "ask", "seat": seat, "proposal": rng.choice(("pause", "take_back", "newcomer"))},
        {"type": "answer", "seat": seat, "proposal": "pause", "yes": False},
        {"type": "resume", "seat": seat},
        {"type": "reveal", "seat": seat, "turn": turn},
        {"type": "object", "seat": seat, "turn": turn},
        {"type": "confirm", "seat": seat, "turn": turn},
        {"type": "sit", "seat": seat, "name": "Eve"},
        {"type": "seat_bot", "seat": seat, "level": "brook"},
        {"type": "clear_seat", "seat": seat},
        {"type": "close"},
    ]


def mutated(message: Any, rng: random.Random) -> Any:
    """The message with one field removed, added, renamed or replaced, at any depth."""
    found = copy.deepcopy(message)
    holder = found
    while True:
        inner = [value for value in holder.values() if isinstance(value, dict)]
        if not inner or rng.random() < 0.4:
            break
        holder = rng.choice(inner)
    field = rng.choice(list(holder))
    match rng.randrange(4):
        case 0:
            del holder[field]
        case 1:
            holder[rng.choice(("extra", "__proto__", "seat ", "TYPE"))] = rng.choice(VALUES)
        case 2:
            holder[field.upper()] = holder.pop(field)
        case _:
            holder[field] = rng.choice(VALUES)
    return found


def broken_text(message: Any, rng: random.Random) -> str:
    """The message as JSON with some characters changed."""
    text = json.dumps(message)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice('{}[]",:\\0\x00é') + text[place + rng.randrange(2) :]
    return text


def sync(socket: Socket) -> list[dict[str, Any]]:
    """Everything that arrives up to the answer to a ping. A closed socket fails the test."""
    socket.send({"type": "ping"})
    heard = []
    while (message := socket.receive())["type"] != "pong":
        heard.append(message)
    return heard


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fuzzed_socket_gets_one_answer_for_each_message(server: Running, seed: int) -> None:
    rng = random.Random(seed)
    table, ann, bob = two_people(server)
    for socket in (ann, bob):
        sync(socket)
    for number in range(MESSAGES):
        socket = rng.choice((ann, bob))
        name = f"f{number}"
        message: dict[str, Any] = {"type": "do", "id": name, "command": rng.choice(commands(socket.now["turn"], rng))}
        if rng.random() < 0.15:
            message = rng.choice(({"type": "look", "seat": 0}, {"type": "hint", "id": name, "seat": 0, "step": 1}))
        kind = rng.random()
        text: Any = json.dumps(message if kind < 0.2 else mutated(message, rng))
        if kind > 0.8:
            text = broken_text(message, rng)
        socket.send(text)
        answer = socket.wait(*ANSWERS)
        assert not [each for each in sync(socket) if each["type"] in ANSWERS], text
        if answer["type"] == "refused":
            assert answer["error"]["code"] != "internal", text
            assert answer["error"]["text"]
    for socket in (ann, bob):
        sync(socket)
    assert ann.seq == bob.seq
    fresh = server.client(None).get(f"/tables/{table}")
    assert fresh["seq"] == ann.seq
    assert fresh["you"]["hand"] is None
    services = server.server.config.app.state.services  # type: ignore[union-attr]  # the app is a FastAPI
    entries = server.run(services.store.events.read(table))
    assert [entry.seq for entry in entries] == list(range(1, ann.seq + 1))
    assert fold(entries) == server.run(services.tables.get(table)).table
