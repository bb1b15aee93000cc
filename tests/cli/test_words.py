"""The command line has its words in every language, and no word too many."""

import ast
import re
import string
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path

import pytest

from riverstones.cli.complaint import Complaint
from riverstones.cli.lists import listed
from riverstones.cli.terminal.commands import NAMED, Command, Verb, read_command, synonyms
from riverstones.cli.words import CATALOGUE, Words, words_for
from riverstones.engine.bots import LEVELS
from riverstones.notation import LANGUAGES
from riverstones.rules import Layout, Scoring, Variant

SOURCE = Path(__file__).parents[2] / "src" / "riverstones" / "cli"


def placeholders(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name is not None}


def texts_in_source() -> Iterator[str]:
    """Every text in the command line's source; the codes of phrases are among them."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def composed_codes() -> set[str]:
    """The codes that are put together from a kind and a choice."""
    choices = [
        *(f"variant_{variant.value}" for variant in Variant),
        *(f"short_{variant.value}" for variant in Variant),
        *(f"layout_{layout.value}" for layout in Layout),
        *(f"scoring_{scoring.value}" for scoring in Scoring),
        *(f"level_{level}" for level in LEVELS),
        *(f"about_{level}" for level in LEVELS),
        *(f"verb_{verb.value}" for verb in NAMED),
        *(
            f"help_{verb.value}"
            for verb in (Verb.NO, Verb.OBJECT, Verb.HINT, Verb.UNSEEN, Verb.MOVES, Verb.SAVE, Verb.QUIT)
        ),
    ]
    return set(choices)


def test_the_command_line_speaks_the_languages_of_the_rules() -> None:
    assert CATALOGUE.languages == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_lacks_a_phrase_or_has_one_too_many(language: str) -> None:
    mine, english = CATALOGUE.sections(language), CATALOGUE.sections("en")
    assert {name: list(section) for name, section in mine.items()} == {
        name: list(section) for name, section in english.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_speaks_of_the_same_things_as_in_english(language: str) -> None:
    for code, phrase in CATALOGUE.phrases(language).items():
        assert placeholders(phrase) == placeholders(CATALOGUE.phrases("en")[code]), code
        assert phrase == phrase.strip(), code


def test_every_phrase_is_used_and_every_code_has_a_phrase() -> None:
    codes = set(CATALOGUE.phrases("en"))
    assert composed_codes() <= codes
    assert codes - composed_codes() <= set(texts_in_source())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_means_two_commands(language: str) -> None:
    words = Words(language)
    for first, second in combinations(NAMED, 2):
        assert not set(synonyms(first, words)) & set(synonyms(second, words))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_means_two_bots(language: str) -> None:
    words = Words(language)
    for first, second in permutations(LEVELS, 2):
        assert words(f"level_{first}").casefold() not in (second, words(f"level_{second}").casefold())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_that_a_text_tells_to_type_are_understood(language: str) -> None:
    words = Words(language)
    for code, verb in (
        ("begins", Verb.HELP),
        ("how_to_move", Verb.HELP),
        ("may_object", Verb.OBJECT),
        ("who_objects", Verb.OBJECT),
        ("save_where", Verb.SAVE),
        ("help_save", Verb.SAVE),
        ("help_object", Verb.OBJECT),
        ("play_prompt", Verb.YES),
        ("leave_prompt", Verb.NO),
    ):
        said = re.findall(r"[^\W\d_]+", CATALOGUE.phrases(language)[code].lower())
        assert set(said) & set(synonyms(verb, words)), code


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", Command(Verb.YES)),
        ("  YES ", Command(Verb.YES)),
        ("s", Command(Verb.YES)),
        ("salva  la mia.river", Command(Verb.SAVE, "la mia.river")),
        ("12", Command(Verb.NUMBER, "12")),
        ("١٢", Command(Verb.MOVE, "١٢")),
        ("H3 + 7 E3 ~ D3", Command(Verb.MOVE, "h3+7~e3~d3")),
        ("h3+7 e", Command(Verb.MOVE, "h3+7 e")),
    ],
)
def test_a_line_is_understood_as_it_was_meant(line: str, command: Command) -> None:
    assert read_command(line, Words("it")) == command


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "nl_BE"}, "nl"),
        ({"LANG": "es", "LC_MESSAGES": "C.UTF-8"}, "en"),
        ({"LANG": "it_CH@euro"}, "it"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environ: dict[str, str], language: str) -> None:
    assert words_for(None, environ).language == language
    assert words_for("es", environ).language == "es"


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(Complaint, match="no translation for “tlh”"):
        words_for("tlh")


@pytest.mark.parametrize(
    ("language", "two", "three"),
    [
        ("en", "Ann and Bob", "Ann, Bob, and Inés"),
        ("es", "Ann y Bob", "Ann, Bob e Inés"),
        ("fr", "Ann et Bob", "Ann, Bob et Inés"),
        ("it", "Ann e Bob", "Ann, Bob e Inés"),
        ("nl", "Ann en Bob", "Ann, Bob en Inés"),
    ],
)
def test_names_are_listed_as_the_browser_lists_them(language: str, two: str, three: str) -> None:
    """`web/tests/wording.test.ts` holds the same lists."""
    assert listed(["Ann", "Bob"], language) == two
    assert listed(["Ann", "Bob", "Inés"], language) == three
    assert listed(["Ann"], language) == "Ann"


@pytest.mark.parametrize(("name", "conjunction"), [("Iván", "e"), ("Hilda", "e"), ("Hiela", "y"), ("Yago", "y")])
def test_spanish_says_e_before_the_sound_i(name: str, conjunction: str) -> None:
    assert listed(["Ann", name], "es") == f"Ann {conjunction} {name}"


def test_spanish_opens_the_exclamation_of_a_shared_win() -> None:
    assert Words("es")("share", names=listed(["Ann", "Bob"], "es")) == "¡Ann y Bob comparten la victoria!"
