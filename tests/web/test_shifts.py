"""Nothing moves while a page comes: the layout-instability API reports no shift at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .scenes import BOT, ME
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


def resign(visitor: Visitor) -> None:
    visitor.page.locator("header button.menu").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.wait_for_selector(".end.settled")


def play_moves(visitor: Visitor, count: int) -> None:
    for _ in range(count):
        visitor.wait_for_my_turn()
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
    visitor.wait_for_my_turn()


def waiting(visitor: Visitor) -> str:
    return visitor.make_table(ME, {"who": "open"}, {"who": "open"})


def of_two(visitor: Visitor) -> str:
    path = visitor.make_table(ME, BOT, hints=True)
    play_moves(visitor, 2)
    return path


def of_four(visitor: Visitor) -> str:
    path = visitor.make_table(ME, BOT, BOT, BOT, clock="gentle", seconds=3600)
    play_moves(visitor, 2)
    return path


def by_claims(visitor: Visitor) -> str:
    path = visitor.make_table(ME, BOT, scoring="claims")
    visitor.wait_for_my_turn()
    return path


def on_one_device(visitor: Visitor) -> str:
    path = visitor.make_table({"who": "me", "name": "Ann"}, {"who": "me", "name": "Ben"})
    visitor.page.wait_for_selector(".pass")
    return path


def over_at_once(visitor: Visitor) -> str:
    path = visitor.make_table(ME, BOT)
    visitor.wait_for_my_turn()
    resign(visitor)
    return path


def over_of_two(visitor: Visitor) -> str:
    path = of_two(visitor)
    resign(visitor)
    return path


def over_of_four(visitor: Visitor) -> str:
    path = of_four(visitor)
    resign(visitor)
    return path


STATES: dict[str, tuple[Callable[[Visitor], str], str]] = {
    "waiting": (waiting, ".waiting svg[role=img]"),
    "of_two": (of_two, ".sheet ol"),
    "of_four": (of_four, ".sheet ol"),
    "by_claims": (by_claims, ".sheet"),
    "on_one_device": (on_one_device, ".pass"),
    "over_at_once": (over_at_once, ".end.settled"),
    "over_of_two": (over_of_two, ".end thead"),
    "over_of_four": (over_of_four, ".end thead"),
}


def shifts(visitor: Visitor, last_part: str) -> list[Any]:
    """Every shift that the browser has reported, once a part has come that comes last."""
    visitor.page.wait_for_selector(last_part)
    visitor.page.wait_for_timeout(SETTLED_MS)
    found: list[Any] = visitor.page.evaluate("shifts")
    return found


@pytest.mark.parametrize("state", STATES)
def test_a_table_comes_without_a_shift(visitors: Visitors, state: str) -> None:
    arrange, last_part = STATES[state]
    visitor = visitors.come()
    path = arrange(visitor)
    visitor.context.add_init_script(WATCH_SHIFTS)
    for name, size in SIZES.items():
        visitor.page.set_viewport_size(size)  # type: ignore[arg-type]  # the sizes are plain dictionaries
        visitor.go(path)
        assert shifts(visitor, last_part) == [], (name, "by its address")
        visitor.go("/")
        assert shifts(visitor, ".lists .line") == [], (name, "the first page")
        visitor.page.evaluate(FOLLOW_LINK, path)
        assert shifts(visitor, last_part) == [], (name, "from the first page")


def test_an_invitation_comes_without_a_shift(visitors: Visitors) -> None:
    host, guest = visitors.come(), visitors.come()
    path = waiting(host)
    guest.context.add_init_script(WATCH_SHIFTS)
    for name, size in SIZES.items():
        guest.page.set_viewport_size(size)  # type: ignore[arg-type]  # the sizes are plain dictionaries
        guest.go(path)
        assert shifts(guest, ".seats .main") == [], name


def test_a_first_game_comes_without_a_shift(visitors: Visitors) -> None:
    for name, size in SIZES.items():
        visitor = visitors.come(size)
        visitor.context.add_init_script(WATCH_SHIFTS)
        visitor.go("/")
        assert shifts(visitor, ".lists") == [], name
        visitor.page.eval_on_selector("form.now button.main", "each => each.click()")
        assert shifts(visitor, ".sheet") == [], name
