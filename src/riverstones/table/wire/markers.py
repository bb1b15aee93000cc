"""What the schema of a field says beyond its Python type.

This layer has only the standard library, so a constraint is plain data here, in `Annotated`; whoever validates messages
reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Plain:
    """JSON values that stand for something typed: a member of an enum, one of a tuple, the fields of a dataclass."""

    of: type[Any] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a number or a text; None where there is no limit."""

    at_least: int | None = None
    at_most: int | None = None
    longest: int | None = None
    pattern: str | None = None
