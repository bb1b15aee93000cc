"""What the browser's tests share: Debian's Chromium, a real server, and people with eyes and hands."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from riverstones.server.http.static_files import FOLDER
from riverstones.server.settings import Settings
from tests.server.running import Running, running, settings_for

from .games import CLAIM_WAIT_MS, Archive
from .visitors import Visitors

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
expect.set_options(timeout=20_000)
ADDRESSES = ("http://192.0.2.7:8765",)
"""Where others would find the server; nobody goes there."""


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """How the server of these tests is set up."""
    # Bots wait for objections as they do when people play; who plays alone against bots is not waited for.
    return settings_for(tmp_path_factory.mktemp("web"), addresses=ADDRESSES, claim_wait_ms=CLAIM_WAIT_MS)


@pytest.fixture(scope="session")
def server(settings: Settings) -> Iterator[Running]:
    """One server for all tests of a worker."""
    if not (FOLDER / "index.html").is_file():
        pytest.fail("the web app is not built: run `make web` first")
    with running(settings) as found:
        yield found


@pytest.fixture(scope="session")
def archive(server: Running, settings: Settings) -> Iterator[Archive]:
    """The server's database, for games that are stored before they are opened."""
    with Archive.of(settings.database) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker. Without one, CI fails and other machines skip."""
    if CHROMIUM is None and "CI" not in os.environ:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visitors(browser: Browser, server: Running, archive: Archive) -> Iterator[Visitors]:
    """Lets people come; at the end nothing may have gone wrong in any of their pages."""
    found = Visitors(browser, server.url, archive)
    yield found
    found.leave()


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """Where pictures of every page are kept for people to look at: the folder in WEB_PICTURES, if it is set."""
    if (name := os.environ.get("WEB_PICTURES")) is None:
        return None
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
