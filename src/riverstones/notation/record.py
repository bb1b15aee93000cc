"""The record of a game: who played what, turn by turn, and how it ended. Pure data, independent of its form.

A record is redundant on purpose: hands, points and running totals follow from the deal and the moves, so it can be
checked. A record may contain mistakes, and `check_record` finds them; building one only requires that it can be written
down, which is a matter of lengths, ranges and counts.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from riverstones.rules import (
    DIGITS,
    HAND_SIZE,
    TILE_COUNT,
    Board,
    Hand,
    Layout,
    Move,
    Outcome,
    Seed,
    Setup,
)

from .errors import NotationError, Problem

VERSION = 1
STONES = len(Layout.SIDES.stones)
MOST_TURNS = TILE_COUNT - STONES
LONGEST_NAME = 100
LONGEST_TAG = 500
LONGEST_COMMENT = 1000
MOST_TAGS = 30
HIGHEST_NUMBER = 999_999

DRAWN = "drawn"
"""Follows the first seat in the `Start` tag if it was drawn at random."""

GLYPHS = ("!!", "!", "!?", "?!", "?", "??")
"""The annotation glyphs, from brilliant move to blunder."""

OWN_TAGS = (
    "Riverstones",
    "Date",
    "Seats",
    "Seat",
    "Bot",
    "Start",
    "Variant",
    "Layout",
    "Scoring",
    "Stones",
    "Commitment",
    "Seed",
)
"""The tags that Riverstones defines. Any other tag is kept as it is."""

_TAG_NAME = re.compile(r"[A-Z][A-Za-z]{0,29}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}")


def _demand(holds: bool, code: str, **params: object) -> None:
    if not holds:
        raise NotationError([Problem.of(code, **params)])


def _demand_number(number: int, highest: int = HIGHEST_NUMBER) -> None:
    _demand(0 <= number <= highest, "record_number", number=number, highest=highest)


def _demand_seats(seats: int, *named: int) -> None:
    for seat in named:
        _demand(0 <= seat < seats, "record_seat", seat=seat, seats=seats)


def _demand_comment(comment: str) -> None:
    _demand(len(comment) <= LONGEST_COMMENT, "record_comment", most=LONGEST_COMMENT)


def _demand_hand(hand: Hand) -> None:
    fits = len(hand) <= HAND_SIZE and all(digit in DIGITS for digit in hand) and list(hand) == sorted(hand)
    _demand(fits, "record_hand", text="".join(map(str, hand)))


def demand_commitment(commitment: str) -> None:
    """Raise `NotationError` unless this is a SHA-256 hash in hexadecimal."""
    _demand(_COMMITMENT.fullmatch(commitment) is not None, "record_commitment", text=commitment)


def demand_tag(name: str, value: str) -> None:
    """Raise `NotationError` for a tag name that is reserved or invalid, or a value that is too long."""
    _demand(_TAG_NAME.fullmatch(name) is not None and name not in OWN_TAGS, "tag_name", text=name)
    _demand(len(value) <= LONGEST_TAG, "tag_long", text=name, most=LONGEST_TAG)


def read_date(text: str) -> datetime.date:
    """Read a date such as 2026-11-15; raises `NotationError`."""
    try:
        return datetime.date.fromisoformat(text if _DATE.fullmatch(text) else "")
    except ValueError:
        raise NotationError([Problem.of("record_date", text=text)]) from None


@dataclass(frozen=True, slots=True)
class Player:
    """The player of a seat."""

    name: str = ""
    bot: str = ""
    """The level of the bot; empty for a human player."""

    def __post_init__(self) -> None:
        _demand(max(len(self.name), len(self.bot)) <= LONGEST_NAME, "record_name", most=LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class Header:
    """What is known before the first move, and the seed, which is added after the last."""

    setup: Setup
    stones: tuple[int, ...]
    """The digits of the tiles on the river stones, in the order of the layout: the centre first."""
    players: tuple[Player, ...] = ()
    """One player per seat; empty if nobody is named."""
    date: datetime.date | None = None
    commitment: str | None = None
    """The hash that was published before the first move."""
    seed: Seed | None = None
    """The seed of the deal, once it is published."""
    start_drawn: bool = False
    """Whether the first seat was drawn at random, that is, derived from the seed."""
    tags: tuple[tuple[str, str], ...] = ()
    """Other tags, sorted by name, for use by other programs."""
    lines: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    """The line of each tag in the text that the record was read from."""

    def __post_init__(self) -> None:
        seats = self.setup.seats
        if not self.players:
            object.__setattr__(self, "players", (Player(),) * seats)
        _demand(len(self.players) == seats, "record_players", count=len(self.players), seats=seats)
        fits = len(self.stones) == STONES and all(digit in DIGITS for digit in self.stones)
        _demand(fits, "record_stones", squares=" ".join(map(str, self.setup.layout.stones)))
        if self.commitment is not None:
            demand_commitment(self.commitment)
        object.__setattr__(self, "tags", tuple(sorted(self.tags)))
        _demand(len(self.tags) <= MOST_TAGS, "record_tags", most=MOST_TAGS)
        for name, value in self.tags:
            demand_tag(name, value)
        for (name, _), (other, _) in pairwise(self.tags):
            _demand(name != other, "tag_twice", name=name)

    @property
    def board(self) -> Board:
        """The board with only the stones' tiles."""
        return self.setup.layout.board(self.stones)


