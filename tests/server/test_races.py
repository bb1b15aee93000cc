"""Two clients want the same thing at the same moment: exactly one gets it, and both get an answer."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from riverstones.server.storage import Conflict
from riverstones.server.storage.events import EventLog
from riverstones.table import Actor, Chair, Clock, Entry, Options, Table, fold
from riverstones.table.commands import Say
from riverstones.table.events import Extended

from .running import Answer, Running, replace_append, running, settings_for
from .test_bot_driver import services_in
from .test_games import two_people


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Run these at the same moment; returns the result of each, or its error code."""
    barrier = threading.Barrier(len(acts))
    results: list[Any] = [None] * len(acts)

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = acts[number]()
        except Answer as answer:
            results[number] = answer.code

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_two_people_want_one_seat(server: Running) -> None:
    host, bob, eve = (server.client(name) for name in ("Host", "Bob", "Eve"))
    for _ in range(15):
        table = host.make_table("me", "open")
        results = at_once(partial(bob.do, table, "sit", seat=1), partial(eve.do, table, "sit", seat=1))
        assert sorted(map(type, results), key=str) == [int, str]
        assert "seat_taken" in results
        chairs = host.get(f"/tables/{table}")["chairs"]
        assert chairs[1]["person"] == (bob.person if isinstance(results[0], int) else eve.person)


def test_a_player_who_has_just_joined_is_not_absent(server: Running) -> None:
    host, bob, eve = (server.client(name) for name in ("Host", "Bob", "Eve"))
    table = host.make_table("me", "open")
    bob.do(table, "sit")
    for act in (partial(eve.do, table, "sit", seat=1), partial(host.do, table, "seat_bot", seat=1, level="stream")):
        assert at_once(act)[0] in ("seat_taken", "still_here")


def test_one_turn_is_played_from_two_windows(server: Running) -> None:
    table, ann, _ = two_people(server)
    person = next(client for client in server.clients if client.person == ann.snapshot["you"]["person"])
    first, second = (str(play.move) for play in ann.plays()[:2])
    results = at_once(
        lambda: person.do(table, "play", seat=0, turn=0, move=first),
        lambda: person.do(table, "play", seat=0, turn=0, move=second),
    )
    assert sorted(map(type, results), key=str) == [int, str]
    assert "wrong_turn" in results
    assert person.get(f"/tables/{table}")["now"]["turn"] == 1


def test_simultaneous_requests_do_not_exceed_a_limit(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, tables_each=2)) as server:
        ann = server.client("Ann")
        at_once(*[partial(ann.post, "/programs", {"name": f"Otter {n}"}) for n in range(15)])
        assert len(ann.get("/programs")["programs"]) == 10
        results = at_once(*[partial(ann.make_table, "me", "open") for _ in range(8)])
        assert results.count("too_many_tables") == 6


def test_a_table_id_in_use_does_not_overwrite_its_table(tmp_path: Path) -> None:
    async def run() -> None:
        async with services_in(tmp_path) as services:
            ann, chairs = Actor("ann", "Ann"), (Chair(person="ann", name="Ann", colour="teal"), Chair())
            live = await services.tables.create(Options(), ann, chairs, "again")
            with pytest.raises(Conflict):
                await services.tables.create(Options(), ann, chairs, "again")
            assert await services.tables.get("again") is live

    asyncio.run(run())


def test_commands_are_carried_out_in_order_even_if_nobody_waits_for_them(tmp_path: Path) -> None:
    async def run() -> None:
        async with services_in(tmp_path) as services:
            ann, chairs = Actor("ann", "Ann"), (Chair(person="ann", name="Ann", colour="teal"), Chair())
            live = await services.tables.create(Options(), ann, chairs, "again")
            answers = [services.tables.submit(live, ann, Say(text), text) for text in ("one", "two", "three")]
            assert live.updating
            assert live.table.seq == 1  # nothing is applied before it is durable
            answers[0].cancel()  # being stored
            answers[1].cancel()  # waiting in the queue
            assert await answers[2] == 4
            assert [words.text for words in live.table.chat] == ["one", "two", "three"]
            assert fold(await services.store.events.read("again")) == live.table
            assert await services.tables.submit(live, ann, Say("one"), "one") == 2  # carried out before

    asyncio.run(run())


def test_commands_sent_without_waiting_are_answered_in_order(server: Running) -> None:
    _, ann, bob = two_people(server)
    for number in range(5):
        ann.send({"type": "do", "id": f"m{number}", "command": {"type": "say", "text": f"Words {number}"}})
    answers = [ann.wait("ack", "refused") for _ in range(5)]
    assert [answer["id"] for answer in answers] == [f"m{number}" for number in range(5)]
    assert [answer["type"] for answer in answers] == ["ack"] * 5
    bob.wait_seq(answers[-1]["seq"])
    said = [message["event"]["text"] for message in bob.events if message["event"]["type"] == "said"]
    assert said == [f"Words {number}" for number in range(5)]


def test_messages_behind_one_that_has_to_wait_are_processed_in_order(tmp_path: Path) -> None:
    """A rematch may create a table, and so is counted by a limiter that may have to be waited for."""
    with running(settings_for(tmp_path, limits=True)) as server:
        _, ann, _ = two_people(server)
        for number in range(4):
            ann.send({"type": "do", "id": f"m{number}", "command": {"type": "say", "text": f"Words {number}"}})
            ann.send({"type": "do", "id": f"r{number}", "command": {"type": "ask", "seat": 0, "proposal": "rematch"}})
            ann.connection.send("{")
        answers = [ann.wait("ack", "refused") for _ in range(12)]
    named = [answer["id"] for answer in answers if answer["id"] is not None]
    assert named == [f"{kind}{number}" for number in range(4) for kind in "mr"]


def test_a_viewer_during_a_reload_sees_the_extended_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_ms = [1_700_000_000_000]
    append = EventLog.append
    storing, go_on = asyncio.Event(), asyncio.Event()

    async def slow(self: EventLog, entries: Sequence[Entry], before: Table, after: Table, *rest: Any) -> None:
        if any(isinstance(entry.event, Extended) for entry in entries):
            storing.set()
            await go_on.wait()
        await append(self, entries, before, after, *rest)

    replace_append(monkeypatch, slow)

    async def run() -> None:
        async with services_in(tmp_path, now_ms=lambda: now_ms[0]) as services:
            ann, bob = (Chair(person=name, name=name, colour="teal") for name in ("ann", "bob"))
            live = await services.tables.create(Options(clock=Clock.STRICT), Actor("ann", "Ann"), (ann, bob), "again")
        now_ms[0] += 3_600_000
        async with services_in(tmp_path, now_ms=lambda: now_ms[0]) as restarted:
            await restarted.tables.nodes.start()

            async def come() -> int | None:
                return (await restarted.tables.get("again")).table.deadline_ms

            first = asyncio.create_task(come())
            await storing.wait()
            second = asyncio.create_task(come())
            await asyncio.sleep(0)
            go_on.set()
            assert await first == await second == (live.table.deadline_ms or 0) + 3_600_000

    asyncio.run(run())


def test_a_move_and_a_resignation_cross(server: Running) -> None:
    for _ in range(8):
        table, ann, bob = two_people(server)
        at_once(partial(ann.play, 0, ann.plays()[0].move), partial(bob.do, "resign", seat=1))
        ann.wait_seq(bob.seq)
        bob.wait_seq(ann.seq)
        last = server.client(None).get(f"/tables/{table}")
        assert last["now"]["phase"] == "over"
        assert last["result"]["winners"] == [0]
