"""Format messages. A golden test checks that `web/src/words/fill.ts` gives the same results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from .catalogue import DEFAULT_LANGUAGE, Message, messages
from .plurals import join, plural_category

Value = object
"""A number, a string, a list of these, or anything with a `str` form, such as a square."""

_PARAMETER = re.compile(r"\{([a-z_]+)\}")
_LONGEST_QUOTE = 60


def phrase(key: str, params: Mapping[str, Value] | None = None, language: str = DEFAULT_LANGUAGE) -> str:
    """The message with its parameters filled in; in English if the language lacks it.

    KeyError if there is no such message, or a parameter is missing.

    A list is joined as the language requires: "a1, b2, and c3". User-supplied text is shortened and made printable; a
    path is made printable but not shortened, since the reader has to find the file.
    """
    given = params or {}
    if key not in messages(language):
        language = DEFAULT_LANGUAGE
    message = messages(language)[key]
    if isinstance(message, dict):
        count = given[message["plural"]]
        if not isinstance(count, int):
            raise TypeError(f"{key} counts {message['plural']}, which is not a whole number: {count!r}")
        message = message.get(plural_category(count, language), message["other"])
    return _PARAMETER.sub(lambda found: _shown(given[found[1]], language), message)


def parameters(message: Message) -> set[str]:
    """The names of a message's parameters."""
    if isinstance(message, str):
        return set(_PARAMETER.findall(message))
    forms = (text for form, text in message.items() if form != "plural")
    return {message["plural"]}.union(*(_PARAMETER.findall(text) for text in forms))


def quotable(text: str) -> str:
    """A text made fit for a sentence: one line, printable, and not too long."""
    return printable(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…")


def printable(text: str) -> str:
    """The text as one line, with a replacement for every character that cannot be shown."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _shown(value: Value, language: str) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return join([quotable(str(each)) for each in value], language)
    if isinstance(value, PurePath):
        return printable(str(value))
    return str(value) if isinstance(value, int) else quotable(str(value))
