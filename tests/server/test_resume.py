"""Reconnecting: from any event, with no event missed and no command carried out twice."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from riverstones.server.storage import Store
from riverstones.server.storage.events import EventLog
from riverstones.table import fold, snapshot
from riverstones.table.views import Viewer

from .running import TIMEOUT_S, Running, play_out, replace_append, running, settings_for
from .test_games import two_people
from .test_storage import with_store


def test_a_client_resumes_after_every_event(server: Running) -> None:
    table, ann, bob = two_people(server)
    bob.do("say", text="before")
    play_out([ann, bob], random.Random(3), turns=20)
    ann.do("ask", seat=0, proposal="pause")
    bob.do("answer", seat=1, proposal="pause", yes=False)
    ann.wait_seq(bob.seq)
    person = next(client for client in server.clients if client.person == ann.snapshot["you"]["person"])
    whole = person.socket(table, since=0)
    assert whole.wait("welcome")["resumed"]
    whole.wait_seq(ann.seq)
    told = {event["seq"]: event for event in whole.events}
    assert list(told) == list(range(1, ann.seq + 1))
    assert whole.events[-len(ann.events) :] == ann.events
    for since in range(ann.seq + 1):
        again = person.socket(table, since=since)
        assert again.wait("welcome")["resumed"]
        again.wait("presence")
        assert again.events == [told[seq] for seq in range(since + 1, ann.seq + 1)]
        again.close()


def test_a_client_that_missed_too_much_gets_one_snapshot(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, events_kept=10)) as server:
        table, ann, bob = two_people(server)
        play_out([ann, bob], random.Random(3), turns=20)
        late = server.client(None).socket(table, since=2)
        assert not late.wait("welcome")["resumed"]
        assert late.wait("snapshot")["snapshot"]["seq"] == ann.seq
        future = server.client(None).socket(table, since=10**6)
        assert not future.wait("welcome")["resumed"]
        near = server.client(None).socket(table, since=ann.seq - 10)
        assert near.wait("welcome")["resumed"]


def test_the_stored_log_folds_into_the_live_table(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as server:
        table, ann, bob = two_people(server, scoring="claims", clock="gentle")
        play_out([ann, bob], random.Random(4), claims=True)
        live = server.client(None).get(f"/tables/{table}")

    async def work(store: Store) -> None:
        replayed = fold(await store.events.read(table))
        assert json.loads(json.dumps(snapshot(replayed, Viewer()))) == live

    with_store(settings.database, work)


def test_a_repeated_command_is_carried_out_once(server: Running) -> None:
    table, ann, bob = two_people(server)
    message: dict[str, Any] = {
        "type": "do",
        "id": "once",
        "command": {"type": "play", "seat": 0, "turn": 0, "move": str(ann.plays()[0].move)},
    }
    for _ in range(3):
        ann.send(message)
    acks = [ann.wait("ack", id="once") for _ in range(3)]
    assert len({ack["seq"] for ack in acks}) == 1
    assert sum(event["event"]["type"] == "moved" for event in ann.events) == 1
    # The same id of another person is another command.
    bob.send({**message, "command": {**message["command"], "seat": 1, "turn": 1, "move": "e4+1"}})
    assert bob.wait("ack", "refused", id="once")["type"] in ("ack", "refused")
    person = next(client for client in server.clients if client.person == ann.snapshot["you"]["person"])
    assert person.post(f"/tables/{table}/do", {"id": "once", "command": message["command"]})["seq"] == acks[0]["seq"]


def test_a_repeated_command_is_recognised_after_a_restart(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as server:
        table, ann, _ = two_people(server)
        move = {"type": "play", "seat": 0, "turn": 0, "move": str(ann.plays()[0].move)}
        ann.send({"type": "do", "id": "once", "command": move})
        seq = ann.wait("ack")["seq"]
        cookies = dict(server.clients[0].http.cookies)
    with running(settings) as server:
        ann_again = server.client(None)
        ann_again.http.cookies.update(cookies)
        assert ann_again.post(f"/tables/{table}/do", {"id": "once", "command": move})["seq"] == seq
        assert ann_again.get(f"/tables/{table}")["now"]["turn"] == 1


def test_play_continues_after_a_stored_but_unacknowledged_move(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database fails right after storing a move, so the server reads the log."""
    _, ann, bob = two_people(server)
    append = EventLog.append

    async def fail(self: EventLog, *arguments: Any) -> None:
        await append(self, *arguments)
        raise OSError("the line is dead")

    command = {"type": "play", "seat": 0, "turn": 0, "move": str(ann.plays()[0].move)}
    with monkeypatch.context() as broken:
        replace_append(broken, fail)
        ann.send({"type": "do", "id": "first", "command": command})
        assert ann.wait("refused")["error"]["code"] == "try_again"
    for end in (ann, bob):
        end.wait_event("moved")
        assert end.now["turn"] == 1
    ann.send({"type": "do", "id": "first", "command": command})
    assert ann.wait("ack", id="first")["seq"] == bob.seq


def test_a_bot_tries_again_after_the_database_has_failed(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = server.client("Ann")
    table = ann.make_table("me", "stream")
    append = EventLog.append
    failed: list[Any] = []

    async def fail_once(self: EventLog, entries: Any, before: Any, after: Any, *rest: Any) -> None:
        if after.turn == 2 and not failed:
            failed.append(after)
            raise OSError("the line is dead")
        await append(self, entries, before, after, *rest)

    replace_append(monkeypatch, fail_once)
    socket = ann.socket(table)
    socket.wait("snapshot")
    socket.play(0, socket.plays()[0].move)
    while socket.now.get("turn") != 2:
        socket.receive()
    assert failed


def test_an_http_stream_sends_the_same_events(server: Running) -> None:
    table, ann, bob = two_people(server)
    play_out([ann, bob], random.Random(8), turns=5)
    person = next(client for client in server.clients if client.person == ann.snapshot["you"]["person"])
    with person.http.stream("GET", f"/api/v1/tables/{table}/stream?since=0") as answer:
        lines = answer.iter_lines()
        events = [json.loads(next(lines)) for _ in range(ann.seq)]
        assert events[-len(ann.events) :] == ann.events
        bob.do("say", text="more")
        while (message := json.loads(next(lines)))["type"] != "event":
            assert message["type"] == "presence"
        assert message["event"]["text"] == "more"


def test_an_http_stream_sends_a_snapshot_after_too_many_missed_events(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, outbox=20)) as server:
        table, ann, bob = two_people(server)
        play_out([ann, bob], random.Random(8), turns=18)
        with server.client(None).http.stream("GET", f"/api/v1/tables/{table}/stream?since=0") as answer:
            assert json.loads(next(answer.iter_lines()))["type"] == "snapshot"


@pytest.mark.parametrize("since", [-1, "x", 1.5])
def test_a_bad_hello_is_refused(server: Running, since: object) -> None:
    table, _, _ = two_people(server)
    raw = server.client(None).raw_socket(table)
    raw.send(json.dumps({"type": "hello", "protocol": 1, "since": since}))
    assert json.loads(raw.recv(TIMEOUT_S))["error"]["code"] == "bad_message"


def test_an_unknown_protocol_version_is_refused(server: Running) -> None:
    table, _, _ = two_people(server)
    raw = server.client(None).raw_socket(table)
    raw.send(json.dumps({"type": "hello", "protocol": 2}))
    assert json.loads(raw.recv(TIMEOUT_S))["error"]["params"] == {"known": 1, "wanted": 2}
