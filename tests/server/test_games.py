"""Whole games over real sockets."""

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import pytest

from riverstones.notation import Fairness, check_record, read_record, verify_record
from riverstones.rules import View
from riverstones.server.storage.events import EventLog
from riverstones.server.workers import Workers
from riverstones.study.hints import Advice

from .running import API, Answer, Running, Socket, play_out, replace_append, running, settings_for


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", ["standard", "expert"])
def test_a_whole_game(server: Running, seats: int, variant: str) -> None:
    people = [server.client(f"Person {n}") for n in range(seats)]
    table = people[0].make_table("me", *["open"] * (seats - 1), variant=variant)
    for person in people[1:]:
        person.do(table, "sit")
    watcher = server.client(None).socket(table)
    sockets = [person.socket(table) for person in people]
    for socket in sockets:
        socket.wait("snapshot")
    play_out(sockets, random.Random(seats))
    for socket in (*sockets, watcher):
        ended = socket.wait_event("ended") if socket.now.get("phase") != "over" else socket.events[-1]
        assert ended["event"]["result"]["scores"] == [int(n) for n in ended["now"]["position"].split()[3].split(",")]
        assert socket.now["turn"] == 67
        socket.close()
    assert watcher.hand is None


def two_people(server: Running, **options: Any) -> tuple[str, Socket, Socket]:
    """A table of two people, each on a socket."""
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.make_table("me", "open", **options)
    bob.do(table, "sit")
    sockets = ann.socket(table), bob.socket(table)
    for socket in sockets:
        socket.wait("snapshot")
    return table, *sockets


def test_a_flip_of_an_empty_square_is_refused(server: Running) -> None:
    _, ann, _ = two_people(server)
    placed = str(ann.plays()[0].move).partition("~")[0]
    assert ann.play(0, f"{placed}~a1")["error"]["code"] == "flip_empty"
    assert ann.play(0, placed)["type"] == "ack"


def test_claims_with_upheld_and_rejected_objections(server: Running) -> None:
    table, ann, bob = two_people(server, scoring="claims")
    sockets, rng, upheld, rejected = [ann, bob], random.Random(5), 0, 0
    for turn in range(67):
        front = max(socket.seq for socket in sockets)
        for socket in sockets:
            socket.wait_seq(front)
        seat = ann.now["to_move"]
        play = rng.choice(sockets[seat].plays()[:20])
        wrong = rng.random() < 0.3
        answer = sockets[seat].play(seat, play.move, play.points + wrong)
        other = 1 - seat
        sockets[other].wait_seq(answer["seq"])
        assert sockets[other].events[-1]["event"]["kakuros"] is None
        if turn == 66 or rng.random() < 0.5:
            objected = sockets[other].do("object", seat=other, turn=turn)
            assert objected["type"] == "ack"
            verdict = next(e for e in reversed(sockets[other].events) if e["event"]["type"] == "objected")["event"]
            assert verdict["upheld"] == wrong
            assert verdict["last"]["points"] == (0 if wrong else play.points)
            assert sum(kakuro["points"] for kakuro in verdict["last"]["kakuros"]) == play.points
            upheld, rejected = upheld + wrong, rejected + (not wrong)
    assert upheld
    assert rejected
    for seat, socket in enumerate(sockets):
        if socket.now["phase"] == "settling":
            socket.do("confirm", seat=seat, turn=66)
    while ann.now["phase"] != "over":
        ann.receive()
    record = read_record(server.client(None).http.get(f"/api/v1/tables/{table}/record").text)
    assert check_record(record) == []


def test_a_wrong_claim_without_an_objection_stands(server: Running) -> None:
    _, ann, bob = two_people(server, scoring="claims")
    ann.play(0, ann.plays()[-1].move, 999)
    bob.wait_event("moved")
    bob.play(1, bob.plays()[0].move, 0)
    late = bob.do("object", seat=1, turn=0)
    assert late["error"]["code"] == "wrong_turn"
    assert bob.now["position"].split()[3] == "999,0"


def test_moves_are_not_explained_to_players_of_a_game_by_claims(server: Running) -> None:
    table, ann, bob = two_people(server, scoring="claims")
    person = next(client for client in server.clients if client.person == ann.snapshot["you"]["person"])
    other = next(client for client in server.clients if client.person == bob.snapshot["you"]["person"])
    question = {"board": ann.now["position"].split()[0], "move": str(ann.plays()[0].move)}
    for asking in (person, other):
        with pytest.raises(Answer) as refused:
            asking.post("/study/explain", question)
        assert (refused.value.status, refused.value.code) == (409, "no_preview_with_claims")
    assert server.client("Eve").post("/study/explain", question)["legal"]
    other.do(table, "resign", seat=1)
    assert person.post("/study/explain", question)["legal"]


