"""Plural categories, lists and the decimal mark, as Unicode's CLDR defines them for our languages.

Browsers have these built in (`Intl.PluralRules`, `Intl.ListFormat`); plural categories here are those of whole
numbers. Golden cases that the web app replays check that categories and lists agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The plural rule, the conjunction and the decimal mark of a language."""

    conjunction: str
    ones: tuple[int, ...] = (1,)
    """The numbers of the category `one`."""
    many: bool = False
    """Whether whole millions have a category of their own: "un millón de puntos"."""
    decimal_mark: str = ","


_GRAMMARS = {
    "en": _Grammar("and", decimal_mark="."),
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


def _grammar(language: str) -> _Grammar:
    """The grammar of a language; ValueError if it has none yet."""
    if language not in _GRAMMARS:
        raise ValueError(f"no grammar for {language!r}: add its line to _GRAMMARS in words/plurals.py")
    return _GRAMMARS[language]


def decimal_mark(language: str) -> str:
    """The character before the decimals of a number."""
    return _grammar(language).decimal_mark


def plural_category(count: int, language: str) -> str:
    """The CLDR category of a whole number."""
    grammar = _grammar(language)
    if abs(count) in grammar.ones:
        return "one"
    return "many" if grammar.many and count and count % 1_000_000 == 0 else "other"


def join(items: Sequence[str], language: str) -> str:
    """A list as part of a sentence, as `Intl.ListFormat` writes it: "a1 and b2"; "a1, b2, and c3" in English."""
    if len(items) < 2:
        return "".join(items)
    *rest, last = items
    conjunction = "e" if language == "es" and _SPANISH_E.match(last) else _grammar(language).conjunction
    comma = "," if language == "en" and len(rest) > 1 else ""
    return f"{', '.join(rest)}{comma} {conjunction} {last}"
