"""One journey through the app in Chromium, Firefox and WebKit: families hold iPads."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser

from riverstones.rules import Board, Move, Play, Square, plays
from tests.server.running import Running

from .conftest import CHROMIUM, FLAGS
from .engines import ChromiumPage, Page, firefox, webkit
from .visitors import AT_REST, PACE, READ_BOARD

pytestmark = pytest.mark.slow

DESK = (1366, 768)
COMMANDS = ("firefox-esr", "WebKitWebDriver", "Xvfb")
Open = Callable[[int, int], AbstractContextManager[Page]]

MY_TURN = "() => document.querySelector('main:has(h1.mine):has(.sheet)') !== null"
HAND = "() => [...document.querySelectorAll('.hand .tile b')].map((each) => Number(each.dataset.digit))"
MOVES = "() => document.querySelectorAll('.sheet ol > li > button').length"
FOCUSED = "() => document.activeElement?.dataset.name ?? 'e5'"
FACES = """() => [...document.querySelectorAll('[data-square] .lying .tile')].map((tile) =>
  [...tile.querySelectorAll('.addend, .total')].filter((face) => getComputedStyle(face).display !== 'none').length)"""
MAKE_TABLE_WITH_CLAIMS = """async () => {
  const seats = [{ who: "me" }, { who: "bot", level: "pebble" }];
  const body = JSON.stringify({ options: { seats: 2, scoring: "claims" }, seats });
  const headers = { "content-type": "application/json" };
  return (await (await fetch("/api/v1/tables", { method: "POST", headers, body })).json()).path;
}"""


@contextmanager
def chromium(browser: Browser, width: int, height: int) -> Iterator[Page]:
    """A page of the whole browser; all other tests use the one without windows, if it is installed."""
    whole = browser.browser_type.launch(executable_path=CHROMIUM, args=FLAGS)
    page = ChromiumPage(whole, width, height)
    try:
        yield page
    finally:
        page.close()
        whole.close()


@pytest.fixture(params=["chromium", "firefox", "webkit", "webkit-without-compositing"])
def open_page(request: pytest.FixtureRequest, browser: Browser) -> Open:
    """Opens a page of one engine. Where the browsers are missing, CI fails and other machines skip."""
    needed = (CHROMIUM,) if request.param == "chromium" else tuple(map(shutil.which, COMMANDS))
    if not all(needed) and "CI" not in os.environ:
        pytest.skip("Chromium, Firefox, WebKitGTK's driver and Xvfb are not all installed")
    openers: dict[str, Open] = {
        "chromium": partial(chromium, browser),
        "firefox": firefox,
        "webkit": partial(webkit, compositing=True),
        "webkit-without-compositing": partial(webkit, compositing=False),
    }
    return openers[request.param]


def best(page: Page) -> Play:
    """The play with the most points, from what is seen."""
    page.wait(MY_TURN)
    page.wait(AT_REST)
    return plays(Board(page.run(READ_BOARD)), page.run(HAND))[0]


def square(name: object) -> str:
    return f'[data-name="{name}"]'


def lay(page: Page, move: Move, *, finger: bool = False) -> None:
    """Lay a tile out with mouse or finger: tile, tile again to flip it, square, tiles on the board to flip."""
    index = page.run(HAND).index(move.tile.digit)
    for _ in range(2 if move.tile.is_total else 1):
        page.press(".hand button", index, finger=finger)
    for name in (move.square, *move.flips):
        page.press(square(name), finger=finger)


def lay_by_keys(page: Page, move: Move) -> None:
    page.key(str(page.run(HAND).index(move.tile.digit) + 1))
    if move.tile.is_total:
        page.key("f")
    walk(page, move.square)
    page.key("Enter")
    for flip in move.flips:
        walk(page, flip)
        page.key("f")


def walk(page: Page, end: Square) -> None:
    """Walk to a square by arrow keys."""
    start = Square.parse(page.run(FOCUSED))
    down, right = end.row - start.row, end.column - start.column
    for key, steps in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
        page.key(*[key] * steps)


def confirm(page: Page, press: Callable[[], None]) -> None:
    """Play the tile that is laid out, and see the move in the list."""
    before = page.run(MOVES)
    press()
    page.wait(f"(before) => ({MOVES})() > before", before)


@pytest.mark.long
def test_a_journey_in_every_engine(
    open_page: Open, server: Running, static_address: str, pictures: Path | None, request: pytest.FixtureRequest
) -> None:
    def look(page: Page, at: str) -> None:
        if pictures:
            (pictures / f"{request.node.callspec.id}-{at}.png").write_bytes(page.picture())

    # Other tests play without a server in Chromium, and compositing makes no difference to that.
    without_a_server = request.node.callspec.id in ("firefox", "webkit")
    try:
        with open_page(*DESK) as page:
            journey(page, server.url, look)
            if without_a_server:
                play_without_a_server(page, static_address, look)
    except httpx.TimeoutException:
        # WebKit's driver has stopped answering, which happens now and then; what the page does wrong is an assertion.
        with open_page(*DESK) as page:
            journey(page, server.url, look)
            if without_a_server:
                play_without_a_server(page, static_address, look)


def journey(page: Page, url: str, look: Callable[[Page, str], None]) -> None:
    """Play by mouse, finger and keys, resign, replay, claim points and change settings."""
    page.go(url)
    page.keep_errors()
    page.run("(key) => localStorage.setItem(key, 'quick')", PACE)
    page.press("form.now input.field")
    page.key(*"Ann")
    page.press("form.now button.main")

    play = best(page)
    lay(page, play.move)
    page.wait("(count) => document.querySelectorAll('.lights .sum.made').length === count", len(play.kakuros))
    confirm(page, lambda: page.press("button.play"))

    lay(page, best(page).move, finger=True)
    confirm(page, lambda: page.press("button.play", finger=True))

    lay_by_keys(page, best(page).move)
    page.wait("() => !document.querySelector('button.play').disabled")
    confirm(page, lambda: page.key("Enter"))

    page.wait(MY_TURN)
    page.wait(AT_REST)
    assert set(page.run(FACES)) == {1}, "at rest a tile has one face, whatever the browser can animate"
    look(page, "table")

    page.press("header button.menu")
    page.press("dialog .danger")
    page.press("dialog .danger")
    page.see(".end.settled")
    look(page, "end")
    page.press('.end a.button[href^="/replay/"]')
    page.press(".steps button", 0)
    page.press(".steps button", 3)
    page.wait("() => location.search === '?turn=1&review'")
    assert page.errors() == []

    page.go(url + page.run(MAKE_TABLE_WITH_CLAIMS))
    page.keep_errors()
    lay(page, best(page).move)
    page.press(".pad .keys button", 6)
    confirm(page, lambda: page.press(".pad .play"))
    assert page.errors() == []

    page.go(f"{url}/settings")
    page.keep_errors()
    page.press('label:has(input[value="slow"])')
    page.press('label:has(input[value="dark"])')
    page.wait("() => getComputedStyle(document.documentElement).colorScheme === 'dark'")
    look(page, "settings")
    assert page.errors() == []
    page.go(f"{url}/settings")
    page.wait("() => document.querySelector('input[value=\"slow\"]')?.checked")


def play_without_a_server(page: Page, url: str, look: Callable[[Page, str], None]) -> None:
    """Play on the static build, and find the game again after a reload."""
    page.go(f"{url}/")
    page.keep_errors()
    page.run("(key) => localStorage.setItem(key, 'quick')", PACE)
    page.press("form.now button.main")
    for _ in range(2):
        lay(page, best(page).move)
        confirm(page, lambda: page.press("button.play"))
    page.wait(f"() => ({MOVES})() === 4")
    page.wait(MY_TURN)
    page.wait(AT_REST)
    board = page.run(READ_BOARD)
    look(page, "static")
    assert page.errors() == []
    page.go(f"{url}/?again")
    page.press(".line")
    page.wait(MY_TURN)
    page.wait(AT_REST)
    assert page.run(READ_BOARD) == board