def test_a_move_is_explained_with_its_arithmetic_and_the_reasons(server: Running) -> None:
    _, ann, _ = two_people(server)
    best, board = ann.plays()[0], ann.now["position"].split()[0]
    reader = server.client(None)
    shown = reader.post("/study/explain", {"board": board, "move": str(best.move)})
    assert shown["legal"]
    assert shown["points"] == best.points
    assert [kakuro["points"] for kakuro in shown["kakuros"]] == [kakuro.points for kakuro in best.kakuros]
    refused = reader.post("/study/explain", {"board": board, "move": "a1+1"})
    assert refused["refusal"] == {"code": "not_adjacent", "params": {"square": "a1"}}


def test_the_strict_clock_makes_the_move_of_an_idle_player(server: Running) -> None:
    _, ann, bob = two_people(server, clock="strict", seconds=5)
    deadline_ms = bob.now["deadline_ms"]
    moved = bob.wait_event("moved")
    assert deadline_ms <= moved["at_ms"] < deadline_ms + 10_000
    assert moved["event"]["timed_out"]
    assert moved["event"]["seat"] == 0
    assert moved["now"]["deadline_ms"] == moved["at_ms"] + 5000
    ann.wait_event("moved")
    assert ann.do("play", seat=0, turn=0, move="e4+1")["error"]["code"] == "wrong_turn"


