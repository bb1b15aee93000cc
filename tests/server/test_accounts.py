"""Guests, accounts, programs and ratings."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from riverstones.notation import parse_position
from riverstones.rules import plays
from riverstones.server.accounts import Accounts
from riverstones.server.accounts.ratings import RATED_PER_DAY
from riverstones.server.storage import Store

from .authenticator import Authenticator
from .running import API, TIMEOUT_S, Answer, Client, Running, running, settings_for
from .test_games import two_people


def refused(status: int, code: str, act: Any, *arguments: Any) -> None:
    with pytest.raises(Answer) as answer:
        act(*arguments)
    assert (answer.value.status, answer.value.code) == (status, code)


def test_a_name_is_enough(server: Running) -> None:
    ann = server.client(None)
    assert ann.get("/me") is None
    refused(401, "not_signed_in", ann.make_table, "me", "open")
    me = ann.post("/me", {"name": "  Ann   of Cleves ", "colour": "plum"})
    assert me["name"] == "Ann of Cleves"
    assert ann.get("/me") == me
    assert ann.post("/me", {"name": "Anna", "colour": "ochre"})["person"] == me["person"]
    assert ann.get(f"/people/{me['person']}")["name"] == "Anna"


def test_settings_are_kept_with_the_account_and_the_last_write_wins(server: Running) -> None:
    ann = server.client("Ann")
    assert ann.get("/account/preferences") is None
    ann.request("PUT", "/account/preferences", {"pace": "slow", "language": "it"})
    phone = server.client(None)
    phone.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    assert phone.get("/account/preferences")["pace"] == "slow"
    phone.request("PUT", "/account/preferences", {"pace": "quick"})
    found = ann.get("/account/preferences")
    assert {name: value for name, value in found.items() if value is not None} == {"pace": "quick"}


def test_settings_have_a_schema(server: Running) -> None:
    ann = server.client("Ann")
    wrongs: list[Any] = [{"pace": "hasty"}, {"colour": "teal"}, {"language": "x" * 200}, {"notation": True}, []]
    for wrong in wrongs:
        refused(422, "bad_message", ann.request, "PUT", "/account/preferences", wrong)
    assert ann.get("/account/preferences") is None
    refused(401, "not_signed_in", server.client(None).get, "/account/preferences")


def test_settings_are_deleted_with_the_account(new_database: Callable[[], str], tmp_path: Path) -> None:
    url = new_database()

    async def work() -> None:
        store = Store(url)
        await store.database.open()
        accounts = Accounts(settings_for(tmp_path), store)
        person, _ = await accounts.create("Ann", "teal")
        await accounts.keep_preferences(person.id, "{}")
        assert await accounts.preferences(person.id) == "{}"
        assert await accounts.remove(person.id)
        assert await accounts.preferences(person.id) is None
        await store.database.close()

    asyncio.run(work())


def test_the_cookie_is_signed_and_hidden_from_scripts(server: Running) -> None:
    ann = server.client(None)
    answer = ann.http.post("/api/v1/me", json={"name": "Ann"})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    token, _, signature = ann.http.cookies["riverstones"].rpartition(".")
    for forged in (token, f"{token}.{'0' * 64}", f"x{token}.{signature}", "", "."):
        thief = server.client(None)
        thief.http.headers["cookie"] = f"riverstones={forged}"
        assert thief.get("/me") is None


def test_tokens_are_stored_as_hashes_only(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as server:
        ann = server.client("Ann")
        token = ann.http.cookies["riverstones"].partition(".")[0]
        code = ann.post("/account/links")["code"]
        program = ann.post("/programs", {"name": "Otter"})["token"]
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("test.sqlite3*"))
    assert b"Ann" in stored
    for secret in (token, code, program):
        assert secret.encode() not in stored


def test_a_session_can_be_ended(server: Running) -> None:
    ann = server.client("Ann")
    cookies = dict(ann.http.cookies)
    ann.request("DELETE", "/me")
    assert ann.get("/me") is None
    ann.http.cookies.update(cookies)
    assert ann.get("/me") is None


def test_ending_a_session_closes_its_sockets_and_streams(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    phone = server.client(None)
    phone.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    table = ann.make_table("me", "open")
    bob.do(table, "sit")
    socket, other_device = ann.socket(table), phone.socket(table)
    for opened in (socket, other_device):
        opened.wait("presence")
    with ann.http.stream("GET", f"{API}/tables/{table}/stream") as stream:
        lines = stream.iter_lines()
        assert json.loads(next(lines))["type"] == "snapshot"
        ann.request("DELETE", "/me")
        assert all(json.loads(line)["type"] == "presence" for line in lines if line)
    assert socket.wait("bye")["error"]["code"] == "not_signed_in"
    with pytest.raises(ConnectionClosed) as closed:
        socket.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4003
    assert other_device.do("say", text="still here")["type"] == "ack"


def test_a_deleted_program_receives_nothing_more(server: Running) -> None:
    ann = server.client("Ann")
    made = ann.post("/programs", {"name": "Otter"})
    otter = server.client(None)
    otter.http.headers["authorization"] = f"Bearer {made['token']}"
    table = ann.make_table("me", "open", programs=True)
    otter.do(table, "sit")
    with (
        otter.http.stream("GET", f"{API}/tables/{table}/stream") as at_table,
        otter.http.stream("GET", f"{API}/programs/stream") as everywhere,
        connect(
            f"ws://127.0.0.1:{server.port}{API}/tables/{table}/socket",
            additional_headers={"authorization": f"Bearer {made['token']}"},
        ) as socket,
    ):
        socket.send(json.dumps({"type": "hello", "protocol": 1}))
        while json.loads(socket.recv(TIMEOUT_S))["type"] != "presence":
            pass
        lines = at_table.iter_lines()
        assert json.loads(next(lines))["snapshot"]["you"]["hand"]
        ann.request("DELETE", f"/programs/{made['person']}")
        ann.do(table, "play", seat=0, turn=0, move=first_move(ann, table))
        assert all(json.loads(line)["type"] == "presence" for line in lines if line)
        assert not any(json.loads(line).get("table") == table for line in everywhere.iter_lines() if line)
        with pytest.raises(ConnectionClosed):
            expect_no_events(socket)


def expect_no_events(socket: ClientConnection) -> None:
    """Read until the socket closes; only presence and the goodbye may arrive, no events."""
    while True:
        assert json.loads(socket.recv(TIMEOUT_S))["type"] in ("presence", "bye")


def first_move(client: Client, table: str) -> str:
    """A legal move of the client's first seat."""
    view = client.get(f"/tables/{table}")
    position = parse_position(view["now"]["position"])
    return str(plays(position.board, view["you"]["hand"], position.variant)[0].move)


