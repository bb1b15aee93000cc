"""A catalogue of phrases: a folder of a package with one JSON file a language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from pathlib import PurePath

_SUFFIX = ".json"
_LONGEST_QUOTE = 60


class Catalogue:
    """The phrases in the JSON files of one package: sections for the eye, and codes that are unique across them."""

    def __init__(self, package: str) -> None:
        self._files = resources.files(package)
        self._sections: dict[str, dict[str, dict[str, str]]] = {}
        self._phrases: dict[str, dict[str, str]] = {}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that have a file, as two-letter codes."""
        names = (file.name for file in self._files.iterdir())
        return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))

    def sections(self, language: str) -> dict[str, dict[str, str]]:
        """A language's file: its sections, each with a phrase for each code."""
        if language not in self._sections:
            if language not in self.languages:
                raise ValueError(f"no language {language!r}; there are {', '.join(self.languages)}")
            text = (self._files / (language + _SUFFIX)).read_text(encoding="utf-8")
            self._sections[language] = json.loads(text)
        return self._sections[language]

    def phrases(self, language: str) -> dict[str, str]:
        """Every phrase of a language by its code, with the places for its parameters still open."""
        if language not in self._phrases:
            sections = self.sections(language).values()
            self._phrases[language] = {code: text for section in sections for code, text in section.items()}
        return self._phrases[language]

    def phrase(self, code: str, params: Mapping[str, object], language: str) -> str:
        """The phrase for a code with its parameters filled in; text that somebody wrote is kept short and printable.

        A path is printable but whole: the reader has to find the file.
        """
        shown = {name: value if isinstance(value, int) else _shown(value) for name, value in params.items()}
        return self.phrases(language)[code].format_map(shown)


def _shown(value: object) -> str:
    return printable(str(value)) if isinstance(value, PurePath) else quotable(str(value))


def quotable(text: str) -> str:
    """A text as it can stand in a sentence: on one line, printable, and not too long."""
    return printable(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…")


def printable(text: str) -> str:
    """A text on one line, with a mark for every character that cannot be shown."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
