"""Read a record leniently, and report every problem.

Tags may come in any order, any kind of line ending is accepted, and white space is free. Problems are collected with
line and column and raised together at the end. Any bytes give either a record or a `NotationError`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial

from riverstones.rules import SEAT_COUNTS, Scoring

from .errors import NotationError, Problem
from .lines import (
    read_annotation,
    read_comment,
    read_end,
    read_objection,
    read_tag,
    read_turn,
    read_turn_number,
)
from .pieces import Findings, Piece, placed
from .record import (
    LONGEST_COMMENT,
    MOST_TAGS,
    MOST_TURNS,
    OWN_TAGS,
    Annotation,
    End,
    Record,
    RecordedObjection,
    RecordedTurn,
)
from .tags import read_header

LARGEST = 1_000_000
"""The maximum length of a record in characters; longer texts are rejected unread."""

LONGEST_LINE = 10_000
"""Longer than any valid line, even a comment that consists of escapes."""

MOST_PROBLEMS = 100
"""Reading stops after this many problems: such a text is not a record."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_BYTE_ORDER_MARK = "\ufeff"


def read_record(text: str | bytes) -> Record:
    """Read a record; raises `NotationError` with every problem in the text."""
    if len(text) > LARGEST:
        raise NotationError([Problem.of("record_too_long", most=LARGEST)])
    if isinstance(text, bytes):
        text = _decoded(text)
    reader = _Reader()
    for number, line in enumerate(_LINE_END.split(text.removeprefix(_BYTE_ORDER_MARK)), start=1):
        if not line.strip(" \t"):
            continue
        with reader.findings:
            reader.read(Piece(line, number, 1).cut(0, len(line)))
        if len(reader.findings.problems) >= MOST_PROBLEMS:
            more = Problem.of("record_more_problems", count=MOST_PROBLEMS).at(1, number)
            raise NotationError([*reader.findings.problems[:MOST_PROBLEMS], more])
    return reader.finish(number)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = _LINE_END.split(data[: error.start].decode("utf-8"))
        problem = Problem.of("record_encoding").at(len(before[-1]) + 1, len(before))
        raise NotationError([problem]) from None


@dataclass(slots=True)
class _Part:
    """A part of the record that the lines after it may add to: the beginning, or the end."""

    piece: Piece
    comment: str | None = None

    def add_comment(self, piece: Piece) -> None:
        """Add a line to this part's comment."""
        line = read_comment(piece)
        comment = line if self.comment is None else f"{self.comment}\n{line}"
        if len(comment) > LONGEST_COMMENT:
            raise piece.error("record_comment", most=LONGEST_COMMENT)
        self.comment = comment


@dataclass(slots=True)
class _TurnPart(_Part):
    """A turn, to which objections and an annotation may be added."""

    turn: RecordedTurn | None = None
    objections: tuple[RecordedObjection, ...] = ()
    annotation: Annotation | None = None


_KINDS = {
    "tag": re.compile(r"\["),
    "comment": re.compile(r"#"),
    "turn": re.compile(r"[0-9]"),
    "objection": re.compile(r"seat\b", re.IGNORECASE),
    "annotation": re.compile(r"judged\b", re.IGNORECASE),
    "end": re.compile(r"(finished|resigned|abandoned|unfinished)\b", re.IGNORECASE),
}
"""The kinds of lines, and how each of them begins."""


def _kind(piece: Piece) -> str | None:
    return next((kind for kind, start in _KINDS.items() if start.match(piece.text)), None)


class _Reader:
    """The state of the reader: the parts and problems found so far."""

    def __init__(self) -> None:
        self.findings = Findings()
        self.tags: dict[str, Piece] = {}
        self.other_tags = 0
        self.beginning = _Part(Piece("", 1, 1))
        self.turns: list[_TurnPart] = []
        self.next_number = 1
        self.ending: _Part | None = None
        self.end: End | None = None

    @property
    def current(self) -> _Part:
        """The part that the next line belongs to."""
        return self.ending or (self.turns[-1] if self.turns else self.beginning)

    def read(self, piece: Piece) -> None:
        """Read one line that is not empty."""
        if len(piece.text) > LONGEST_LINE:
            raise piece.cut(0, LONGEST_LINE).error("line_long", most=LONGEST_LINE)
        current = self.current
        match _kind(piece):
            case "comment":
                current.add_comment(piece)
            case "tag" if current is self.beginning:
                self._read_tag(piece)
            case "turn" if self.ending is None:
                self._read_turn(piece)
            case "objection" if isinstance(current, _TurnPart) and len(current.objections) < SEAT_COUNTS[-1]:
                current.objections += (read_objection(piece),)
            case "annotation" if isinstance(current, _TurnPart) and current.annotation is None:
                current.annotation = read_annotation(piece)
            case "end" if self.ending is None:
                self.ending = _Part(piece)
                self.end = read_end(piece)
            case None:
                raise piece.error("line_unknown")
            case _:
                raise piece.error("line_out_of_place")

    def _read_tag(self, piece: Piece) -> None:
        name, value = read_tag(piece)
        if name in self.tags:
            raise piece.error("tag_twice", name=name)
        self.other_tags += name.split()[0] not in OWN_TAGS
        if self.other_tags > MOST_TAGS:
            raise piece.error("record_tags", most=MOST_TAGS)
        self.tags[name] = value

    def _read_turn(self, piece: Piece) -> None:
        if len(self.turns) == MOST_TURNS:
            raise piece.error("record_turns", most=MOST_TURNS)
        part = _TurnPart(piece)
        self.turns.append(part)
        number = read_turn_number(piece)
        with self.findings:
            if number != self.next_number:
                raise piece.error("turn_number", number=self.next_number)
        self.next_number = number + 1
        part.turn = read_turn(piece, self._scoring())

    def _scoring(self) -> Scoring | None:
        """The scoring according to the tags; None if they do not say."""
        tag = self.tags.get("Scoring")
        return next((scoring for scoring in Scoring if tag and scoring.value == tag.text.lower()), None)

    def finish(self, last_line: int) -> Record:
        """Build the record; raises `NotationError` if there was any problem."""
        findings = self.findings
        seats: int | None = None
        with findings:
            header = read_header(self.tags, max((tag.line for tag in self.tags.values()), default=1))
            seats = header.setup.seats
        turns: list[RecordedTurn] = []
        for part in self.turns:
            if part.turn is not None:
                with findings:
                    turns.append(placed(partial(_whole_turn, part.turn, part, seats), part.piece))
        if self.ending is None:
            findings.problems.append(Problem.of("end_missing").at(1, last_line))
        elif self.end is not None:
            with findings:
                end = placed(partial(_whole_end, self.end, self.ending, seats), self.ending.piece)
        findings.problems.sort(key=lambda problem: (problem.line, problem.column))
        findings.done()
        return Record(header, tuple(turns), end, self.beginning.comment or "")


def _whole_turn(turn: RecordedTurn, part: _TurnPart, seats: int | None) -> RecordedTurn:
    whole = replace(turn, objections=part.objections, annotation=part.annotation, comment=part.comment or "")
    if seats is not None:
        whole.demand_seats(seats)
    return whole


def _whole_end(end: End, part: _Part, seats: int | None) -> End:
    if seats is not None:
        end.demand_seats(seats)
    return replace(end, comment=part.comment or "")
