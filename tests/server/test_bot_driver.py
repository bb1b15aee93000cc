"""Bots at tables: a move is made only on the board it was chosen for, and workers are shared fairly."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from riverstones.rules import Board, Move, Scoring, View
from riverstones.server.services import Services
from riverstones.server.steady_clock import SteadyClock
from riverstones.server.storage.events import EventLog
from riverstones.server.tables.live_table import LiveTable
from riverstones.server.tables.service import TableService
from riverstones.server.workers import Workers
from riverstones.server.workers.jobs import ChooseMove
from riverstones.server.workers.process import Process
from riverstones.table import Actor, Chair, Command, Context, Entry, Options, Table, decide
from riverstones.table import commands as c
from tests.server.jobs import Await

from .running import TIMEOUT_S, replace_append, running, settings_for

ANN, CID = Actor("ann", "Ann"), Actor("cid", "Cid")
OPTIONS = Options(seats=3, scoring=Scoring.CLAIMS)
CHAIRS = (
    Chair(person="ann", name="Ann", colour="teal"),
    Chair(bot="pebble", name="Pebble", colour="plum"),
    Chair(person="cid", name="Cid", colour="ochre"),
)
OBJECTION = c.Object(2, 0)


@pytest.fixture(autouse=True)
def _bots_never_object(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot objects, so that only people do."""

    async def objects(*_: object) -> bool:
        return False

    monkeypatch.setattr(Workers, "objects", objects)


@pytest.fixture
def searched_boards(monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """The boards for which bots have chosen a move."""
    boards: list[Board] = []
    choose = Workers.choose

    async def noted(self: Workers, view: View, level: str, seed: int, *rest: Any) -> tuple[Move, int | None]:
        chosen = await choose(self, view, level, seed, *rest)
        boards.append(view.position.board)
        return chosen

    monkeypatch.setattr(Workers, "choose", noted)
    return boards


@asynccontextmanager
async def services_in(folder: Path, **changes: Any) -> AsyncIterator[Services]:
    """The services of a server with database and bots, without a network."""
    services = Services.of(settings_for(folder, **changes))
    await services.store.database.open()
    try:
        async with asyncio.timeout(TIMEOUT_S):
            yield services
    finally:
        await services.tables.stop()
        await services.workers.close()
        await services.store.database.close()


async def claim_wrongly(services: Services) -> LiveTable:
    """A table at which Ann has made an illegal flip, and the bot is to move."""
    live = await services.tables.create(OPTIONS, ANN, CHAIRS)
    game = live.table.game
    assert game is not None
    move = Move.parse(f"{game.plays()[0].move.square}+{game.hand[0]}~e5")
    await services.tables.submit(live, ANN, c.Play(0, 0, str(move), 999))
    return live


async def until_turn(services: Services, live: LiveTable, turn: int) -> Table:
    while (table := (await services.tables.get(live.table.id)).table).turn < turn:
        await asyncio.sleep(0.01)
    return table


def board_of_the_bots_move(table: Table) -> Board:
    assert table.game is not None
    assert table.game.turns[0].upheld
    assert table.game.turns[1].seat == 1
    return table.game.board_before_last()


def test_a_bot_chooses_again_after_an_objection_before_its_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, searched_boards: list[Board]
) -> None:
    """Storing the objection locks the table until the bot's move waits for the lock."""
    in_line = asyncio.Event()
    append, submit = EventLog.append, TableService.submit

    async def slow(self: EventLog, entries: Sequence[Entry], before: Table, after: Table, *rest: Any) -> None:
        if after.game is not None and after.game.turns and after.game.turns[-1].upheld:
            await in_line.wait()
        await append(self, entries, before, after, *rest)

    async def noted(
        self: TableService, live: LiveTable, actor: Actor, command: Command, *rest: Any, **named: Any
    ) -> int:
        if isinstance(command, c.Play) and command.turn == 1:
            assert live.updating or in_line.is_set()
            asyncio.get_running_loop().call_soon(in_line.set)
        return await submit(self, live, actor, command, *rest, **named)

    replace_append(monkeypatch, slow)
    monkeypatch.setattr(TableService, "submit", noted)

    async def run() -> None:
        async with services_in(tmp_path) as services:
            live = await claim_wrongly(services)
            await services.tables.submit(live, CID, OBJECTION)
            table = await until_turn(services, live, 2)
            assert len(set(searched_boards)) == 2
            assert board_of_the_bots_move(table) == searched_boards[-1]

    asyncio.run(run())


