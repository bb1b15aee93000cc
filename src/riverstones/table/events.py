"""What has happened at a table. Events are facts and the only truth: the state of a table is the fold of them.

An event keeps no more than is needed to repeat it. What a viewer is told of it is made in
`telling`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from .commands import Proposal
from .options import Options
from .players import Chair


@dataclass(frozen=True, slots=True)
class Created:
    """A table was made, with the people and bots who sit there from the start."""

    table: str
    options: Options
    host: str
    chairs: tuple[Chair, ...]
    previous: str | None = None
    """The table whose rematch this is."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody took a seat."""

    seat: int
    chair: Chair


@dataclass(frozen=True, slots=True)
class Left:
    """A seat was left or freed."""

    seat: int


@dataclass(frozen=True, slots=True)
class Started:
    """The stones were laid and the hands drawn. The seed is secret until the end."""

    seed: str
    start: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """The seat to move shares its device, and its hand is shown now: the clock of the turn starts."""

    seat: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was made."""

    seat: int
    move: str
    claim: int | None = None
    timed_out: bool = False
    objections_ms: int | None = None
    """Until when a bot that is next waits for people to object."""
    away: tuple[int, ...] = ()
    """The seats of people who were out of reach, and are not waited for."""


@dataclass(frozen=True, slots=True)
class Objected:
    """Somebody objected to the last move; whether it is upheld follows from the rules."""

    seat: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Somebody lets the last move's claim stand."""

    seat: int


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody asked the others for something."""

    seat: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Agreed:
    """Somebody consented."""

    seat: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Declined:
    """Somebody did not consent, so the proposal is dropped."""

    seat: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Paused:
    """The game rests; the time left of the turn is kept."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game goes on."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last turns were taken back, so that this many are left."""

    turns: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat gave up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Extended:
    """The turn, or the time for objections to the last one, got longer, because the house was away."""

    deadline_ms: int | None
    objections_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The result stands."""


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody at the table said something."""

    person: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Rematched:
    """A rematch is on, at another table."""

    table: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The table was closed before it began."""


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


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in a table's log."""

    seq: int
    """Its number, from 1, the same for every viewer."""
    at_ms: int
    """When it happened, in milliseconds since 1970."""
    event: Event
    key: str | None = None
    """The command that it answers, so that a repeated command is known again."""


def name_of(event: Event) -> str:
    """The word for this kind of event."""
    return _NAME_OF[type(event)]


VERSION: Final = 2
"""The version of the stored form. Raise it when that changes, and add the step from the version before to `UPCASTS`.

A new event, or a new field with a default, needs no step: what was stored without it still reads as it was meant.
"""

Upcast = Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]


def _wish_to_proposal(name: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if "wish" in data:
        data["proposal"] = data.pop("wish")
    return name, data


UPCASTS: Final[dict[int, Upcast]] = {1: _wish_to_proposal}
"""For each older version, how an event's name and fields are brought to the next one."""

_VERSION_KEY = "v"


class UnknownVersion(ValueError):
    """A stored event is of a version, or a type, that this program does not know: a newer program wrote it."""


def to_json(event: Event) -> dict[str, Any]:
    """An event's fields and the version of their form as plain values, for storage."""
    data: dict[str, Any] = {_VERSION_KEY: VERSION}
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, Options):
            value = value.to_json()
        elif isinstance(value, Proposal):
            value = value.value
        elif isinstance(value, Chair):
            value = asdict(value)
        elif field.name == "chairs":
            value = [asdict(chair) for chair in value]
        data[field.name] = value
    return data


def from_json(name: str, data: dict[str, Any]) -> Event:
    """Read back what `to_json` wrote, now or in an older version; `UnknownVersion` if it was a newer one."""
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
    """An event in the current form. The first version carried no number."""
    version = data.pop(_VERSION_KEY, 1)
    if version > VERSION:
        raise UnknownVersion(f"event version {version} is newer than {VERSION}")
    for step in range(version, VERSION):
        name, data = UPCASTS[step](name, data)
    return name, data
