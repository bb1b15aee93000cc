"""Tables without a server: on a device that keeps the app available offline, with the network off."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from riverstones.server.http.static_files import FOLDER

from .conftest import FLAGS, HEADLESS_CHROMIUM
from .static_site import served, served_copy
from .visitors import Visitor, Visitors

LOAD_MS = 120_000
"""How long Python may take to load on a busy machine."""


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The app's files."""
    with served(FOLDER) as address:
        yield address


def lose_network(visitor: Visitor) -> None:
    """Keep the app available offline, and take the network away."""
    visitor.go("/")
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    visitor.go("/settings")
    visitor.page.get_by_role("button", name="Keep available offline").click()
    expect(visitor.page.get_by_text("Available offline on this device.")).to_be_visible(timeout=LOAD_MS)
    visitor.context.set_offline(True)


@pytest.fixture
def ann(browser: Browser, site: str) -> Iterator[Visitor]:
    """A visitor whose device keeps the app available offline, without a network."""
    ann = Visitors(browser, site).come(service_workers="allow")
    lose_network(ann)
    ann.errors.clear()
    yield ann
    ann.context.close()
    # The server is missed, as it should be; nothing else may fail.
    assert [error for error in ann.errors if "Failed to load resource" not in error] == []


def start(visitor: Visitor, level: str) -> None:
    """Begin a game against a bot."""
    visitor.go("/")
    visitor.page.get_by_role("radio", name=re.compile(level)).check(force=True)
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.page.wait_for_url("**/t/local-*")
    visitor.page.wait_for_selector("main:has(h1.mine):has(.sheet)", timeout=LOAD_MS)


def play(visitor: Visitor) -> None:
    visitor.lay(visitor.plays()[0].move)
    visitor.confirm()


def test_a_whole_game_against_the_strongest_bot_without_a_network(ann: Visitor) -> None:
    start(ann, "Ocean")
    play(ann)
    ann.page.reload()
    ann.page.wait_for_selector("main:has(h1.mine):has(.sheet)", timeout=LOAD_MS)
    assert ann.turn() == 2
    while ann.wait_for_my_turn():
        play(ann)
    expect(ann.page.locator(".end")).to_be_visible()
    scores = ann.scores()
    ann.go("/")
    line = ann.page.locator(".line", has_text="On this device")
    expect(line).to_contain_text("finished")
    assert [int(text) for text in line.locator(".numbers").all_text_contents()] == scores


def test_when_the_network_is_back_the_game_goes_on_and_new_ones_are_online(visitors: Visitors) -> None:
    cid = visitors.come(service_workers="allow")
    lose_network(cid)
    start(cid, "Drop")
    play(cid)
    assert cid.wait_for_my_turn()
    cid.context.set_offline(False)
    play(cid)
    assert cid.wait_for_my_turn()
    # From here on every page is reached by links: nothing needs a reload.
    cid.page.get_by_role("button", name="Menu").click()
    cid.page.get_by_role("link", name="Leave the table").click()
    expect(cid.page.locator(".line", has_text="On this device")).to_be_visible()
    cid.page.get_by_role("button", name="Play", exact=True).click()
    cid.page.wait_for_url(re.compile(r"/t/(?!local-)"))
    cid.page.wait_for_selector("main:has(.sheet)")
    cid.errors.clear()  # the browser has logged the network errors


@pytest.fixture
def bob(browser: Browser, site: str) -> Iterator[Visitor]:
    """A visitor of files that no server stands behind, so that new tables are kept by the device."""
    bob = Visitors(browser, site).come(name="Bob")
    bob.context.add_init_script("localStorage.setItem('riverstones.offline', 'yes')")
    yield bob
    bob.context.close()
    assert [error for error in bob.errors if "Failed to load resource" not in error] == []


def tab(visitor: Visitor) -> Visitor:
    """Another tab of the same browser, at the same place."""
    other = Visitor(visitor.context, visitor.context.new_page(), visitor.url, None, visitor.name)
    open_again(other, visitor.page.url)
    return other


def open_again(visitor: Visitor, url: str) -> None:
    """Open the page of a table: without a service worker, files alone have no page for it."""
    visitor.go("/")
    visitor.page.evaluate(
        "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }", url
    )
    visitor.page.wait_for_selector("main:has(.sheet)", timeout=LOAD_MS)


def test_two_tabs_show_the_same_table(bob: Visitor) -> None:
    start(bob, "Drop")
    other = tab(bob)
    play(bob)
    other.wait_for_move(1)
    assert other.wait_for_my_turn()
    play(other)
    bob.wait_for_move(3)
    assert bob.wait_for_my_turn()
    assert bob.board() == other.board()
    assert bob.scores() == other.scores()


def test_killing_the_browser_in_the_middle_of_a_game_loses_nothing(browser: Browser, site: str, tmp_path: Path) -> None:
    def open_browser() -> Visitor:
        context = browser.browser_type.launch_persistent_context(
            tmp_path, executable_path=HEADLESS_CHROMIUM, args=FLAGS, reduced_motion="reduce"
        )
        context.add_init_script("localStorage.setItem('riverstones.offline', 'yes')")
        context.add_init_script("localStorage.setItem('riverstones.pace', 'quick')")
        return Visitor(context, context.pages[0], site, None, "Ann")

    before = open_browser()
    start(before, "Drop")
    play(before)
    before.wait_for_my_turn()
    board, scores, url = before.board(), before.scores(), before.page.url
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        if f"--user-data-dir={tmp_path}\0" in process.read_text(errors="replace"):
            os.kill(int(process.parent.name), signal.SIGKILL)
    after = open_browser()
    open_again(after, url)
    assert (after.board(), after.scores(), after.turn()) == (board, scores, 2)
    play(after)
    after.context.close()


