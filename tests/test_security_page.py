"""docs/security.md names tests that exist, and says something about every threat."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)))
THREATS = (
    *("peeking", "timing of previews and bots", "acting for others", "replay", "floods", "oversized input", "unicode"),
    *("cross-site", "fixation", "injection", "tokens of programs", "objections", "clocks", "collusion"),
)


@cache
def functions(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_the_page_names_many_tests() -> None:
    assert len(NAMED) > 40


@pytest.mark.parametrize(("path", "test"), NAMED)
def test_every_named_test_exists(path: str, test: str) -> None:
    assert (ROOT / path).is_file()
    assert not test or test in functions(ROOT / path)


@pytest.mark.parametrize("threat", THREATS)
def test_every_threat_has_its_heading(threat: str) -> None:
    headings = " ".join(re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)).lower()
    assert threat in headings


def test_the_page_lists_what_is_not_defended() -> None:
    assert "## What is not defended" in PAGE
