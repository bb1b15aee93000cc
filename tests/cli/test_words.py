"""The command line's words are complete and unambiguous in every language."""

import re
from itertools import combinations, permutations

import pytest

from riverstones.cli.complaint import Complaint
from riverstones.cli.terminal.commands import NAMED, Command, Verb, read_command, synonyms
from riverstones.cli.words import Words, words_for
from riverstones.engine.bots import LEVELS
from riverstones.words import LANGUAGES, messages


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
def test_the_commands_that_texts_mention_are_understood(language: str) -> None:
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
        said = re.findall(r"[^\W\d_]+", str(messages(language)[code]).lower())
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
def test_a_typed_line_is_parsed_into_its_command(line: str, command: Command) -> None:
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


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(Complaint, match="no translation for “tlh”"):
        words_for("tlh")