def test_a_socket_whose_session_ends_before_its_hello_is_refused(server: Running) -> None:
    ann = server.client("Ann")
    raw = ann.raw_socket(ann.make_table("me", "open"))
    ann.request("DELETE", "/me")
    raw.send(json.dumps({"type": "hello", "protocol": 1}))
    assert json.loads(raw.recv(TIMEOUT_S))["error"]["code"] == "not_signed_in"


def test_a_person_changed_during_a_read_is_not_cached(tmp_path: Path) -> None:
    async def work() -> None:
        settings = settings_for(tmp_path)
        store = Store(settings.database)
        await store.database.open()
        accounts = Accounts(settings, store)
        await accounts.open()
        ann, _ = await accounts.create("Ann", "teal")
        engine = store.database.read_engine

        class ChangedMeanwhile:
            """An engine that changes the person right after each read."""

            @asynccontextmanager
            async def connect(self) -> AsyncIterator[Any]:
                async with engine.connect() as connection:
                    yield connection
                await accounts.change(ann, "Anna", "teal")

        store.database.read_engine = ChangedMeanwhile()  # type: ignore[assignment]  # only `connect` is used
        await accounts.get(ann.id)
        store.database.read_engine = engine
        found = await accounts.get(ann.id)
        assert found is not None
        assert found.name == "Anna"
        await store.database.close()

    asyncio.run(work())


def test_a_session_is_not_cached_while_it_ends(tmp_path: Path) -> None:
    async def work(people: Accounts, store: Store) -> None:
        _, token = await people.create("Ann", "teal")
        cookie = people.signer.sign("session", token)
        assert await people.by_cookie(cookie) is not None
        hold, held = asyncio.Event(), asyncio.Event()

        async def wait(_: Any) -> None:
            held.set()
            await hold.wait()

        busy = asyncio.create_task(store.database.writer.transact(wait))
        await held.wait()
        ending = asyncio.create_task(people.end_session(cookie))
        await asyncio.sleep(0)
        await people.by_cookie(cookie)
        hold.set()
        await asyncio.gather(busy, ending)
        assert await people.by_cookie(cookie) is None

    async def run() -> None:
        settings = settings_for(tmp_path)
        store = Store(settings.database)
        await store.database.open()
        people = Accounts(settings, store)
        await people.open()
        await work(people, store)
        await store.database.close()

    asyncio.run(run())


