"""The web app's rules page has a section for each section of docs/rules.md, and a figure for each printed figure."""

from __future__ import annotations

import re
from pathlib import Path

from tools.figures import figures

ROOT = Path(__file__).parents[1]
DOCS = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
PAGE = (ROOT / "web/src/pages/Rules.svelte").read_text(encoding="utf-8")
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}


def slug(heading: str) -> str:
    return re.sub(r"[^a-z0-9-]", "", heading.lower().replace(" ", "-"))


def test_the_page_has_the_sections_of_the_docs_in_their_order() -> None:
    headings = [slug(heading) for heading in re.findall(r"^##+ (.+)$", DOCS, re.MULTILINE)]
    assert re.findall(r'{ id: "([a-z-]+)", title: ', PAGE) == headings
    assert re.findall(r'{@render heading\("([a-z-]+)"\)}', PAGE) == headings


def test_the_figures_are_the_examples_of_the_docs_and_the_page_shows_each() -> None:
    rows = re.findall(r"^\| (text|\d) \| (?:`([^`]*)`|the same) \| `([^`]+)` \|", DOCS, re.MULTILINE)
    assert len(rows) == 17
    examples: list[tuple[str, str, str]] = []
    for figure, tiles, move in rows:
        examples.append((figure, tiles or examples[-1][1], move))
    known = figures()
    assert examples == [
        (str(NUMBERS.get(name, "text")), figure.tiles, move) for name, figure in known.items() for move in figure.moves
    ]
    assert sorted(re.findall(r"<Figure figure={FIGURES\.(\w+)}", PAGE)) == sorted(known)
