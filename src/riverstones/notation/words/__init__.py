"""The sentences, one file a language.

The rules and the notation say what is wrong as a code with parameters. Here each code has its sentence in every
language. To add a language, add its file: `LANGUAGES` finds it, and a test tells what is missing from it.

The files have sections for the eye; the codes are unique across all of them. The entries of `faults` are clauses
without capital and full stop, since one sentence may have to name several of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

_SUFFIX = ".json"
_FILES = resources.files(__name__)
_LONGEST_QUOTE = 60

LANGUAGES: tuple[str, ...] = tuple(
    sorted(file.name.removesuffix(_SUFFIX) for file in _FILES.iterdir() if file.name.endswith(_SUFFIX))
)
"""The languages there are, as two-letter codes."""


@cache
def sections(language: str) -> dict[str, dict[str, str]]:
    """A language's file: its sections, each with a phrase for each code."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    loaded: dict[str, dict[str, str]] = json.loads((_FILES / (language + _SUFFIX)).read_text(encoding="utf-8"))
    return loaded


@cache
def _phrases(language: str) -> dict[str, str]:
    return {code: phrase for section in sections(language).values() for code, phrase in section.items()}


def language_name(language: str) -> str:
    """What a language calls itself."""
    return _phrases(language)["language"]


def phrase(code: str, params: Mapping[str, object], language: str = "en") -> str:
    """The phrase for a code with its parameters filled in; text that somebody wrote is kept short and printable."""
    shown = {name: value if isinstance(value, int) else quotable(str(value)) for name, value in params.items()}
    return _phrases(language)[code].format_map(shown)


def quotable(text: str) -> str:
    """A text as it can stand in a sentence: on one line, printable, and not too long."""
    short = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
