"""The drawings of the documentation are up to date, and each is used."""

import re
from pathlib import Path

from tools.drawings import PICTURES, drawings

DOCS = PICTURES.parent


def test_the_drawings_are_up_to_date() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in PICTURES.glob("*.svg")}
    assert committed == drawings(), "run `make drawings`"


def test_every_drawing_is_shown_on_a_page() -> None:
    pages: list[Path] = [*DOCS.glob("*.md")]
    shown = {name for page in pages for name in re.findall(r"pictures/([\w-]+\.svg)", page.read_text(encoding="utf-8"))}
    assert shown == set(drawings())
