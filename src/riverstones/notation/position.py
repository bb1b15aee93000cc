"""Positions as one line of six fields: `BOARD TURN HANDS SCORES BAG VARIANT`.

The same form serves full knowledge and the view of a seat, where `?` stands for a tile that the seat cannot see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from riverstones.rules import Board, Fault, FaultFound, Held, Malformed, Position, Variant

from .errors import NotationError, Problem

LONGEST = 500
"""Longer than any position; texts beyond this are rejected unread."""

NONE = "-"
UNKNOWN = "?"
_NUMBER = re.compile(r"0|[1-9][0-9]{0,5}")
_HAND = re.compile(r"-|[1-9?]+")
_FIELDS = 6


def format_position(position: Position) -> str:
    """Format a position as one line."""
    return " ".join(
        (
            str(position.board),
            str(position.to_move),
            ",".join(map(format_hand, position.hands)),
            ",".join(map(str, position.scores)),
            str(position.bag),
            position.variant.value,
        )
    )


def format_hand(hand: Held) -> str:
    """Format a hand as far as it is known: `27`, `2?`, `??`, or `-` for an empty one."""
    return "".join(map(str, hand.known)) + UNKNOWN * hand.unknown or NONE


def parse_position(text: str) -> Position:
    """Read a position; raises `NotationError` if it is malformed or impossible.

    White space around the line is ignored; within it, one space separates two fields.
    """
    if len(text) > LONGEST:
        raise NotationError([Problem.of("position_too_long", most=LONGEST).at(LONGEST + 1)])
    first_column = len(text) - len(text.lstrip()) + 1
    fields = text.strip().split(" ")
    columns = list(_starts(fields, first_column))
    if "" in fields and len(fields) > 1:
        raise NotationError([Problem.of("position_spaces").at(columns[fields.index("")])])
    if len(fields) != _FIELDS:
        column = columns[_FIELDS] if len(fields) > _FIELDS else first_column + len(text.strip())
        raise NotationError([Problem.of("position_fields", count=len(text.split())).at(column)])
    board, turn, hands, scores, bag, variant = zip(fields, columns, strict=True)
    position = Position(
        read_board(*board),
        read_number("position_turn", *turn),
        tuple(read_hand(*hand) for hand in _items(*hands)),
        tuple(read_number("position_score", *score) for score in _items(*scores)),
        read_number("position_bag", *bag),
        read_variant(*variant),
    )
    if faults := position.faults():
        raise NotationError(_place(fault, columns, fields) for fault in faults)
    return position


def _starts(words: list[str], column: int) -> Iterator[int]:
    """The columns at which words begin that are separated by one character each."""
    for word in words:
        yield column
        column += len(word) + 1


def _items(field: str, column: int) -> Iterator[tuple[str, int]]:
    """The comma-separated parts of a field, each with its column."""
    items = field.split(",")
    return zip(items, _starts(items, column), strict=True)


def read_board(text: str, column: int = 1) -> Board:
    """The board in the first field."""
    try:
        return Board.parse(text)
    except Malformed as error:
        rows = text.split("/")
        row = error.params.get("row")
        if isinstance(row, int):
            column += sum(len(above) + 1 for above in rows[: row - 1])
            if error.code == "board_character":
                column += rows[row - 1].index(str(error.params["text"]))
        raise NotationError([Problem.of(error.code, **error.params).at(column)]) from None


def read_number(code: str, text: str, column: int = 1) -> int:
    """A number in a field; `code` is the problem to report if it is not one."""
    if not _NUMBER.fullmatch(text):
        raise NotationError([Problem.of(code, text=text).at(column)])
    return int(text)


def read_hand(text: str, column: int = 1) -> Held:
    """A hand, in which `?` is an unknown tile."""
    if not _HAND.fullmatch(text):
        raise NotationError([Problem.of("position_hand", text=text).at(column)])
    known = sorted(int(char) for char in text if char not in (NONE, UNKNOWN))
    return Held(tuple(known), text.count(UNKNOWN))


def read_variant(text: str, column: int = 1) -> Variant:
    """The variant in the last field."""
    try:
        return Variant(text)
    except ValueError:
        raise NotationError([Problem.of("position_variant", text=text).at(column)]) from None


def _place(found: FaultFound, columns: list[int], fields: list[str]) -> Problem:
    """A fault as a problem that points to the field it is in."""
    board, turn, hands, scores, bag, _ = columns
    params = dict(found.params)
    match found.fault:
        case Fault.SEATS:
            column = hands
        case Fault.SCORES:
            column = scores
        case Fault.TURN:
            column = turn
        case Fault.HAND_TOO_LARGE:
            column = list(_items(fields[2], hands))[params["seat"]][1]
        case Fault.TOO_MANY_OF_A_DIGIT:
            column = board
        case Fault.TILE_COUNT:
            column = bag
    return Problem.of(found.fault, **params).at(column)
