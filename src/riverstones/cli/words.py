"""The command line's access to `riverstones.words` in the chosen language."""

from __future__ import annotations

import os
from collections.abc import Mapping

from riverstones.cli.complaint import Complaint
from riverstones.notation import Sayable, say
from riverstones.words import DEFAULT_LANGUAGE, LANGUAGES, phrase

DEFAULT = DEFAULT_LANGUAGE


class Words:
    """The texts of one language: `words("bag", count=12)`."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, **params: object) -> str:
        return phrase(key, params, self.language)

    def say(self, thing: Sayable) -> str:
        """A sentence that explains a refusal or a problem."""
        return say(thing, self.language)


def words_for(language: str | None, environ: Mapping[str, str] = os.environ) -> Words:
    """The texts of the given language, else of the user's locale, else English."""
    if language is None:
        return Words(_locale_language(environ))
    if language not in LANGUAGES:
        raise Complaint(phrase("no_such_language", {"text": language, "languages": ", ".join(LANGUAGES)}))
    return Words(language)


def _locale_language(environ: Mapping[str, str]) -> str:
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    language = locale.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else DEFAULT
