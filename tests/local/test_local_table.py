"""A table on the device answers as a server does, and stores before it tells."""

import asyncio
import json
import random
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from riverstones.local import Happening, LocalTable, Row, Step, Unreadable
from riverstones.local.reading import read, read_one_of
from riverstones.local.table import BOT_PACE_MS, CLAIM_WAIT_MS, COMMANDS, encode
from riverstones.rules import Layout, Scoring, Variant
from riverstones.server.contract import adapter
from riverstones.server.protocol import encode as server_encode
from riverstones.server.tables.feed import EncodedEvent
from riverstones.server.workers.jobs import ChooseMove
from riverstones.table import (
    Actor,
    BotMove,
    Chair,
    NotAllowed,
    Options,
    PersonCommand,
    Phase,
    Viewer,
    apply,
    fold,
    seat_view,
    snapshot,
    tell,
)
from tests.server.nodes import nodes
from tests.table.helpers import entropy

ANN = Actor("ann", "Ann")
COMMAND: TypeAdapter[Any] = adapter(PersonCommand)
OPTIONS: TypeAdapter[Any] = adapter(Options)


def chairs(*levels: str | None) -> tuple[Chair, ...]:
    """Seats of Ann, or of bots of these levels."""
    colours = ("indigo", "teal", "plum", "ochre")
    return tuple(
        Chair(person="ann", name=f"Ann {n}", colour=colours[n])
        if level is None
        else Chair(bot=level, name=level, colour=colours[n])
        for n, level in enumerate(levels)
    )


class Device:
    """What the browser does for a table: it stores rows, tells the time and shows messages."""

    def __init__(self, options: Options, seats: tuple[Chair, ...]) -> None:
        self.now_ms, self.number = 1_000_000, 0
        self.stored = list(LocalTable.create("local", options, seats, ANN, self.now()))
        self.table = LocalTable(self.stored, ANN)
        self.shown: list[Any] = []
        self.take(self.table.receive({"type": "hello", "protocol": 1}, self.now()))

    def now(self) -> Happening:
        self.number += 1
        return Happening(self.now_ms, entropy(self.number))

    def take(self, step: Step) -> list[Any]:
        """Store, then advance, then show."""
        assert [row.seq for row in step.rows] == list(
            range(len(self.stored) + 1, len(self.stored) + 1 + len(step.rows))
        )
        self.stored += [Row(**json.loads(json.dumps(asdict(row)))) for row in step.rows]  # as in a browser's store
        messages = [*self.table.advance(step.rows), *step.messages]
        self.shown += messages
        return messages

    def do(self, command: dict[str, Any], name: str | None = None) -> Any:
        """Carry out a command of the page; returns its answer."""
        self.number += 1
        message = {"type": "do", "id": name or f"c{self.number}", "command": command}
        return self.take(self.table.receive(message, self.now()))[-1]

    def play(self, rng: random.Random) -> Any:
        """A random legal move for whoever is to move, with a claim where it is needed."""
        table = self.table.table
        assert table.game is not None
        assert table.to_move is not None
        chosen = rng.choice(table.game.plays())
        claim = chosen.points if table.by_claims else None
        move = {"type": "play", "seat": table.to_move, "turn": table.turn, "move": str(chosen.move), "claim": claim}
        return self.do(move)

    def work(self) -> None:
        """Do what is due next."""
        work = self.table.work()[0]
        self.now_ms = max(self.now_ms, work.at_ms)
        command = self.table.command(work)
        if command is not None:
            self.take(self.table.submit(command, self.now()))


@pytest.mark.parametrize("variant", list(Variant))
def test_a_game_of_four_on_one_device_is_told_as_a_server_tells_it(variant: Variant) -> None:
    device = Device(Options(seats=4, variant=variant, layout=Layout.CORNERS), chairs(None, None, None, None))
    rng = random.Random(5)
    while device.table.table.phase is Phase.PLAYING:
        seat = device.table.table.to_move
        device.take(device.table.receive({"type": "look", "seat": seat}, device.now()))
        device.do({"type": "reveal", "seat": seat, "turn": device.table.table.turn})
        assert device.play(rng)["type"] == "ack"
    assert device.table.table == fold([row.entry for row in device.stored])
    told = [message for message in device.shown if message["type"] == "event"]
    assert [message["seq"] for message in told] == list(range(told[0]["seq"], device.table.table.seq + 1))
    final = {"type": "snapshot", "snapshot": snapshot(device.table.table, Viewer("ann", seat))}
    assert encode(final) == server_encode(final)  # type: ignore[arg-type]


