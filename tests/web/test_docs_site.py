"""The documentation site (`make docs`): complete, without dead links, and at home in any folder, without a network."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote_plus, unquote, urldefrag, urljoin

import pytest
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Page as Tab

from riverstones.words import LANGUAGES, sections
from tools.error_codes import PAGE, page

from .static_site import served

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build"
SITE = BUILD / "docs"
HOST = "http://host/docs/"
"""A made-up address of the site, in a folder of its host."""


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    if not (SITE / "index.html").is_file():
        pytest.fail("the documentation site is missing: run `make docs` first")


class Page(HTMLParser):
    """The ids of a page, the targets of its links, and what it loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids.update(filter(None, (found.get("id"), found.get("name") if tag == "a" else None)))
        if tag in ("a", "area"):
            self.links += filter(None, [found.get("href")])
        elif tag == "link" and found.get("rel") not in ("canonical", "prev", "next", "alternate"):
            self.loaded += filter(None, [found.get("href")])
        elif tag != "base":
            self.loaded += filter(None, [found.get("src")])


@cache
def pages() -> dict[str, Page]:
    """Every page of the site by its path. The page for missing addresses is left out: its host serves it anywhere."""
    found = [path for path in SITE.rglob("*.html") if path.name != "404.html"]
    return {path.relative_to(SITE).as_posix(): Page(path.read_text(encoding="utf-8")) for path in found}


def fault(place: str, target: str) -> str | None:
    """What is wrong with a link or a file that a page loads; None if it leads somewhere on the site."""
    address, fragment = urldefrag(urljoin(HOST + place, target))
    if not address.startswith(HOST):
        return "leaves the folder of the site"
    path = unquote(address.removeprefix(HOST)) or "index.html"
    if not (SITE / path).is_file():
        return "leads nowhere"
    if fragment and path in pages() and unquote(fragment) not in pages()[path].ids:
        return "leads to no section"
    return None


def test_no_link_is_dead_and_nothing_comes_from_elsewhere() -> None:
    faults = []
    for place, found in pages().items():
        inside = [link for link in found.links if not re.match(r"(https?|mailto):", link)]
        faults += [f"{place}: {target} {wrong}" for target in inside if (wrong := fault(place, target))]
        local = [target for target in found.loaded if not target.startswith("data:")]
        faults += [f"{place}: {target} {wrong}" for target in local if (wrong := fault(place, target))]
    assert faults == []
    assert len(pages()) >= 40


def test_every_page_of_the_docs_is_on_the_site_and_in_its_menu() -> None:
    menu = tomllib.loads((ROOT / "tools/site/zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    listed = set(re.findall(r"'([\w/-]+)\.md'", str(menu)))
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} <= listed
    assert {f"{name}.html" for name in listed} == set(pages())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_complete_in_every_language(language: str) -> None:
    html = (SITE / f"play/rules-{language}.html").read_text(encoding="utf-8")
    assert f'<div lang="{language}">' in html
    texts = sections(language)["rules_page"]
    wanted = {key: str(text) for key, text in texts.items() if key.startswith(("rules_", "figure_"))}
    missing = {key for key, text in wanted.items() if text not in unescape(html)}
    assert missing == {"rules_contents", "rules_to_learn", "rules_notation_show", "figure_refused"}


def test_style_sheets_and_fonts_come_from_the_site() -> None:
    for path in SITE.rglob("*.css"):
        addresses = re.findall(r"url\(\s*['\"]?([^'\")]+)", path.read_text(encoding="utf-8"))
        for address in addresses:
            assert address.startswith("data:") or (path.parent / address.split("?")[0].split("#")[0]).is_file(), address


def test_the_error_codes_are_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make schemas`"


@pytest.fixture
def address() -> Iterator[str]:
    with served(BUILD) as host:
        yield f"{host}/docs"


def search(tab: Tab, words: str) -> Locator:
    """What the search finds for these words."""
    tab.keyboard.press("Control+k")
    tab.get_by_placeholder("Search").last.fill(words)
    found = tab.locator(f"a[href*='?h={quote_plus(words)}']")
    found.first.wait_for()
    return found


def test_a_reader_searches_and_no_request_leaves_the_site(browser: Browser, address: str) -> None:
    visit = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark")
    tab = visit.new_page()
    requests: list[str] = []
    problems: list[str] = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("response", lambda answer: problems.append(answer.url) if answer.status >= 400 else None)
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    tab.goto(f"{address}/index.html")
    expect(tab.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    expect(search(tab, "objection upheld").filter(has_text="Keeping score").first).to_be_visible()
    for place in ("rules", "play/rules-nl", "reference/rules", "architecture"):
        tab.goto(f"{address}/{place}.html")
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), place
        assert tab.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth > 0)"), place
    visit.close()
    assert [url for url in requests if not url.startswith((f"{address}/", "data:", "blob:"))] == []
    assert problems == []


def test_a_reader_searches_in_a_folder_without_a_web_server(browser: Browser) -> None:
    visit = browser.new_context()
    tab = visit.new_page()
    requests: list[str] = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto((SITE / "play" / "rules-nl.html").as_uri())
    search(tab, "objection upheld").filter(has_text="Keeping score").first.click()
    expect(tab).to_have_url(re.compile(r"rules(-en)?\.html\?h=objection\+upheld#keeping-score$"))
    visit.close()
    assert [url for url in requests if not url.startswith((f"{SITE.as_uri()}/", "data:", "blob:"))] == []
