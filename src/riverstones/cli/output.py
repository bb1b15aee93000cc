"""Output helpers that several commands share."""

from __future__ import annotations

import json
import sys

from riverstones.rules import Series


def print_json(answer: object) -> None:
    """Print one line of JSON and flush it, so that a program that reads it can continue."""
    print(json.dumps(answer, ensure_ascii=False), flush=True)


def arithmetic(kakuro: Series) -> str:
    """A Kakuro as players write it: `3 | 9 + 4 = 13`."""
    return f"{kakuro} = {kakuro.sum}"


def is_terminal() -> bool:
    """Whether the output is a terminal rather than a pipe or a file."""
    return sys.stdout.isatty()