def test_a_one_time_link_signs_another_device_in(server: Running) -> None:
    ann, phone = server.client("Ann"), server.client(None)
    table = ann.make_table("me", "open")
    code = ann.post("/account/links")["code"]
    assert phone.post("/account/links/redeem", {"code": code})["person"] == ann.person
    assert phone.get("/me")["account"]
    assert [game["table"] for game in phone.get("/games")["games"]] == [table]
    refused(400, "link_not_valid", phone.post, "/account/links/redeem", {"code": code})
    refused(400, "link_not_valid", phone.post, "/account/links/redeem", {"code": "x" * 16})


def test_a_link_expires(tmp_path: Path) -> None:
    now_ms = [1_000_000]
    with running(settings_for(tmp_path, now_ms=lambda: now_ms[0])) as server:
        ann = server.client("Ann")
        code = ann.post("/account/links")["code"]
        now_ms[0] += 11 * 60_000
        refused(400, "link_not_valid", ann.post, "/account/links/redeem", {"code": code})


def test_a_passkey_makes_an_account(server: Running) -> None:
    ann, phone, key = server.client("Ann"), server.client(None), Authenticator(server.url)
    begun = ann.post("/account/passkeys/register/options")
    made = {"ticket": begun["ticket"], "credential": key.create(begun["options"])}
    assert ann.post("/account/passkeys/register", made)["account"]
    refused(400, "passkey_not_valid", ann.post, "/account/passkeys/register", made)
    begun = phone.post("/account/passkeys/login/options")
    used = {"ticket": begun["ticket"], "credential": key.use(begun["options"])}
    assert phone.post("/account/passkeys/login", used)["person"] == ann.person
    refused(400, "passkey_not_valid", server.client(None).post, "/account/passkeys/login", used)


@pytest.mark.parametrize("name", ["\ud800", "\0", "", 1, None])
def test_a_passkey_with_an_invalid_id_is_refused(server: Running, name: Any) -> None:
    ann = server.client("Ann")
    form = {"ticket": ann.post("/account/passkeys/login/options")["ticket"], "credential": {"id": name}}
    body = json.dumps(form).encode()
    answer = ann.http.post("/api/v1/account/passkeys/login", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "passkey_not_valid")


@pytest.mark.parametrize("spoil", ["signature", "challenge", "origin", "ticket", "key"])
def test_an_invalid_passkey_is_refused(server: Running, spoil: str) -> None:
    ann, key = server.client("Ann"), Authenticator(server.url)
    begun = ann.post("/account/passkeys/register/options")
    ann.post("/account/passkeys/register", {"ticket": begun["ticket"], "credential": key.create(begun["options"])})
    begun = ann.post("/account/passkeys/login/options")
    ticket, options = begun["ticket"], dict(begun["options"])
    if spoil == "challenge":
        options["challenge"] = "AAAA"
    if spoil == "origin":
        key.origin = "http://elsewhere.example"
    credential = key.use(options)
    if spoil == "signature":
        credential["response"]["signature"] = credential["response"]["signature"][::-1]
    if spoil == "ticket":
        ticket = ticket[:-1] + ("0" if ticket[-1] != "0" else "1")
    if spoil == "key":
        credential["id"] = credential["rawId"] = "AAAA"
    refused(400, "passkey_not_valid", ann.post, "/account/passkeys/login", {"ticket": ticket, "credential": credential})


