"""Lists of names as each language writes them, with the output of `Intl.ListFormat` in the browser."""

from __future__ import annotations

import re
from collections.abc import Sequence

_AND = {"en": "and", "es": "y", "fr": "et", "it": "e", "nl": "en"}
_SOUNDS_LIKE_I = re.compile(r"i|hi(?![ae])", re.IGNORECASE)


def listed(names: Sequence[str], language: str) -> str:
    """The names as one list: "Ann and Bob", "Ann, Bob, and Cid"."""
    if len(names) < 2:
        return "".join(names)
    conjunction = _AND[language]
    if language == "es" and _SOUNDS_LIKE_I.match(names[-1]):
        conjunction = "e"
    serial_comma = "," if language == "en" and len(names) > 2 else ""
    return f"{', '.join(names[:-1])}{serial_comma} {conjunction} {names[-1]}"
