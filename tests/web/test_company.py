"""Playing with others: what an invitation says, chat on a phone, and somebody new on an empty seat."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.running import running, settings_for

from .games import CLAIM_WAIT_MS, Archive
from .visitors import DESK, LINGER, PHONE, Visitors

pytestmark = pytest.mark.slow


def test_an_invitation_says_who_invites_to_what(visitors: Visitors) -> None:
    ann, bob = visitors.come(), visitors.come(PHONE, name="Bob")
    link = ann.game("open", "open", variant="expert", scoring="claims", clock="strict", seconds=45).open()
    bob.go(link)
    card = bob.page.locator("section.waiting")
    expect(card.get_by_role("heading").first).to_have_text("Ann invites you to a game")
    for sentence in (
        "A game for 3 players.",
        "You may flip any number of tiles.",
        "You say what a move is worth; the others may object.",
        "When time is up, a tile is placed for you. 45\u00a0s per turn.",
    ):
        expect(card.locator(".terms")).to_contain_text(sentence)
    expect(card.get_by_role("button", name="Sit here").first).to_be_in_viewport()
    card.get_by_role("button", name="Sit here").first.click()
    expect(card.get_by_role("heading").first).to_have_text("Waiting for your friends")


def test_a_chat_message_is_seen_on_a_phone_without_scrolling(visitors: Visitors) -> None:
    ann, bob = visitors.come(PHONE), visitors.come(DESK, name="Bob")
    ann.context.add_init_script(LINGER)
    ann.listen()
    game = ann.game(bob).play(2)
    game.open(ann, bob)
    for visitor in (ann, bob):
        visitor.page.wait_for_selector(".sheet")
    bob.page.locator("#tab-chat").click()
    bob.page.locator(".chat input").fill("Well played!")
    bob.page.keyboard.press("Enter")
    toast = ann.page.locator(".toast")
    expect(toast).to_be_in_viewport()
    expect(toast).to_have_text("Bob Well played!")
    ann.hear("Well played!")
    expect(bob.page.locator(".toast")).to_have_count(0)
    toast.click()
    expect(toast).to_have_count(0)
    expect(ann.page.locator(".chat")).to_be_in_viewport()
    ann.page.reload()
    ann.page.wait_for_selector(".sheet")
    expect(toast).to_have_count(0)


def test_somebody_new_takes_an_empty_seat(browser: Browser, tmp_path: Path) -> None:
    settings: Any = settings_for(tmp_path, absent_ms=500, claim_wait_ms=CLAIM_WAIT_MS)
    with running(settings) as server, Archive.of(settings.database) as archive:
        visitors = Visitors(browser, server.url, archive)
        ann, bob, eve = visitors.come(), visitors.come(name="Bob"), visitors.come(name="Eve")
        game = ann.game(bob).play(2)
        game.open(ann, eve)
        eve.page.wait_for_selector(".sheet")
        ann.page.get_by_role("button", name="Menu").click()
        ann.page.get_by_role("button", name="Offer the empty seat to someone new").click()
        expect(ann.page.locator(".proposal")).to_contain_text("Anyone with the link can now take the empty seat.")
        expect(eve.page.locator(".proposal")).to_contain_text("take over Bob’s seat")
        eve.page.get_by_role("button", name="Take the seat").click()
        expect(eve.page.locator(".hand button")).to_have_count(2)
        expect(ann.page.locator(".proposal")).to_have_count(0)
        visitors.leave()
