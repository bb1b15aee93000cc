"""Every refusal and problem has a message in every language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverstones.notation import NotationError, Problem, parse_position, say
from riverstones.rules import Board, Code, Fault, Malformed, Move, Reason, Refused, explain
from riverstones.words import LANGUAGES, parameters, sections

SOURCE = Path(__file__).parents[2] / "src" / "riverstones"


def codes_in(argument: ast.expr) -> Iterator[str]:
    """The codes that an argument may stand for: a string, or members of `Code` and `Fault`."""
    for node in ast.walk(argument):
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.Attribute(value=ast.Name(id="Code"), attr=name):
                yield Code[name]
            case ast.Attribute(value=ast.Name(id="Fault"), attr=name):
                yield Fault[name]


def raised(layer: str, *makers: str) -> dict[str, set[str]]:
    """The codes that a layer's source passes to these functions, each with its parameters."""
    found: dict[str, set[str]] = {}
    for path in (SOURCE / layer).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) in makers and node.args):
                continue
            params = {keyword.arg for keyword in node.keywords if keyword.arg}
            for code in codes_in(node.args[0]):
                found.setdefault(code, set()).update(params)
    return found


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(ValueError, match="no language 'tlh'"):
        say(Reason(Code.OWN_MOVE), "tlh")


def codes(section: str, prefix: str = "problem_") -> set[str]:
    """The codes that a section of the catalogue has messages for."""
    return {key.removeprefix(prefix) for key in sections("en")[section]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_a_sentence_and_a_fault_is_a_clause(language: str) -> None:
    for name, section in sections(language).items():
        for key, message in section.items():
            if name == "problems_faults":
                assert re.fullmatch(r"[a-zà-ÿ].*[a-zà-ÿ0-9}]", str(message)), key
            elif name.startswith(("refusals_", "problems_", "verdicts")) and key != "problem_position_impossible":
                assert re.fullmatch(r"[A-ZÀ-Þ{«“¿¡].*[.!?]", str(message)), key


def test_every_reason_and_every_fault_has_a_message() -> None:
    assert codes("refusals_rules", "refusal_") == set(Code)
    assert codes("problems_faults") == set(Fault)


def test_every_parse_error_of_the_rules_has_a_message() -> None:
    assert codes("problems_malformed") == set(raised("rules", "Malformed"))


@pytest.mark.parametrize(
    ("makers", "section"),
    [
        (("Reason.of", "Refused"), "refusals_rules"),
        (("Malformed",), "problems_malformed"),
        (("FaultFound.of",), "problems_faults"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_uses_only_the_parameters_of_its_code(makers: tuple[str, ...], section: str, language: str) -> None:
    carried = raised("rules", *makers)
    for key, message in sections(language)[section].items():
        assert parameters(message) <= carried[key.partition("_")[2]], key


OWN = ("problems_position", "problems_record", "problems_json", "problems_disagreements")


def test_the_codes_of_the_notation_and_the_messages_match() -> None:
    """The codes are the string literals in the source."""
    written: set[str] = set()
    for path in (SOURCE / "notation").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                written.add(node.value)
    own = set().union(*map(codes, OWN))
    assert own - {"position_impossible"} <= written
    assert set(sections("en")["verdicts"]) <= written
    named = raised("notation", "Problem.of", "piece.error", "self._wrong", "self._name")
    assert set(named) <= own


def test_a_refusal_is_explained_in_the_requested_language() -> None:
    refused = Refused(Code.SQUARE_TAKEN, square="e5")
    assert say(refused) == say(refused.reason) == "e5 is taken."
    assert say(refused, "it") == "e5 è occupata."
    assert say(refused, "fr") == "e5 est occupée."
    assert say(refused, "es") == "e5 está ocupada."
    assert say(refused, "nl") == "e5 is bezet."


def test_a_near_miss_is_explained_with_its_arithmetic() -> None:
    explanation = explain(Board.of("a1=8 b1+3"), Move.parse("c1+4"))
    assert [say(miss.reason) for miss in explanation.near_misses] == ["8 | 3 + 4 makes 7, which does not end in 8."]


def test_user_text_is_quoted_short_and_printable() -> None:
    with pytest.raises(Malformed) as caught:
        Move.parse("x\x1b[31m" * 1000)
    words = say(caught.value)
    assert len(words) < 200
    assert words.isprintable()


def test_braces_in_user_text_are_literal() -> None:
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
