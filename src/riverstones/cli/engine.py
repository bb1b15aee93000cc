"""`riverstones engine`: the engine line protocol on standard input and output."""

from __future__ import annotations

import sys

from riverstones.engine import bots
from riverstones.engine.protocol import Session

from .complaint import Complaint
from .loading import load
from .output import print_json
from .plays import bounded_lines

LONGEST_BYTES = 1 << 16


def serve(level: str | None, seed: int) -> None:
    """Answer requests line by line until `quit` or the end of the input."""
    level = level or bots.offered()[-1]
    try:
        session = Session(level, seed)
    except bots.UnknownBot as error:
        raise Complaint(str(error)) from None
    load([level])
    for line in bounded_lines(sys.stdin.buffer, LONGEST_BYTES):
        for answer in session.answer(line):
            print_json(answer)
        if session.over:
            return