def test_a_bot_chooses_again_if_another_node_stores_an_objection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, searched_boards: list[Board]
) -> None:
    """It is stored between the bot's choice and its move."""
    chosen, go_on = asyncio.Event(), asyncio.Event()
    choose = Workers.choose

    async def held(self: Workers, view: View, level: str, seed: int, *rest: Any) -> tuple[Move, int | None]:
        found = await choose(self, view, level, seed, *rest)
        chosen.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(Workers, "choose", held)

    async def run() -> None:
        async with services_in(tmp_path) as services:
            live = await claim_wrongly(services)
            await chosen.wait()
            elsewhere = decide(live.table, CID, OBJECTION, Context(services.settings.now_ms()))
            await services.store.events.append(elsewhere.entries, live.table, elsewhere.table, None)
            assert await services.tables.submit(live, ANN, c.Say("Oh!")) == elsewhere.table.seq + 1
            go_on.set()
            table = await until_turn(services, live, 2)
            assert board_of_the_bots_move(table) == searched_boards[-1]

    asyncio.run(run())


def test_a_bot_waits_for_objections_without_polling(tmp_path: Path, searched_boards: list[Board]) -> None:
    """The time is not read while nothing happens, and the bot moves once everybody has answered."""
    looks: list[int] = []

    def now_ms() -> int:
        looks.append(SteadyClock()())
        return looks[-1]

    async def run() -> None:
        async with services_in(tmp_path, claim_wait_ms=60_000, now_ms=now_ms) as services:
            live = await claim_wrongly(services)
            while not searched_boards:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            before = len(looks)
            await asyncio.sleep(0.5)
            assert (live.table.turn, len(looks)) == (1, before)
            await services.tables.submit(live, CID, c.Confirm(2, 0))
            await until_turn(services, live, 2)

    asyncio.run(run())


def test_a_bot_stops_waiting_for_objections(tmp_path: Path) -> None:
    async def run() -> None:
        async with services_in(tmp_path, claim_wait_ms=300) as services:
            live = await claim_wrongly(services)
            objections_ms = live.table.objections_until_ms
            assert objections_ms is not None
            table = await until_turn(services, live, 2)
            assert table.turn_ms >= objections_ms

    asyncio.run(run())


def test_the_bots_of_one_person_do_not_delay_those_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    moved: list[str] = []
    append = EventLog.append

    async def noted(self: EventLog, entries: Sequence[Entry], before: Table, after: Table, *rest: Any) -> None:
        await append(self, entries, before, after, *rest)
        if after.turn == 1:
            moved.append(after.host)

    replace_append(monkeypatch, noted)

    async def run() -> None:
        async with services_in(tmp_path) as services:
            busy = asyncio.create_task(services.workers.run(Await(tmp_path / "thought")))
            for name in ["ann"] * 4 + ["bob"]:
                person = Chair(person=name, name=name, colour="teal")
                await services.tables.create(Options(), Actor(name, name), (CHAIRS[1], person))
            (tmp_path / "thought").touch()
            await busy
            while len(moved) < 5:
                await asyncio.sleep(0.01)

    asyncio.run(run())
    assert moved == ["ann", "bob", "ann", "ann", "ann"]


def test_many_guests_from_one_address_do_not_delay_the_bots_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty-nine guests at one address delay a person at another by a single job."""
    moved: list[str] = []
    go_on = threading.Event()
    append = EventLog.append

    async def noted(self: EventLog, entries: Sequence[Entry], before: Table, after: Table, *rest: Any) -> None:
        await append(self, entries, before, after, *rest)
        if after.turn == 1:
            moved.append(after.host)

    async def think(self: Process, job: ChooseMove, report: object = None) -> object:
        while not go_on.is_set():
            await asyncio.sleep(0.01)
        return job.answer()

    replace_append(monkeypatch, noted)
    monkeypatch.setattr(Process, "run", think)
    with running(settings_for(tmp_path, trust_proxy=True)) as server:
        for number in range(29):
            guest = server.client(None)
            guest.http.headers["x-forwarded-for"] = "192.0.2.9"
            guest.post("/me", {"name": f"Guest {number}", "colour": "teal"})
            guest.make_table("pebble", "me")
        ann = server.client(None)
        ann.http.headers["x-forwarded-for"] = "198.51.100.7"
        ann.person = ann.post("/me", {"name": "Ann", "colour": "plum"})["person"]
        socket = ann.socket(ann.make_table("pebble", "me"))
        socket.wait("snapshot")
        go_on.set()
        socket.wait_event("moved")
    assert moved.index(str(ann.person)) <= 2, "one job was running, and one of that address was next"
