"""Load the catalogues from their JSON files."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

_FILES = resources.files(__package__)
_SUFFIX = ".json"

Message = str | dict[str, str]
"""A text with placeholders for parameters, `{name}`; or one text per plural category, with the parameter that decides:
`{"plural": "count", "one": "{count} tile", "other": "{count} tiles"}`."""

DEFAULT_LANGUAGE = "en"
"""The fallback if no available language was requested."""

LANGUAGES: tuple[str, ...] = tuple(
    sorted(file.name.removesuffix(_SUFFIX) for file in _FILES.iterdir() if file.name.endswith(_SUFFIX))
)
"""The languages that have a file, as two-letter codes."""


@cache
def sections(language: str) -> dict[str, dict[str, Message]]:
    """The sections of a language's file, each with its messages by key. ValueError if there is no such language."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    found: dict[str, dict[str, Message]] = json.loads((_FILES / (language + _SUFFIX)).read_text(encoding="utf-8"))
    return found


@cache
def messages(language: str) -> dict[str, Message]:
    """Every message of a language by its key."""
    return {key: message for section in sections(language).values() for key, message in section.items()}


def language_name(language: str) -> str:
    """The name of a language in that language."""
    return str(messages(language)["own_language"])
