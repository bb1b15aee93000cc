"""Plural categories and lists, as Unicode's CLDR defines them for our languages.

Browsers have both built in (`Intl.PluralRules`, `Intl.ListFormat`); here they are written down for whole numbers. The
golden cases that the web app replays hold the two equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence


def _one(count: int) -> str:
    return "one" if abs(count) == 1 else "other"


def _romance(highest_one: int) -> Callable[[int], str]:
    """Whole millions have a category of their own: "un millón de puntos"."""

    def category(count: int) -> str:
        if abs(count) in (1, highest_one):
            return "one"
        return "many" if count and count % 1_000_000 == 0 else "other"

    return category


_PLURALS: dict[str, Callable[[int], str]] = {
    "en": _one,
    "es": _romance(1),
    "fr": _romance(0),
    "it": _romance(1),
    "nl": _one,
}

CATEGORIES = {
    "en": ("one", "other"),
    "es": ("one", "many", "other"),
    "fr": ("one", "many", "other"),
    "it": ("one", "many", "other"),
    "nl": ("one", "other"),
}
"""The plural categories of each language. A message without one of them uses `other`."""

_AND = {"en": "and", "es": "y", "fr": "et", "it": "e", "nl": "en"}
_SPANISH_E = re.compile(r"i|hi(?![ae])", re.IGNORECASE)
"""Before the sound of an i, Spanish "y" becomes "e": "Ana e Iris", but "agua y hielo"."""


def plural_category(count: int, language: str) -> str:
    """The CLDR category of a whole number."""
    return _PLURALS[language](count)


def join(items: Sequence[str], language: str) -> str:
    """A list as part of a sentence, as `Intl.ListFormat` writes it: "a1 and b2"; "a1, b2, and c3" in English."""
    if len(items) < 2:
        return "".join(items)
    *rest, last = items
    word = "e" if language == "es" and _SPANISH_E.match(last) else _AND[language]
    comma = "," if language == "en" and len(rest) > 1 else ""
    return f"{', '.join(rest)}{comma} {word} {last}"
