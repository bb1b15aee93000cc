"""Options and choices that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

# Repeated from the rules, and checked by a test: importing the rules would double the time of `--help`.
Variants = Literal["standard", "expert"]
Layouts = Literal["sides", "corners", "star", "edges"]
Scorings = Literal["automatic", "claims"]

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
