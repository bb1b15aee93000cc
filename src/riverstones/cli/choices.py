"""Options and choices that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from riverstones.words import LANGUAGES

# Repeated from other layers, and checked by tests: importing those would double the time of `--help`.
Variants = Literal["standard", "expert"]
Layouts = Literal["sides", "corners", "star", "edges"]
Scorings = Literal["automatic", "claims"]

Kinds = Literal[
    "most_points", "flip", "two_kakuros", "three_kakuros", "look_further", "win", "spot_the_error"
]  # fmt: skip
HARDEST_GRADE = 10

LEVELS = ("drop", "pebble", "spring", "brook", "stream", "river", "rapids", "ocean")

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _languages() -> list[str]:
    return list(LANGUAGES)


Language = Annotated[
    str | None,
    typer.Option(
        help=f"Language: {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]} (default: from your locale).",
        metavar="CODE",
        autocompletion=_languages,
        show_default=False,
    ),
]
