"""`riverstones admin` on SQLite and PostgreSQL: lists, deletion, bans, purge, check, export and erasure."""

import asyncio
import json
import random
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from riverstones.notation import read_record, verify_record
from riverstones.server.admin.check import check
from riverstones.server.storage import Conflict, Store
from riverstones.server.storage.erasure import _without
from riverstones.server.storage.reviews import StoredReview
from riverstones.server.storage.schema import metadata
from riverstones.study.records import record_text
from riverstones.table import Chair, fold
from riverstones.table import commands as c
from riverstones.table.events import Seated, to_json
from tests.cli.helpers import assert_refused, riverstones_here
from tests.table.helpers import Played, table_of

from .running import TIMEOUT_S, Client, Running, play_out, running, settings_for
from .test_projections import named
from .test_storage import save, with_store

NAME, WORDS = "Annabellavista", "words that only she has said"


@dataclass
class Site:
    """A server with a finished game of Ann and Bob, a game that goes on, and a table that waits."""

    database: str
    server: Running
    ann: Client
    bob: Client
    finished: str
    going_on: str
    waiting: str

    def admin(self, *arguments: str, status: int = 0) -> str:
        """Run a command on this database; what it prints."""
        done = riverstones_here("admin", *arguments, "--database", self.database)
        assert (done.stderr, done.returncode) == ("", status)
        return done.stdout

    def rows(self, *arguments: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.admin(*arguments, "--json").splitlines()]


def make_site(database: str, server: Running) -> Site:
    ann, bob = server.client(NAME), server.client("Bob")
    finished, going_on = (make_game(ann, bob, turns) for turns in (100, 3))
    return Site(database, server, ann, bob, finished, going_on, ann.make_table("me", "open"))


def make_game(ann: Client, bob: Client, turns: int) -> str:
    table = ann.make_table("me", "open")
    bob.do(table, "sit", seat=1)
    ann.do(table, "say", text=WORDS)
    bob.do(table, "say", text="hello there")
    sockets = [ann.socket(table), bob.socket(table)]
    for socket in sockets:
        socket.wait("snapshot")
    play_out(sockets, random.Random(1), turns=turns)
    for socket in sockets:
        socket.close()
    return table


@pytest.fixture
def site(new_database: Callable[[], str], tmp_path: Path) -> Iterator[Site]:
    database = new_database()
    with running(settings_for(tmp_path, database=database)) as server:
        yield make_site(database, server)


def everything(database: str) -> str:
    """All rows of all tables as text."""

    async def work(store: Store) -> list[Any]:
        return [await store.database.rows(select(table)) for table in metadata.sorted_tables]

    return repr(with_store(database, work))


def test_lists_and_deletion(site: Site, tmp_path: Path) -> None:
    phases = {row["table"]: row["phase"] for row in site.rows("tables", "list")}
    assert phases == {site.finished: "over", site.going_on: "playing", site.waiting: "waiting"}
    assert [row["table"] for row in site.rows("tables", "list", "--phase", "over")] == [site.finished]
    bobs = site.rows("tables", "list", "--person", str(site.bob.person))
    assert {row["table"] for row in bobs} == {site.finished, site.going_on}
    assert bobs[0]["players"] == [NAME, "Bob"]
    assert len(site.rows("tables", "list", "--limit", "1")) == 1
    assert site.waiting in site.admin("tables", "list")

    people = site.rows("people", "list")
    assert {row["name"] for row in people} == {NAME, "Bob"}
    assert [row["id"] for row in site.rows("people", "list", "--name", "BELLA")] == [site.ann.person]
    assert site.rows("people", "list", "--name", "%") == []

    review = StoredReview("k" * 8, "record", 3, site.finished)
    with_store(site.database, lambda store: store.reviews.add(review, 10**15))
    assert site.admin("tables", "delete", site.finished) == f"Table {site.finished} has been deleted.\n"
    assert site.finished not in everything(site.database)
    again = riverstones_here("admin", "tables", "delete", site.finished, "--database", site.database)
    assert_refused(again, f"There is no table {site.finished}.")

    assert site.admin("purge", "--days", "1") == "Deleted 0 tables and 0 old reviews.\n"
    assert site.admin("check").startswith("2 of 2 tables are sound, with ")


