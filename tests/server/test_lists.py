"""The lists of the first page: a person's current games, open tables and public games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from riverstones.server.storage.projections import (
    ALONE_KEPT_MS,
    SHARED_KEPT_MS,
    WAITING_KEPT_MS,
    WATCHED_MS,
)

from .running import Answer, Client, Running, running, settings_for

START_MS = 1_790_000_000_000


@dataclass
class Time:
    """A clock that tests set."""

    now_ms: int = START_MS

    def __call__(self) -> int:
        return self.now_ms


@contextmanager
def server_at(time: Time, folder: Path, **changes: Any) -> Iterator[Running]:
    with running(settings_for(folder, now_ms=time, **changes)) as server:
        yield server


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def at_time(time: Time, new_database: Callable[[], str], tmp_path: Path) -> Iterator[Running]:
    """A server whose time a test sets, on SQLite and on PostgreSQL."""
    with server_at(time, tmp_path, database=new_database()) as server:
        yield server


def current(client: Client) -> list[str]:
    return [game["table"] for game in client.get("/games/current")["games"]]


def game_of(*people: Client, **options: Any) -> str:
    """A game of these people in which nobody has moved."""
    table = people[0].make_table("me", *["open"] * (len(people) - 1), **options)
    for person in people[1:]:
        person.do(table, "sit")
    return table


def test_current_games_go_on_first_and_the_latest_change_is_on_top(at_time: Running, time: Time) -> None:
    ann, bob = at_time.client("Ann"), at_time.client("Bob")
    tables = []
    for _ in range(4):
        tables.append(game_of(ann, bob))
        time.now_ms += 1000
    ann.do(tables[2], "resign", seat=0)
    time.now_ms += 1000
    bob.do(tables[0], "resign", seat=1)
    assert current(ann) == [tables[3], tables[1], tables[0], tables[2]]
    games = {game["table"]: game for game in ann.get("/games/current")["games"]}
    assert games[tables[1]]["changed_ms"] == START_MS + 1000
    assert games[tables[0]]["changed_ms"] == games[tables[0]]["ended_ms"] == time.now_ms


def test_a_dismissed_game_leaves_one_persons_first_page_and_stays_under_its_link(at_time: Running) -> None:
    ann, bob = at_time.client("Ann"), at_time.client("Bob")
    table = game_of(ann, bob)
    ann.do(table, "resign", seat=0)
    ann.request("POST", f"/games/{table}/dismiss")
    ann.request("POST", f"/games/{table}/dismiss")
    assert current(ann) == []
    assert current(bob) == [table]
    assert [game["table"] for game in ann.get("/games")["games"]] == [table]
    assert ann.get(f"/tables/{table}")["now"]["phase"] == "over"


def test_a_dismissal_holds_on_every_device_of_a_person(at_time: Running) -> None:
    ann, phone = at_time.client("Ann"), at_time.client(None)
    phone.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    table = ann.make_table("me", "pebble")
    assert current(phone) == [table]
    ann.request("POST", f"/games/{table}/dismiss")
    assert current(phone) == []


def test_only_what_concerns_nobody_else_is_dismissed(at_time: Running) -> None:
    ann, bob, eve = at_time.client("Ann"), at_time.client("Bob"), at_time.client("Eve")
    shared, alone = game_of(ann, bob), ann.make_table("me", "pebble")
    for client, table in ((ann, shared), (bob, shared), (eve, shared), (eve, alone)):
        with pytest.raises(Answer) as answer:
            client.request("POST", f"/games/{table}/dismiss")
        assert answer.value.code == "not_over"
    ann.request("POST", f"/games/{alone}/dismiss")
    assert current(ann) == [shared]
    assert current(bob) == [shared]


@pytest.mark.parametrize(
    ("kind", "kept_ms"),
    [("waiting", WAITING_KEPT_MS), ("alone", ALONE_KEPT_MS), ("shared", SHARED_KEPT_MS)],
)
def test_an_unfinished_table_leaves_the_lists_some_time_after_it_was_touched(
    at_time: Running, time: Time, kind: str, kept_ms: int
) -> None:
    ann, bob = at_time.client("Ann"), at_time.client("Bob")
    if kind == "waiting":
        table = ann.make_table("me", "open", listed=True)
    else:
        table = game_of(ann, bob) if kind == "shared" else ann.make_table("me:Ann", "me:Ben")
    time.now_ms += kept_ms
    assert current(ann) == [table]
    assert bool(bob.get("/tables")["tables"]) == (kind == "waiting")
    time.now_ms += 1
    assert current(ann) == []
    assert bob.get("/tables")["tables"] == []
    assert ann.get(f"/tables/{table}")["table"] == table
    assert [game["table"] for game in ann.get("/games")["games"]] == [table]
    ann.do(table, "sit", seat=1) if kind == "waiting" else ann.do(table, "resign", seat=0)
    assert current(ann) == [table]


def test_tables_that_have_left_the_lists_leave_room_for_new_ones(time: Time, tmp_path: Path) -> None:
    with server_at(time, tmp_path, tables_each=2) as server:
        ann = server.client("Ann")
        for _ in range(2):
            ann.make_table("me", "open")
        with pytest.raises(Answer, match="too_many_tables"):
            ann.make_table("me", "open")
        time.now_ms += WAITING_KEPT_MS + 1
        alone = [ann.make_table("me", "pebble") for _ in range(2)]
        ann.request("POST", f"/games/{alone[0]}/dismiss")
        ann.make_table("me", "pebble")


def test_public_games_can_be_watched_and_others_are_not_named(at_time: Running, time: Time) -> None:
    ann, bob, eve = at_time.client("Ann"), at_time.client("Bob"), at_time.client("Eve")
    public, private = game_of(ann, bob, listed=True), game_of(ann, bob)
    waiting = ann.make_table("me", "open", listed=True)
    for viewer in (ann, bob, eve, at_time.client(None)):
        told = viewer.get("/tables")
        assert [table["table"] for table in told["games"]] == [public]
        assert [table["table"] for table in told["tables"]] == [waiting]
        assert private not in json.dumps(told)
    snapshot = eve.get(f"/tables/{public}")
    assert snapshot["you"] == {"person": eve.person, "seats": [], "seat": None, "hand": None}
    time.now_ms += WATCHED_MS + 1
    assert eve.get("/tables")["games"] == []
    ann.do(public, "resign", seat=0)
    assert eve.get("/tables")["games"] == []


def test_no_list_names_the_games_of_others_or_anything_hidden(at_time: Running) -> None:
    """For every visitor and every list: no private games, hands, bags or seeds."""
    people = [at_time.client(name) for name in ("Ann", "Bob", "Eve")]
    games = {(one.person, two.person): game_of(one, two) for one, two in permutations(people, 2)}
    for person in people:
        told = person.get("/games/current")["games"]
        assert {game["table"] for game in told} == {table for pair, table in games.items() if person.person in pair}
        text = json.dumps([told, person.get("/tables")])
        for secret in ('"hand', '"seed', '"bag', '"position', '"commitment'):
            assert secret not in text
