"""What the people at a table agree on before they play."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from typing import Any, Literal, get_type_hints

from riverstones.rules import SEAT_COUNTS, Layout, Scoring, Setup, Variant

from .errors import NotAllowed, TableRefusal

SECONDS = range(5, 3601)
"""How long a turn may be set to last."""


class Clock(Enum):
    """How time is kept: not at all, by a sand-glass that only nudges, or by a clock that plays when it has run out."""

    OFF = "off"
    GENTLE = "gentle"
    STRICT = "strict"


@dataclass(frozen=True, slots=True)
class Options:
    """The terms of a table."""

    # Read by the server, which takes options from the wire; those that it sends always have every field.
    __pydantic_config__ = {  # noqa: RUF012
        "extra": "forbid",
        "use_attribute_docstrings": True,
        "json_schema_serialization_defaults_required": True,
    }

    seats: int = 2
    """How many play: two, three or four."""
    variant: Variant = Variant.STANDARD
    """Standard or expert."""
    layout: Layout = Layout.SIDES
    """Where the side stones lie."""
    scoring: Scoring = Scoring.AUTOMATIC
    """Whether the software keeps the score or the players claim their points."""
    start: int | Literal["random"] = 0
    """The seat that begins, or `random` to have it drawn."""
    clock: Clock = Clock.OFF
    """How time is kept."""
    seconds: int = 30
    """How long a turn lasts where time is kept."""
    hints: bool = False
    """Whether players may ask for hints."""
    listed: bool = False
    """Whether the table is listed for everybody, or open to those with the link alone."""
    rated: bool = False
    """Whether the result counts for the players' ratings."""
    programs: bool = False
    """Whether other people's programs may take a free seat."""

    def check(self) -> None:
        """Refuse terms that no table can have."""
        if self.seats not in SEAT_COUNTS:
            raise NotAllowed(TableRefusal.BAD_SEAT_COUNT, count=self.seats)
        if self.start != "random" and not 0 <= self.start < self.seats:
            raise NotAllowed(TableRefusal.BAD_START, seat=self.start)
        if self.seconds not in SECONDS:
            raise NotAllowed(TableRefusal.BAD_SECONDS, seconds=self.seconds)
        if self.rated and (self.hints or self.programs):
            raise NotAllowed(TableRefusal.RATED_IS_FOR_PEOPLE)

    def setup(self, start: int) -> Setup:
        """The terms of the game itself, once it is known who starts."""
        return Setup(self.seats, self.variant, self.layout, start, self.scoring)

    def to_json(self) -> dict[str, int | str | bool]:
        """The options as plain values."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value.value if isinstance(value, Enum) else value for name, value in values}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Options:
        """Read back what `to_json` wrote."""
        kinds = _enums()
        values: dict[str, Any] = {name: kinds[name](value) if name in kinds else value for name, value in data.items()}
        return cls(**values)


@cache
def _enums() -> dict[str, type[Enum]]:
    """The options whose value is a member of an enum."""
    hints = get_type_hints(Options).items()
    return {name: kind for name, kind in hints if isinstance(kind, type) and issubclass(kind, Enum)}
