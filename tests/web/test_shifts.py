"""No layout shift while a page loads, measured with the Layout Instability API."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Queue
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from riverstones.table.players import LONGEST_NAME
from riverstones.words import LANGUAGES

from .games import Game
from .scenes import PEBBLE
from .visitors import DESK, PHONE, Visitor, Visitors

LAPTOP = {"width": 1366, "height": 768}
SMALL_PHONE = {"width": 360, "height": 640}
LANDSCAPE_PHONE = {"width": 844, "height": 390}
TABLET = {"width": 768, "height": 1024}
SIZES = {"phone": PHONE, "small": SMALL_PHONE, "landscape": LANDSCAPE_PHONE, "laptop": LAPTOP, "desk": DESK}

WATCH_SHIFTS = """
window.shifts = [];
const called = (node) => (node?.closest ? node : node?.parentElement)?.outerHTML.slice(0, 90);
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) shifts.push([entry.value, ...entry.sources.map(({ node, previousRect, currentRect }) =>
      [called(node), previousRect.toJSON(), currentRect.toJSON()])]);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""

FOLLOW_LINK = """(path) => {
  const link = document.body.appendChild(document.createElement('a'));
  link.href = path;
  link.click();
  link.remove();
}"""
"""The API ignores shifts after user input; a click by script does not count as input."""

HAVE_PLAYED = "localStorage.setItem('riverstones.played', 'yes')"
"""From then on the visitor's games are at the top of the first page."""

MOST_GAMES = 6
"""How many of one's games the first page shows."""

SETTLED_MS = 700
"""The time a page is watched after its last part has loaded."""


def with_moves(game: Game) -> Game:
    """Two rounds later, with the visitor to move."""
    return game.play(2 * game.table.options.seats)


STATES: dict[str, tuple[Callable[[Visitor], Game], str]] = {
    "waiting": (lambda visitor: visitor.game("open", "open"), ".waiting svg[role=img]"),
    "of_two": (lambda visitor: with_moves(visitor.game(PEBBLE, hints=True)), ".sheet ol"),
    "guided": (lambda visitor: visitor.game(PEBBLE, guided=True, hints=True), ".guide"),
    "of_four": (lambda visitor: with_moves(visitor.game(*[PEBBLE] * 3, clock="gentle", seconds=3600)), ".sheet ol"),
    "by_claims": (lambda visitor: visitor.game(PEBBLE, scoring="claims"), ".sheet"),
    "on_one_device": (lambda visitor: visitor.game((visitor, "Ben")), ".pass"),
    "over_at_once": (lambda visitor: visitor.game(PEBBLE).resign(), ".end.settled"),
    "over_of_two": (lambda visitor: with_moves(visitor.game(PEBBLE)).resign(), ".end thead"),
    "over_of_four": (lambda visitor: with_moves(visitor.game(*[PEBBLE] * 3)).resign(), ".end thead"),
}


def pages_of(visitor: Visitor) -> dict[str, Page]:
    """A page of each size that records its shifts; watching them together saves waiting."""
    visitor.context.add_init_script(WATCH_SHIFTS)
    # "now" in the list of open tables would become "1 minute ago", which is longer.
    visitor.context.clock.set_fixed_time(time.time())
    pages = {name: visitor.context.new_page() for name in SIZES}
    for name, page in pages.items():
        page.set_viewport_size(SIZES[name])  # type: ignore[arg-type]  # the sizes are plain dictionaries
    return pages


def shifts(pages: dict[str, Page], last_part: str) -> dict[str, list[Any]]:
    """Every reported shift by size, once the last part has loaded."""
    for page in pages.values():
        page.wait_for_selector(last_part)
    page.wait_for_timeout(SETTLED_MS)
    found = {name: page.evaluate("shifts") for name, page in pages.items()}
    return {name: reported for name, reported in found.items() if reported}


@pytest.mark.parametrize("state", STATES)
def test_a_table_loads_without_a_shift(visitors: Visitors, state: str) -> None:
    arrange, last_part = STATES[state]
    visitor = visitors.come()
    path = arrange(visitor).open()
    pages = pages_of(visitor)
    for page in pages.values():
        page.goto(visitor.url + path)
    assert shifts(pages, last_part) == {}, "by its address"
    next(iter(pages.values())).evaluate(HAVE_PLAYED)
    for page in pages.values():
        page.goto(visitor.url)
    assert shifts(pages, ".mine .line") == {}, "the first page"
    for page in pages.values():
        page.evaluate(FOLLOW_LINK, path)
    assert shifts(pages, last_part) == {}, "from the first page"


PLACES = """() => ['form.now', '.ways', '.lists'].map((part) => {
  const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
  return [part, x, y, width, part === '.lists' ? 0 : height];
})"""
"""Where the parts below and beside the games are. The lists at the end may grow."""

CUT_OFF = "all => all.filter((each) => each.scrollHeight > each.clientHeight).map((each) => each.textContent)"


def test_any_list_of_games_arrives_without_moving_anything(visitors: Visitors) -> None:
    """The server's answer is held back, so that the page is measured before and after it."""
    visitor = visitors.come()
    page, name = visitor.page, "W" * LONGEST_NAME
    for _ in range(MOST_GAMES):
        visitor.game(*[(visitor, name)] * 3, variant="expert", scoring="claims", clock="gentle", seconds=3600).open()
    visitor.go("/settings")
    page.evaluate(HAVE_PLAYED)
    held: Queue[Route] = Queue()
    page.route("**/api/v1/games/current", lambda route: held.put(route))

    def places(language: str) -> dict[str, Any]:
        """Where everything is, in each size; no line of a game is cut off."""
        found = {}
        for name, size in {**SIZES, "tablet": TABLET}.items():
            page.set_viewport_size(size)  # type: ignore[arg-type]  # the sizes are plain dictionaries
            found[name] = page.evaluate(PLACES)
            assert page.eval_on_selector_all(".mine .line", CUT_OFF) == [], (language, name)
        return found

    for language in LANGUAGES:
        page.evaluate("(language) => localStorage.setItem('riverstones.language', language)", language)
        visitor.go("/")
        while held.empty():
            page.wait_for_timeout(20)
        expect(page.locator(".mine h1")).to_be_visible()
        expect(page.locator(".mine .line")).to_have_count(0)
        before = places(language)
        held.get().continue_()
        expect(page.locator(".mine .line")).to_have_count(MOST_GAMES)
        assert places(language) == before, language


def test_an_invitation_loads_without_a_shift(visitors: Visitors) -> None:
    host, guest = visitors.come(), visitors.come()
    path = host.game("open", "open").open()
    pages = pages_of(guest)
    for page in pages.values():
        page.goto(guest.url + path)
    assert shifts(pages, ".seats .main") == {}


def test_a_first_game_loads_without_a_shift(visitors: Visitors) -> None:
    newcomers = {name: visitors.come(size) for name, size in SIZES.items()}
    pages = {name: visitor.page for name, visitor in newcomers.items()}
    for visitor in newcomers.values():
        visitor.context.add_init_script(WATCH_SHIFTS)
        visitor.go("/")
    assert shifts(pages, ".lists") == {}
    for page in pages.values():
        page.eval_on_selector("form.now button.main", "each => each.click()")
    assert shifts(pages, ".sheet") == {}
