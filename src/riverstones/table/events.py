"""The events of a table, which are the only source of truth: its state is the fold of them.

An event stores no more than is needed to replay it. `telling` turns it into the message for a viewer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from operator import attrgetter
from typing import Any, Final

from .commands import Proposal
from .options import Options
from .players import Chair


@dataclass(frozen=True, slots=True)
class Created:
    """A table was created, with the players and bots who are seated from the start."""

    table: str
    options: Options
    host: str
    chairs: tuple[Chair, ...]
    previous: str | None = None
    """The table whose rematch this is."""
    device: bool = False
    """Whether a device kept the table without a server, and a person has added it to their account."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A player or a bot took a seat."""

    seat: int
    chair: Chair


@dataclass(frozen=True, slots=True)
class Left:
    """A seat was left or freed."""

    seat: int


@dataclass(frozen=True, slots=True)
class Started:
    """The stones were laid and the hands dealt. The seed is secret until the end."""

    seed: str
    start: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """The hand of the seat to move is shown on a shared device: the clock of the turn starts."""

    seat: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was made."""

    seat: int
    move: str
    claim: int | None = None
    timed_out: bool = False
    objections_ms: int | None = None
    """Until when the next bot waits for players to object."""
    away: tuple[int, ...] = ()
    """The seats of disconnected players, whose objections are not waited for."""


@dataclass(frozen=True, slots=True)
class Objected:
    """A seat objected to the last move; the rules decide whether the objection is upheld."""

    seat: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A seat accepted the last move's claim."""

    seat: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat made a proposal."""

    seat: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Agreed:
    """A seat accepted a proposal."""

    seat: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Declined:
    """A seat declined a proposal, which is dropped."""

    seat: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Paused:
    """The game is paused; the remaining time of the turn is kept."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game is resumed."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last turns were taken back, so that this many are left."""

    turns: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat resigned."""

    seat: int


@dataclass(frozen=True, slots=True)
class Extended:
    """The turn, or the time to object to the last one, was extended after a server restart."""

    deadline_ms: int | None
    objections_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended, and the result is final."""


@dataclass(frozen=True, slots=True)
class Said:
    """A chat message."""

    person: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Rematched:
    """A rematch was created, at another table."""

    table: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The table was closed before play began."""


Event = (
    Created
    | Seated
    | Left
    | Started
    | Revealed
    | Moved
    | Objected
    | Confirmed
    | Asked
    | Agreed
    | Declined
    | Paused
    | Resumed
    | TakenBack
    | Resigned
    | Extended
    | Ended
    | Said
    | Rematched
    | Closed
)

_BY_NAME: dict[str, type[Any]] = {
    "created": Created,
    "seated": Seated,
    "left": Left,
    "started": Started,
    "revealed": Revealed,
    "moved": Moved,
    "objected": Objected,
    "confirmed": Confirmed,
    "asked": Asked,
    "agreed": Agreed,
    "declined": Declined,
    "paused": Paused,
    "resumed": Resumed,
    "taken_back": TakenBack,
    "resigned": Resigned,
    "extended": Extended,
    "ended": Ended,
    "said": Said,
    "rematched": Rematched,
    "closed": Closed,
}
_NAME_OF = {kind: name for name, kind in _BY_NAME.items()}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _NAME_OF}


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in a table's log."""

    seq: int
    """Its number, from 1, the same for every viewer."""
    at_ms: int
    """When it happened, in milliseconds since the Unix epoch."""
    event: Event
    key: str | None = None
    """The id of the command that caused it, so that a repeated command is recognised."""


def name_of(event: Event) -> str:
    """The name of this event type."""
    return _NAME_OF[type(event)]


VERSION: Final = 2
"""The version of the stored form. When it changes, add the step from the previous version to `UPCASTS`.

A new event type, or a new field with a default, needs no step: older entries keep their meaning without it.
"""

Upcast = Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]


def _wish_to_proposal(name: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if "wish" in data:
        data["proposal"] = data.pop("wish")
    return name, data


UPCASTS: Final[dict[int, Upcast]] = {1: _wish_to_proposal}
"""For each older version, the function that converts an event's name and fields to the next version."""

_VERSION_KEY = "v"


class UnknownVersion(ValueError):
    """A stored event has a version or a type that this program does not know: a newer program wrote it."""


def to_json(event: Event) -> dict[str, Any]:
    """An event's fields and the version of their form as plain values, for storage."""
    data: dict[str, Any] = {_VERSION_KEY: VERSION}
    for name in _FIELDS[type(event)]:
        data[name] = _plain(getattr(event, name))
    return data


def _plain(value: Any) -> Any:
    convert = _PLAIN_FORM.get(type(value))
    return value if convert is None else convert(value)


_PLAIN_FORM: Final[dict[type[Any], Callable[[Any], Any]]] = {
    Options: Options.to_json,
    Proposal: attrgetter("value"),
    Chair: asdict,
    tuple: lambda values: [_plain(value) for value in values],
}
"""For each type of a field that is not plain, the function that converts its values."""


def from_json(name: str, data: dict[str, Any]) -> Event:
    """Read what `to_json` wrote, in this or an older version; `UnknownVersion` for a newer one."""
    name, values = _upcast(name, dict(data))
    kind = _BY_NAME.get(name)
    if kind is None:
        raise UnknownVersion(f"unknown event type “{name}”")
    if "options" in values:
        values["options"] = Options.from_json(values["options"])
        values["chairs"] = tuple(Chair(**chair) for chair in values["chairs"])
    if "away" in values:
        values["away"] = tuple(values["away"])
    if "proposal" in values:
        values["proposal"] = Proposal(values["proposal"])
    if "chair" in values:
        values["chair"] = Chair(**values["chair"])
    event: Event = kind(**values)
    return event


def _upcast(name: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """An event in the current form. Version 1 was stored without a number."""
    version = data.pop(_VERSION_KEY, 1)
    if version > VERSION:
        raise UnknownVersion(f"event version {version} is newer than {VERSION}")
    for step in range(version, VERSION):
        name, data = UPCASTS[step](name, data)
    return name, data
