"""What the browser's tests share: Debian's Chromium, a real server, and people with eyes and hands."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from riverstones.server.http.static_files import FOLDER
from tests.server.running import Running, running, settings_for

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
ARTEFACTS = Path(__file__).parents[2] / "build" / "web-screenshots"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for the tests of one file."""
    if not (FOLDER / "index.html").is_file():
        pytest.fail("the web app is not built: run `make web` first")
    with running(settings_for(tmp_path_factory.mktemp("web"), addresses=ADDRESSES)) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of one file. Without one, CI fails and other machines skip."""
    if CHROMIUM is None and "CI" not in os.environ:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visitors(browser: Browser, server: Running) -> Iterator[Visitors]:
    """Lets people come; at the end nothing may have gone wrong in any of their pages."""
    found = Visitors(browser, server.url)
    yield found
    found.leave()


@pytest.fixture(scope="session")
def artefacts() -> Path:
    """Where pictures are kept for people to look at."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return ARTEFACTS
