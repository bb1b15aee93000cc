"""Nothing moves while a page comes: the layout-instability API reports no shift at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from .games import Game
from .scenes import PEBBLE
from .visitors import DESK, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

LAPTOP = {"width": 1366, "height": 768}
SMALL_PHONE = {"width": 360, "height": 640}
LANDSCAPE_PHONE = {"width": 844, "height": 390}
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
"""A click by script is not input to the API, so that it excuses nothing."""

SETTLED_MS = 700
"""How long a page is watched after its last part has come."""


def with_moves(game: Game) -> Game:
    """Two rounds in, it is the visitor's turn."""
    return game.play(2 * game.table.options.seats)


STATES: dict[str, tuple[Callable[[Visitor], Game], str]] = {
    "waiting": (lambda visitor: visitor.game("open", "open"), ".waiting svg[role=img]"),
    "of_two": (lambda visitor: with_moves(visitor.game(PEBBLE, hints=True)), ".sheet ol"),
    "of_four": (lambda visitor: with_moves(visitor.game(*[PEBBLE] * 3, clock="gentle", seconds=3600)), ".sheet ol"),
    "by_claims": (lambda visitor: visitor.game(PEBBLE, scoring="claims"), ".sheet"),
    "on_one_device": (lambda visitor: visitor.game((visitor, "Ben")), ".pass"),
    "over_at_once": (lambda visitor: visitor.game(PEBBLE).resign(), ".end.settled"),
    "over_of_two": (lambda visitor: with_moves(visitor.game(PEBBLE)).resign(), ".end thead"),
    "over_of_four": (lambda visitor: with_moves(visitor.game(*[PEBBLE] * 3)).resign(), ".end thead"),
}


def pages_of(visitor: Visitor) -> dict[str, Page]:
    """A page of each size that reports its shifts. Pages that are watched at the same time share the wait."""
    visitor.context.add_init_script(WATCH_SHIFTS)
    pages = {name: visitor.context.new_page() for name in SIZES}
    for name, page in pages.items():
        page.set_viewport_size(SIZES[name])  # type: ignore[arg-type]  # the sizes are plain dictionaries
    return pages


def shifts(pages: dict[str, Page], last_part: str) -> dict[str, list[Any]]:
    """Every shift that the browser has reported, by size, once a part has come that comes last."""
    for page in pages.values():
        page.wait_for_selector(last_part)
    page.wait_for_timeout(SETTLED_MS)
    found = {name: page.evaluate("shifts") for name, page in pages.items()}
    return {name: reported for name, reported in found.items() if reported}


@pytest.mark.parametrize("state", STATES)
def test_a_table_comes_without_a_shift(visitors: Visitors, state: str) -> None:
    arrange, last_part = STATES[state]
    visitor = visitors.come()
    path = arrange(visitor).open()
    pages = pages_of(visitor)
    for page in pages.values():
        page.goto(visitor.url + path)
    assert shifts(pages, last_part) == {}, "by its address"
    for page in pages.values():
        page.goto(visitor.url)
    assert shifts(pages, ".lists .line") == {}, "the first page"
    for page in pages.values():
        page.evaluate(FOLLOW_LINK, path)
    assert shifts(pages, last_part) == {}, "from the first page"


def test_an_invitation_comes_without_a_shift(visitors: Visitors) -> None:
    host, guest = visitors.come(), visitors.come()
    path = host.game("open", "open").open()
    pages = pages_of(guest)
    for page in pages.values():
        page.goto(guest.url + path)
    assert shifts(pages, ".seats .main") == {}


def test_a_first_game_comes_without_a_shift(visitors: Visitors) -> None:
    newcomers = {name: visitors.come(size) for name, size in SIZES.items()}
    pages = {name: visitor.page for name, visitor in newcomers.items()}
    for visitor in newcomers.values():
        visitor.context.add_init_script(WATCH_SHIFTS)
        visitor.go("/")
    assert shifts(pages, ".lists") == {}
    for page in pages.values():
        page.eval_on_selector("form.now button.main", "each => each.click()")
    assert shifts(pages, ".sheet") == {}
