"""Several nodes serve one site: each decides any command, all viewers see it, and each deadline expires once."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from riverstones.rules import plays
from riverstones.server.fanout import Fanout
from riverstones.server.fanout.queued import QueuedFanout
from riverstones.server.steady_clock import SteadyClock
from riverstones.server.storage import Conflict
from riverstones.server.storage.events import EventLog
from riverstones.server.tables import nodes as nodes_module
from riverstones.server.tables import reader
from riverstones.table import Chair, Clock, NotAllowed, Options, Table, fold
from riverstones.table import commands as c
from riverstones.table.events import Extended, Moved

from . import postgres
from .nodes import ANN, BOB, CHAIRS, Node, crash, nodes, start, stop, until
from .running import replace_append

pytestmark = pytest.mark.slow


@pytest.fixture(params=["postgresql", "redis"])
def site(request: pytest.FixtureRequest, postgres_cluster: str) -> dict[str, Any]:
    """Settings that several nodes share."""
    database = postgres.new_database(postgres_cluster)
    return {"database": database, "redis": request.getfixturevalue("redis_url") if request.param == "redis" else None}


@pytest.fixture
def database(postgres_cluster: str) -> str:
    return postgres.new_database(postgres_cluster)


def a_play(table: Table) -> c.Play:
    """A legal move of the seat to move."""
    assert table.game is not None
    assert table.to_move is not None
    move = plays(table.game.board, table.game.hand, table.game.setup.variant)[0].move
    return c.Play(table.to_move, table.turn, str(move))


def mover(table: Table) -> Any:
    return (ANN, BOB)[table.to_move or 0]


async def check_log(node: Node, table: str) -> Table:
    """The log has no gap, and every node that reads it has the same table."""
    entries = await node.services.store.events.read(table)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    live = await node.live(table)
    assert live.table == fold(entries)
    return live.table


def test_viewers_at_one_node_see_moves_made_at_another(tmp_path: Path, site: dict[str, Any]) -> None:
    async def run() -> None:
        async with nodes(tmp_path, 2, **site) as (a, b):
            table = (await a.services.tables.create(Options(), ANN, CHAIRS)).table.id
            viewer = await b.watch(table)
            there = await b.live(table)
            for turn in range(6):
                here = await a.live(table)
                node, live = ((a, here), (b, there))[turn % 2]
                await until(lambda live=live, turn=turn: live.table.turn == turn)  # type: ignore[misc]
                await node.services.tables.submit(live, mover(live.table), a_play(live.table))
            await until(lambda: there.table.turn == 6)
            told = [json.loads(text) for text in viewer.outbox.drain()]
            events = [message["seq"] for message in told if message["type"] == "event"]
            assert events == list(range(events[0], events[0] + 6))
            assert await check_log(a, table) == await check_log(b, table)

    asyncio.run(run())


@pytest.mark.long
def test_a_thousand_conflicts_are_decided_again(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two nodes that hear nothing of each other say something at the same table at the same time."""
    conflicts = 0
    append = EventLog.append

    async def counted(self: EventLog, *arguments: Any) -> None:
        nonlocal conflicts
        try:
            await append(self, *arguments)
        except Conflict:
            conflicts += 1
            raise

    replace_append(monkeypatch, counted)
    monkeypatch.setattr(QueuedFanout, "publish", Fanout.publish)
    monkeypatch.setattr(reader, "POLL_S", 1e6)

    async def run() -> None:
        async with nodes(tmp_path, 2, database=database) as (a, b):
            table = (await a.services.tables.create(Options(), ANN, CHAIRS)).table.id
            pairs = [(node, await node.live(table)) for node in (a, b)]
            viewer = await b.watch(table)
            rounds = 0
            while conflicts < 1_000:
                rounds += 1
                answers = [
                    node.services.tables.submit(
                        live, ANN, c.Say(f"{rounds}"), f"{rounds}-{node.services.settings.node}"
                    )
                    for node, live in pairs
                ]
                assert len(set(await asyncio.gather(*answers))) == 2
                # The same command at both nodes is carried out once.
                again = [node.services.tables.submit(live, BOB, c.Say("both"), f"{rounds}") for node, live in pairs]
                assert len(set(await asyncio.gather(*again))) == 1
            final = await check_log(a, table)
            assert final == await check_log(b, table)
            assert final.seq == pairs[0][1].table.seq == 2 + 3 * rounds
            viewed = [json.loads(text) for text in viewer.outbox.drain()]
            seqs = [message["seq"] for message in viewed if message["type"] == "event"]
            assert seqs == list(range(3, final.seq + 1))

    monkeypatch.setattr("riverstones.server.tables.live_table.MOST_EVENTS", 10**6)
    monkeypatch.setattr("riverstones.table.proposals.CHAT_BURST", 10**6)
    asyncio.run(run())


