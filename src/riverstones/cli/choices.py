"""Options and choices that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

# Repeated from the rules and the engine, and checked by tests: importing those would double the time of `--help`.
Variants = Literal["standard", "expert"]
Layouts = Literal["sides", "corners", "star", "edges"]
Scorings = Literal["automatic", "claims"]

LEVELS = ("drop", "pebble", "spring", "brook", "stream", "river", "rapids", "ocean")

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
