"""People at several nodes: presence, sign-out and programs hold across them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from riverstones.server.accounts.tokens import hash_of
from riverstones.server.answers import hint
from riverstones.server.errors import ServerError
from riverstones.server.fanout import Fanout
from riverstones.server.fanout.queued import QueuedFanout
from riverstones.server.http.rate_limits import LONG_WORK, RateLimits
from riverstones.server.http.security_log import SecurityLog
from riverstones.server.metrics import Metrics
from riverstones.server.tables.feed import ProgramStream
from riverstones.server.tables.outbox import Outbox
from riverstones.table import Chair, NotAllowed, Options
from riverstones.table import commands as c

from . import postgres
from .nodes import ANN, BOB, CHAIRS, Node, crash, nodes, start, until
from .running import TIMEOUT_S, free_port, settings_for
from .test_nodes import a_play, database, site

__all__ = ["database", "site"]
pytestmark = pytest.mark.slow


async def presence(node: Node, table: str) -> dict[str, Any]:
    return dict((await node.live(table)).feed.presence())


def test_presence_counts_the_viewers_of_all_nodes(tmp_path: Path, site: dict[str, Any]) -> None:
    async def run() -> None:
        async with nodes(tmp_path, 2, **site) as (a, b):
            table = (await a.services.tables.create(Options(), ANN, CHAIRS)).table.id
            ann = await a.watch(table, "ann")
            bob = await b.watch(table, "bob")
            await b.watch(table)
            for node in (a, b):
                feed = (await node.live(table)).feed
                await until(lambda feed=feed: feed.presence()["seats"] == [True, True])  # type: ignore[misc]
                await until(lambda feed=feed: feed.presence()["spectators"] == 1)  # type: ignore[misc]
            c_node = await start(tmp_path, **site)  # learns of those who were there before
            feed = (await c_node.live(table)).feed
            await until(lambda: feed.presence()["seats"] == [True, True])
            here = await a.live(table)
            (await b.live(table)).feed.leave(bob)
            await until(lambda: here.feed.presence()["seats"] == [True, False])
            await until(lambda: bool(told := ann.outbox.drain()) and json.loads(told[-1])["seats"] == [True, False])
            assert "bob" in here.feed.out_of_reach()
            await crash(c_node)

    asyncio.run(run())


def test_the_viewers_of_a_node_that_died_are_gone(tmp_path: Path, database: str) -> None:
    async def run() -> None:
        async with nodes(tmp_path, 1, database=database) as (b,):
            a = await start(tmp_path, database=database)
            await b.services.tables.nodes.beat()
            table = (await a.services.tables.create(Options(), ANN, CHAIRS)).table.id
            await a.watch(table, "ann")
            feed = (await b.live(table)).feed
            await until(lambda: feed.presence()["seats"] == [True, False])
            await crash(a)
            await until(lambda: feed.presence()["seats"] == [False, False])

    asyncio.run(run())


@pytest.mark.parametrize("message_lost", [False, True])
def test_a_session_ended_at_one_node_ends_at_the_others(
    tmp_path: Path, site: dict[str, Any], monkeypatch: pytest.MonkeyPatch, message_lost: bool
) -> None:
    if message_lost:
        monkeypatch.setattr(QueuedFanout, "send", Fanout.send)
        monkeypatch.setattr("riverstones.server.accounts.accounts.CHECK_S", 0.2)

    async def run() -> None:
        async with nodes(tmp_path, 2, **site) as (a, b):
            _, token = await a.services.accounts.create("Ann", "teal")
            cookie = a.services.accounts.signer.sign("session", token)
            known = await b.services.accounts.by_cookie(cookie)
            assert known is not None
            assert known.session == hash_of(token)
            outbox = Outbox(10, 65_536)
            with b.services.accounts.connections.held(outbox, known, None):
                await a.services.accounts.end_session(cookie)
                await until(lambda: outbox.closed)
            assert await b.services.accounts.by_cookie(cookie) is None

    asyncio.run(run())


def test_a_new_name_is_known_at_all_nodes(tmp_path: Path, site: dict[str, Any]) -> None:
    async def run() -> None:
        async with nodes(tmp_path, 2, **site) as (a, b):
            ann, _ = await a.services.accounts.create("Ann", "teal")
            assert (await b.services.accounts.get(ann.id)) is not None
            await a.services.accounts.change(ann, "Anna", "plum")
            async with asyncio.timeout(60):
                while (found := await b.services.accounts.get(ann.id)) is None or found.name != "Anna":
                    await asyncio.sleep(0.01)

    asyncio.run(run())


def test_a_program_hears_of_its_turn_at_any_node(tmp_path: Path, site: dict[str, Any]) -> None:
    chairs = (CHAIRS[0], Chair(person="otter", name="Otter", colour="plum", program=True))

    async def run() -> None:
        async with nodes(tmp_path, 2, **site) as (a, b):
            outbox = Outbox(100, 65_536)
            with b.services.tables.following(ProgramStream("otter", outbox)):
                live = await a.services.tables.create(Options(start=0), ANN, chairs)
                await until(lambda: live.feed.presence()["seats"] == [False, True])  # within reach by its stream
                await a.services.tables.submit(live, ANN, a_play(live.table))
                told: list[dict[str, Any]] = []
                async with asyncio.timeout(60):
                    while not [message for message in told if message["type"] == "turn"]:
                        told += [json.loads(text) for text in await outbox.take(1) or ()]
            await until(lambda: live.feed.presence()["seats"] == [False, False])
            await a.services.tables.submit(live, ANN, c.Say("bye"))

    asyncio.run(run())


def test_a_proposal_is_answered_at_another_node(tmp_path: Path, site: dict[str, Any]) -> None:
    pause = c.Proposal.PAUSE

    async def run() -> None:
        async with nodes(tmp_path, 2, **site) as (a, b):
            table = (await a.services.tables.create(Options(), ANN, CHAIRS)).table.id
            here, there = await a.live(table), await b.live(table)
            await a.watch(table, "ann")
            bob = await b.watch(table, "bob")
            await until(lambda: here.feed.presence()["seats"] == [True, True])
            await a.services.tables.submit(here, ANN, c.Ask(0, pause))
            await until(lambda: there.table.asked(pause) is not None)
            assert "asked" in [json.loads(text).get("event", {}).get("type") for text in bob.outbox.drain()]
            await b.services.tables.submit(there, BOB, c.Answer(1, pause, yes=True))
            await until(lambda: here.table.paused)
            with pytest.raises(NotAllowed):
                await a.services.tables.submit(here, ANN, c.Ask(0, pause))

    asyncio.run(run())


def test_a_hint_at_one_node_is_for_the_position_made_at_another(tmp_path: Path, site: dict[str, Any]) -> None:
    async def run() -> None:
        async with nodes(tmp_path, 2, **site) as (a, b):
            here = await a.services.tables.create(Options(start=0, hints=True), ANN, CHAIRS)
            there = await b.live(here.table.id)
            await a.services.tables.submit(here, ANN, a_play(here.table))
            await until(lambda: there.table.turn == 1)
            found = await hint(b.services, there, "bob", seat=1, step=3)
            assert found["turn"] == 1
            assert found["move"] is not None
            await b.services.tables.submit(there, BOB, c.Play(1, 1, found["move"]))
            await until(lambda: here.table.turn == 2)

    asyncio.run(run())


def test_limits_hold_for_all_nodes_together_on_postgresql_alone(tmp_path: Path, postgres_cluster: str) -> None:
    database = postgres.new_database(postgres_cluster)

    async def refuses(node: Node) -> bool:
        try:
            await node.services.limits.check(LONG_WORK, "work", "192.0.2.1")
        except ServerError:
            return True
        return False

    async def run() -> None:
        async with nodes(tmp_path, 3, database=database, limits=True) as (a, b, c):
            allowed = 0
            while not await refuses(a):  # all at one node, then the others know
                allowed += 1
            assert allowed == LONG_WORK.amount
            async with asyncio.timeout(TIMEOUT_S):
                for other in (b, c):
                    while not await refuses(other):
                        allowed += 1
                        await asyncio.sleep(0.2)
            assert allowed < 1.5 * LONG_WORK.amount
            await b.services.limits.check(LONG_WORK, "work", "192.0.2.2")

    asyncio.run(run())


def test_limits_hold_for_all_nodes_together_with_redis(redis_url: str, tmp_path: Path) -> None:
    settings = [settings_for(tmp_path, limits=True, redis=redis_url) for _ in range(2)]

    async def run() -> None:
        one, other = (RateLimits(each, Metrics(), SecurityLog(), Fanout(each.node)) for each in settings)
        for _ in range(LONG_WORK.amount // 2):
            await one.check(LONG_WORK, "work", str(tmp_path))
            await other.check(LONG_WORK, "work", str(tmp_path))
        for limits in (one, other):
            with pytest.raises(ServerError):
                await limits.check(LONG_WORK, "work", str(tmp_path))
            await limits.close()

    asyncio.run(run())


def test_a_node_counts_by_itself_while_redis_is_gone(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, limits=True, redis=f"redis://127.0.0.1:{free_port()}")

    async def run() -> None:
        limits = RateLimits(settings, Metrics(), SecurityLog(), Fanout(settings.node))
        for _ in range(LONG_WORK.amount):
            await limits.check(LONG_WORK, "work")
        with pytest.raises(ServerError):
            await limits.check(LONG_WORK, "work")
        await limits.close()

    asyncio.run(run())
