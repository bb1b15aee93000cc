"""The web app's rules page has a section for each section of docs/rules.md, and a figure for each printed figure."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
PAGE = (ROOT / "web/src/pages/Rules.svelte").read_text(encoding="utf-8")
FIGURES = (ROOT / "web/src/pages/figures.ts").read_text(encoding="utf-8")
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}


def slug(heading: str) -> str:
    return re.sub(r"[^a-z0-9-]", "", heading.lower().replace(" ", "-"))


def test_the_page_has_the_sections_of_the_docs_in_their_order() -> None:
    headings = [slug(heading) for heading in re.findall(r"^##+ (.+)$", DOCS, re.MULTILINE)]
    assert re.findall(r'{ id: "([a-z-]+)", title: ', PAGE) == headings
    assert re.findall(r'{@render heading\("([a-z-]+)"\)}', PAGE) == headings


def test_the_page_shows_every_figure_with_the_moves_of_the_docs() -> None:
    rows = re.findall(r"^\| (text|\d) \| [^|]*(?:`[^`]*`)?[^|]* \| `([^`]+)` \|", DOCS, re.MULTILINE)
    assert len(rows) == 17
    for figure, move in rows:
        shown = next((name for name, number in NUMBERS.items() if str(number) == figure), None)
        entry = FIGURES if shown is None else re.split(rf"\n  {shown}: ", FIGURES)[1].partition("\n  }")[0]
        assert f'"{move}"' in entry, (figure, move)
    for name in re.findall(r"^  (\w+): {", FIGURES, re.MULTILINE):
        assert f"<Figure figure={{FIGURES.{name}}}" in PAGE
