"""The language of an answer, from the `Accept-Language` header."""

from __future__ import annotations

from riverstones.words import LANGUAGES

ENGLISH = "en"
MOST_LANGUAGES = 20
"""Entries of an Accept-Language header that are read; the rest is ignored."""


def language_of(accepted: str | None) -> str:
    """The available language with the highest quality in an `Accept-Language` header; English if there is none."""
    best, weight = ENGLISH, 0.0
    for entry in (accepted or "").split(",")[:MOST_LANGUAGES]:
        name, _, quality = entry.partition(";")
        language = name.strip().lower().partition("-")[0]
        wanted = _weight(quality)
        if language in LANGUAGES and wanted > weight:
            best, weight = language, wanted
    return best


def _weight(quality: str) -> float:
    """The number in `q=...`; 1 if it is missing, 0 if it is malformed."""
    name, _, value = quality.strip().partition("=")
    if not name:
        return 1.0
    digits = value.strip()
    good = name.strip().lower() == "q" and digits.isascii() and digits.replace(".", "", 1).isdigit()
    return float(digits) if good else 0.0
