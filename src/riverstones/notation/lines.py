"""Parse single lines of a record: a tag, a turn, an objection, an annotation, the end.

A line that cannot be parsed raises `NotationError` with every problem in it, each with its column: a turn with a bad
hand and a bad move is two problems. White space is free and letter case does not matter; only the writer is strict.
"""

from __future__ import annotations

import re

from riverstones.rules import Hand, Move, Scoring

from .pieces import Findings, Piece, placed
from .position import NONE
from .quoting import BadEscape, unescape
from .record import Annotation, End, Ending, RecordedObjection, RecordedTurn


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern in which a space matches one or more blanks, and an underscore any number of them."""
    return re.compile(text.replace(" ", r"[ \t]+").replace("_", r"[ \t]*"), re.IGNORECASE | re.ASCII)


_SEATS = "seats? ([0-9](?:_,_[0-9])*(?: and [0-9])?)"
_TAG = re.compile(r'\[[ \t]*([A-Za-z]+(?:[ \t]+[0-9])?)[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*\]')
_TURN = _pattern(r"([0-9]+)_\._(.*)")
_HOLDS = _pattern("seat ([0-9]) holds(.*)")
_LATE = _pattern("runs out of time")
_PLAYS = _pattern("plays (.*)")
_POINTS = _pattern("(scores|claims) (.*)")
_TOTAL = _pattern("total (.*)")
_OBJECTS = _pattern("seat ([0-9]) objects_:_(upheld|rejected)_,(.*)")
_JUDGED = _pattern(r"judged_([!?]*)(?:_:_best was (\S+) for ([0-9]+)(?:_,_better by ([0-9]+)\.([0-9]))?)?")
_ENDED = _pattern("(finished|resigned|abandoned|unfinished)_:(.*)")
_SCORES = _pattern("scores (.*)")
_HANDS = _pattern("hands (.*)")
_RESIGNED = _pattern(f"{_SEATS} resigned")
_WON = _pattern(f"{_SEATS} (?:wins|share the win)")

_NUMBER = re.compile("[0-9]{1,6}")
_HAND = re.compile("[1-9]{1,2}")


def _without_stop(piece: Piece) -> Piece:
    return piece.cut(0, len(piece.text) - 1) if piece.text.endswith(".") else piece


def _read_number(piece: Piece) -> int:
    if not _NUMBER.fullmatch(piece.text):
        raise piece.error("number")
    return int(piece.text)


def _read_hand(piece: Piece) -> Hand:
    if not _HAND.fullmatch(piece.text):
        raise piece.error("record_hand")
    return tuple(sorted(map(int, piece.text)))


def _read_rest(piece: Piece) -> Hand:
    """A hand at the end of a game, possibly empty."""
    return () if piece.text == NONE else _read_hand(piece)


def _read_move(piece: Piece) -> Move:
    return placed(lambda: Move.parse(piece.text), piece)


def _part(pattern: re.Pattern[str], piece: Piece, code: str) -> Piece:
    """The text matched by the last group of a pattern; an error with this code if the pattern does not match."""
    match = pattern.fullmatch(piece.text)
    if match is None:
        raise piece.error(code)
    return piece.group(match, pattern.groups)


def _unescape(piece: Piece) -> str:
    try:
        return unescape(piece.text)
    except BadEscape as bad:
        raise piece.cut(bad.index, len(piece.text)).error("bad_escape") from None


def read_tag(piece: Piece) -> tuple[str, Piece]:
    """A tag's name, with the seat if it has one, and its value."""
    match = _TAG.fullmatch(piece.text)
    if match is None:
        raise piece.error("tag_form")
    start, end = match.span(2)
    value = Piece(piece.text[start:end], piece.line, piece.column + start)
    return " ".join(match[1].split()), Piece(_unescape(value), value.line, value.column)


def read_comment(piece: Piece) -> str:
    """A comment line, which begins with `#`."""
    return _unescape(piece.cut(1, len(piece.text)))


def read_turn_number(piece: Piece) -> int:
    """The number at the start of a turn."""
    match = _TURN.fullmatch(piece.text)
    if match is None:
        raise piece.error("turn_form")
    return _read_number(piece.group(match, 1))


