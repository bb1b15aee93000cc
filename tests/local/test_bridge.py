"""What a browser's worker calls: JSON text in and out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from riverstones.local import Row
from riverstones.local.bridge import PERSON, Bridge
from riverstones.notation import Player, format_position, record_of, write_record
from riverstones.rules import view
from riverstones.table import fold
from riverstones.table.events import VERSION, UnknownVersion
from riverstones.words import phrase

ENTROPY = "15" * 32
NOW_MS = 1_000_000
TABLE = "local-table"
BOT = {"who": "bot", "level": "drop"}
ME = {"who": "me"}


def form(*seats: dict[str, Any], **options: Any) -> str:
    chosen = {"seats": len(seats), **options}
    return json.dumps({"name": "Ann", "colour": "plum", "options": chosen, "seats": seats})


class Worker:
    """Does what the worker in the page does with one table."""

    def __init__(self, *seats: dict[str, Any], **options: Any) -> None:
        self.bridge, self.now_ms = Bridge(), NOW_MS
        made = json.loads(self.bridge.create(TABLE, form(*seats, **options), NOW_MS, ENTROPY))
        self.rows: list[Any] = made["rows"]
        self.listed = {"summary": made["summary"], "beaten": made["beaten"]}
        self.bridge.open(TABLE, json.dumps(self.rows))
        self.rematch: Any = None

    def settle(self, text: str) -> list[Any]:
        """Store the rows of a step, and return every message for the page."""
        step = json.loads(text)
        told: list[Any] = []
        if step["rows"]:
            rows = json.dumps(step["rows"])
            self.listed = json.loads(self.bridge.listed_with(TABLE, rows))
            self.rows += step["rows"]
            told = json.loads(self.bridge.advance(TABLE, rows))
        self.rematch = step["rematch"] or self.rematch
        return [*told, *step["messages"]]

    def say(self, message: dict[str, Any]) -> list[Any]:
        return self.settle(self.bridge.receive(TABLE, json.dumps(message), self.now_ms, ENTROPY))

    def do(self, name: str, **command: Any) -> Any:
        """The answer to a command."""
        return self.say({"type": "do", "id": name, "command": command})[-1]

    def work(self) -> list[Any]:
        """Do what is due next, at its time."""
        due = json.loads(self.bridge.due(TABLE))
        self.now_ms = max(self.now_ms, due["at_ms"])
        return self.settle(self.bridge.carry_out(TABLE, "local-next", self.now_ms, ENTROPY))

    def ask(self, route: str, **given: Any) -> Any:
        tables = [self.rows] if "table" in given.get("path", {}) or route == "GET /profile/me" else []
        return json.loads(self.bridge.ask(route, json.dumps(given), json.dumps(tables)))


def test_a_bot_moves_when_it_is_due_and_not_before() -> None:
    worker = Worker(BOT, ME)
    worker.say({"type": "hello", "protocol": 1})
    assert worker.settle(worker.bridge.carry_out(TABLE, "", NOW_MS, ENTROPY)) == []
    worker.bridge.prepare(TABLE)
    (told,) = worker.work()
    assert told["event"]["type"] == "moved"
    assert told["event"]["seat"] == 0
    assert json.loads(worker.bridge.due(TABLE)) is None
    assert worker.listed["summary"]["to_move"] == 1


def test_a_move_that_was_prepared_for_another_turn_is_not_played() -> None:
    worker = Worker(BOT, BOT, ME)
    worker.bridge.prepare(TABLE)
    other = Worker(BOT, BOT, ME)
    other.work()
    worker.bridge.advance(TABLE, json.dumps(other.rows[len(worker.rows) :]))
    (told,) = worker.work()
    assert told["event"]["seat"] == 1


def test_hints_come_in_steps_and_refusals_have_their_sentence() -> None:
    worker = Worker(ME, BOT, hints=True)
    worker.say({"type": "hello", "protocol": 1})
    hints = [worker.say({"type": "hint", "id": f"h{step}", "seat": 0, "step": step})[0] for step in (1, 2, 3)]
    assert [hint["hint"]["step"] for hint in hints] == [1, 2, 3]
    (refused,) = worker.say({"type": "hint", "id": "no", "seat": 1, "step": 1})
    assert refused["id"] == "no"
    assert refused["error"]["text"]
    assert worker.do("c1", type="play", seat=0, turn=0, move="e9+9~a1")["type"] == "refused"
    assert worker.do("c2", type="no such command")["error"]["code"] == "bad_message"


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        ((ME, {"who": "open"}), {}),
        ((ME,), {}),
        ((BOT, BOT), {}),
        ((ME, {"who": "bot", "level": "puddle"}), {}),
        ((ME, BOT), {"rated": True}),
        ((ME, BOT), {"variant": "chess"}),
        ((ME, BOT), {"colour": "red"}),
    ],
)
def test_a_table_that_cannot_be_is_refused(seats: tuple[dict[str, Any], ...], options: dict[str, Any]) -> None:
    made = json.loads(Bridge().create(TABLE, form(*seats, **options), NOW_MS, ENTROPY))
    assert list(made) == ["refused"]
    assert made["refused"]["text"]


def finished() -> Worker:
    """A table that is over: the person has resigned."""
    worker = Worker(ME, BOT)
    assert worker.do("c1", type="resign", seat=0)["type"] == "ack"
    return worker


def test_a_finished_game_can_be_read_reviewed_and_listed() -> None:
    worker = finished()
    path = {"table": TABLE}
    record = worker.ask("GET /tables/{table}/record", path=path)["answer"]
    assert "Ann" in record
    assert worker.ask("GET /tables/{table}", path=path)["answer"]["now"]["phase"] == "over"
    assert worker.ask("GET /tables/{table}/review", path=path)["answer"]["seats"]
    assert worker.ask("POST /study/record", body={"text": record})["answer"]["players"][0]["name"] == "Ann"
    assert worker.ask("POST /study/record", body={"text": "nonsense"})["refused"]["text"]
    assert worker.ask("GET /profile/me")["answer"]["games"] == 1
    assert worker.listed["beaten"] is None


def test_a_review_goes_on_step_by_step_is_counted_and_can_be_stopped() -> None:
    worker = Worker(ME, BOT, hints=True)
    worker.say({"type": "hello", "protocol": 1})
    hint = [worker.say({"type": "hint", "id": f"h{step}", "seat": 0, "step": step})[0]["hint"] for step in (1, 2, 3)]
    assert worker.do("c1", type="play", seat=0, turn=0, move=hint[-1]["move"])["type"] == "ack"
    worker.work()
    assert worker.do("c2", type="resign", seat=0)["type"] == "ack"
    review = {"review": "local-review"}
    assert worker.ask("POST /tables/{table}/review", path={"table": TABLE, **review}) == {"answer": review}
    steps = []
    while (step := worker.ask("GET /study/reviews/{review}", path=review)["answer"]) is not None:
        steps.append(step)
    reports = {TABLE: steps[-1]["report"]}
    assert worker.ask("GET /profile/me")["answer"]["sight"]["all"]["chances"] == 0
    assert worker.ask("GET /profile/me", body={"reports": reports})["answer"]["sight"]["all"]["chances"] == 1
    assert worker.ask("DELETE /study/reviews/{review}", path=review) == {"answer": None}


@pytest.mark.parametrize("seats", [(ME, BOT), (ME, ME)])
def test_a_game_that_goes_on_is_not_analysed(seats: tuple[dict[str, Any], ...]) -> None:
    worker = Worker(*seats)

    def ask(route: str, **body: str) -> Any:
        return json.loads(worker.bridge.ask(route, json.dumps({"path": {"review": "r"}, "body": body}), tables))

    tables = json.dumps([worker.rows])
    game = fold([Row(**row).entry for row in worker.rows]).game
    assert game is not None
    position = format_position(view(game, 0).position)
    record = write_record(record_of(game, players=(Player("Ann"), Player("Zoë"))))
    questions = [("POST /study/analyse", {"position": position}), ("POST /study/reviews", {"text": record})]
    for route, body in questions:
        refused = ask(route, **body)["refused"]
        assert (refused["code"], refused["text"]) == ("position_in_play", phrase("refusal_position_in_play"))
    assert worker.do("c1", type="resign", seat=0)["type"] == "ack"
    tables = json.dumps([worker.rows])
    for route, body in questions:
        assert "answer" in ask(route, **body)


def test_a_rematch_is_a_new_table() -> None:
    worker = finished()
    worker.do("c2", type="ask", proposal="rematch", seat=0)
    while worker.rematch is None:
        worker.work()
    assert worker.rematch["table"] == "local-next"
    assert worker.rematch["summary"]["chairs"][0]["person"] == PERSON
    assert [row["seq"] for row in worker.rematch["rows"]] == list(range(1, len(worker.rematch["rows"]) + 1))


def test_time_without_a_page_is_given_back() -> None:
    worker = Worker(ME, BOT, clock="strict", seconds=30)
    later = NOW_MS + 3_600_000
    worker.settle(worker.bridge.wake(TABLE, NOW_MS, later, ENTROPY))
    assert json.loads(worker.bridge.due(TABLE)) == {"kind": "clock", "at_ms": later + 30_000}


def test_a_game_that_goes_on_is_saved_and_continued_under_another_name() -> None:
    worker = Worker(ME, BOT, clock="strict", seconds=30)
    text = worker.bridge.save(json.dumps(worker.rows), NOW_MS + 5)
    found = json.loads(Bridge().restore("local-copy", text))
    assert found["saved_ms"] == NOW_MS + 5
    assert found["summary"] == {**worker.listed["summary"], "table": "local-copy"}
    assert found["rows"][1:] == worker.rows[1:]
    other = Bridge()
    other.open("local-copy", json.dumps(found["rows"]))
    hello = json.dumps({"type": "hello", "protocol": 1})
    told = [
        json.loads(bridge.receive(table, hello, NOW_MS, ENTROPY))["messages"][1]["snapshot"]
        for bridge, table in ((worker.bridge, TABLE), (other, "local-copy"))
    ]
    assert told[1] == {**told[0], "table": "local-copy"}


def altered(**changes: Any) -> str:
    """A saved table with other fields."""
    worker = Worker(ME, BOT)
    return json.dumps(json.loads(worker.bridge.save(json.dumps(worker.rows), NOW_MS)) | changes)


def test_a_file_that_is_not_a_saved_table_is_refused() -> None:
    rows = Worker(ME, BOT).rows
    strangers = json.loads(json.dumps(rows).replace(f'"{PERSON}"', '"stranger"'))
    broken = [{**rows[0], "data": {**rows[0]["data"], "chairs": [7]}}, *rows[1:]]
    for text in (
        "",
        "[]",
        "[" * 100_000,
        '{"riverstones_table": 1}',
        altered(riverstones_table=2),
        altered(saved_ms="soon"),
        *(altered(events=events) for events in ([], rows[1:], [*rows, rows[-1]], [1], broken, strangers)),
    ):
        assert json.loads(Bridge().restore("local-copy", text))["refused"]["code"] == "bad_message", text[:80]


def with_created(rows: list[dict[str, Any]], **changes: Any) -> list[dict[str, Any]]:
    """Rows whose first event has other fields."""
    return [{**rows[0], "data": {**rows[0]["data"], **changes}}, *rows[1:]]


def test_a_file_whose_table_no_device_could_have_made_is_refused() -> None:
    rows = Worker(ME, BOT).rows
    me, bot = rows[0]["data"]["chairs"]
    options = rows[0]["data"]["options"]
    strict = {**options, "clock": "strict"}
    for events in (
        [{**row, "seq": row["seq"] - 1} for row in rows],
        [{**row, "seq": row["seq"] + 4} for row in rows],
        [{**row, "at_ms": "soon"} for row in rows],
        [{**row, "at_ms": float("nan")} for row in rows],
        [{**row, "at_ms": True} for row in rows],
        with_created(rows, chairs=[me, {**bot, "bot": "abyss"}]),
        with_created(rows, chairs=[me, {**bot, "bot": ["brook"]}]),
        with_created(rows, chairs=[me, {**bot, "owner": "stranger"}]),
        with_created(rows, chairs=[{**me, "name": {}}, bot]),
        with_created(rows, chairs=[{**me, "name": "W" * 100_000}, bot]),
        with_created(rows, chairs=[{**me, "colour": "url(x)"}, bot]),
        with_created(rows, options={**options, "seats": 3}),
        with_created(rows, options={**options, "rated": True}),
        with_created(rows, options={**options, "hints": "yes"}),
        with_created(rows, options={**strict, "seconds": 0}),
        [*rows, {**rows[-1], "seq": len(rows) + 1, "type": "rematched", "data": {"table": "local-other"}}],
    ):
        found = json.loads(Bridge().restore("local-copy", altered(events=events)))
        assert found["refused"]["code"] == "bad_message", events[0]
    for time in (1e999, -1, True, 2**53):
        found = json.loads(Bridge().restore("local-copy", altered(saved_ms=time)))
        assert found["refused"]["code"] == "bad_message", time


def test_events_of_a_newer_version_are_not_read() -> None:
    worker = Worker(ME, BOT)
    worker.rows[0]["data"]["v"] = VERSION + 1
    with pytest.raises(UnknownVersion):
        Bridge().open(TABLE, json.dumps(worker.rows))
