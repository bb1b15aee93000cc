"""Choices that several commands offer."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

# The same choices as the rules' own; a test holds them equal. Importing the rules would double the time of `--help`.
Variants = Literal["standard", "expert"]
Layouts = Literal["sides", "corners", "star", "edges"]
Scorings = Literal["automatic", "claims"]

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
