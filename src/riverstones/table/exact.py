"""Number and truth value of messages, for which validators accept nothing else: `true` and `"1"` are not numbers."""

from __future__ import annotations

from typing import Annotated, Any


class Exact:
    """Marks a type for Pydantic, which would otherwise convert strings and booleans. The library itself ignores it."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """The schema of the type, in strict mode."""
        return {**handler(source), "strict": True}


Integer = Annotated[int, Exact()]
"""An integer, written without a decimal point."""

Truth = Annotated[bool, Exact()]
"""`true` or `false`."""
