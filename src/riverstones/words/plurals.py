"""Plural categories and lists, as Unicode's CLDR defines them for our languages.

Browsers have both built in (`Intl.PluralRules`, `Intl.ListFormat`); this module implements them for whole numbers.
Golden cases that the web app replays check that the two agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The plural rule and the conjunction of a language."""

    conjunction: str
    ones: tuple[int, ...] = (1,)
    """The numbers of the category `one`."""
    many: bool = False
    """Whether whole millions have a category of their own: "un millón de puntos"."""


_GRAMMARS = {
    "en": _Grammar("and"),
    "es": _Grammar("y", many=True),
    "fr": _Grammar("et", ones=(0, 1), many=True),
    "it": _Grammar("e", many=True),
    "nl": _Grammar("en"),
}

CATEGORIES = {
    language: ("one", "many", "other") if grammar.many else ("one", "other") for language, grammar in _GRAMMARS.items()
}
"""The plural categories of each language. A message without one of them uses `other`."""

_SPANISH_E = re.compile(r"i|hi(?![ae])", re.IGNORECASE)
"""Before the sound of an i, Spanish "y" becomes "e": "Ana e Iris", but "agua y hielo"."""


def plural_category(count: int, language: str) -> str:
    """The CLDR category of a whole number."""
    grammar = _GRAMMARS[language]
    if abs(count) in grammar.ones:
        return "one"
    return "many" if grammar.many and count and count % 1_000_000 == 0 else "other"


def join(items: Sequence[str], language: str) -> str:
    """A list as part of a sentence, as `Intl.ListFormat` writes it: "a1 and b2"; "a1, b2, and c3" in English."""
    if len(items) < 2:
        return "".join(items)
    *rest, last = items
    conjunction = "e" if language == "es" and _SPANISH_E.match(last) else _GRAMMARS[language].conjunction
    comma = "," if language == "en" and len(rest) > 1 else ""
    return f"{', '.join(rest)}{comma} {conjunction} {last}"