def test_purging_a_table_deletes_its_review_however_new(site: Site) -> None:
    with_store(site.database, lambda store: store.reviews.add(StoredReview("k" * 8, "r", 3, site.finished), 10**15))
    with_store(site.database, lambda store: store.reviews.add(StoredReview("j" * 8, "r", 3, None), 10**15))
    assert with_store(site.database, lambda store: store.events.prune(10**14)) == 3
    assert with_store(site.database, lambda store: store.reviews.get("k" * 8)) is None
    assert with_store(site.database, lambda store: store.reviews.get("j" * 8)) is not None


def test_sessions_are_listed_and_ended(site: Site) -> None:
    (session,) = site.rows("sessions", "list", "--person", str(site.ann.person))
    assert session["name"] == NAME
    assert len(site.rows("sessions", "list")) == 2
    assert site.admin("sessions", "end", session["id"]) == "Sessions ended: 1.\n"
    assert [row["name"] for row in site.rows("sessions", "list")] == ["Bob"]
    assert site.admin("sessions", "end", "--person", str(site.bob.person)) == "Sessions ended: 1.\n"
    assert site.admin("sessions", "list") == "There are none.\n"
    for arguments, sentence in (
        ((), "Give either the id of a session or --person."),
        ((session["id"],), f"There is no session {session['id']}."),
        (("--person", "nobody"), "Person nobody has no session."),
    ):
        done = riverstones_here("admin", "sessions", "end", *arguments, "--database", site.database)
        assert_refused(done, sentence)


def test_bans_are_added_listed_and_removed(site: Site) -> None:
    site.admin("bans", "add", "--person", str(site.bob.person), "--days", "2", "--note", "spam")
    site.admin("bans", "add", "--network", "192.0.2.7/24")
    person, network = site.rows("bans", "list")
    assert (person["person"], person["note"]) == (site.bob.person, "spam")
    assert person["until_ms"] - person["created_ms"] == 2 * 24 * 3600 * 1000
    assert (network["network"], network["until_ms"]) == ("192.0.2.0/24", None)
    for ban in (person, network):
        assert site.admin("bans", "remove", ban["id"]) == f"Ban {ban['id']} has been removed.\n"
    assert site.admin("bans", "list") == "There are none.\n"
    for arguments, sentence in (
        (("add",), "Give either --person or --network."),
        (("add", "--person", "nobody"), "There is no person nobody."),
        (("add", "--network", "here"), "“here” is not an address or a network like 192.0.2.0/24."),
        (("remove", "x"), "There is no ban x."),
    ):
        assert_refused(riverstones_here("admin", "bans", *arguments, "--database", site.database), sentence)


def test_an_export_has_everything_of_one_person_and_no_secret(site: Site, tmp_path: Path) -> None:
    person = str(site.ann.person)
    program = site.ann.post("/programs", {"name": "Robot"})["person"]
    file = tmp_path / "exports" / "ann.json"
    site.admin("export", person, str(file))
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    found = json.loads(file.read_text(encoding="utf-8"))
    about_people = {table.name for table in metadata.sorted_tables if {"person", "owner"} & set(table.c.keys())}
    assert set(found["rows"]) == about_people
    assert {row["id"] for row in found["rows"]["people"]} == {person, program}
    assert {row["person"] for row in found["rows"]["sessions"]} == {person, program}
    games = {game["summary"]["table"]: game for game in found["games"]}
    assert set(games) == {site.finished, site.going_on, site.waiting}
    assert games[site.finished]["record"]
    assert games[site.going_on]["record"] is None
    assert [message["text"] for message in games[site.going_on]["messages"]] == [WORDS]

    shown = file.read_text(encoding="utf-8")
    assert "hello there" not in shown
    state = fold(with_store(site.database, lambda store: store.events.read(site.going_on)))
    assert state.seed is not None
    assert state.seed.reveal() not in shown
    hashes = with_store(site.database, lambda store: store.accounts.sessions_of(person))
    assert [each.token_hash for each in hashes if each.token_hash in shown] == []
    again = riverstones_here("admin", "export", person, str(file), "--database", site.database)
    assert_refused(again, f"{file} cannot be written: File exists.")
    nobody = riverstones_here("admin", "export", "nobody", str(file), "--database", site.database)
    assert_refused(nobody, "There is no person nobody.")


