"""One word for one thing in each language, and correct punctuation."""

import re
from functools import cache
from pathlib import Path

import pytest

from riverstones.words import LANGUAGES, messages, rejected

ROOT = Path(__file__).parents[2]

NAMES = re.compile(r"(verb_\w+|level_[a-z]+|own_language)")
"""Texts that are proper names, or synonyms that a command accepts."""

FRENCH_BREAK = re.compile(r"\w [:;»]|« |[a-zà-ÿ] [!?](\s|$)")
"""A plain space where French needs a non-breaking one."""


@cache
def texts(language: str) -> dict[str, str]:
    """Every text of a language; each plural form is a text of its own."""
    found: dict[str, str] = {}
    for key, message in messages(language).items():
        if isinstance(message, str):
            found[key] = message
        else:
            found |= {f"{key}.{form}": text for form, text in message.items() if form != "plural"}
    return found


def losing_words(language: str, said: dict[str, str]) -> list[str]:
    """The uses of rejected words, with the word to use instead."""
    losing = {term: re.compile(pattern, re.IGNORECASE) for term, pattern in rejected(language).items()}
    return [
        f"{key}: “{match[0]}”, say “{term}”"
        for key, text in said.items()
        if not NAMES.fullmatch(key)
        for term, pattern in losing.items()
        if (match := pattern.search(text))
    ]


def test_every_language_has_its_column_in_the_glossary() -> None:
    table = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").partition("\n| English |")[2].partition("\n\n")[0]
    rows = f"| English |{table}".splitlines()
    assert len(rows) > 2
    lacking = [row for row in rows if row.count("|") != len(LANGUAGES) + 1 or re.search(r"\|\s*\|", row)]
    assert not lacking, f"give each language its column in docs/glossary.md: {lacking[0]}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word(language: str) -> None:
    found = losing_words(language, texts(language))
    assert not found, "\n".join(found)


def test_rejected_words_are_found_in_texts_and_plurals_but_not_in_names() -> None:
    said = {"points.one": "Turn it over.", "verb_flip": "turn it over"}
    assert losing_words("en", said) == ["points.one: “Turn it over”, say “flip”"]
    assert "points.one" in texts("en")


CLAIMING = {"en": "claim", "es": "declar", "fr": "annon", "it": "dichiar", "nl": "aangeven"}


@pytest.mark.parametrize("language", CLAIMING)
def test_the_scoring_by_claims_is_called_by_the_word_for_claiming(language: str) -> None:
    assert CLAIMING[language] in texts(language)["scoring_claims"].lower()


def test_french_keeps_its_punctuation_on_the_line() -> None:
    assert [key for key, text in texts("fr").items() if FRENCH_BREAK.search(text)] == []
    assert all(FRENCH_BREAK.search(text) for text in ("Ligne 5 : total", "« oui", "un mot »", "Gagné !"))
    assert not FRENCH_BREAK.search("Ligne 5\N{NO-BREAK SPACE}: total")


def test_spanish_opens_what_it_closes() -> None:
    assert [key for key, text in texts("es").items() if unopened(text)] == []
    assert unopened("Has ganado!")
    assert unopened("¡Bien! Seguimos?")
    assert not unopened("¡Gana {name}! ¿Seguimos? El signo es ?!.")


def unopened(text: str) -> bool:
    """Whether a question or an exclamation lacks its opening mark; a mark that stands alone is ignored."""
    return any(len(re.findall(rf"[\w}}][{last}]", text)) != text.count(first) for first, last in ("¡!", "¿?"))
