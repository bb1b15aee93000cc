"""The profile of a person: figures of their own games and reviews, which nobody else sees."""

import json
import random
from collections.abc import Callable
from statistics import fmean, stdev
from typing import Any

import pytest

from riverstones.notation import record_of, replay, write_record
from riverstones.rules import Board, Move, kakuros_made
from riverstones.server.storage import Store
from riverstones.server.storage.played_rows import played_rows
from riverstones.server.study.profile import profile_of
from riverstones.server.study.reviews import Reviews, read_game
from riverstones.server.workers import Requester, WorkerPool, review_pool
from riverstones.study.sight import findings
from riverstones.table import Options, Table, fold
from riverstones.table import commands as c
from tests.table.helpers import Played, table_of

from .older import older_database
from .running import Running, play_out, settings_for
from .test_accounts import refused
from .test_lists import game_of
from .test_storage import _renamed, save, with_store


def finished(name: str, *who: str, turns: int = 100, seed: int = 0, options: Options | None = None) -> Played:
    """A finished game; with fewer turns than it has, the first player resigns."""
    played = table_of(*who, options=options, seed=seed)
    played.play_on(turns, seed)
    if played.table.ended_ms is None:
        played.do(who[0], c.Resign(0))
    played.log = [_renamed(entry, name) for entry in played.log]
    played.table = fold(played.log)
    return played


def own_points(table: Table, seat: int) -> list[int]:
    assert table.game is not None
    return [turn.points for turn in table.game.turns if turn.seat == seat]


def test_a_profile_is_made_of_the_finished_games(new_database: Callable[[], str]) -> None:
    games = [
        finished("t1", "ann", "bot:brook"),
        finished("t2", "ann", "bob", seed=1),
        finished("t3", "ann", "bot:brook", "bot:brook", seed=2),
        finished("t4", "ann", "bob", turns=5, seed=3),
        finished("t5", "bob", "cid", seed=4),
    ]

    async def work(store: Store) -> None:
        for played in games:
            await save(store, played)
        profile = await profile_of(store, "id-ann")
        tables = [played.table for played in games[:4]]
        points = [each for table in tables for each in own_points(table, 0)]
        assert (profile["games"], profile["moves"]) == (4, len(points))
        assert profile["points_per_move"] == sum(points) / len(points)
        outcomes = [table.outcome for table in tables]
        assert profile["won"] == sum(outcome is not None and outcome.winners == (0,) for outcome in outcomes)
        against = {(record["person"], record["level"]): record for record in profile["opponents"]}
        assert set(against) == {("id-bob", None), (None, "brook")}
        assert against["id-bob", None]["games"] == against[None, "brook"]["games"] == 2
        assert against["id-bob", None]["name"] == "bob"
        scores = [outcome.scores for outcome in outcomes if outcome is not None]
        assert against["id-bob", None]["against"] == scores[1][1] + scores[3][1]
        assert against[None, "brook"]["against"] == scores[0][1] + max(scores[2][1:])
        assert against[None, "brook"]["points"] == scores[0][0] + scores[2][0]
        best = profile["best_move"]
        assert best is not None
        assert best["points"] == max(points)
        made = kakuros_made(Board.parse(best["board"]), Move.parse(best["move"]))
        assert sum(kakuro.sum for kakuro in made) == best["points"]
        assert profile["accuracy"] == {"mean": None, "spread": None, "games": []}
        empty = await profile_of(store, "id-eve")
        assert (empty["games"], empty["points_per_move"], empty["best_move"]) == (0, None, None)

    with_store(new_database(), work)


def test_several_seats_of_one_person_and_programs_are_not_counted() -> None:
    assert played_rows(finished("t", "ann", "ann").table) == []
    running = table_of("ann", "bob")
    running.play_on(3)
    assert played_rows(running.table) == []
    assert [row["person"] for row in played_rows(finished("t", "ann", "bob").table)] == ["id-ann", "id-bob"]


def test_older_databases_get_the_rows_of_their_finished_games(new_database: Callable[[], str]) -> None:
    games = [finished("t1", "ann", "bob"), finished("t2", "ann", "bot:brook", turns=4)]

    async def write(store: Store) -> Any:
        for played in games:
            await save(store, played)
        return await profile_of(store, "id-ann")

    url, before = older_database(new_database, "0008", write)
    assert before["games"] == 2
    assert with_store(url, lambda store: profile_of(store, "id-ann")) == before


