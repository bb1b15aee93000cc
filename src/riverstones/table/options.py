"""What the people at a table agree on before they play."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from riverstones.rules import SEAT_COUNTS, Layout, Scoring, Setup, Variant

from .errors import No, NotAllowed

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

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  # read by the server, which takes options from the wire

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
            raise NotAllowed(No.BAD_SEAT_COUNT, count=self.seats)
        if self.start != "random" and not 0 <= self.start < self.seats:
            raise NotAllowed(No.BAD_START, seat=self.start)
        if self.seconds not in SECONDS:
            raise NotAllowed(No.BAD_SECONDS, seconds=self.seconds)
        if self.rated and (self.hints or self.programs):
            raise NotAllowed(No.RATED_IS_FOR_PEOPLE)

    def setup(self, start: int) -> Setup:
        """The terms of the game itself, once it is known who starts."""
        return Setup(self.seats, self.variant, self.layout, start, self.scoring)

    def to_json(self) -> dict[str, int | str | bool]:
        """The options as plain values."""
        return {
            "seats": self.seats,
            "variant": self.variant.value,
            "layout": self.layout.value,
            "scoring": self.scoring.value,
            "start": self.start,
            "clock": self.clock.value,
            "seconds": self.seconds,
            "hints": self.hints,
            "listed": self.listed,
            "rated": self.rated,
            "programs": self.programs,
        }

    @classmethod
    def from_json(cls, data: dict[str, object]) -> Options:
        """Read back what `to_json` wrote."""
        enums = {"variant": Variant, "layout": Layout, "scoring": Scoring, "clock": Clock}
        return cls(**{name: enums[name](value) if name in enums else value for name, value in data.items()})  # type: ignore[arg-type]  # the names are those of `to_json`
