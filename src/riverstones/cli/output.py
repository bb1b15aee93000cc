"""What several commands write alike."""

from __future__ import annotations

import json
import sys

from riverstones.rules import Series


def print_json(answer: object) -> None:
    """Print one line of JSON and hand it over at once, so that a program at the other end can go on."""
    print(json.dumps(answer, ensure_ascii=False), flush=True)


def arithmetic(kakuro: Series) -> str:
    """A Kakuro the way a person would write it: `3 | 9 + 4 = 13`."""
    return f"{kakuro} = {kakuro.sum}"


def is_for_people() -> bool:
    """Whether the output goes to a terminal, where it may be drawn, and not into a pipe or a file."""
    return sys.stdout.isatty()