def test_an_erased_person_is_nowhere_and_the_games_stay(site: Site, tmp_path: Path) -> None:
    person = str(site.ann.person)
    before = with_store(site.database, lambda store: store.events.read(site.finished))
    pasted = StoredReview("k" * 8, f'[Table "{site.finished}"] {NAME}', 3, None)
    with_store(site.database, lambda store: store.reviews.add(pasted, 0))
    said = site.admin("erase", person)
    assert said.startswith(f"Person {person} has been erased, in 3 tables.\nA server is running, ")
    left = everything(site.database)
    assert [trace for trace in (person, NAME, WORDS) if trace in left] == []
    assert "hello there" in left

    after = with_store(site.database, lambda store: store.events.read(site.finished))
    assert [(entry.seq, entry.at_ms, type(entry.event)) for entry in after] == [
        (entry.seq, entry.at_ms, type(entry.event)) for entry in before
    ]
    old, new = fold(before), fold(after)
    assert old.game is not None
    assert old.game == new.game
    assert [chair.name for chair in new.chairs] == ["NN", "Bob"]
    record = with_store(site.database, lambda store: store.projections.record(site.finished))
    assert verify_record(record).sound
    assert [player.name for player in read_record(record).header.players] == ["NN", "Bob"]
    assert with_store(site.database, check).faults == []

    with running(settings_for(tmp_path / "again", database=_copied(site, tmp_path))) as server:
        bob = server.client(None)
        shown = bob.get(f"/tables/{site.finished}")
        assert [chair["name"] for chair in shown["chairs"]] == ["NN", "Bob"]
    again = riverstones_here("admin", "erase", person, "--database", site.database)
    assert_refused(again, f"There is no person {person}.")


def test_a_running_server_does_not_write_an_erased_name_again(site: Site) -> None:
    """It has the tables in memory. Each command writes other rows: the summary, the seats, or the result."""
    program = site.ann.post("/programs", {"name": NAME})["person"]
    viewer = site.bob.socket(site.going_on)
    seq = viewer.wait("snapshot")["snapshot"]["seq"]
    person = str(site.ann.person)
    site.admin("erase", person)
    for table in (site.finished, site.going_on):
        site.bob.do(table, "say", text="are you there?")
    site.bob.do(site.going_on, "resign", seat=1)
    site.bob.do(site.waiting, "sit")
    viewer.wait_event("ended")
    assert viewer.events[0]["seq"] == seq + 1
    assert [trace for trace in (person, program, NAME, WORDS) if trace in everything(site.database)] == []
    assert with_store(site.database, check).faults == []
    for table in (site.finished, site.going_on, site.waiting):
        assert [chair["name"] for chair in site.bob.get(f"/tables/{table}")["chairs"]] == ["NN", "Bob"]


def test_writes_during_an_erasure_keep_no_name(new_database: Callable[[], str]) -> None:
    """A server and the command write at the same time. A write is either erased or refused, and none waits for ever."""
    database, games = new_database(), []
    for number in range(12):
        played = named(table_of("ann", "bob"), f"t{number}")
        length = len(played.log)
        played.play_on(1)
        played.do("ann", c.Say(WORDS) if number % 2 else c.Resign(0))
        games.append((played, length))

    async def work(server: Store) -> None:
        operator = Store(database)
        await operator.database.open()
        try:
            for played, length in games:
                await save(server, Played(fold(played.log[:length]), played.log[:length]))
            async with asyncio.timeout(TIMEOUT_S):
                for played, length in games:
                    appending = save(server, played, length)
                    erasing = operator.erasure.erase(played.table.id, "id-ann", record_text)
                    appended, erased = await asyncio.gather(appending, erasing, return_exceptions=True)
                    assert erased is None
                    assert appended is None or isinstance(appended, Conflict)
                    late = len(played.log) if appended is None else length
                    played.do("bob", c.Say("late"))
                    with pytest.raises(Conflict):
                        await save(server, played, late)
        finally:
            await operator.database.close()

    with_store(database, work)
    left = everything(database)
    assert [trace for trace in ("id-ann", '"ann"', WORDS) if trace in left] == []
    assert with_store(database, check).faults == []


