"""Malformed messages get an error, and change nothing."""

import gc
import json
import random
import resource
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from .running import API, TIMEOUT_S, Running, Socket
from .test_games import two_people

GOOD = [
    {"type": "do", "id": "a", "command": {"type": "play", "seat": 0, "turn": 0, "move": "e4+1"}},
    {"type": "do", "id": "b", "command": {"type": "say", "text": "hello"}},
    {"type": "do", "id": "c", "command": {"type": "sit", "seat": 1, "name": "x"}},
    {"type": "look", "seat": 0},
    {"type": "hint", "id": "e", "seat": 0, "step": 1},
    {"type": "ping"},
]
WEIRD: list[Any] = [
    None,
    True,
    -1,
    10**40,
    1e308,
    "",
    "x" * 500,
    "\x00",
    "\ud800",
    [],
    {},
    [[]] * 50,
    {"type": "do"},
    "ask",
    3.5,
]


def spoilt(rng: random.Random) -> str:
    """A malformed message."""
    message = json.loads(json.dumps(rng.choice(GOOD)))
    kind = rng.randrange(6)
    if kind == 0:
        text = json.dumps(message)
        place = rng.randrange(len(text))
        return text[:place] + rng.choice('{}[]",:\\x\n\t0') + text[place + rng.randrange(3) :]
    if kind == 1:
        return json.dumps(message)[: rng.randrange(60)]
    if kind == 2:
        return "".join(rng.choice("[{\"'\u20ac\U0001f642 \x7f1e-,:") for _ in range(rng.randrange(200)))
    if kind == 3:
        return rng.choice(
            ["[" * 4000, '{"a":' * 1000, "9" * 4000, '"' + "\\u0000" * 900 + '"', "null", "NaN", "-0", ""]
        )
    target = message["command"] if kind == 4 and "command" in message else message
    target[rng.choice([*target, "extra", "__proto__", "type"])] = rng.choice(WEIRD)
    return json.dumps(message)


def test_ten_thousand_malformed_frames(server: Running) -> None:
    table, ann, bob = two_people(server, hints=False)
    rng = random.Random(2024)
    sockets: list[Socket] = []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answered = 0
    codes: set[str] = set()
    for _ in range(20):
        person = server.client(None)
        socket = person.socket(table)
        socket.wait("presence")
        sockets.append(socket)
        for start in range(0, 500, 50):
            for _ in range(50):
                socket.send(spoilt(rng))
            socket.send({"type": "hint", "id": f"end{start}", "seat": 3, "step": 1})
            while (message := socket.receive()).get("id") != f"end{start}":
                assert message["type"] in ("refused", "pong", "snapshot", "presence"), message
                if message["type"] == "refused":
                    answered += 1
                    codes.add(message["error"]["code"])
                    assert message["error"]["text"]
    gc.collect()
    assert answered > 9000
    assert {"bad_json", "bad_message"} <= codes
    assert codes <= {"bad_json", "bad_message", "not_signed_in", "not_your_seat", "hello_twice"}
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 100_000, f"{grown} KiB more after ten thousand frames"
    assert ann.play(0, ann.plays()[0].move)["type"] == "ack"
    bob.wait_event("moved")


def test_a_frame_that_is_too_large_ends_the_connection(server: Running) -> None:
    _, ann, _ = two_people(server)
    ann.wait("presence")
    ann.wait("presence")
    ann.send("x" * 8193)
    with pytest.raises(ConnectionClosed) as closed:
        ann.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_a_binary_frame_is_read_as_text(server: Running) -> None:
    _, ann, _ = two_people(server)
    ann.send(json.dumps({"type": "ping"}).encode())
    assert ann.wait("pong")
    ann.send(b"\xff\xfe\x00")
    assert ann.wait("refused")["error"]["code"] == "bad_json"


def test_an_unknown_table(server: Running) -> None:
    for name in ("nowhere", "x" * 200, "%00"):
        raw = server.client(None).raw_socket(name)
        assert json.loads(raw.recv(TIMEOUT_S))["error"]["code"] == "no_such_table"
    with pytest.raises(InvalidStatus):
        server.client(None).raw_socket("..%2f..")


def test_the_errors_of_a_malformed_record_are_listed_by_line(server: Running) -> None:
    ann = server.client()
    answer = ann.http.post(f"{API}/study/record", json={"text": "# fine\nnonsense\nmore of it\n"})
    assert answer.status_code == 400
    problems = answer.json()["error"]["problems"]
    assert {problem["line"] for problem in problems if "is not a line of a game file" in problem["text"]} == {2, 3}
