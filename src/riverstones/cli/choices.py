"""Options and choices that several commands share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from riverstones.words import DEFAULT_LANGUAGE, LANGUAGES, messages

# The layers that define these choices are not imported: that would double the time of `--help`. Tests compare them.
Variants = Literal["standard", "expert"]
Scorings = Literal["automatic", "claims"]

Kinds = Literal[
    "most_points", "flip", "two_kakuros", "three_kakuros", "look_further", "win", "spot_the_error"
]  # fmt: skip
HARDEST_GRADE = 10


def _with_a_message(pattern: str) -> tuple[str, ...]:
    """The names in the keys of messages that match, in the order of the catalogue."""
    found = (re.fullmatch(pattern, key) for key in messages(DEFAULT_LANGUAGE))
    return tuple(match[1] for match in found if match)


LEVELS = _with_a_message("level_([a-z]+)_about")
LAYOUTS = _with_a_message("layout_([a-z]+)")
if TYPE_CHECKING:
    Layouts = str
else:
    Layouts = Literal[LAYOUTS]

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