def read_turn(piece: Piece, scoring: Scoring | None) -> RecordedTurn:
    """A turn; it must say `scores` or `claims` as the record's scoring demands."""
    match = _TURN.fullmatch(piece.text)
    if match is None:
        raise piece.error("turn_form")
    clauses = _without_stop(piece.group(match, 2)).split(",")
    timed_out = len(clauses) > 1 and _LATE.fullmatch(clauses[1].text) is not None
    if timed_out:
        del clauses[1]
    if len(clauses) != 4:
        raise piece.error("turn_form")
    holds, plays, scores, totals = clauses
    findings = Findings()
    with findings:
        seat, hand = _read_holds(holds)
    with findings:
        move = _read_move(_part(_PLAYS, plays, "turn_plays"))
    with findings:
        points = _read_points(scores, scoring)
    with findings:
        total = _read_number(_part(_TOTAL, totals, "turn_total"))
    findings.done()
    return RecordedTurn(seat, hand, move, points, total, timed_out, line=piece.line)


def _read_holds(piece: Piece) -> tuple[int, Hand]:
    match = _HOLDS.fullmatch(piece.text)
    if match is None:
        raise piece.error("turn_holds")
    return int(match[1]), _read_hand(piece.group(match, 2))


def _read_points(piece: Piece, scoring: Scoring | None) -> int:
    match = _POINTS.fullmatch(piece.text)
    if match is None:
        raise piece.error("turn_points")
    claimed = match[1].lower() == "claims"
    if scoring is not None and claimed != (scoring is Scoring.CLAIMS):
        raise piece.error("turn_claims" if claimed else "turn_scores")
    return _read_number(piece.group(match, 2))


def read_objection(piece: Piece) -> RecordedObjection:
    """An objection to the turn before."""
    inner = _without_stop(piece)
    match = _OBJECTS.fullmatch(inner.text)
    if match is None:
        raise piece.error("objection_form")
    total = _read_number(_part(_TOTAL, inner.group(match, 3), "turn_total"))
    return RecordedObjection(int(match[1]), match[2].lower() == "upheld", total, line=piece.line)


def read_annotation(piece: Piece) -> Annotation:
    """An annotation of the turn before."""
    inner = _without_stop(piece)
    match = _JUDGED.fullmatch(inner.text)
    if match is None:
        raise piece.error("annotation_form")
    if match[2] is None:
        return placed(lambda: Annotation(match[1], line=piece.line), piece)
    best, points = _read_move(inner.group(match, 2)), _read_number(inner.group(match, 3))
    tenths = None if match[4] is None else _read_number(inner.group(match, 4)) * 10 + int(match[5])
    return placed(lambda: Annotation(match[1], best, points, tenths, line=piece.line), piece)


def read_end(piece: Piece) -> End:
    """The line that says how the game ended."""
    inner = _without_stop(piece)
    match = _ENDED.fullmatch(inner.text)
    if match is None:
        raise piece.error("end_form")
    parts = inner.group(match, 2).split(";")
    scores = [_read_number(part) for part in _part(_SCORES, parts.pop(0), "end_scores").split(",")]
    hands = None
    if parts and _HANDS.fullmatch(parts[0].text):
        hands = tuple(_read_rest(part) for part in _part(_HANDS, parts.pop(0), "end_form").split(","))
    resigned = _seats(_RESIGNED, parts.pop(0)) if parts and _RESIGNED.fullmatch(parts[0].text) else ()
    winners = _seats(_WON, parts.pop(0)) if parts else ()
    if parts:
        raise parts[0].error("end_form")
    how = Ending(match[1].lower())
    return placed(lambda: End(how, tuple(scores), winners, resigned, hands, line=piece.line), piece)


def _seats(pattern: re.Pattern[str], piece: Piece) -> tuple[int, ...]:
    """The seats in a list such as `seats 0, 1 and 3`."""
    seats = _part(pattern, piece, "end_seats_form")
    return tuple(sorted(int(char) for char in seats.text if char.isdigit()))
