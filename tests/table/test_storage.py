"""Stored tables can be read back, whichever version wrote them."""

import json
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import pytest

from riverstones.notation import format_position
from riverstones.rules import Position
from riverstones.table import Entry, Options, Table, fold
from riverstones.table import events as e

LOGS = Path(__file__).with_name("logs")
"""Logs written by older versions, one folder per version of the stored form. Never regenerate them."""

VERSION_1 = {
    *("created", "seated", "left", "started", "moved", "objected", "confirmed", "asked", "agreed", "declined"),
    *("paused", "resumed", "taken_back", "resigned", "extended", "ended", "said", "rematched", "closed"),
}
"""The event types that existed when the first logs were kept."""


def stored(path: Path) -> list[dict[str, Any]]:
    """The rows of a stored log."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read(path: Path) -> list[Entry]:
    return [Entry(row["seq"], row["at_ms"], e.from_json(row["type"], row["data"]), row["key"]) for row in stored(path)]


def in_short(table: Table) -> dict[str, Any]:
    """A summary of the table to compare a log with."""
    return {
        "seq": table.seq,
        "phase": table.phase.value,
        "position": table.game and format_position(Position.of(table.game)),
        "names": [chair.name for chair in table.chairs],
        "people": [chair.person for chair in table.chairs],
        "turns": table.turn,
        "next": table.next,
        "previous": table.previous,
    }


@pytest.mark.parametrize("path", sorted(LOGS.glob("*/*.jsonl")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_old_log_makes_the_same_table(path: Path) -> None:
    expected = json.loads(path.with_name("tables.json").read_text(encoding="utf-8"))
    assert in_short(fold(read(path))) == expected[path.stem]


def test_the_old_logs_hold_every_event_of_their_time() -> None:
    assert {row["type"] for path in LOGS.glob("v1/*.jsonl") for row in stored(path)} == VERSION_1


def test_a_stored_event_carries_the_version_of_its_form() -> None:
    data = e.to_json(e.Resigned(1))
    assert data == {"v": e.VERSION, "seat": 1}
    assert e.from_json("resigned", data) == e.Resigned(1)
    assert data["v"] == e.VERSION, "reading leaves what was read as it was"


def test_an_event_of_an_older_form_is_brought_up_to_date_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def to_2(name: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return ("left", data) if name == "gone" else (name, data)

    def to_3(name: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return name, {"seat": data["place"]} if name == "left" else data

    monkeypatch.setattr(e, "VERSION", 3)
    monkeypatch.setattr(e, "UPCASTS", {1: to_2, 2: to_3})
    assert e.from_json("gone", {"place": 2}) == e.Left(2)
    assert e.from_json("gone", {"v": 1, "place": 2}) == e.Left(2)
    assert e.from_json("left", {"v": 2, "place": 2}) == e.Left(2)
    assert e.from_json("left", {"v": 3, "seat": 2}) == e.Left(2)


def test_every_older_version_has_its_step() -> None:
    assert set(e.UPCASTS) == set(range(1, e.VERSION))


def test_events_of_a_newer_version_are_refused() -> None:
    with pytest.raises(e.UnknownVersion):
        e.from_json("resigned", {"v": e.VERSION + 1, "seat": 1})
    with pytest.raises(e.UnknownVersion):
        e.from_json("teleported", {"v": e.VERSION, "seat": 1})


def other_value(value: Any, kind: str) -> Any:
    """A value of an option that is not its default."""
    if isinstance(value, Enum):
        return next(other for other in type(value) if other is not value)
    if isinstance(value, bool):
        return not value
    return "random" if "random" in kind else value + 1


@pytest.mark.parametrize("name", [field.name for field in fields(Options)])
def test_every_option_off_its_default_survives_storage(name: str) -> None:
    (field,) = [each for each in fields(Options) if each.name == name]
    changed = Options(**{name: other_value(field.default, str(field.type))})
    assert changed != Options()
    plain = json.loads(json.dumps(changed.to_json()))
    assert Options.from_json(plain) == changed
    assert set(plain) == {each.name for each in fields(Options)}
    assert fold([Entry(1, 0, e.from_json("created", e.to_json(e.Created("t", changed, "p", ()))))]).options == changed


def test_every_event_has_a_name_to_be_stored_under() -> None:
    assert set(get_args(e.Event)) == set(e._NAME_OF)
