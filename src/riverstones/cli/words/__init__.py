"""The command line's own words, one file a language, beside those of `riverstones.notation`."""

from __future__ import annotations

import os
from collections.abc import Mapping

from riverstones.cli.complaint import Complaint
from riverstones.notation import Sayable, say
from riverstones.notation.words import Catalogue

CATALOGUE = Catalogue(__name__)
DEFAULT = "en"


class Words:
    """Everything that can be said in one language: `words("bag", count=12)`."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, code: str, **params: object) -> str:
        return CATALOGUE.phrase(code, params, self.language)

    def say(self, thing: Sayable) -> str:
        """Why something is refused, or what is wrong with it, in plain words."""
        return say(thing, self.language)


def words_for(language: str | None, environ: Mapping[str, str] = os.environ) -> Words:
    """The words of the language that was asked for, or else of the user's locale, or else English."""
    if language is None:
        return Words(_locale_language(environ))
    if language not in CATALOGUE.languages:
        known = ", ".join(CATALOGUE.languages)
        raise Complaint(Words(DEFAULT)("no_such_language", text=language, languages=known))
    return Words(language)


def _locale_language(environ: Mapping[str, str]) -> str:
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    language = locale.partition(".")[0].partition("_")[0].lower()
    return language if language in CATALOGUE.languages else DEFAULT