@dataclass(frozen=True, slots=True)
class RecordedObjection:
    """An opponent's objection, whether it was upheld, and the mover's running total after it."""

    seat: int
    upheld: bool
    total: int
    line: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        _demand_number(self.total)


@dataclass(frozen=True, slots=True)
class Annotation:
    """A comment on a move by a person or an engine."""

    glyph: str = ""
    """One of `GLYPHS`, or empty."""
    best: Move | None = None
    """The best move, if the annotation gives one."""
    best_points: int | None = None
    """The points of the best move; given together with it."""
    better_by_tenths: int | None = None
    """How much better the best move is overall, in tenths of a point."""
    line: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        _demand(self.glyph in ("", *GLYPHS), "annotation_glyph", text=self.glyph)
        _demand((self.best is None) == (self.best_points is None), "annotation_points")
        _demand(self.best is not None or self.better_by_tenths is None, "annotation_points")
        _demand(self.best is not None or self.glyph != "", "annotation_empty")
        _demand_number(self.best_points or 0)
        _demand_number(self.better_by_tenths or 0)


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One turn as it is recorded."""

    seat: int
    hand: Hand
    """The hand before the move, ascending."""
    move: Move
    points: int
    """The points scored, or the points claimed if players claim them."""
    total: int
    """The seat's running total after the move, before any objection."""
    timed_out: bool = False
    """Whether the clock made the move because time ran out."""
    objections: tuple[RecordedObjection, ...] = ()
    annotation: Annotation | None = None
    comment: str = ""
    line: int = field(default=0, compare=False, repr=False)
    """The line that the turn was read from; 0 if it was not read from a text."""

    def __post_init__(self) -> None:
        _demand(len(self.hand) > 0, "record_hand", text="")
        _demand_hand(self.hand)
        _demand_number(self.points)
        _demand_number(self.total)
        _demand_comment(self.comment)

    @property
    def upheld(self) -> bool:
        """Whether an objection was upheld, which cancels the points."""
        return any(objection.upheld for objection in self.objections)

    def demand_seats(self, seats: int) -> None:
        """Raise `NotationError` if the turn mentions a seat that does not exist."""
        _demand_seats(seats, self.seat, *(objection.seat for objection in self.objections))
        _demand(len(self.objections) < seats, "record_objections", count=len(self.objections))


class Ending(Enum):
    """How a record ends."""

    FINISHED = "finished"
    """Every tile was placed."""
    RESIGNED = "resigned"
    """All seats but one resigned, or all of them."""
    ABANDONED = "abandoned"
    """The players stopped, and nobody won."""
    UNFINISHED = "unfinished"
    """The game is still going on, or may be continued."""


_WON = (Ending.FINISHED, Ending.RESIGNED)
"""The endings that have winners."""


@dataclass(frozen=True, slots=True)
class End:
    """How the game ended, with the scores, and the winners if there are any."""

    how: Ending
    scores: tuple[int, ...]
    winners: tuple[int, ...] = ()
    resigned: tuple[int, ...] = ()
    """The seats that resigned, at the end or earlier. They cannot win."""
    hands: tuple[Hand, ...] | None = None
    """The remaining hands, if the game did not finish and they are known."""
    comment: str = ""
    line: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        for score in self.scores:
            _demand_number(score)
        for hand in self.hands or ():
            _demand_hand(hand)
        _demand_comment(self.comment)
        _demand(self.hands is None or self.how is not Ending.FINISHED, "end_hands")
        _demand(self.how is not Ending.RESIGNED or bool(self.resigned), "end_resigned")
        _demand(bool(self.winners) == (self.how in _WON), "end_winners")
        for seats in (self.winners, self.resigned):
            _demand(list(seats) == sorted(set(seats)), "end_order")

    def demand_seats(self, seats: int) -> None:
        """Raise `NotationError` if the end mentions a seat that does not exist, or omits one."""
        _demand_seats(seats, *self.winners, *self.resigned)
        _demand(len(self.resigned) < seats, "end_resigned")
        for each in (self.scores, self.hands):
            _demand(each is None or len(each) == seats, "end_seats", seats=seats)


def winners_of(how: Ending, scores: tuple[int, ...], resigned: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The seats with the most points among those that did not resign; nobody if the game was not decided."""
    return Outcome.of(scores, resigned).winners if how in _WON else ()


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game."""

    header: Header
    turns: tuple[RecordedTurn, ...]
    end: End
    comment: str = ""
    """The comment before the first turn."""

    def __post_init__(self) -> None:
        seats = self.header.setup.seats
        _demand_comment(self.comment)
        _demand(len(self.turns) <= MOST_TURNS, "record_turns", most=MOST_TURNS)
        for turn in self.turns:
            turn.demand_seats(seats)
        self.end.demand_seats(seats)
