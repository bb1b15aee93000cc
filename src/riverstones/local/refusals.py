"""Every error that a page may cause, as a server would answer it: a code, its parameters and a sentence."""

from __future__ import annotations

from riverstones.study import refusals
from riverstones.study.refusals import StudyRefused, refused_to_json
from riverstones.table import wire
from riverstones.table.refusals import Refusal, error_info
from riverstones.words import DEFAULT_LANGUAGE, phrase

from .reading import Unreadable

REFUSALS = (Unreadable, *refusals.REFUSALS)
"""The exceptions that are answered as refusals; any other is a fault of the program."""


def refused(error: Unreadable | StudyRefused | Refusal, language: str = DEFAULT_LANGUAGE) -> wire.ErrorInfo:
    """A refusal as it is sent, with its sentence in this language."""
    if isinstance(error, Unreadable):
        where = {"where": str(error)[:80]}
        return error_info("bad_message", where, phrase("refusal_bad_message", where, language))
    return refused_to_json(error, language)
