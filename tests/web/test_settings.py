"""The settings of a table are shown while it waits for players, and during play in its menu."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .visitors import DESK, PHONE, Visitor, Visitors

ME = {"who": "me"}
CHOSEN = {"variant": "expert", "clock": "strict", "seconds": 45, "layout": "star"}
SHOWN = {
    "Variant": "Expert",
    "Scoring": "Automatic",
    "Thinking time": "Strict, 45\u00a0s per turn",
    "Stone layout": "Star",
}


def settings(visitor: Visitor, within: str) -> dict[str, str]:
    shown = visitor.page.get_by_role("region", name="Game settings").locator("visible=true")
    expect(visitor.page.locator(within).get_by_role("region", name="Game settings")).to_be_visible()
    return dict(zip(shown.locator("dt").all_inner_texts(), shown.locator("dd").all_inner_texts(), strict=True))


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_table_shows_its_settings_before_and_during_play(visitors: Visitors, size: dict[str, int]) -> None:
    ann, bob = visitors.come(size), visitors.come(size)
    link = ann.make_table(ME, {"who": "open"}, **CHOSEN)
    assert settings(ann, ".waiting") == SHOWN
    bob.post("/me", {"name": "Bob"})
    bob.go(link)
    expect(bob.page.locator(".waiting .terms")).to_contain_text("45\u00a0s per turn")
    bob.page.get_by_role("button", name="Sit here").click()
    bob.page.wait_for_selector(".hand")
    bob.page.get_by_role("button", name="Menu").click()
    assert settings(bob, "dialog") == SHOWN
