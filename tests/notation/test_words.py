"""Everything that can be refused or misread has its sentence in every language."""

import ast
import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverstones.notation import LANGUAGES, NotationError, Problem, language_name, parse_position, say
from riverstones.notation.words import sections
from riverstones.rules import Board, Code, Fault, Malformed, Move, Reason, Refused, explain

OF_THE_RULES = ("reasons", "faults", "malformed")
SOURCE = Path(__file__).parents[2] / "src" / "riverstones"


def placeholders(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name is not None}


def codes_in(argument: ast.expr) -> Iterator[str]:
    """The codes that an argument may stand for: a text, or members of `Code` and `Fault`, perhaps one of several."""
    for node in ast.walk(argument):
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.Attribute(value=ast.Name(id="Code"), attr=name):
                yield Code[name]
            case ast.Attribute(value=ast.Name(id="Fault"), attr=name):
                yield Fault[name]


def raised(layer: str, *makers: str) -> dict[str, set[str]]:
    """The codes that a layer's source hands to the named functions, each with the parameters that go with it."""
    found: dict[str, set[str]] = {}
    for path in (SOURCE / layer).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) in makers and node.args):
                continue
            params = {keyword.arg for keyword in node.keywords if keyword.arg}
            for code in codes_in(node.args[0]):
                found.setdefault(code, set()).update(params)
    return found


def test_there_are_five_languages_with_names_of_their_own() -> None:
    assert LANGUAGES == ("en", "es", "fr", "it", "nl")
    assert len({language_name(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_a_language_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no language 'tlh'"):
        say(Reason(Code.OWN_MOVE), "tlh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_lacks_a_phrase_or_has_one_too_many(language: str) -> None:
    mine, english = sections(language), sections("en")
    assert {name: set(section) for name, section in mine.items()} == {
        name: set(section) for name, section in english.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_speaks_of_the_same_things_as_in_english(language: str) -> None:
    for name, section in sections(language).items():
        for code, phrase in section.items():
            assert placeholders(phrase) == placeholders(sections("en")[name][code]), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_a_sentence_and_a_fault_is_a_clause(language: str) -> None:
    for name, section in sections(language).items():
        for code, phrase in section.items():
            if name == "faults":
                assert re.fullmatch(r"[a-zà-ÿ].*[a-zà-ÿ0-9}]", phrase), code
            elif name != "name" and code != "position_impossible":
                assert re.fullmatch(r"[A-ZÀ-Þ{«“].*\.", phrase), code


def test_no_code_stands_in_two_sections() -> None:
    codes = [code for section in sections("en").values() for code in section]
    assert len(set(codes)) == len(codes)


def test_every_reason_and_every_fault_has_its_sentence() -> None:
    assert set(sections("en")["reasons"]) == set(Code)
    assert set(sections("en")["faults"]) == set(Fault)


def test_every_text_that_the_rules_cannot_read_has_its_sentence() -> None:
    assert set(sections("en")["malformed"]) == set(raised("rules", "Malformed"))


@pytest.mark.parametrize(
    ("layer", "makers", "section"),
    [
        ("rules", ("Reason.of", "Refused"), "reasons"),
        ("rules", ("Malformed",), "malformed"),
        ("rules", ("FaultFound.of",), "faults"),
    ],
)
def test_a_sentence_uses_only_what_its_code_carries(layer: str, makers: tuple[str, ...], section: str) -> None:
    carried = raised(layer, *makers)
    for code, phrase in sections("en")[section].items():
        assert placeholders(phrase) <= carried[code], code


def test_every_code_of_the_notation_has_its_sentence_and_every_sentence_its_code() -> None:
    """What the code can say is what stands in its source as a text."""
    written: set[str] = set()
    for path in (SOURCE / "notation").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                written.add(node.value)
    own = {name: section for name, section in sections("en").items() if name not in ("name", *OF_THE_RULES)}
    codes = {code for section in own.values() for code in section}
    assert codes <= written
    named = raised("notation", "Problem.of", "piece.error", "self._wrong", "self._name")
    assert set(named) <= codes


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_written_alike(language: str) -> None:
    text = (SOURCE / "notation" / "words" / f"{language}.json").read_text(encoding="utf-8")
    assert text == json.dumps(sections(language), ensure_ascii=False, indent=2) + "\n"


def test_a_refusal_is_said_in_the_language_that_is_asked_for() -> None:
    refused = Refused(Code.SQUARE_TAKEN, square="e5")
    assert say(refused) == say(refused.reason) == "There is already a tile on e5."
    assert say(refused, "it") == "In e5 c’è già una tessera."
    assert say(refused, "fr") == "Il y a déjà une tuile en e5."
    assert say(refused, "es") == "Ya hay una ficha en e5."
    assert say(refused, "nl") == "Op e5 ligt al een tegel."


def test_a_near_miss_is_said_with_its_arithmetic() -> None:
    explanation = explain(Board.of("a1=8 b1+3"), Move.parse("c1+4"))
    assert [say(miss.reason) for miss in explanation.near_misses] == [
        "8 | 3 + 4: the sum is 7, which does not end in 8."
    ]


def test_text_that_somebody_wrote_is_quoted_short_and_printable() -> None:
    with pytest.raises(Malformed) as caught:
        Move.parse("x\x1b[31m" * 1000)
    words = say(caught.value)
    assert len(words) < 200
    assert words.isprintable()


def test_braces_in_a_text_mean_nothing() -> None:
    assert "{0}{text}" in Problem.of("move", text="{0}{text}").say()


def test_several_faults_share_one_sentence() -> None:
    board = "/".join(["........."] * 9)
    with pytest.raises(NotationError) as caught:
        parse_position(f"{board} 2 123,45 0 63 standard")
    assert str(caught.value) == (
        "This position is impossible: the number of scores is 1, and that of seats is 2; it is seat 2’s turn, but "
        "there are 2 seats, numbered from 0; seat 0 holds 3 tiles, but two is the maximum; board, hands and bag come "
        "to 68 tiles instead of 72."
    )
    for language in LANGUAGES:
        assert re.fullmatch(r"[^;]+(;[^;]+){3}", caught.value.say(language).replace("\u00a0;", ""))
