"""The options of a table."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import cache
from typing import Any, Literal, get_type_hints

from riverstones.rules import SEAT_COUNTS, Layout, Scoring, Setup, Variant

from .errors import NotAllowed, TableRefusal
from .exact import Integer, Truth

SECONDS = range(5, 3601)
"""The allowed durations of a turn."""


class Clock(Enum):
    """No clock, a sand-glass that only reminds, or a strict clock that makes a move when time runs out."""

    OFF = "off"
    GENTLE = "gentle"
    STRICT = "strict"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a table."""

    # Pydantic settings for the server: options it receives may omit fields, options it sends never do.
    __pydantic_config__ = {  # noqa: RUF012
        "extra": "forbid",
        "use_attribute_docstrings": True,
        "json_schema_serialization_defaults_required": True,
    }

    seats: Integer = 2
    """The number of seats: two, three or four."""
    variant: Variant = Variant.STANDARD
    """Standard or expert."""
    layout: Layout = Layout.SIDES
    """Where the side stones lie."""
    scoring: Scoring = Scoring.AUTOMATIC
    """Whether the software counts the points or the players claim them."""
    start: Integer | Literal["random"] = 0
    """The seat that starts, or `random` to draw it."""
    clock: Clock = Clock.OFF
    """The kind of clock."""
    seconds: Integer = 30
    """The time per turn, if there is a clock."""
    hints: Truth = False
    """Whether players may ask for hints."""
    listed: Truth = False
    """Whether the table is listed publicly, or found only with its link."""
    rated: Truth = False
    """Whether the result counts for the players' ratings."""
    programs: Truth = False
    """Whether programs (bots of other authors) may take a free seat."""
    guided: Truth = False
    """Whether this is a guided first game: one person against one bot, and the first three turns can score."""

    def check(self) -> None:
        """Refuse combinations of options that no table can have."""
        if self.seats not in SEAT_COUNTS:
            raise NotAllowed(TableRefusal.BAD_SEAT_COUNT, count=self.seats)
        if self.start != "random" and not 0 <= self.start < self.seats:
            raise NotAllowed(TableRefusal.BAD_START, seat=self.start)
        if self.seconds not in SECONDS:
            raise NotAllowed(TableRefusal.BAD_SECONDS, seconds=self.seconds)
        if self.rated and (self.hints or self.programs):
            raise NotAllowed(TableRefusal.RATED_IS_FOR_PEOPLE)
        if self.guided and replace(self, guided=False, hints=False) != Options():
            raise NotAllowed(TableRefusal.GUIDED_IS_FOR_ONE)

    def setup(self, start: int) -> Setup:
        """The setup of the game, once the first seat is known."""
        return Setup(self.seats, self.variant, self.layout, start, self.scoring)

    def to_json(self) -> dict[str, int | str | bool]:
        """The options as plain values."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value.value if isinstance(value, Enum) else value for name, value in values}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Options:
        """Read what `to_json` wrote."""
        kinds = _enums()
        values: dict[str, Any] = {name: kinds[name](value) if name in kinds else value for name, value in data.items()}
        return cls(**values)


@cache
def _enums() -> dict[str, type[Enum]]:
    """The options whose type is an enum, with that type."""
    hints = get_type_hints(Options).items()
    return {name: kind for name, kind in hints if isinstance(kind, type) and issubclass(kind, Enum)}
