"""What a device answers about records and positions is what a server answers, byte for byte."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from riverstones.engine.levels import has_kernel
from riverstones.local import (
    Happening,
    LocalTable,
    Row,
    analyse,
    beaten_levels,
    end_summary,
    played,
    profile,
    read_record,
    record,
    refused,
    review,
    summary,
)
from riverstones.local.refusals import REFUSALS
from riverstones.local.table import encode
from riverstones.notation import format_position
from riverstones.rules import view
from riverstones.server.services import Services
from riverstones.table import Actor, Options, Table, fold
from tests.engine.positions import game_after
from tests.server.running import API, TIMEOUT_S, Client, Running, running, settings_for
from tests.table.helpers import table_of

ROOT = Path(__file__).parents[2]
PLAYTHROUGHS = sorted((ROOT / "tests" / "playthroughs").glob("*.river"))
START = (
    "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,?? 0,0 63 standard"
)
LATE = [game_after(turns, seed=turns, seats=seats) for seats, turns in ((2, 63), (3, 66))]
LATE_POSITIONS = [format_position(view(game, game.to_move).position) for game in LATE]
TURNS = 3
needs_kernel = pytest.mark.skipif(not has_kernel(), reason="the engine is not installed")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(settings_for(tmp_path_factory.mktemp("server"))) as found:
        yield found


@pytest.fixture(scope="module")
def ann(server: Running) -> Client:
    return server.client("Ann")


def services_of(server: Running) -> Services:
    services: Services = server.server.config.loaded_app.state.services
    return services


def rows_at(server: Running, name: str) -> list[Row]:
    """The log of a table of the server, as a device stores it."""
    return [Row.of(entry) for entry in server.run(services_of(server).store.events.read(name))]


def table_at(server: Running, name: str) -> Table:
    """A table of the server, as a device has it."""
    return fold([row.entry for row in rows_at(server, name)])


def play(client: Client, server: Running, name: str, turns: int) -> None:
    """Play the best moves of a table where one person has all seats."""
    for _ in range(turns):
        table = table_at(server, name)
        assert table.game is not None
        move = str(table.game.plays()[0].move)
        client.do(name, "play", seat=table.to_move, turn=table.turn, move=move)


def told(client: Client, method: str, path: str, body: Any = None) -> str:
    """The body of an answer."""
    sent = None if body is None else json.dumps(body)  # with lone surrogates, which `httpx` would not send
    return client.http.request(method, API + path, content=sent, headers={"content-type": "application/json"}).text


def answered(call: Callable[[], Any]) -> str:
    """The local answer, or the refusal in the form of an HTTP answer."""
    try:
        return encode(call())
    except REFUSALS as error:
        return encode({"error": refused(error)})


@pytest.mark.slow
@needs_kernel
def test_a_table_is_answered_about_as_by_a_server(server: Running, ann: Client) -> None:
    name = ann.make_table("me", "me:Zoë", hints=True)
    person = str(ann.person)
    play(ann, server, name, TURNS)
    rows = rows_at(server, name)
    running_table = fold([row.entry for row in rows])
    socket = ann.socket(name, seat=1)
    device, now = LocalTable(rows, Actor(person, "Ann")), Happening(0, bytes(32))
    device.receive({"type": "hello", "protocol": 1, "seat": 1}, now)
    for seat, step in ((1, 1), (1, 2), (1, 3), (0, 1)):
        asked = {"type": "hint", "id": f"{seat}.{step}", "seat": seat, "step": step}
        socket.send(asked)
        socket.wait("hint", "refused", id=asked["id"])
        assert [encode(each) for each in device.receive(asked, now).messages] == [socket.raw[-1]]
    assert socket.raw[-1].startswith('{"type":"refused"')
    assert answered(lambda: record(running_table)) == told(ann, "GET", f"/tables/{name}/record")
    assert answered(lambda: end_summary(running_table)) == told(ann, "GET", f"/tables/{name}/review")
    ann.do(name, "resign", seat=0)
    table = table_at(server, name)
    assert record(table) == told(ann, "GET", f"/tables/{name}/record")
    assert answered(lambda: end_summary(table)) == told(ann, "GET", f"/tables/{name}/review")
    reviewed = ann.post(f"/tables/{name}/review")["review"]
    deadline = time.monotonic() + 4 * TIMEOUT_S
    while (state := ann.get(f"/study/reviews/{reviewed}"))["report"] is None:
        assert not state["failed"]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    *steps, last = review(table)
    assert encode(last) == encode(state)
    assert [step["done"] for step in steps] == list(range(TURNS + 1))
    assert {(step["total"], step["report"], step["failed"]) for step in steps} == {(TURNS, None, False)}


def save_game(server: Running, name: str, level: str, person: str, seed: int) -> None:
    """Store a finished game of somebody against a bot on the server."""
    game = table_of("ann", f"bot:{level}", seed=seed)
    game.play_on(seed=seed)
    text = json.dumps([asdict(Row.of(entry)) for entry in game.log]).replace("id-ann", person)
    rows = [Row(**row) for row in json.loads(text)]
    rows[0].data["table"] = name
    log = [row.entry for row in rows]

    async def store() -> None:
        await services_of(server).store.events.append(log, None, fold(log), None)

    server.run(store())


@pytest.mark.slow
def test_games_and_the_profile_are_those_of_a_server(server: Running) -> None:
    eve = server.client("Eve")
    person = str(eve.person)
    names = [eve.make_table("me", "drop"), eve.make_table("me", "drop", "pebble"), eve.make_table("me", "me:Zoë")]
    for seed, level in enumerate(("drop", "drop", "pebble", "brook")):
        save_game(server, f"game{seed}", level, person, seed)
    for name in names[1:]:
        eve.do(name, "resign", seat=0)
    listed = json.loads(told(eve, "GET", "/games"))["games"]
    tables = [table_at(server, each["table"]) for each in listed]
    assert len(tables) == 7
    assert answered(lambda: {"games": [summary(table) for table in tables]}) == told(eve, "GET", "/games")
    levels = answered(lambda: {"levels": beaten_levels(map(summary, tables), person)})
    assert levels == told(eve, "GET", "/games/levels")
    assert 0 < len(json.loads(levels)["levels"]) < 3
    games = [game for table in tables if (game := played(table, person)) is not None]
    assert len(games) == 5  # neither the one that goes on nor the one with two seats of the same person
    assert answered(lambda: profile(games)) == told(eve, "GET", "/profile/me")


RECORDS = {path.stem: path.read_text(encoding="utf-8") for path in PLAYTHROUGHS}
BAD_RECORDS = {
    "empty": "",
    "nonsense": "Zoë plays\n" * 3,
    "surrogate": RECORDS["resigned"].replace("Inés", "In\ud800s"),
    "wrong move": RECORDS["two-seats"].replace("+", "=", 20),
    "too long": "x" * 100_001,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*RECORDS, *BAD_RECORDS])
def test_a_record_is_read_as_by_a_server(ann: Client, name: str) -> None:
    text = {**RECORDS, **BAD_RECORDS}[name]
    assert answered(lambda: read_record(text)) == told(ann, "POST", "/study/record", {"text": text})


@pytest.mark.slow
@needs_kernel
@pytest.mark.parametrize(
    "position",
    [
        START,
        *LATE_POSITIONS,
        START.replace("27", "2?"),
        START.replace("63", "62"),
        "nonsense",
        "Zoë\udfff",
        "x" * 1000,
        "",
    ],
)
def test_plays_are_ranked_as_by_a_server(ann: Client, position: str) -> None:
    assert answered(lambda: analyse(position)) == told(ann, "POST", "/study/analyse", {"position": position})


@pytest.mark.slow
def test_a_position_that_is_being_played_is_not_analysed(server: Running, ann: Client) -> None:
    name = ann.make_table("me", "me:Bob")
    play(ann, server, name, 1)
    table = table_at(server, name)
    assert table.game is not None
    position = format_position(view(table.game, table.game.to_move).position)
    refusal = told(ann, "POST", "/study/analyse", {"position": position})
    assert json.loads(refusal)["error"]["code"] == "position_in_play"
    assert answered(lambda: analyse(position, [table])) == refusal
    ann.do(name, "resign", seat=0)
    over = table_at(server, name)
    assert answered(lambda: analyse(LATE_POSITIONS[0], [over, replace(table, game=LATE[1])])).startswith('{"plays"')


ALONE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from riverstones import local
from riverstones.table import Actor
asked = json.load(sys.stdin)
rows = [local.Row(**row) for row in asked["rows"]]
device = local.LocalTable(rows, Actor("id-ann", "Ann"))
now = local.Happening(0, bytes(32))
device.receive({"type": "hello", "protocol": 1, "seat": 1}, now)
hint = device.receive({"type": "hint", "id": "h", "seat": 1, "step": 3}, now).messages[0]
resign = {"type": "do", "id": "r", "command": {"type": "resign", "seat": 1}}
device.advance(device.receive(resign, now).rows)
answers = [hint, local.record(device.table), local.end_summary(device.table)]
answers += [local.read_record(answers[1]), local.analyse(asked["position"])]
try:
    local.analyse("nonsense")
except local.REFUSALS as error:
    answers.append(local.refused(error))
try:
    local.review(answers[1])
except local.REFUSALS as error:
    answers.append(local.refused(error))
answers += [local.summary(device.table), local.profile([])]
print(json.dumps(answers))
"""


def test_nothing_but_the_standard_library_is_needed() -> None:
    """As in Pyodide before the kernel is loaded: without NumPy, Numba, Pydantic or anything else that is installed."""
    game = table_of("ann", "ann", options=Options(hints=True))
    game.play_on(65)
    assert game.table.to_move == 1
    asked = {"rows": [asdict(Row.of(entry)) for entry in game.log], "position": LATE_POSITIONS[0]}
    command = [sys.executable, "-I", "-S", "-c", ALONE, str(ROOT / "src")]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    hint, text, end, replayed, ranked, unread, unreviewed, listed, nothing = json.loads(done.stdout)
    assert hint["hint"]["looked_ahead"]
    assert len(end["turns"]) == len(replayed["turns"]) == 65
    assert replayed == read_record(text)
    assert ranked["plays"]
    assert (unread["code"], unreviewed["code"]) == ("position_fields", "reviews_not_offered")
    assert (listed["phase"], nothing["games"]) == ("over", 0)
