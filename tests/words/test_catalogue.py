"""One complete file per language: no message is missing, unused, or has other parameters than in other languages."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from riverstones.cli.terminal.commands import NAMED
from riverstones.engine.bots import LEVELS
from riverstones.notation.verify import Fairness
from riverstones.rules import Code, Fault, Layout, Scoring, Variant
from riverstones.server.errors import ServerErrorCode
from riverstones.study.puzzles.puzzle import Kind
from riverstones.study.refusals import StudyRefusal
from riverstones.study.review import MoveClass
from riverstones.study.review.facts import FactKind
from riverstones.table import Options, TableRefusal
from riverstones.words import (
    LANGUAGES,
    language_name,
    messages,
    parameters,
    plural_categories,
    plural_category,
    sections,
)

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "riverstones"
WEB = ROOT / "web"

COMPOSED = {
    *(f"refusal_{code}" for code in (*Code, *TableRefusal, *StudyRefusal, *ServerErrorCode)),
    "refusal_storage_full",  # by web/src/play/local/keeper.ts
    *(f"problem_{fault}" for fault in Fault),
    *(f"opening_variant_{variant.value}" for variant in Variant),
    *(f"opening_scoring_{scoring.value}" for scoring in Scoring),
    *(f"layout_{layout.value}" for layout in Layout),
    *(f"short_{variant.value}" for variant in Variant),
    *(f"level_{level}{end}" for level in LEVELS for end in ("", "_about")),
    *(f"verb_{verb.value}" for verb in NAMED),
    *(f"help_{verb.value}" for verb in NAMED if verb.value not in ("yes", "help")),
    *(f"review_{kind}" for kind in FactKind),
    *(f"review_class_{name}" for name in MoveClass),
    *(f"{key}_{kind}" for kind in Kind for key in ("kind", "task")),
    *(f"option_{name}" for name, value in Options().to_json().items() if isinstance(value, bool) and name != "guided"),
    *Fairness,
}  # fmt: skip
"""The keys that the code builds from a prefix and a choice."""


@cache
def python_texts() -> frozenset[str]:
    """Every string in Python's source; the keys of messages and the codes of problems are among them."""
    return frozenset(
        node.value
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def web_keys() -> frozenset[str]:
    """Every message that the web app calls."""
    paths = [*(WEB / "src").rglob("*.ts"), *(WEB / "src").rglob("*.svelte")]
    own = (path for path in paths if "words/generated" not in path.as_posix())
    return frozenset(key for path in own for key in re.findall(r"\bm\.(\w+)", path.read_text(encoding="utf-8")))


def keys_asked_for() -> Iterator[tuple[str, str]]:
    """The keys that Python's source passes to `words(...)` and `phrase(...)`, each with its location."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and node.args
                and ast.unparse(node.func).split(".")[-1] in ("words", "phrase")
            ):
                for choice in ast.walk(node.args[0]) if isinstance(node.args[0], ast.IfExp) else [node.args[0]]:
                    if isinstance(choice, ast.Constant) and isinstance(choice.value, str):
                        yield choice.value, f"{path.name}:{node.lineno}"


def is_used(key: str) -> bool:
    texts = python_texts()
    return key in COMPOSED | texts | web_keys() or key.removeprefix("problem_") in texts


def test_every_language_has_its_own_name() -> None:
    assert set(LANGUAGES) >= {"en", "es", "fr", "it", "nl"}
    names = [language_name(language) for language in LANGUAGES]
    assert len(set(names)) == len(names), f"two languages have the same own_language: {', '.join(names)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_messages(language: str) -> None:
    """The order is checked as well, so that two files can be compared side by side."""
    mine, english = sections(language), sections("en")
    lacking = [key for key in messages("en") if key not in messages(language)]
    assert not lacking, f"translate these messages of en.json in {language}.json: {', '.join(lacking)}"
    extra = [key for key in messages(language) if key not in messages("en")]
    assert not extra, f"en.json does not have these messages of {language}.json: {', '.join(extra)}"
    assert [(name, *section) for name, section in mine.items()] == [
        (name, *section) for name, section in english.items()
    ], f"put the sections and messages of {language}.json into the order of en.json"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fills_in_the_same_parameters(language: str) -> None:
    english = messages("en")
    different = [key for key, text in messages(language).items() if parameters(text) != parameters(english[key])]
    assert not different, f"use the parameters of en.json in {language}.json in: {', '.join(different)}"


def test_the_refusals_of_the_rules_have_their_section() -> None:
    """The web app loads this section with a table, and the other refusals when one is needed."""
    assert {f"refusal_{code}" for code in Code} <= sections("en")["refusals_rules"].keys()


def test_no_key_is_in_two_sections() -> None:
    keys = [key for section in sections("en").values() for key in section]
    assert len(set(keys)) == len(keys)
    assert [key for key in keys if not re.fullmatch(r"[a-z][a-z0-9_]*", key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_is_a_text_or_its_plural_forms(language: str) -> None:
    for key, message in messages(language).items():
        texts = [message]
        if isinstance(message, dict):
            forms = {name: text for name, text in message.items() if name != "plural"}
            assert {"one", "other"} <= set(forms) <= set(plural_categories(language)), key
            texts = list(forms.values())
        for text in texts:
            assert isinstance(text, str), key
            assert text, key
            assert text == text.strip(), key
            assert not re.search(r"\{(?![a-z_]+\}|A0\})|\{\{", text), f"{key} opens a brace that is no parameter"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_written_alike(language: str) -> None:
    text = (SOURCE / "words" / f"{language}.json").read_text(encoding="utf-8")
    whole = json.loads(text)
    assert text == json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
    assert list(whole)[:2] == ["grammar", "rejected"], f"begin {language}.json with its grammar and rejected words"
    assert "conjunction" in whole["grammar"], f"give the word for “and” in {language}.json: grammar, conjunction"


def test_every_message_is_used() -> None:
    unused = [key for key in messages("en") if not is_used(key)]
    assert not unused, f"nothing uses these messages; remove them from every language: {', '.join(unused)}"


def test_every_message_that_is_asked_for_exists() -> None:
    known = messages("en")
    lacking = sorted((COMPOSED | web_keys()) - set(known))
    assert not lacking, f"add these messages to every file in src/riverstones/words: {', '.join(lacking)}"
    asked = dict(keys_asked_for())
    assert len(asked) > 50
    lacking = [f"{key} ({place})" for key, place in asked.items() if key not in known]
    assert not lacking, f"add these messages to every file in src/riverstones/words: {', '.join(lacking)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_categories_are_those_that_can_occur(language: str) -> None:
    counts = (0, 1, 2, 5, 21, 100, 1_000_000, 3_000_000)
    assert {plural_category(count, language) for count in counts} == set(plural_categories(language))
