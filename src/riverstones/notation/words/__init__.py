"""The sentences, one file a language.

The rules and the notation say what is wrong as a code with parameters. Here each code has its sentence in every
language. To add a language, add its file: `LANGUAGES` finds it, and a test tells what is missing from it.

The files have sections for the eye; the codes are unique across all of them. The entries of `faults` are clauses
without capital and full stop, since one sentence may have to name several of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from .catalogue import Catalogue, quotable

__all__ = ["LANGUAGES", "Catalogue", "language_name", "phrase", "quotable", "sections"]

_WORDS = Catalogue(__name__)

LANGUAGES: tuple[str, ...] = _WORDS.languages
"""The languages there are, as two-letter codes."""


def sections(language: str) -> dict[str, dict[str, str]]:
    """A language's file: its sections, each with a phrase for each code."""
    return _WORDS.sections(language)


def language_name(language: str) -> str:
    """What a language calls itself."""
    return _WORDS.phrases(language)["language"]


def phrase(code: str, params: Mapping[str, object], language: str = "en") -> str:
    """The phrase for a code with its parameters filled in; text that somebody wrote is kept short and printable."""
    return _WORDS.phrase(code, params, language)
