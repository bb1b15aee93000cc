"""Plural categories, lists and the decimal mark, as Unicode's CLDR defines them for our languages.

Browsers have these built in (`Intl.PluralRules`, `Intl.ListFormat`); plural categories here are those of whole
numbers. Golden cases that the web app replays check that categories and lists agree.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from .catalogue import grammar


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The part `grammar` of a language's file."""

    conjunction: str
    conjunction_before: Mapping[str, str] = field(default_factory=dict)
    """Other conjunctions by a pattern of the words they precede: Spanish "Ana e Iris", but "agua y hielo"."""
    comma_before_conjunction: bool = False
    """Whether lists of three or more have a comma there: "a1, b2, and c3"."""
    singular: Collection[int] = (1,)
    """The numbers of the category `one`."""
    millions: bool = False
    """Whether whole millions have a category of their own: "un millón de puntos"."""
    decimal_mark: str = ","


@cache
def _grammar(language: str) -> _Grammar:
    """The grammar of a language. ValueError if there is no such language."""
    return _Grammar(**grammar(language))


def plural_categories(language: str) -> tuple[str, ...]:
    """The plural categories of a language. A message without one of them uses `other`."""
    return ("one", "many", "other") if _grammar(language).millions else ("one", "other")


def decimal_mark(language: str) -> str:
    """The character before the decimals of a number."""
    return _grammar(language).decimal_mark


def plural_category(count: int, language: str) -> str:
    """The CLDR category of a whole number."""
    rule = _grammar(language)
    if abs(count) in rule.singular:
        return "one"
    return "many" if rule.millions and count and count % 1_000_000 == 0 else "other"


def join(items: Sequence[str], language: str) -> str:
    """A list as part of a sentence, as `Intl.ListFormat` writes it: "a1 and b2"; "a1, b2, and c3" in English."""
    if len(items) < 2:
        return "".join(items)
    *rest, last = items
    rule = _grammar(language)
    conjunction = next(
        (word for start, word in rule.conjunction_before.items() if re.match(start, last, re.IGNORECASE)),
        rule.conjunction,
    )
    comma = "," if rule.comma_before_conjunction and len(rest) > 1 else ""
    return f"{', '.join(rest)}{comma} {conjunction} {last}"
