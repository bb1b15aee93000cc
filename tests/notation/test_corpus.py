"""Invalid positions and records, kept in files with the expected messages."""

from pathlib import Path

import pytest

from riverstones.notation import NotationError, parse_position, say, verify_record
from riverstones.rules import Fault, Layout
from riverstones.words import LANGUAGES, sections

CORPUS = Path(__file__).parent / "corpus"
RECORDS = sorted(CORPUS.glob("*.river"))

ONLY_BY_HAND = {
    "position_too_long",
    "position_impossible",
    "record_too_long",
    "record_players",
    "annotation_points",
}
"""Problems that no small file can show: texts that are too long, and values without a written form."""


def bad_positions() -> list[list[str]]:
    """Each bad position with the expected message."""
    blocks = (CORPUS / "positions.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return [block.split("\n    ") for block in blocks[1:]]


@pytest.mark.parametrize(("position", "expected"), bad_positions())
def test_a_bad_position_is_explained(position: str, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(position)
    assert f"{caught.value.column}: {caught.value}" == expected


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_problem_of_a_bad_record_is_explained(path: Path) -> None:
    found = verify_record(path.read_bytes())
    told = "".join(f"{finding.line}:{finding.column}: {finding.say()}\n" for finding in found.findings)
    expected = path.with_suffix(".txt").read_text(encoding="utf-8")
    assert told == expected.replace("{layouts}", ", ".join(layout.value for layout in Layout))
    assert not found.sound


def test_the_corpus_covers_every_problem() -> None:
    codes: set[str] = set()
    for position, _ in bad_positions():
        with pytest.raises(NotationError) as caught:
            parse_position(position)
        codes |= {problem.code for problem in caught.value.problems}
    for path in RECORDS:
        codes |= {finding.code for finding in verify_record(path.read_bytes()).findings}
    messages = sections("en")
    assert codes >= set(Fault)
    for section in ("problems_position", "problems_record", "problems_disagreements"):
        assert codes >= {key.removeprefix("problem_") for key in messages[section]} - ONLY_BY_HAND
    assert not codes & ONLY_BY_HAND


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_has_a_message_in_every_language(language: str) -> None:
    for path in RECORDS:
        found = verify_record(path.read_bytes())
        for finding in found.findings:
            assert say(finding, language).strip(".")
        assert found.say(language).strip(".")
