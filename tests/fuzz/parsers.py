"""Atheris on the parsers: whatever the bytes, a text is refused with a reason, or read and written back unchanged.

Run as `python -m tests.fuzz.parsers -runs=20000 -seed=1 CORPUS`; without `-runs` it goes on for ever.
"""

import sys

import atheris  # type: ignore[import-untyped]  # it has no types

with atheris.instrument_imports(include=["riverstones.notation", "riverstones.rules"]):
    from riverstones.notation import NotationError, format_position, parse_position, read_record, write_record
    from riverstones.rules import Board, Malformed, Move

LONGEST_TEXT = 4096


def fuzz_position(text: str) -> None:
    """A position is read and written back, or refused."""
    try:
        position = parse_position(text)
    except NotationError:
        return
    assert parse_position(format_position(position)) == position


def fuzz_move(text: str) -> None:
    """A move is read and written back, or refused."""
    try:
        move = Move.parse(text)
    except Malformed:
        return
    assert Move.parse(str(move)) == move


def fuzz_board(text: str) -> None:
    """A board is read and written back, or refused."""
    try:
        board = Board.parse(text)
    except Malformed:
        return
    assert Board.parse(str(board)) == board


def fuzz_record(text: str) -> None:
    """A record is read and written back, or refused."""
    try:
        record = read_record(text)
    except NotationError:
        return
    assert read_record(write_record(record)) == record


TARGETS = (fuzz_position, fuzz_move, fuzz_board, fuzz_record)


def test_one_input(data: bytes) -> None:
    """The first byte chooses the parser, the rest is its text."""
    if data:
        TARGETS[data[0] % len(TARGETS)](data[1 : 1 + LONGEST_TEXT].decode(errors="surrogateescape"))


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