def test_a_token_allows_a_program_to_play_but_nothing_else(server: Running) -> None:
    ann = server.client("Ann")
    made = ann.post("/programs", {"name": "Otter"})
    otter = server.client(None)
    otter.http.headers["authorization"] = f"Bearer {made['token']}"
    assert otter.get("/me")["program"]
    assert server.client(None).get(f"/people/{made['person']}")["owner"] == ann.person
    refused(403, "for_people_only", otter.make_table, "me", "open")
    refused(403, "for_people_only", otter.post, "/programs", {"name": "Child"})
    closed = ann.make_table("me", "open")
    refused(409, "programs_not_welcome", otter.do, closed, "sit")
    welcoming = ann.make_table("me", "open", programs=True)
    otter.do(welcoming, "sit")
    assert ann.get(f"/tables/{welcoming}")["chairs"][1]["program"]
    assert [program["person"] for program in ann.get("/programs")["programs"]] == [made["person"]]
    ann.request("DELETE", f"/programs/{made['person']}")
    refused(401, "not_signed_in", otter.get, "/me")
    refused(403, "for_programs_only", ann.get, "/programs/stream")


def test_the_example_program_plays_a_whole_game(server: Running) -> None:
    ann = server.client("Ann")
    token = ann.post("/programs", {"name": "Otter"})["token"]
    example = Path(__file__).parents[2] / "docs" / "bot.py"
    program = subprocess.Popen([sys.executable, str(example), server.url, token], stderr=subprocess.PIPE)
    try:
        table = ann.make_table("me", "open", programs=True, listed=True)
        socket = ann.socket(table)
        while socket.now.get("phase") != "over":
            if socket.now.get("to_move") == 0:
                answer = socket.play(0, socket.plays()[0].move)
                socket.wait_seq(answer["seq"])
            else:
                socket.receive()
        assert socket.now["turn"] == 67
    finally:
        program.kill()
        program.communicate()


def rated_game(loser: Client, winner: Client, *, counts: bool = True) -> list[dict[str, Any]]:
    """Play a rated game and wait until it is rated; returns the ratings of both."""
    table = loser.make_table("me", "open", rated=True)
    winner.do(table, "sit")
    before = winner.get("/me")["rating"]
    loser.do(table, "resign", seat=0)
    until = time.monotonic() + (TIMEOUT_S if counts else 0.5)
    while winner.get("/me")["rating"] == before and time.monotonic() < until:
        time.sleep(0.01)
    return [client.get("/me")["rating"] for client in (loser, winner)]


