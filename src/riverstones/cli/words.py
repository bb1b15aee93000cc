"""The command line's view of `riverstones.words`: the texts of the language that was asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping

from riverstones.cli.complaint import Complaint
from riverstones.notation import Sayable, say
from riverstones.words import DEFAULT_LANGUAGE, LANGUAGES, phrase

DEFAULT = DEFAULT_LANGUAGE


class Words:
    """Everything that can be said in one language: `words("bag", count=12)`."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, **params: object) -> str:
        return phrase(key, params, self.language)

    def say(self, thing: Sayable) -> str:
        """Why something is refused, or what is wrong with it, in plain words."""
        return say(thing, self.language)


def words_for(language: str | None, environ: Mapping[str, str] = os.environ) -> Words:
    """The words of the language that was asked for, or else of the user's locale, or else English."""
    if language is None:
        return Words(_locale_language(environ))
    if language not in LANGUAGES:
        raise Complaint(phrase("no_such_language", {"text": language, "languages": ", ".join(LANGUAGES)}))
    return Words(language)


def _locale_language(environ: Mapping[str, str]) -> str:
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    language = locale.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else DEFAULT
