"""`riverstones plays`: every legal play of a position, or of each position in a stream."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

from riverstones.notation import NotationError, parse_position
from riverstones.notation.json_forms import play_to_json
from riverstones.notation.position import LONGEST
from riverstones.rules import Play

from .complaint import Complaint
from .output import arithmetic, is_terminal, print_json
from .words import DEFAULT, Words, words_for

STREAM = "-"
LONGEST_BYTES = 4 * LONGEST + 4
"""Lines are cut after this many bytes: longer ones cannot be a position anyway."""


def list_plays(position: str, json: bool, limit: int | None, language: str | None) -> None:
    """List the plays of one position or, with `-`, of each line of standard input."""
    # JSON is read by programs, so its language does not depend on the locale.
    words = words_for(language or (DEFAULT if json else None))
    if position != STREAM:
        _answer(_plays_of(position, words)[:limit], json, words)
        return
    for line in bounded_lines(sys.stdin.buffer, LONGEST_BYTES):
        try:
            _answer(_plays_of(line, words)[:limit], json, words)
            if not json:
                print(flush=True)
        except Complaint as complaint:
            if json:
                print_json({"error": str(complaint)})
            else:
                print(complaint, file=sys.stderr, flush=True)


def bounded_lines(stream: BinaryIO, longest: int) -> Iterator[str]:
    """The lines of a stream as they arrive, each cut after `longest` bytes, so that no input can exhaust memory."""
    while line := stream.readline(longest):
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(1 << 16)):
            pass
        yield line.decode("utf-8", errors="replace")


def _plays_of(text: str, words: Words) -> list[Play]:
    try:
        position = parse_position(text)
    except NotationError as error:
        raise Complaint(words.say(error)) from None
    if position.hand is None:
        raise Complaint(words("hand_unknown"))
    return position.plays()


def _answer(plays: list[Play], json: bool, words: Words) -> None:
    if json:
        print_json({"plays": [play_to_json(play) for play in plays]})
    elif not plays:
        print(words("no_plays"), flush=True)
    elif is_terminal():
        _draw_table(plays, words)
    else:
        _print_columns(plays)


def _print_columns(plays: list[Play]) -> None:
    width = max(len(str(play.move)) for play in plays)
    lines = (
        f"{play.move!s:{width}}  {play.points:3}  {'; '.join(map(arithmetic, play.kakuros))}".rstrip() for play in plays
    )
    print("\n".join(lines), flush=True)


def _draw_table(plays: list[Play], words: Words) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(words("column_move"), style="bold", no_wrap=True)
    table.add_column(words("column_points"), justify="right")
    table.add_column(words("column_kakuros"))
    for play in plays:
        table.add_row(str(play.move), str(play.points), "\n".join(map(arithmetic, play.kakuros)))
    Console(markup=False, highlight=False).print(table)
