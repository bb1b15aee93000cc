"""The service worker: the app opens without a network, and a new version replaces the old one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from riverstones.server.http.static_files import FOLDER

from .static_site import served_copy

KEPT = "caches.open('riverstones /').then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A copy of the app that tests can change, at its own address."""
    folder = tmp_path / "site"
    with served_copy(FOLDER, folder) as address:
        yield address, folder


@pytest.fixture
def page(browser: Browser, site: tuple[str, Path]) -> Iterator[Page]:
    """A page of the site whose service worker has cached everything."""
    context = browser.new_context(service_workers="allow")
    page = context.new_page()
    page.goto(site[0])
    page.evaluate("Promise.all(['riverstones', 'of another app'].map((name) => caches.open(name)))")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    yield page
    context.close()


def test_every_built_file_is_cached(page: Page) -> None:
    made = {
        f"/{path.relative_to(FOLDER).as_posix()}"
        for path in FOLDER.rglob("*")
        if path.suffix in (".js", ".css", ".woff2", ".svg", ".png", ".webmanifest") or path.match("puzzles-*.txt")
    }
    kept = {re.sub(r"https?://[^/]+|\?.*", "", url) for url in page.evaluate(KEPT)}
    assert kept == made - {"/sw.js"} | {"/index.html"}
    assert sorted(page.evaluate("caches.keys()")) == ["of another app", "riverstones /"]


def test_a_new_version_replaces_the_old_one(page: Page, site: tuple[str, Path]) -> None:
    _, folder = site
    before = set(page.evaluate(KEPT))
    index, worker = folder / "index.html", folder / "sw.js"
    index.write_text(index.read_text(encoding="utf-8").replace("<body>", "<body data-anew>"))
    (folder / "new.js").write_text("")
    told = re.sub(r'\["index.html","\w+"\]', '["index.html","f00d"],["new.js","beef"]', worker.read_text())
    worker.write_text(told)
    page.reload()
    (old,) = (url for url in before if "/index.html" in url)
    while old in page.evaluate(KEPT):  # ended by pytest's timeout
        page.wait_for_timeout(100)
    page.reload()
    expect(page.locator("body[data-anew]")).to_be_visible()
    gone, come = before - set(page.evaluate(KEPT)), set(page.evaluate(KEPT)) - before
    assert [url.partition("?")[0].rpartition("/")[2] for url in gone] == ["index.html"]
    assert sorted(url.rpartition("/")[2] for url in come) == ["index.html?hash=f00d", "new.js?hash=beef"]


def test_pages_open_offline_but_missing_files_and_the_api_do_not(page: Page) -> None:
    page.context.set_offline(True)
    page.goto(page.url + "rules")
    expect(page.locator("h1")).to_be_visible()
    answers = [page.evaluate(f"fetch('{path}').then(() => true, () => false)") for path in ("/api/v1/me", "/icon.svg")]
    assert answers == [False, True]
