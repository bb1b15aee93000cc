"""Fixtures of the browser tests: Chromium, a real server, and visitors."""

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
from .static_site import BUILD, SITE, served
from .visitors import Visitors

CHROMIUM = shutil.which("chromium")
HEADLESS_CHROMIUM = shutil.which("chromium-headless-shell") or CHROMIUM
"""Chromium without windows, where it is installed: the same engine, with half of the CPU for each visitor."""
DISABLED_FEATURES = (
    # Chromium starts two pages of its own for the address bar with every window: 0.9 s of CPU for each visitor.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # The features that Playwright disables. Chromium takes only the last list of a command line.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
FLAGS = (
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FOLDER_OF_TESTS = Path(__file__).parent
expect.set_options(timeout=20_000)
ADDRESSES = ("http://192.0.2.7:8765",)
"""The server's address for other devices, as shown in invitations; nothing listens there."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every browser test as slow."""
    for item in items:
        if FOLDER_OF_TESTS in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of the server of these tests."""
    # Bots wait for objections as in normal play, but not for a person who plays alone against bots.
    return settings_for(tmp_path_factory.mktemp("web"), addresses=ADDRESSES, claim_wait_ms=CLAIM_WAIT_MS)


@pytest.fixture(scope="session")
def server(settings: Settings) -> Iterator[Running]:
    """One server for all tests of a worker."""
    if not (FOLDER / "index.html").is_file():
        pytest.fail("the web app is not built: run `make web` first")
    with running(settings) as found:
        yield found


@pytest.fixture(scope="session")
def static_address() -> Iterator[str]:
    """The address of the static build, which is in a folder of its host."""
    if not (SITE / "index.html").is_file():
        pytest.fail("the static build is missing: run `make static` first")
    with served(BUILD) as host:
        yield f"{host}/{SITE.name}"


@pytest.fixture(scope="session")
def archive(server: Running, settings: Settings) -> Iterator[Archive]:
    """The server's database, for games that are stored before they are opened."""
    with Archive.of(settings.database) as found:
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for the tests of this folder. Without one, CI fails and other machines skip.

    Playwright leaves its event loop running in the main thread, where `asyncio.run` then fails. So it ends before a
    worker goes on with tests of another folder.
    """
    if HEADLESS_CHROMIUM is None and "CI" not in os.environ:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=HEADLESS_CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visitors(browser: Browser, server: Running, archive: Archive) -> Iterator[Visitors]:
    """Opens browsers for visitors; at the end no page may have had an error."""
    found = Visitors(browser, server.url, archive)
    yield found
    found.leave()


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """The folder for screenshots of every page, from WEB_PICTURES; None if it is not set."""
    if (name := os.environ.get("WEB_PICTURES")) is None:
        return None
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