def test_the_same_deal_and_moves_give_the_same_bytes_as_a_server(tmp_path: Path) -> None:
    options, seats = Options(seats=2, scoring=Scoring.CLAIMS), chairs(None, None)
    device = Device(options, seats)
    moment: dict[str, int] = {"number": 1}

    async def run() -> None:
        at: dict[str, Any] = {"now_ms": lambda: device.now_ms, "entropy": lambda: entropy(moment["number"])}
        at["claim_wait_ms"] = CLAIM_WAIT_MS
        async with nodes(tmp_path, 1, **at) as (node,):
            tables = node.services.tables
            live = await tables.create(options, ANN, seats, "local")
            rng = random.Random(3)
            while live.table.phase is Phase.PLAYING:
                device.now_ms += 1_500
                assert device.play(rng)["type"] == "ack"
                moment["number"] = device.number
                await tables.submit(live, ANN, COMMAND.validate_python({"type": "play", **_last_play(device)}))
            for seat in (0, 1):
                confirm = {"type": "confirm", "seat": seat, "turn": live.table.turn - 1}
                assert device.do(confirm)["type"] == "ack"
                moment["number"] = device.number
                await tables.submit(live, ANN, COMMAND.validate_python(confirm))
            log = await node.services.store.events.read("local")
            assert [_without_key(Row.of(entry)) for entry in log] == [_without_key(row) for row in device.stored]
            assert live.table == device.table.table

    asyncio.run(run())
    table = fold([row.entry for row in device.stored[:2]])
    for row, message in zip(device.stored[2:], [each for each in device.shown if each["type"] == "event"], strict=True):
        table = apply(table, row.entry)
        assert encode(message) == EncodedEvent.of(tell(row.entry, table)).to(Viewer("ann"))


def _last_play(device: Device) -> dict[str, Any]:
    moved = next(row for row in reversed(device.stored) if row.type == "moved")
    turn = device.table.table.turn - 1
    return {"seat": moved.data["seat"], "turn": turn, "move": moved.data["move"], "claim": moved.data["claim"]}


def _without_key(row: Row) -> tuple[Any, ...]:
    return row.seq, row.at_ms, row.type, json.dumps(row.data)


def test_bots_play_a_whole_game_with_claims_and_a_clock() -> None:
    options = Options(seats=3, scoring=Scoring.CLAIMS, clock=Options().clock)
    device = Device(options, chairs(None, "pebble", "drop"))
    rng, steps = random.Random(1), 0
    while device.table.table.phase is not Phase.OVER:
        steps += 1
        assert steps < 2_000
        table = device.table.table
        if table.phase is Phase.SETTLING and 0 not in table.confirmed:
            device.do({"type": "confirm", "seat": 0, "turn": table.turn - 1})
        elif table.phase is Phase.PLAYING and table.to_move == 0:
            device.play(rng)
        else:
            device.work()
    assert device.table.work() == []


def test_a_bot_moves_as_on_a_server_and_not_before_its_pace() -> None:
    device = Device(Options(), chairs("brook", None))
    work = device.table.work()[0]
    assert isinstance(work.need, BotMove)
    assert work.at_ms == device.now_ms + BOT_PACE_MS
    view = seat_view(device.table.table, 0)
    move, _ = ChooseMove(view, "brook", work.need.seed).answer()
    assert device.table.command(work) == work.need.command(move, None)


def test_nothing_is_told_before_it_is_stored_and_a_crash_loses_nothing() -> None:
    device = Device(Options(), chairs(None, None))
    before = device.table.table
    play = device.table.table.game.plays()[0]  # type: ignore[union-attr]
    command = {"type": "play", "seat": 0, "turn": 0, "move": str(play.move)}
    message = {"type": "do", "id": "first", "command": command}
    step = device.table.receive(message, device.now())
    assert device.table.table == before  # nothing has happened yet
    device.stored += step.rows
    after = LocalTable(device.stored, ANN)  # the page was closed between storing and telling
    again = after.receive(message, device.now())
    assert again.rows == ()
    assert again.messages == ({"type": "ack", "id": "first", "seq": step.rows[-1].seq},)


