"""What the README and the pages of the documentation link to is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_to_a_file_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"", text)
    missing = [link or source for link, source in targets if not ((ROOT / page).parent / (link or source)).exists()]
    assert missing == []