def test_a_refusal_takes_the_moves_at_other_nodes_into_account(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(self: reader.Reader) -> None:
        """A node also polls when it has connected, which may be late."""

    monkeypatch.setattr(QueuedFanout, "publish", Fanout.publish)
    monkeypatch.setattr(reader.Reader, "poll", nothing)

    async def run() -> None:
        async with nodes(tmp_path, 2, database=database) as (a, b):
            table = (await a.services.tables.create(Options(), ANN, CHAIRS)).table.id
            here, there = await a.live(table), await b.live(table)
            first = a_play(here.table)
            await a.services.tables.submit(here, mover(here.table), first, "first")
            assert there.table.turn == 0
            with pytest.raises(NotAllowed):
                await b.services.tables.submit(there, mover(there.table), first)
            assert there.table.turn == 1
            await a.services.tables.submit(here, mover(here.table), a_play(here.table), "second")
            seq = await b.services.tables.submit(there, mover(here.table), a_play(here.table))
            assert seq == here.table.seq + 1

    asyncio.run(run())


def test_lost_messages_are_made_up_for_by_the_poll(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QueuedFanout, "publish", Fanout.publish)
    monkeypatch.setattr(reader, "POLL_S", 0.2)

    async def run() -> None:
        async with nodes(tmp_path, 2, database=database) as (a, b):
            here = await a.services.tables.create(Options(), ANN, CHAIRS)
            there = await b.live(here.table.id)
            await a.services.tables.submit(here, ANN, c.Say("heard?"))
            await until(lambda: there.table.seq == here.table.seq)

    asyncio.run(run())


def test_a_node_that_dies_between_commit_and_publish_loses_nothing(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QueuedFanout, "publish", Fanout.publish)
    monkeypatch.setattr(reader, "POLL_S", 0.2)

    async def run() -> None:
        async with nodes(tmp_path, 1, database=database) as (b,):
            a = await start(tmp_path, database=database)
            here = await a.services.tables.create(Options(), ANN, CHAIRS)
            there = await b.live(here.table.id)
            play = a_play(here.table)
            seq = await a.services.tables.submit(here, mover(here.table), play, "ann:1")
            await crash(a)
            await until(lambda: there.table.turn == 1)
            assert await b.services.tables.submit(there, ANN, play, "ann:1") == seq

    asyncio.run(run())


def skewed(by_ms: int) -> SteadyClock:
    """The clock of a node whose wall clock is wrong."""
    real = SteadyClock()
    return SteadyClock(wall_ms=lambda: real() + by_ms)


def test_a_deadline_expires_once_and_never_early_on_skewed_nodes(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every node drives every table, and their wall clocks are half a minute off in both directions."""
    monkeypatch.setattr(nodes_module.Nodes, "drives", lambda *_: True)

    async def run() -> None:
        tables = []
        early = await start(tmp_path, database=database, now_ms=skewed(30_000))
        late = await start(tmp_path, database=database, now_ms=skewed(-30_000))
        try:
            assert abs(early.services.settings.now_ms() - late.services.settings.now_ms()) < 1_000
            for number in range(10):
                node = (early, late)[number % 2]
                made = await node.services.tables.create(Options(clock=Clock.STRICT, seconds=5), ANN, CHAIRS)
                await (late, early)[number % 2].live(made.table.id)
                tables.append(made)
            await until(lambda: all(live.table.turn >= 1 for live in tables))
            for live in tables:
                entries = await early.services.store.events.read(live.table.id)
                moves = [entry for entry in entries if isinstance(entry.event, Moved)]
                assert moves[0].at_ms - entries[1].at_ms >= 5_000 - 50
                assert len([move for move in moves if move.at_ms < moves[0].at_ms + 4_000]) == 1
                await check_log(late, live.table.id)
        finally:
            await stop(early)
            await stop(late)

    asyncio.run(run())


def test_the_database_refuses_an_expiry_that_is_early(tmp_path: Path, database: str) -> None:
    """A node whose clock runs ahead by any amount cannot expire a deadline before the database's clock does."""

    async def run() -> None:
        async with nodes(tmp_path, 1, database=database) as (a,):
            real = SteadyClock()
            ahead = await start(tmp_path, database=database, now_ms=lambda: real() + 60_000)
            live = await a.services.tables.create(Options(clock=Clock.STRICT, seconds=30), ANN, CHAIRS)
            with pytest.raises(Exception, match="too early"):
                await ahead.services.tables.submit(await ahead.live(live.table.id), a_system(), c.Tick())
            assert (await check_log(a, live.table.id)).turn == 0
            await stop(ahead)

    asyncio.run(run())


def a_system() -> Any:
    from riverstones.table import SYSTEM

    return SYSTEM


def test_the_time_of_an_outage_is_given_back_once(tmp_path: Path, database: str) -> None:
    """All nodes were down for two minutes; then two start at the same time."""

    async def run() -> None:
        a = await start(tmp_path, database=database)
        live = await a.services.tables.create(Options(clock=Clock.STRICT, seconds=30), ANN, CHAIRS)
        before = live.table
        await crash(a)
        # The clock of the database cannot be set, so everything before the outage is moved into the past.
        for change in (
            "UPDATE nodes SET seen_ms = seen_ms - 120000",
            "UPDATE events SET at_ms = at_ms - 120000",
        ):
            postgres.run_sql(database, change)
        async with nodes(tmp_path, 2, database=database) as both:
            for node in both:
                table = (await node.live(before.id)).table
            await until(lambda: any(node.services.tables._registry.get(before.id) for node in both))
            table = await check_log(both[0], before.id)
            entries = await both[0].services.store.events.read(before.id)
            assert len([entry for entry in entries if isinstance(entry.event, Extended)]) == 1
            assert table.turn == 0
            assert before.deadline_ms is not None
            assert table.deadline_ms is not None
            now_ms = both[0].services.settings.now_ms()
            # The turn had 30 s, of which at most the time that this test has really taken is gone.
            assert 30_000 - 25_000 < table.deadline_ms - now_ms <= 30_000 + nodes_module.BEAT_S * 1000

    asyncio.run(run())


def test_a_starting_node_extends_no_clock_while_another_serves(tmp_path: Path, database: str) -> None:
    async def run() -> None:
        async with nodes(tmp_path, 1, database=database) as (a,):
            live = await a.services.tables.create(Options(clock=Clock.STRICT, seconds=5), ANN, CHAIRS)
            b = await start(tmp_path, database=database)
            there = await b.live(live.table.id)
            assert there.table.deadline_ms == live.table.deadline_ms
            assert not there.work
            await stop(b)
            entries = await a.services.store.events.read(live.table.id)
            assert not [entry for entry in entries if isinstance(entry.event, Extended)]

    asyncio.run(run())


def test_another_node_takes_over_the_bots_and_clocks_of_one_that_died(tmp_path: Path, site: dict[str, Any]) -> None:
    chairs = (CHAIRS[0], Chair(bot="pebble", name="Bot", colour="plum"))

    async def run() -> None:
        async with nodes(tmp_path, 1, **site) as (b,):
            a = await start(tmp_path, bot_pace_ms=10**7, **site)  # its bots never move
            clocked = await a.services.tables.create(Options(clock=Clock.STRICT, seconds=5), ANN, CHAIRS)
            live = await a.services.tables.create(Options(start=0), ANN, chairs)
            await a.services.tables.submit(live, ANN, a_play(live.table))
            await b.services.tables.nodes.beat()
            there = await b.live(live.table.id)
            assert not there.work
            await crash(a)
            await until(lambda: there.table.turn == 2)
            found = b.services.tables._registry
            await until(lambda: (known := found.get(clocked.table.id)) is not None and known.table.turn > 0)

    asyncio.run(run())