def _copied(site: Site, tmp_path: Path) -> str:
    """The database itself on PostgreSQL; a copy of an SQLite file, which only one server may use."""
    if site.database.startswith("postgresql"):
        return site.database
    site.admin("backup", str(tmp_path / "again" / "copy.sqlite3"))
    return f"sqlite:///{tmp_path / 'again' / 'copy.sqlite3'}"


def test_an_erasure_keeps_the_names_of_those_who_took_the_seat_over() -> None:
    """`owner` is the absent player, who may return."""
    taken = [Chair(person="bob", name="Bob", owner="ann"), Chair(bot="river", name="river", owner="ann")]
    left = [Chair(person="ann", name="Ann"), Chair(name="Ann", owner="ann")]
    for chair in taken + left:
        data = json.dumps(to_json(Seated(0, chair)))
        erased = _without(data, "ann", "stranger")
        assert json.loads(erased)["chair"]["name"] == (chair.name if chair in taken else "NN")
        assert "ann" not in erased


def test_several_seats_of_an_erased_person_can_be_told_apart(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as server:
        ann = server.client(NAME)
        table = ann.make_table("me", "me:Grandmother")
    with_store(settings.database, lambda store: store.erasure.erase(table, str(ann.person), lambda _: None))
    state = fold(with_store(settings.database, lambda store: store.events.read(table)))
    assert [chair.name for chair in state.chairs] == ["NN 1", "NN 2"]
    assert "Grandmother" not in everything(settings.database)


def test_erased_people_of_one_table_stay_different_people(tmp_path: Path) -> None:
    async def work(store: Store) -> tuple[str | None, ...]:
        played = table_of("ann", "bob")
        await save(store, played)
        for person in ("id-ann", "id-bob"):
            await store.erasure.erase("table", person, lambda _: None)
        return tuple(chair.person for chair in fold(await store.events.read("table")).chairs)

    first, second = with_store(f"sqlite:///{tmp_path / 'erased.sqlite3'}", work)
    assert first != second
    assert not {first, second} & {"id-ann", "id-bob", None}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("DELETE FROM events WHERE table_id = :table AND seq = 5", "its log has a gap."),
        ("UPDATE tables SET phase = 'playing' WHERE id = :table", "it is listed as playing, but its log says over."),
        ("UPDATE summaries SET paused = true WHERE table_id = :table", "its summary differs from its log."),
        ("UPDATE tables SET record = 'x' WHERE id = :table", "its record differs from its log."),
        ("UPDATE played_games SET data = '{}' WHERE table_id = :table", "its results differ from its log."),
        ("UPDATE events SET type = 'wonder' WHERE table_id = :table AND seq = 5", "its log cannot be read."),
    ],
)
def test_the_check_finds_what_is_wrong(tmp_path: Path, change: str, fault: str) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as server:
        site = make_site(settings.database, server)

    async def spoil(store: Store) -> None:
        async with store.database.write_engine.begin() as connection:
            await connection.execute(text(change), {"table": site.finished})

    with_store(settings.database, spoil)
    done = riverstones_here("admin", "check", "--database", settings.database)
    assert done.returncode == 1
    assert done.stderr == f"Table {site.finished}: {fault}\n"
    assert done.stdout.startswith("2 of 3 tables are sound")


def test_a_missing_file_is_not_created(tmp_path: Path) -> None:
    file = tmp_path / "typo.sqlite3"
    for arguments in (("tables", "list"), ("check",), ("erase", "x"), ("backup", str(tmp_path / "copy"))):
        done = riverstones_here("admin", *arguments, "--database", f"sqlite:///{file}")
        assert_refused(done, f"There is no database {file}.")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("tables", "list"), ("backup", "x"), ("restore", __file__)])
def test_an_unknown_database_is_refused(command: tuple[str, ...]) -> None:
    done = riverstones_here("admin", *command, "--database", "mysql://x/y")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_purge_refuses_absurd_numbers_of_days() -> None:
    done = riverstones_here("admin", "purge", "--days", "9" * 30)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "36500" in done.stderr