def test_two_tabs_on_one_table_decide_one_after_the_other() -> None:
    device = Device(Options(), chairs(None, None))
    other = LocalTable(device.stored, ANN)
    other.receive({"type": "hello", "protocol": 1, "seat": 1}, device.now())
    play = device.table.table.game.plays()[0]  # type: ignore[union-attr]
    move = {"type": "play", "seat": 0, "turn": 0, "move": str(play.move)}
    rows = device.table.receive({"type": "do", "id": "a", "command": move}, device.now()).rows
    late = {"type": "do", "id": "b", "command": move}
    assert [row.seq for row in other.receive(late, device.now()).rows] == [row.seq for row in rows]  # a conflict
    told = other.advance(rows)
    assert [message["type"] for message in told] == ["event"]
    refused = other.receive(late, device.now())
    assert refused.rows == ()
    assert refused.messages[0]["type"] == "refused"


def test_a_viewer_who_comes_back_gets_the_missed_events() -> None:
    device = Device(Options(), chairs(None, "drop"))
    device.play(random.Random(2))
    told = [message for message in device.shown if message["type"] == "event"]
    back = LocalTable(device.stored, ANN).receive({"type": "hello", "protocol": 1, "since": 2}, device.now()).messages
    assert [message["type"] for message in back] == ["welcome", "event", "presence"]
    assert back[1] == told[0]


def test_a_rematch_is_another_table() -> None:
    device = Device(Options(), chairs(None, "drop"))
    device.do({"type": "resign", "seat": 0})
    device.do({"type": "ask", "seat": 0, "proposal": "rematch"})
    work = device.table.work()[0]
    step = device.table.rematch(work, "again", device.now())
    device.take(step)
    assert device.table.table.next == "again"
    assert LocalTable(step.rematch, ANN).table.previous == "local"


def test_time_without_a_page_is_given_back() -> None:
    device = Device(Options(clock="strict", seconds=30), chairs(None, "drop"))  # type: ignore[arg-type]
    deadline = device.table.table.deadline_ms
    assert deadline is not None
    left_at, device.now_ms = device.now_ms + 1_000, device.now_ms + 3_600_000
    device.take(device.table.wake(left_at, device.now()))
    assert device.table.table.deadline_ms == deadline + 3_599_000


def test_a_device_has_no_rated_tables() -> None:
    with pytest.raises(NotAllowed):
        LocalTable.create("x", Options(rated=True), chairs(None, None), ANN, Happening(0, bytes(32)))


VALUES: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-3, 5) | st.sampled_from(["a1+5", "pause", "x", "1"]) | st.just([])
)
NAMES = sorted({each.name for kind in get_args(PersonCommand) for each in fields(kind)} | {"other"})


@given(
    st.sampled_from([each.type for each in get_args(PersonCommand)] + ["tick", 3]),
    st.dictionaries(st.sampled_from(NAMES), VALUES),
)
def test_commands_are_read_as_the_server_reads_them(kind: Any, given_fields: dict[str, Any]) -> None:
    value = {**given_fields, "type": kind}
    try:
        expected = COMMAND.validate_json(json.dumps(value))
    except ValidationError:
        with pytest.raises(Unreadable):
            read_one_of(COMMANDS, value)
    else:
        assert read_one_of(COMMANDS, value) == expected


@given(st.dictionaries(st.sampled_from([each.name for each in fields(Options)] + ["other"]), VALUES | st.sampled_from([
    "standard", "expert", "sides", "claims", "strict", "random",
])))  # fmt: skip
def test_options_are_read_as_the_server_reads_them(value: dict[str, Any]) -> None:
    try:
        expected = OPTIONS.validate_json(json.dumps(value))
    except ValidationError:
        with pytest.raises(Unreadable):
            read(Options, value)
    else:
        assert read(Options, value) == expected
