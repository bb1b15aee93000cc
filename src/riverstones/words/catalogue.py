"""Load the catalogues from their JSON files."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

_FILES = resources.files(__package__)
_SUFFIX = ".json"
_GRAMMAR = "grammar"
_REJECTED = "rejected"

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
def _file(language: str) -> dict[str, Any]:
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    found: dict[str, Any] = json.loads((_FILES / (language + _SUFFIX)).read_text(encoding="utf-8"))
    return found


def grammar(language: str) -> dict[str, Any]:
    """How a language forms lists, plurals and decimals. ValueError if there is no such language."""
    found: dict[str, Any] = _file(language)[_GRAMMAR]
    return found


def rejected(language: str) -> dict[str, str]:
    """The game's terms in a language, each with a pattern of the synonyms that no text may use."""
    found: dict[str, str] = _file(language)[_REJECTED]
    return found


@cache
def sections(language: str) -> dict[str, dict[str, Message]]:
    """The sections of a language's file, each with its messages by key. ValueError if there is no such language."""
    return {name: section for name, section in _file(language).items() if name not in (_GRAMMAR, _REJECTED)}


@cache
def messages(language: str) -> dict[str, Message]:
    """Every message of a language by its key."""
    return {key: message for section in sections(language).values() for key, message in section.items()}


def language_name(language: str) -> str:
    """The name of a language in that language."""
    return str(messages(language)["own_language"])