def report_of(table: Table, losses: list[float]) -> str:
    """A report in the form of a real one, with these accuracies."""
    assert table.game is not None
    best = {"move": "e4+1", "points": 9, "flips": 1, "addends": 2, "columns": 0, "kakuros": 1}
    moves = [
        {"seat": turn.seat, "counted": True, "class": "best" if number % 3 else "mistake", "best": best}
        for number, turn in enumerate(table.game.turns)
    ]
    return json.dumps({"moves": moves, "seats": [{"accuracy": loss, "counted": 33} for loss in losses]})


def test_reviews_of_ones_games_are_in_the_profile(
    new_database: Callable[[], str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the review was begun from the table or from its record, and whoever began it."""
    games = [finished("t1", "ann", "bob"), finished("t2", "ann", "bob", seed=5)]
    reports = {write(played.table): report_of(played.table, [80.0 + 5 * n, 60.0]) for n, played in enumerate(games)}

    async def work(store: Store) -> None:
        for played in games:
            await save(store, played)
        reviews = Reviews(settings_for(tmp_path), store, WorkerPool(1), review_pool(1))

        async def answer(job: Any, *_: Any, **__: Any) -> str:
            return reports[job.record]

        monkeypatch.setattr(reviews.workers, "run", answer)
        eve = Requester("eve", "192.0.2.9")
        await reviews.ask(await read_game(write(games[0].table)), eve, "t1")
        key = await reviews.ask(await read_game(write(games[1].table)), eve)
        for running in list(reviews._running.values()):
            assert running.task is not None
            await running.task
        profile = await profile_of(store, "id-ann")
        assert [game["table"] for game in profile["accuracy"]["games"]] == ["t1"]
        assert await reviews.ask(await read_game(write(games[1].table)), eve, "t2") == key
        for person, values in (("id-ann", [80.0, 85.0]), ("id-bob", [60.0, 60.0])):
            profile = await profile_of(store, person)
            accuracy = profile["accuracy"]
            assert [game["accuracy"] for game in accuracy["games"]] == values
            assert (accuracy["mean"], accuracy["spread"]) == (fmean(values), stdev(values))
        seen = [findings(json.loads(report), 1)["sight"]["flips"] for report in reports.values()]
        assert profile["sight"]["flips"] == {
            "found": sum(each["found"] for each in seen),
            "chances": sum(each["chances"] for each in seen),
        }
        await store.accounts.carry_over("id-ann", "id-new")
        assert await profile_of(store, "id-new") == await profile_of(store, "id-ann")
        await store.accounts.remove("id-ann")
        assert (await profile_of(store, "id-ann"))["games"] == 0
        assert (await profile_of(store, "id-new"))["games"] == 2
        await reviews.stop()

    with_store(new_database(), work)


def write(table: Table) -> str:
    assert table.game is not None
    record = record_of(table.game, tags=(("Table", table.id),))
    assert replay(record)
    return write_record(record)


def test_a_profile_is_ones_own_and_goes_with_the_account(server: Running) -> None:
    ann, device, bob = server.client("Ann"), server.client("Guest"), server.client("Bob")
    table = game_of(device, bob)
    sockets = [device.socket(table), bob.socket(table)]
    for socket in sockets:
        socket.wait("snapshot")
    play_out(sockets, random.Random(1), turns=9)
    device.do(table, "resign", seat=0)
    told = device.get("/profile/me")
    assert (told["games"], told["won"], told["moves"]) == (1, 0, 5)
    assert bob.get("/profile/me")["won"] == 1
    assert bob.get("/profile/me")["opponents"][0]["name"] == "Guest"
    assert ann.get("/profile/me")["games"] == 0
    refused(401, "not_signed_in", server.client(None).get, "/profile/me")
    device.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    assert ann.get("/profile/me") == told
    assert ann.get("/account/export")["profile"] == told
    cookies = dict(ann.http.cookies)
    ann.post("/account/delete", {"name": "Ann"})
    ann.http.cookies.update(cookies)
    refused(401, "not_signed_in", ann.get, "/profile/me")
    rows = with_store_of(server, ann.person)
    assert rows == []


def with_store_of(server: Running, person: str | None) -> Any:
    """The rows of a person in the database of a running server."""
    services = server.server.config.loaded_app.state.services
    return with_store(services.settings.database, lambda store: store.played.of(str(person)))
