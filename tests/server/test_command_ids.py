"""A command's id stands for its content, and the types of a message are exact."""

from pathlib import Path
from typing import Any

import pytest

from riverstones.server.tables.command_keys import CarriedOut, command_key
from riverstones.table.commands import Play, Say

from .running import API, Answer, Running, running, settings_for
from .test_games import two_people


def test_a_reused_id_with_other_content_is_refused(server: Running) -> None:
    _, ann, _ = two_people(server)
    ann.send({"type": "do", "id": "same", "command": {"type": "say", "text": "one"}})
    first = ann.wait("ack", id="same")
    ann.send({"type": "do", "id": "same", "command": {"type": "say", "text": "one"}})
    assert ann.wait("ack", "refused", id="same") == first
    ann.send({"type": "do", "id": "same", "command": {"type": "say", "text": "two"}})
    refused = ann.wait("ack", "refused", id="same")
    assert refused["type"] == "refused"
    assert refused["error"]["code"] == "command_id_reused"
    assert ann.do("say", text="three")["type"] == "ack"
    assert [event["event"]["text"] for event in ann.events if event["event"]["type"] == "said"] == ["one", "three"]


def test_a_reused_id_is_refused_over_http_and_after_a_restart(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as server:
        ann = server.client("Ann")
        table = ann.make_table("me", "open")
        said = {"id": "same", "command": {"type": "say", "text": "one"}}
        seq = ann.post(f"/tables/{table}/do", said)["seq"]
        cookies = dict(ann.http.cookies)
    with running(settings) as server:
        again = server.client(None)
        again.http.cookies.update(cookies)
        assert again.post(f"/tables/{table}/do", said)["seq"] == seq
        with pytest.raises(Answer) as refused:
            again.post(f"/tables/{table}/do", {"id": "same", "command": {"type": "say", "text": "two"}})
        assert (refused.value.status, refused.value.code) == (409, "command_id_reused")


def test_the_same_id_of_another_person_is_another_command(server: Running) -> None:
    _, ann, bob = two_people(server)
    for each, text in ((ann, "one"), (bob, "two")):
        each.send({"type": "do", "id": "same", "command": {"type": "say", "text": text}})
        assert each.wait("ack", "refused", id="same")["type"] == "ack"


def test_a_key_is_that_of_the_content_and_fits_its_column() -> None:
    play = Play(seat=0, turn=3, move="e4+7")
    key = command_key("p" + "f" * 20, "i" * 64, play)
    assert key == command_key("p" + "f" * 20, "i" * 64, Play(seat=0, turn=3, move="e4+7", claim=None))
    assert key != command_key("p" + "f" * 20, "i" * 64, Play(seat=0, turn=3, move="e4+7", claim=0))
    assert len(key) <= 128


def test_keys_stored_before_contents_were_compared_still_answer() -> None:
    done = CarriedOut()
    done.add("p1:old", 7)
    assert done.seq_of(command_key("p1", "old", Say("anything"))) == 7
    assert done.seq_of(command_key("p1", "new", Say("anything"))) is None


WRONG_TYPES: list[tuple[dict[str, Any], str]] = [
    ({"type": "do", "id": "a", "command": {"type": "play", "seat": False, "turn": 0, "move": "e4+7"}}, "seat"),
    ({"type": "do", "id": "a", "command": {"type": "play", "seat": "0", "turn": 0, "move": "e4+7"}}, "seat"),
    ({"type": "do", "id": "a", "command": {"type": "play", "seat": 0, "turn": 0.0, "move": "e4+7"}}, "turn"),
    (
        {"type": "do", "id": "a", "command": {"type": "play", "seat": 0, "turn": 0, "move": "e4", "claim": True}},
        "claim",
    ),
    ({"type": "do", "id": "a", "command": {"type": "answer", "seat": 0, "proposal": "pause", "yes": "yes"}}, "yes"),
    ({"type": "do", "id": "a", "command": {"type": "answer", "seat": 0, "proposal": "pause", "yes": 1}}, "yes"),
    ({"type": "do", "id": "a", "command": {"type": "sit", "seat": True}}, "seat"),
    ({"type": "look", "seat": True}, "seat"),
    ({"type": "look", "seat": "0"}, "seat"),
    ({"type": "hint", "id": "a", "seat": 0, "step": True}, "step"),
]


@pytest.mark.parametrize(("message", "field"), WRONG_TYPES, ids=str)
def test_booleans_and_strings_are_not_numbers(server: Running, message: dict[str, Any], field: str) -> None:
    _, ann, _ = two_people(server)
    seq = ann.seq
    ann.send(message)
    refused = ann.wait("ack", "refused", "snapshot", "hint")
    assert refused["type"] == "refused"
    assert refused["error"]["code"] == "bad_message"
    assert field in refused["error"]["params"]["where"]
    assert ann.seq == seq


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tables", {"options": {"seats": "2"}, "seats": [{"who": "me"}, {"who": "open"}]}),
        ("/tables", {"options": {"listed": 1}, "seats": [{"who": "me"}, {"who": "open"}]}),
        ("/tables", {"options": {"rated": "false"}, "seats": [{"who": "me"}, {"who": "open"}]}),
        ("/tables", {"options": {"start": True}, "seats": [{"who": "me"}, {"who": "open"}]}),
        ("/tables", {"options": {"seconds": 30.0, "clock": "strict"}, "seats": [{"who": "me"}, {"who": "open"}]}),
        ("/study/puzzles/none/attempts", {"solved": "yes"}),
        ("/study/puzzles/none/attempts", {"solved": 1}),
    ],
    ids=str,
)
def test_the_types_in_a_request_are_exact(server: Running, path: str, body: dict[str, Any]) -> None:
    answer = server.client("Ann").http.post(f"{API}{path}", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_message")
