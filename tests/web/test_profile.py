"""The profile: what somebody has played and how well, for them alone."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import expect

from .conftest import ADDRESSES
from .games import best, worst
from .scenes import PEBBLE, new_profile
from .visitors import PHONE, Visitor, Visitors

WITHOUT_SHARING = "Object.defineProperty(navigator, 'canShare', { value: undefined })"


def figures_of(visitor: Visitor) -> dict[str, Any]:
    """The figures as the server tells them to this visitor."""
    found: dict[str, Any] = visitor.page.request.get(f"{visitor.url}/api/v1/profile/me").json()
    return found


def test_somebody_who_has_not_played_is_shown_the_way(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    new_profile(visitor)
    expect(visitor.page.locator("main")).to_contain_text("nobody else can see this page unless you share it")
    expect(visitor.page.get_by_role("button", name="Share")).to_have_count(0)
    visitor.page.get_by_role("link", name="Play a first game").click()
    expect(visitor.page.locator("form.now")).to_be_visible()


def test_figures_opponents_and_the_best_move_are_those_of_the_games(visitors: Visitors) -> None:
    visitor, other = visitors.come(), visitors.come(name="Bo")
    lost = visitor.game(PEBBLE, entropy=5).play(9, worst).resign()
    lost.open()
    whole = visitor.game(other, entropy=6).play(choose=best)
    whole.open()
    visitor.go("/profile")
    visitor.page.wait_for_selector(".figures")
    figures = figures_of(visitor)
    assert figures["games"] == 2
    rows = visitor.page.locator("table tbody tr")
    expect(rows).to_have_count(2)
    expect(visitor.page.locator("table")).to_contain_text("Bo")
    expect(visitor.page.locator("table")).to_contain_text("Pebble")
    top = max(turn.points for turn in whole.rules.turns if turn.seat == 0)
    assert figures["best_move"]["points"] == top
    expect(visitor.page.locator(".best .points")).to_have_text(f"{top} points")
    square = figures["best_move"]["move"][:2]
    expect(visitor.square(square)).to_have_class(re.compile("last lit"))
    visitor.page.get_by_role("link", name="Replay from here").click()
    expect(visitor.page.locator(".told .points")).to_have_text(f"{top} points")
    # Others are told nothing of it.
    assert other.page.request.get(f"{other.url}/api/v1/people/{visitor.actor.person}").json().keys().isdisjoint(figures)


def test_accuracy_and_sight_come_from_reviews_and_sharing_is_a_sentence(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    visitor.context.add_init_script(WITHOUT_SHARING)
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    played = visitor.game(PEBBLE, entropy=7).play(26, best).resign()
    played.open()
    visitor.go(f"/replay/{played.table.id}?review")
    visitor.page.wait_for_selector(".accuracy", timeout=90_000)
    visitor.go("/profile")
    figures = figures_of(visitor)
    (game,) = figures["accuracy"]["games"]
    point = visitor.page.locator("svg a")
    expect(point).to_have_count(1)
    expect(visitor.page.locator("main")).to_contain_text(f"{round(game['accuracy'])} in the only reviewed game so far.")
    seen = figures["sight"]["flips"]
    expect(visitor.page.locator("dl div", has_text="With a flip")).to_contain_text(
        f"{seen['found']} of {seen['chances']}"
    )
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Share").click()
    assert download.value.suggested_filename == "riverstones.png"
    expect(visitor.page.get_by_role("button", name="Saved and copied")).to_be_visible()
    text = visitor.page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Ann at Riverstones: 1 game, "), json.dumps(text)
    assert text.endswith(f"\n{ADDRESSES[0]}/"), "the address for other devices"
    point.focus()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator(".accuracy")).to_be_visible()
