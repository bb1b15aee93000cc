"""Formatting of messages: parameters, plurals, lists, and user-supplied text."""

from pathlib import Path

import pytest

from riverstones.words import LANGUAGES, join, messages, phrase, plural_category


@pytest.mark.parametrize(
    ("language", "one", "five"),
    [
        ("en", "1 point", "5 points"),
        ("es", "1 punto", "5 puntos"),
        ("fr", "1 point", "5 points"),
        ("it", "1 punto", "5 punti"),
        ("nl", "1 punt", "5 punten"),
    ],
)
def test_a_plural_follows_its_count(language: str, one: str, five: str) -> None:
    assert phrase("points", {"count": 1}, language) == one
    assert phrase("points", {"count": 5}, language) == five


def test_french_counts_nothing_in_the_singular() -> None:
    assert phrase("points", {"count": 0}, "fr") == "0 point"
    assert phrase("points", {"count": 0}, "it") == "0 punti"


def test_a_category_that_a_message_lacks_is_other() -> None:
    assert plural_category(2_000_000, "es") == "many"
    assert phrase("points", {"count": 2_000_000}, "es") == "2000000 puntos"


@pytest.mark.parametrize(
    ("language", "two", "three"),
    [
        ("en", "Ann and Bo", "Ann, Bo, and Inés"),
        ("es", "Ann y Bo", "Ann, Bo e Inés"),
        ("fr", "Ann et Bo", "Ann, Bo et Inés"),
        ("it", "Ann e Bo", "Ann, Bo e Inés"),
        ("nl", "Ann en Bo", "Ann, Bo en Inés"),
    ],
)
def test_a_list_is_joined_as_the_language_does(language: str, two: str, three: str) -> None:
    assert join([], language) == ""
    assert join(["Ann"], language) == "Ann"
    assert join(["Ann", "Bo"], language) == two
    assert phrase("shared_win", {"names": ["Ann", "Bo", "Inés"]}, language).startswith(three)


def test_a_message_that_a_language_lacks_is_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its plural and its lists are English as well: French would say "0 point" and "Bo et Inés"."""
    monkeypatch.delitem(messages("fr"), "points")
    monkeypatch.delitem(messages("fr"), "shared_win")
    assert phrase("points", {"count": 0}, "fr") == "0 points"
    assert phrase("shared_win", {"names": ["Ann", "Bo", "Inés"]}, "fr").startswith("Ann, Bo, and Inés")
    with pytest.raises(KeyError):
        phrase("no_such_message", {}, "fr")


@pytest.mark.parametrize(
    ("last", "word"), [("Iván", "e"), ("Hilda", "e"), ("hielo", "y"), ("hiato", "y"), ("Yago", "y"), ("i9", "e")]
)
def test_spanish_avoids_two_sounds_of_i_in_a_row(last: str, word: str) -> None:
    assert join(["Ana", last], "es") == f"Ana {word} {last}"


def test_user_text_is_short_printable_and_literal() -> None:
    assert phrase("sat_down", {"name": "{name}\n"}) == "{name}\N{REPLACEMENT CHARACTER} has joined."
    assert len(phrase("sat_down", {"name": "x" * 1000})) < 100
    assert len(phrase("shared_win", {"names": ["x" * 1000, "y"]})) < 100


def test_a_path_stays_whole_and_printable() -> None:
    path = Path("x" * 200, "\x1b.river")
    assert "x" * 200 + "/\N{REPLACEMENT CHARACTER}.river" in phrase("database_in_use", {"file": path, "process": 7})


def test_a_parameter_that_is_missing_or_of_the_wrong_kind_is_an_error() -> None:
    with pytest.raises(KeyError, match="name"):
        phrase("sat_down")
    with pytest.raises(TypeError, match="count"):
        phrase("points", {"count": "many"})


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(ValueError, match=f"no language 'tlh'; there are {', '.join(LANGUAGES)}"):
        messages("tlh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_backslash_escape_of_the_notation_is_not_a_parameter(language: str) -> None:
    assert r"\u{A0}" in phrase("problem_bad_escape", {}, language)