def test_four_people_pass_one_device(bob: Visitor) -> None:
    bob.go("/")
    bob.page.get_by_role("button", name=re.compile("Pass and play")).click()
    dialog = bob.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="4").check(force=True)
    dialog.locator("button.main").click()
    for turn in range(5):
        bob.page.wait_for_selector(".pass", timeout=LOAD_MS)
        assert bob.hand() == []
        bob.page.locator(".pass .reveal").click()
        bob.page.wait_for_selector(".hand button")
        bob.lay(bob.plays()[0].move)
        bob.page.locator("button.play").click()
        bob.page.wait_for_function(
            "(turn) => document.querySelectorAll('.sheet ol > li > button').length > turn", arg=turn
        )


def change_worker(visitor: Visitor, script: str) -> None:
    """Run a script in every worker before its own."""
    worker = next(FOLDER.glob("assets/worker-*.js")).read_text(encoding="utf-8")
    visitor.page.route(
        "**/assets/worker-*.js", lambda route: route.fulfill(body=script + worker, content_type="text/javascript")
    )


FULL = """
let full = false;
new BroadcastChannel('test').onmessage = ({ data }) => void (full = data);
const add = IDBObjectStore.prototype.add;
IDBObjectStore.prototype.add = function (...values) {
  if (full) throw new DOMException('', 'QuotaExceededError');
  return add.apply(this, values);
};
"""
"""Chromium overrides quotas only for what it stores on a disk, and tests store nothing there."""


def test_a_device_without_room_refuses_the_move_and_goes_on_later(bob: Visitor) -> None:
    change_worker(bob, FULL)
    start(bob, "Drop")
    bob.page.evaluate("window.channel = new BroadcastChannel('test'); channel.postMessage(true)")
    bob.lay(bob.plays()[0].move)
    bob.page.locator("button.play").click()
    expect(bob.page.locator(".status")).to_contain_text("no storage left")
    assert bob.turn() == 0
    bob.page.evaluate("channel.postMessage(false)")
    bob.confirm()
    assert bob.wait_for_my_turn()


def test_a_browser_that_forbids_storage_says_so_and_plays(bob: Visitor) -> None:
    forbidden = "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('', 'SecurityError') } });"
    change_worker(bob, forbidden)
    start(bob, "Drop")
    expect(bob.page.get_by_text("lost when you close the page")).to_be_visible()
    play(bob)
    assert bob.wait_for_my_turn()
    board = bob.board()
    bob.page.get_by_role("button", name="Menu").click()
    bob.page.get_by_role("link", name="Leave the table").click()
    bob.page.locator(".line", has_text="On this device").click()
    assert bob.wait_for_my_turn()
    assert bob.board() == board
    resign(bob)
    bob.page.locator("a[href^='/replay/local-']").first.click()
    expect(bob.page.locator(".accuracy").first).to_be_visible(timeout=LOAD_MS)


def resign(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Menu").click()
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.get_by_role("button", name="Resign").last.click()
    visitor.page.wait_for_selector(".end")


def test_a_game_is_saved_as_a_file_reviewed_when_it_is_over_and_goes_on_from_the_file(
    bob: Visitor, tmp_path: Path
) -> None:
    page = bob.page
    start(bob, "Drop")
    play(bob)
    bob.wait_for_my_turn()
    board, scores, url = bob.board(), bob.scores(), page.url
    page.get_by_role("button", name="Menu").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the game as a file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page.keyboard.press("Escape")
    resign(bob)
    page.locator("a[href^='/replay/local-']").first.click()
    expect(page.locator(".accuracy").first).to_be_visible(timeout=LOAD_MS)

    page.locator("header nav a[href='/replay']").click()
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_url(lambda now: "/t/local-" in now and now != url)
    bob.wait_for_my_turn()
    assert (bob.board(), bob.scores()) == (board, scores)
    play(bob)
    assert bob.wait_for_my_turn()


def test_a_new_version_that_arrives_during_a_game_changes_nothing_in_it(browser: Browser, tmp_path: Path) -> None:
    with served_copy(FOLDER, tmp_path / "site") as site:
        eve = Visitors(browser, site).come(service_workers="allow", name="Eve")
        eve.context.add_init_script("localStorage.setItem('riverstones.offline', 'yes')")
        eve.go("/")
        eve.page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
        start(eve, "Drop")
        play(eve)
        worker = tmp_path / "site" / "sw.js"
        worker.write_text(re.sub(r'\["index.html","\w+"\]', '["index.html","f00d"]', worker.read_text()))
        eve.page.evaluate(
            "new Promise((done) => { navigator.serviceWorker.addEventListener('controllerchange', done);"
            " navigator.serviceWorker.getRegistration().then((found) => found.update()) }).then(() => null)"
        )
        assert eve.wait_for_my_turn()
        play(eve)
        assert eve.wait_for_my_turn()
        board, scores = eve.board(), eve.scores()
        eve.page.reload()
        eve.page.wait_for_selector("main:has(h1.mine):has(.sheet)", timeout=LOAD_MS)
        assert (eve.board(), eve.scores()) == (board, scores)
        eve.context.close()