def test_a_rated_table_changes_ratings_once(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    for client in (ann, bob):
        client.keep_account()
    loser, winner = rated_game(ann, bob)
    watcher = server.client(None)
    assert winner["value"] > loser["value"]
    assert winner["games"] == loser["games"] == 1
    assert 0 < winner["spread"] < 1000
    _, cid, dee = two_people(server)
    cid.do("resign", seat=0)
    dee.wait_event("ended")
    assert watcher.get(f"/people/{cid.snapshot['you']['person']}")["rating"] is None


def test_guests_are_not_rated(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    refused(409, "rated_needs_account", lambda: ann.make_table("me", "open", rated=True))
    ann.keep_account()
    refused(409, "rated_needs_account", bob.do, ann.make_table("me", "open", rated=True), "sit")


def test_rated_games_of_the_same_two_people_are_limited_per_day(tmp_path: Path) -> None:
    now_ms = [1_700_000_000_000]
    with running(settings_for(tmp_path, now_ms=lambda: now_ms[0])) as server:
        ann, bob, cid = (server.client(name) for name in ("Ann", "Bob", "Cid"))
        for client in (ann, bob, cid):
            client.keep_account()
        for _ in range(RATED_PER_DAY):
            rated_game(ann, bob)
        assert rated_game(ann, bob, counts=False)[1]["games"] == RATED_PER_DAY
        assert rated_game(cid, bob)[1]["games"] == RATED_PER_DAY + 1
        now_ms[0] += 25 * 3_600_000
        assert rated_game(ann, bob)[0]["games"] == RATED_PER_DAY + 1


def test_a_game_whose_rating_failed_is_rated_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*arguments: Any) -> None:
        raise OSError("the line is dead")

    settings = settings_for(tmp_path)
    with monkeypatch.context() as broken, running(settings) as server:
        broken.setattr("riverstones.server.accounts.ratings.Ratings.rate", fail)
        ann, bob = server.client("Ann"), server.client("Bob")
        for client in (ann, bob):
            client.keep_account()
        table = ann.make_table("me", "open", rated=True)
        bob.do(table, "sit")
        ann.do(table, "resign", seat=0)
        assert bob.get("/me")["rating"] is None
    with running(settings) as server:
        watcher = server.client(None)
        until = time.monotonic() + TIMEOUT_S
        while watcher.get(f"/people/{bob.person}")["rating"] is None:
            assert time.monotonic() < until
        assert watcher.get(f"/people/{bob.person}")["rating"]["games"] == 1
        assert watcher.get(f"/tables/{table}")["result"]["winners"] == [1]


def test_reading_finished_games_writes_nothing(tmp_path: Path) -> None:
    """Neither listing games nor loading a table from its log writes to the database."""
    settings = settings_for(tmp_path)
    with running(settings) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        for client in (ann, bob):
            client.keep_account()
        rated_game(ann, bob)
        cookies = dict(bob.http.cookies)
    with running(settings) as server:
        bob = server.client(None)
        bob.http.cookies.update(cookies)
        assert bob.get("/me")["rating"]["games"] == 1
        commits: list[object] = []
        app: Any = server.server.config.app
        database = app.state.services.store.database
        for engine in (database.write_engine.sync_engine, database.writer.blocking):
            event.listen(engine, "commit", commits.append)
        games = bob.get("/games")["games"]
        assert len(games) == 1
        assert bob.get(f"/tables/{games[0]['table']}")["now"]["phase"] == "over"
        time.sleep(0.5)
        assert commits == []


def test_a_rematch_of_a_rated_game_is_rated(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    for client in (ann, bob):
        client.keep_account()
    table = ann.make_table("me", "open", rated=True)
    bob.do(table, "sit")
    socket = bob.socket(table)
    ann.do(table, "resign", seat=0)
    ann.do(table, "ask", seat=0, proposal="rematch")
    bob.do(table, "answer", seat=1, proposal="rematch", yes=True)
    again = socket.wait_event("rematched")["event"]["table"]
    assert ann.get(f"/tables/{again}")["options"]["rated"]


def test_the_tables_a_person_creates_are_limited(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, tables_each=2)) as server:
        ann = server.client("Ann")
        tables = [ann.make_table("me", "open") for _ in range(2)]
        refused(429, "too_many_tables", ann.make_table, "me", "open")
        ann.do(tables[0], "close")
        again = ann.make_table("me", "open")
        assert {game["table"] for game in ann.get("/games")["games"]} == {tables[1], again}


def test_the_tables_a_person_joins_are_limited(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, tables_each=2)) as server:
        hosts = [server.client(name) for name in ("Ann", "Bob", "Cid")]
        tables = [host.make_table("me", "open", "open") for host in hosts]
        eve = server.client("Eve")
        for table in tables[:2]:
            eve.do(table, "sit")
        refused(429, "too_many_tables", eve.do, tables[2], "sit")
        eve.do(tables[0], "stand", seat=1)
        eve.do(tables[0], "sit")
        hosts[1].do(tables[1], "close")
        eve.do(tables[2], "sit")


def test_open_tables_are_listed_and_others_are_not(server: Running) -> None:
    ann = server.client("Ann")
    listed, hidden = ann.make_table("me", "open", listed=True), ann.make_table("me", "open")
    tables = [table["table"] for table in server.client(None).get("/tables")["tables"]]
    assert listed in tables
    assert hidden not in tables
    ann.do(listed, "close")
    assert listed not in [table["table"] for table in ann.get("/tables")["tables"]]


def test_one_person_cannot_fill_the_list_of_open_tables(new_database: Callable[[], str], tmp_path: Path) -> None:
    with running(settings_for(tmp_path, database=new_database())) as server:
        ann, eve = server.client("Ann"), server.client("Eve")
        hers = ann.make_table("me", "open", "open", listed=True)
        flood = [eve.make_table("me", "open", listed=True) for _ in range(5)]
        eve.do(hers, "sit")
        listed = [table["table"] for table in ann.get("/tables")["tables"]]
        assert listed == [hers, *reversed(flood[-2:])]
        more = [eve.make_table("me", "open", listed=True) for _ in range(3)]
        assert [table["table"] for table in ann.get("/tables")["tables"]] == [*reversed(more), hers]


def test_names_are_unchanged_and_limited(server: Running) -> None:
    eve = server.client(None)
    name = "<script>x</script>"
    assert eve.post("/me", {"name": name})["name"] == name
    assert json.dumps(name) in eve.http.get("/api/v1/me").text
    refused(409, "bad_name", eve.post, "/me", {"name": "x" * 25})
    refused(422, "bad_message", eve.post, "/me", {"name": "Eve", "colour": "red"})
