"""What a browser's worker calls: every argument and every answer is JSON text, a number or a short string.

The worker stores events, tells the time and draws entropy. `riverstones.local.table` says in which order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from riverstones.study.review import REVIEW_VERSION, ReportData, ReviewProgress
from riverstones.table import (
    Actor,
    Command,
    NotAllowed,
    Options,
    Table,
    TableRefusal,
    Viewer,
    chairs_of,
    fold,
    snapshot,
    summary,
)
from riverstones.table.state import begin

from .analysis import analyse
from .reading import read
from .records import end_summary, read_record, record
from .refusals import REFUSALS, refused
from .reviews import review
from .saved import restore, save
from .summaries import beaten_levels, played, profile
from .table import Happening, LocalTable, Row, Step, Work

PERSON = "device"
"""The id of the person at this device, in every table that the device keeps."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who is to hold a seat of a new table: see `riverstones.table.SeatRequest`."""

    who: Literal["me", "bot", "open"]
    name: str | None = None
    level: str | None = None


class Bridge:
    """The tables that one worker has open."""

    review_version = REVIEW_VERSION

    def __init__(self) -> None:
        self._tables: dict[str, LocalTable] = {}
        self._prepared: dict[str, tuple[Work, Command | None]] = {}
        """For each table the work that has been computed before it is due."""
        self._reviews: dict[str, Iterator[ReviewProgress]] = {}

    def create(self, table: str, form: str, now_ms: int, entropy: str) -> str:
        """The first rows of a new table and its list entry, `{"rows", "summary", "beaten"}`, or `{"refused"}`.

        The form is `{"name", "colour", "options", "seats"}`. Every seat must be taken: nobody else can sit down.
        """
        given = json.loads(form)
        maker = Actor(PERSON, given["name"], given["colour"])
        try:
            options = read(Options, given["options"], "options")
            seats = [read(Seat, each, "seats") for each in given["seats"]]
            if any(seat.who == "open" for seat in seats):
                raise NotAllowed(TableRefusal.NEEDS_A_PERSON)
            rows = LocalTable.create(table, options, chairs_of(options, seats, maker), maker, _now(now_ms, entropy))
        except REFUSALS as error:
            return _written({"refused": refused(error)})
        return _written({"rows": _to_json(rows), **_listed(fold([row.entry for row in rows]))})

    def open(self, table: str, rows: str) -> None:
        """Load a table from its stored rows; raises `UnknownVersion` if a newer version has stored one."""
        stored = _rows(rows)
        names = [chair.name for chair in begin(stored[0].entry).chairs if chair.person == PERSON]
        self._tables[table] = LocalTable(stored, Actor(PERSON, names[0]))

    def save(self, rows: str, now_ms: int) -> str:
        """A table as the text of a file."""
        return save(_rows(rows), now_ms)

    def restore(self, table: str, text: str) -> str:
        """A saved table under this id, `{"rows", "summary", "beaten", "saved_ms"}`, or `{"refused"}`."""
        try:
            rows, saved_ms = restore(table, text, PERSON)
        except REFUSALS as error:
            return _written({"refused": refused(error)})
        state = fold([row.entry for row in rows])
        return _written({"rows": _to_json(rows), **_listed(state), "saved_ms": saved_ms})

    def close(self, table: str) -> None:
        """Forget a table."""
        self._tables.pop(table, None)
        self._prepared.pop(table, None)

    def receive(self, table: str, message: str, now_ms: int, entropy: str) -> str:
        """What a message of the page leads to: see `_step`."""
        asked = json.loads(message)
        try:
            return _step(self._tables[table].receive(asked, _now(now_ms, entropy)))
        except REFUSALS as error:
            return _step(Step(messages=({"type": "refused", "id": asked.get("id"), "error": refused(error)},)))

    def advance(self, table: str, rows: str) -> str:
        """Apply stored rows; returns the messages for the page."""
        return _written(self._tables[table].advance(_rows(rows)))

    def seq(self, table: str) -> int:
        """The number of the last event that has been applied."""
        return self._tables[table].table.seq

    def listed_with(self, table: str, rows: str) -> str:
        """The list entry of the table once these rows are applied, `{"summary", "beaten"}`: see `_listed`."""
        state = self._tables[table].table
        return _written(_listed(fold([row.entry for row in _rows(rows)], state)))

    def due(self, table: str) -> str:
        """What the table needs next, `{"kind", "at_ms"}`, or null."""
        work = self._tables[table].work()
        return _written({"kind": work[0].kind, "at_ms": work[0].at_ms} if work else None)

    def prepare(self, table: str) -> None:
        """Compute what is due next, before its time; a bot may think for a while."""
        local = self._tables[table]
        work = local.work()[0]
        self._prepared[table] = (work, local.command(work))

    def carry_out(self, table: str, name: str, now_ms: int, entropy: str) -> str:
        """Do what is due now: see `_step`. A rematch gets this name."""
        local, now = self._tables[table], _now(now_ms, entropy)
        work = local.work()
        if not work or work[0].at_ms > now_ms:
            return _step(Step())
        if work[0].kind == "rematch":
            return _step(local.rematch(work[0], name, now))
        before, command = self._prepared.pop(table, (None, None))
        if before != work[0]:
            command = local.command(work[0])
        return _step(local.submit(command, now) if command is not None else Step())

    def wake(self, table: str, from_ms: int, now_ms: int, entropy: str) -> str:
        """Give back the time since `from_ms`, in which no page has shown the table: see `_step`."""
        return _step(self._tables[table].wake(from_ms, _now(now_ms, entropy)))

    def ask(self, route: str, given: str, tables: str) -> str:
        """The answer that a server would give on this route, `{"answer"}`, or `{"refused"}`.

        `tables` has the rows of each table that the route is about. With a position or a record, these are the games
        that go on, which must not be analysed. For the profile the body has `reports`: by table the report of its
        review.
        """
        asked = json.loads(given)
        states = [fold([Row(**row).entry for row in rows]) for rows in json.loads(tables)]
        try:
            return _written({"answer": self._answer(route, asked.get("path", {}), asked.get("body", {}), states)})
        except REFUSALS as error:
            return _written({"refused": refused(error)})

    def _answer(self, route: str, path: dict[str, str], body: dict[str, Any], tables: Sequence[Table]) -> Any:
        match route:
            case "GET /tables/{table}":
                seats = tables[0].seats_of(PERSON)
                return snapshot(tables[0], Viewer(PERSON, seats[0] if len(seats) == 1 else None))
            case "GET /tables/{table}/record":
                return record(tables[0])
            case "GET /tables/{table}/review":
                return end_summary(tables[0])
            case "POST /tables/{table}/review":
                self._reviews[path["review"]] = review(tables[0])
                return {"review": path["review"]}
            case "POST /study/reviews":
                self._reviews[path["review"]] = review(body["text"], tables)
                return {"review": path["review"]}
            case "GET /study/reviews/{review}":
                return next(self._reviews[path["review"]], None)
            case "DELETE /study/reviews/{review}":
                self._reviews.pop(path["review"], None)
                return None
            case "POST /study/analyse":
                return analyse(body["position"], tables)
            case "POST /study/record":
                return read_record(body["text"])
            case "GET /profile/me":
                reports: dict[str, ReportData] = body.get("reports", {})
                games = (played(table, PERSON, reports.get(table.id)) for table in tables)
                return profile(game for game in games if game is not None)
            case _:
                raise ValueError(f"no route of this device: {route}")


def _now(now_ms: int, entropy: str) -> Happening:
    return Happening(now_ms, bytes.fromhex(entropy))


def _rows(text: str) -> list[Row]:
    return [Row(**row) for row in json.loads(text)]


def _to_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]


def _listed(table: Table) -> dict[str, Any]:
    """The list entry of a table: its summary, and the level that the person has beaten at it."""
    told = summary(table)
    return {"summary": told, "beaten": next(iter(beaten_levels([told], PERSON)), None)}


def _step(step: Step) -> str:
    """`{"rows", "messages", "rematch"}`: rows to be stored, messages after them, and the new table of a rematch."""
    rematch = None
    if step.rematch:
        state = fold([row.entry for row in step.rematch])
        rematch = {"table": state.id, "rows": _to_json(step.rematch), **_listed(state)}
    return _written({"rows": _to_json(step.rows), "messages": step.messages, "rematch": rematch})


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