def test_a_whole_game_played_by_the_strict_clock_alone(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.table.options.SECONDS", range(3601))
    _, ann, bob = two_people(server, clock="strict", seconds=0, scoring="claims")
    for socket in (ann, bob):
        while socket.now["phase"] == "playing":
            socket.receive()
    turns = server.client(None).get(f"/tables/{ann.snapshot['table']}")["turns"]
    assert len(turns) == 67
    assert all(turn["timed_out"] and turn["claim"] == 0 and "~" not in turn["move"] for turn in turns)


def test_a_restart_costs_no_turn(tmp_path: Path) -> None:
    now_ms = [1_700_000_000_000]
    settings = settings_for(tmp_path, now_ms=lambda: now_ms[0])
    with running(settings) as server:
        table, ann, _ = two_people(server, clock="strict", seconds=60)
        running_deadline = ann.now["deadline_ms"]
    with running(settings) as server:
        watcher = server.client(None).socket(table)
        assert watcher.wait("snapshot")["snapshot"]["now"]["deadline_ms"] == running_deadline
    now_ms[0] += 3_600_000
    with running(settings) as server:
        watcher = server.client(None).socket(table)
        now = watcher.wait("snapshot")["snapshot"]["now"]
        assert now["turn"] == 0
        assert now["deadline_ms"] == running_deadline + 3_600_000


def test_one_device_for_all_looks_from_one_seat_at_a_time(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.make_table("me", "me:Bob", "me:Cid", "me:Dee")
    socket = ann.socket(table)
    socket.wait("snapshot")
    assert socket.hand is None
    rng = random.Random(1)
    while (seat := socket.now["to_move"]) is not None:
        socket.send({"type": "look", "seat": seat})
        snapshot = socket.wait("snapshot")["snapshot"]
        assert [hand for hand in snapshot["now"]["position"].split()[2].split(",") if set(hand) - set("?-")] == []
        assert len(snapshot["you"]["hand"]) in (1, 2)
        socket.play(seat, rng.choice(socket.plays()[:20]).move)
        socket.send({"type": "look", "seat": None})
        assert socket.wait("snapshot")["snapshot"]["you"]["hand"] is None
    assert socket.now["phase"] == "over"


def test_bots_play_a_whole_game_at_claims(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.make_table("me", "pebble", "stream", scoring="claims")
    socket = ann.socket(table)
    socket.wait("snapshot")
    while socket.now["phase"] == "playing":
        if socket.now["to_move"] == 0:
            answer = socket.play(0, socket.plays()[0].move, socket.plays()[0].points)
            socket.wait_seq(answer["seq"])
        else:
            socket.receive()
    while socket.now["phase"] == "settling":
        if not any(event["event"] == {"type": "confirmed", "seat": 0} for event in socket.events[-6:]):
            socket.do("confirm", seat=0, turn=66)
        else:
            socket.receive()
    assert socket.now["phase"] == "over"


def three_with_a_bot(server: Running) -> tuple[str, Socket, Socket]:
    """Ann, a bot and Cid at a table where points are claimed."""
    ann, cid = server.client("Ann"), server.client("Cid")
    table = ann.make_table("me", "pebble", "open", scoring="claims")
    cid.do(table, "sit", seat=2)
    here, there = ann.socket(table), cid.socket(table)
    here.wait("snapshot")
    there.wait("snapshot")
    return table, here, there


@pytest.fixture
def sharp_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that object to everything."""

    async def objects(*_: object) -> bool:
        return True

    monkeypatch.setattr(Workers, "objects", objects)


@pytest.mark.usefixtures("sharp_bots")
def test_a_bot_lets_people_object_first(tmp_path: Path) -> None:
    now_ms = [1_700_000_000_000]
    with running(settings_for(tmp_path, claim_wait_ms=8_000, now_ms=lambda: now_ms[0])) as server:
        table, ann, cid = three_with_a_bot(server)
        ann.play(0, ann.plays()[0].move, 999)
        cid.wait_event("moved")
        assert cid.now["objections_ms"] == now_ms[0] + 8_000
        time.sleep(0.5)
        assert server.client(None).get(f"/tables/{table}")["seq"] == cid.seq, "the bot waits"
        cid.do("object", seat=2, turn=0)
        assert cid.events[-1]["event"]["type"] == "objected"
        assert cid.events[-1]["event"]["upheld"]
        assert cid.now["objections_ms"] is None
        assert cid.wait_event("moved")["event"]["seat"] == 1


@pytest.mark.parametrize(("gone_ms", "wait_ms"), [(7_000, 8_000), (9_000, None)])
def test_a_bot_waits_for_a_reloading_page_but_not_for_an_absent_player(
    tmp_path: Path, gone_ms: int, wait_ms: int | None
) -> None:
    now_ms = [1_700_000_000_000]
    with running(settings_for(tmp_path, claim_wait_ms=8_000, now_ms=lambda: now_ms[0])) as server:
        _, ann, cid = three_with_a_bot(server)
        ann.wait("presence", seats=[True, True, True])
        cid.close()
        ann.wait("presence", seats=[True, True, False])
        now_ms[0] += gone_ms
        ann.wait_seq(ann.play(0, ann.plays()[0].move, 0)["seq"])
        assert ann.now["objections_ms"] == (wait_ms and now_ms[0] + wait_ms)


@pytest.mark.usefixtures("sharp_bots")
def test_people_may_object_after_a_restart_and_the_bot_moves_on_after_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_ms, wait_ms = [1_700_000_000_000], 1_000
    settings = settings_for(tmp_path, claim_wait_ms=wait_ms, now_ms=lambda: now_ms[0])
    with running(settings) as server:
        table, ann, _ = three_with_a_bot(server)
        ann.play(0, ann.plays()[0].move, 999)
    now_ms[0] += 3_600_000
    append = EventLog.append

    async def slow(*given: Any) -> None:
        await asyncio.sleep(0.3)  # a bot that does not wait for the new time to object is faster
        await append(*given)

    replace_append(monkeypatch, slow)
    with running(settings) as server:
        watcher = server.client(None).socket(table)
        now = watcher.wait("snapshot")["snapshot"]["now"]
        assert now["turn"] == 1
        if now["objections_ms"] != now_ms[0] + wait_ms:  # the snapshot was sent before the time had begun again
            extended = watcher.wait("event")["event"]
            assert (extended["type"], extended["objections_ms"]) == ("extended", now_ms[0] + wait_ms)
        time.sleep(0.5)
        assert server.client(None).get(f"/tables/{table}")["seq"] == watcher.seq, "the bot waits"
        now_ms[0] += wait_ms
        objected = watcher.wait_event("objected")["event"]
        assert (objected["seat"], objected["upheld"]) == (1, True)
        assert watcher.wait_event("moved")["event"]["seat"] == 1


def test_a_hint_is_not_sent_after_the_viewed_seat_changed(server: Running) -> None:
    ann = server.client("Ann")
    socket = ann.socket(ann.make_table("me", "me:Bob", hints=True), seat=0)
    socket.wait("snapshot")
    socket.send({"type": "hint", "id": "h", "seat": 0, "step": 2})
    socket.send({"type": "look", "seat": None})
    assert socket.wait("hint", "refused")["error"]["code"] == "not_your_seat"


def test_a_person_has_one_search_for_a_hint_at_a_time(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(self: Workers, view: View, *_: object) -> Advice:
        await asyncio.sleep(0.3)
        best = view.position.plays()[0]
        return Advice(best, best.points, looked_ahead=True)

    monkeypatch.setattr(Workers, "hint", slow)
    ann = server.client("Ann")
    first, second = (ann.socket(ann.make_table("me", "stream", hints=True)) for _ in range(2))
    for socket in (first, second):
        socket.wait("snapshot")
    first.send({"type": "hint", "id": "a", "seat": 0, "step": 1})
    first.send({"type": "ping"})
    first.wait("pong")
    for socket in (first, second):
        socket.send({"type": "hint", "id": "b", "seat": 0, "step": 1})
        assert socket.wait("refused", id="b")["error"]["code"] == "hint_under_way"
    assert first.wait("hint", id="a")
    second.send({"type": "hint", "id": "c", "seat": 0, "step": 1})
    assert second.wait("hint", id="c")


def test_a_hint_comes_in_three_steps_where_it_is_allowed(server: Running) -> None:
    _, ann, bob = two_people(server, hints=True)
    hints = []
    for step in (1, 2, 3):
        ann.send({"type": "hint", "id": f"h{step}", "seat": 0, "step": step})
        hints.append(ann.wait("hint", id=f"h{step}")["hint"])
    assert [hint["tile"] is None for hint in hints] == [True, False, False]
    assert [hint["move"] is None for hint in hints] == [True, True, False]
    assert len({hint["square"] for hint in hints}) == 1
    assert [hint["looked_ahead"] is None for hint in hints] == [True, True, False]
    early = 0 if hints[2]["most"] == 0 else None
    assert [hint["most"] for hint in hints[:2]] == [early, early]
    plays = {str(play.move): play.points for play in ann.plays()}
    assert hints[2]["points"] == plays[hints[2]["move"]]
    assert hints[2]["most"] == max(plays.values())
    bob.send({"type": "hint", "id": "x", "seat": 1, "step": 1})
    assert bob.wait("refused", id="x")["error"]["code"] == "not_your_turn"
    _, ann, _ = two_people(server)
    ann.send({"type": "hint", "id": "y", "seat": 0, "step": 1})
    assert ann.wait("refused", id="y")["error"]["code"] == "no_hints_here"


def test_a_hint_says_from_its_first_step_on_that_nothing_scores(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(self: Workers, view: View, *_: object) -> Advice:
        worst = view.position.plays()[-1]
        return Advice(worst, most=0, looked_ahead=True)

    monkeypatch.setattr(Workers, "hint", nothing)
    ann = server.client("Ann")
    socket = ann.socket(ann.make_table("me", "stream", hints=True))
    socket.wait("snapshot")
    for step in (1, 2, 3):
        socket.send({"type": "hint", "id": f"h{step}", "seat": 0, "step": step})
        assert socket.wait("hint", id=f"h{step}")["hint"]["most"] == 0


def test_a_spectator_who_sits_down_is_present_for_all_at_once(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.make_table("me", "open", "open")
    sockets = ann.socket(table), bob.socket(table)
    # Ann hears of the spectator when the presence was sent to all: none is due after that.
    sockets[0].wait("presence", seats=[True, False, False], spectators=1)
    bob.do(table, "sit")
    for socket in sockets:
        assert socket.wait("presence", seats=[True, True, False], spectators=0)["absent"] == []
    bob.do(table, "stand", seat=1)
    for socket in sockets:
        socket.wait("presence", seats=[True, False, False], spectators=1)


def test_pause_chat_presence_resign_and_rematch(server: Running) -> None:
    table, ann, bob = two_people(server)
    assert bob.wait("presence")["seats"] == [True, True]
    ann.do("say", text="<b>Hello</b> ")
    assert bob.wait_event("said")["event"]["text"] == "<b>Hello</b>"
    ann.do("ask", seat=0, proposal="pause")
    bob.wait_event("asked")
    bob.do("answer", seat=1, proposal="pause", yes=True)
    ann.wait_event("paused")
    assert ann.play(0, ann.plays()[0].move)["error"]["code"] == "paused"
    bob.do("resume", seat=1)
    ann.wait_event("resumed")
    ann.do("resign", seat=0)
    ended = bob.wait_event("ended")
    assert ended["event"]["result"]["winners"] == [1]
    bob.do("ask", seat=1, proposal="rematch")
    ann.do("answer", seat=0, proposal="rematch", yes=True)
    other = bob.wait_event("rematched")["event"]["table"]
    snapshot = server.client(None).get(f"/tables/{other}")
    assert snapshot["previous"] == table
    assert snapshot["now"]["to_move"] == 1
    assert [chair["name"] for chair in snapshot["chairs"]] == ["Ann", "Bob"]


def test_alone_with_a_bot_a_move_is_taken_back(server: Running) -> None:
    ann = server.client("Ann")
    socket = ann.socket(ann.make_table("me", "stream"))
    socket.wait("snapshot")
    before, hand = socket.now["position"], socket.hand
    socket.play(0, socket.plays()[0].move)
    while socket.now["turn"] < 2:
        socket.receive()
    socket.do("ask", seat=0, proposal="take_back")
    assert socket.now["turn"] == 0
    assert (socket.now["position"], socket.hand) == (before, hand)


def test_an_absent_player_is_replaced_and_returns(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, absent_ms=300)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        table = ann.make_table("me", "open")
        bob.do(table, "sit")
        socket = ann.socket(table)
        socket.wait("snapshot")
        bob_there = bob.socket(table)
        bob_there.wait("snapshot")
        assert socket.do("seat_bot", seat=1, level="stream")["error"]["code"] == "still_here"
        bob_there.close()
        while socket.wait("presence")["absent"] != [1]:
            pass
        assert socket.do("seat_bot", seat=1, level="stream")["type"] == "ack"
        socket.play(0, socket.plays()[0].move)
        while socket.now["turn"] < 2:
            socket.receive()
        bob.do(table, "sit")
        assert socket.wait_event("seated")["event"]["chair"]["person"] == bob.person


def test_a_player_who_never_connects_becomes_absent(tmp_path: Path) -> None:
    """The only viewer is told, although nobody comes or goes any more."""
    with running(settings_for(tmp_path, absent_ms=300)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        table = ann.make_table("me", "open")
        bob.do(table, "sit")
        socket = ann.socket(table)
        while socket.wait("presence")["absent"] != [1]:
            pass


def test_a_player_without_a_socket_is_not_absent(tmp_path: Path) -> None:
    """A program reads its stream, and a client may poll over HTTP."""
    with running(settings_for(tmp_path, absent_ms=400)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        made = ann.post("/programs", {"name": "Otter"})
        otter = server.client(None)
        otter.http.headers["authorization"] = f"Bearer {made['token']}"
        table = ann.make_table("me", "open", "open", programs=True)
        bob.do(table, "sit")
        with otter.http.stream("GET", f"{API}/programs/stream"):
            otter.do(table, "sit")
            socket = ann.socket(table)
            until = time.monotonic() + 1
            while time.monotonic() < until:
                bob.get(f"/tables/{table}")
                time.sleep(0.05)
            for seat in (1, 2):
                assert socket.do("seat_bot", seat=seat, level="stream")["error"]["code"] == "still_here"
        while sorted(socket.wait("presence")["absent"]) != [1, 2]:
            pass
        assert socket.do("seat_bot", seat=2, level="stream")["type"] == "ack"


def test_a_finished_game_has_a_record_and_a_review(server: Running) -> None:
    table, ann, bob = two_people(server)
    watcher = server.client(None)
    for path in ("record", "review"):
        with pytest.raises(Answer) as early:
            watcher.get(f"/tables/{table}/{path}")
        assert (early.value.status, early.value.code) == (404, "record_not_yet")
    play_out([ann, bob], random.Random(9))
    while ann.now["phase"] != "over":
        ann.receive()
    text = watcher.http.get(f"/api/v1/tables/{table}/record").text
    record = read_record(text)
    assert check_record(record) == []
    assert verify_record(text).fairness is Fairness.PROVEN
    assert record.header.commitment == ann.snapshot["commitment"]
    review = watcher.get(f"/tables/{table}/review")
    assert [turn["move"] for turn in review["turns"]] == [str(turn.move) for turn in record.turns]
    assert all(turn["best"]["points"] >= turn["points"] for turn in review["turns"])
    assert review["turns"][-1]["scores"] == list(record.end.scores)
    mirror = watcher.get(f"/tables/{table}/record?form=json")
    assert len(mirror["turns"]) == 67
    replay = watcher.post("/study/record", {"text": text})
    assert len(replay["turns"]) == 67
    for chair in ann.snapshot["chairs"]:
        player = next(client for client in server.clients if client.person == chair["person"])
        assert table in [game["table"] for game in player.get("/games")["games"]]
