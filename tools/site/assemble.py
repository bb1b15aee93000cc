"""Assemble the pages of the documentation site in a folder: `python -m tools.site.assemble build/docs-source`.

After the site has been built, `--search FOLDER` adds what its search needs without a web server.

The pages are those of docs/, those of the repository's root that belong to them, and generated ones: the rules in
every language and the API reference. Links between them are adapted.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from .reference import reference_pages
from .rules_pages import rules_pages

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
FONTS = ROOT / "web" / "node_modules"

FROM_ROOT = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security-policy.md",
}
"""Pages of the repository's root, and their names on the site."""

COPIED = {
    "CITATION.cff": ROOT / "CITATION.cff",
    "assets/riverstones.css": HERE / "riverstones.css",
    "assets/search-offline.js": HERE / "search-offline.js",
    "assets/icon.svg": ROOT / "web" / "public" / "icon.svg",
    "assets/fonts/young-serif.woff2": FONTS / "@fontsource/young-serif/files/young-serif-latin-400-normal.woff2",
    "assets/fonts/young-serif-licence.txt": FONTS / "@fontsource/young-serif/LICENSE",
    "assets/fonts/atkinson-hyperlegible-next.woff2": FONTS
    / "@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2",
    "assets/fonts/atkinson-hyperlegible-next-licence.txt": FONTS
    / "@fontsource-variable/atkinson-hyperlegible-next/LICENSE",
}

LINKS = {
    "../README.md": "index.md",
    "../CITATION.cff": "CITATION.cff",
    **{f"../{name}": page for name, page in FROM_ROOT.items()},
    **{f"docs/{path.name}": path.name for path in (ROOT / "docs").iterdir()},
}
"""Targets in the repository, and on the site."""


def assemble(folder: Path) -> None:
    """Write the configuration and all pages into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    shutil.copytree(ROOT / "docs", pages)
    for path in pages.glob("*.md"):
        path.write_text(adapted(path.read_text(encoding="utf-8")), encoding="utf-8")
    for name, page in FROM_ROOT.items():
        (pages / page).write_text(adapted((ROOT / name).read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copy(HERE / "home.md", pages / "index.md")
    generated = {f"reference/{name}": text for name, text in reference_pages().items()} | rules_pages()
    for name, text in generated.items():
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text(text, encoding="utf-8")
    for name, source in COPIED.items():
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, pages / name)
    shutil.copy(HERE / "zensical.toml", folder)


def adapted(text: str) -> str:
    """A page of the repository with the links of the site. A file that is not on the site is named instead."""

    def link(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        place, mark, fragment = target.partition("#")
        place = LINKS.get(place, place)
        if place.startswith("../") or place == "LICENSE":
            path = f"`{place.removeprefix('../')}`"
            return words if path == words else f"{words} ({path})"
        return f"[{words}]({place}{mark}{fragment})"

    return re.sub(r"(?<!!)\[([^\[\]]+)\]\(([^)\s]+)\)", link, text)


def add_search_script(site: Path) -> None:
    """Write the search index of a built site as a script, too: pages opened from a folder can load no other file."""
    index = (site / "search.json").read_text(encoding="utf-8")
    (site / "search.js").write_text(f"var __index = {index};\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "--search":
        add_search_script(Path(sys.argv[2]))
    else:
        assemble(Path(sys.argv[1]))
