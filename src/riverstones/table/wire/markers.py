"""What the schema of a field says beyond its Python type.

This layer uses only the standard library, so a constraint is plain data in `Annotated`, and the validator of the
messages reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Plain:
    """Plain JSON for a typed value: a member of an enum, an item of a tuple, the fields of a dataclass."""

    of: type[Any] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a number, or of the length of a text; None for no bound."""

    at_least: int | None = None
    at_most: int | None = None
    longest: int | None = None
    pattern: str | None = None
