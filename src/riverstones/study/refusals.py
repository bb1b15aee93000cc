"""Refusals of study as data: a code with parameters, which the catalogues turn into a sentence."""

from __future__ import annotations

from enum import StrEnum

from riverstones.table import refusals, wire
from riverstones.table.refusals import Refusal, error_info, refusal_to_json
from riverstones.words import DEFAULT_LANGUAGE, phrase


class StudyRefusal(StrEnum):
    """Every reason to refuse a record, a review or an analysis, besides those of the notation."""

    RECORD_NOT_YET = "record_not_yet"
    REVIEWS_NOT_OFFERED = "reviews_not_offered"
    POSITION_IN_PLAY = "position_in_play"
    HAND_NOT_KNOWN = "hand_not_known"


class StudyRefused(ValueError):
    """A record, a review or an analysis that is refused."""

    def __init__(self, code: StudyRefusal) -> None:
        self.code = code
        super().__init__(str(code))


REFUSALS = (StudyRefused, *refusals.REFUSALS)
"""The refusals of study, of the table, the rules and the notation."""


def refused_to_json(error: StudyRefused | Refusal, language: str = DEFAULT_LANGUAGE) -> wire.ErrorInfo:
    """A refusal as it is sent, with its sentence in this language."""
    if isinstance(error, StudyRefused):
        return error_info(str(error.code), {}, phrase(f"refusal_{error.code}", {}, language))
    return refusal_to_json(error, language)
