"""Playing with others: what an invitation says, chat on a phone, and somebody new on an empty seat."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from riverstones.table.commands import Stand
from tests.server.running import running, settings_for

from .games import CLAIM_WAIT_MS, Archive
from .visitors import DESK, LINGER, PHONE, Visitor, Visitors

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
    names = ann.page.locator(".person").first.bounding_box()
    place = toast.bounding_box()
    assert names is not None
    assert place is not None
    assert place["y"] + place["height"] <= names["y"], "no player is covered"
    ann.hear("Well played!")
    expect(bob.page.locator(".toast")).to_have_count(0)
    toast.click()
    expect(toast).to_have_count(0)
    expect(ann.page.locator(".chat input")).to_be_in_viewport(ratio=1)
    ann.page.reload()
    ann.page.wait_for_selector(".sheet")
    expect(toast).to_have_count(0)
    ann.page.evaluate("scrollTo(0, 0)")
    ann.page.locator("#tab-chat").click()
    expect(ann.page.locator(".chat input")).to_be_in_viewport(ratio=1)


OFFER = "Offer the empty seat to someone new"


def offer_seat(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Menu").click()
    visitor.page.get_by_role("button", name=OFFER).click()


@pytest.fixture
def fickle(browser: Browser, tmp_path: Path) -> Iterator[Visitors]:
    """Visitors of a server where somebody who has no page open is absent after half a second."""
    settings: Any = settings_for(tmp_path, absent_ms=500, claim_wait_ms=CLAIM_WAIT_MS)
    with running(settings) as server, Archive.of(settings.database) as archive:
        visitors = Visitors(browser, server.url, archive)
        yield visitors
        visitors.leave()


def test_one_player_gives_a_seat_that_was_left_to_somebody_new(fickle: Visitors) -> None:
    ann, bob, eve = fickle.come(), fickle.come(name="Bob"), fickle.come(name="Eve")
    game = ann.game(bob).play(2).do(Stand(1))
    game.open(ann, bob, eve)
    eve.page.wait_for_selector(".sheet")
    expect(bob.page.locator(".proposal")).to_contain_text("Your seat is still free.")
    offer_seat(ann)
    expect(ann.page.locator(".proposal")).to_contain_text("Anyone with the link can now take the empty seat.")
    eve.page.get_by_role("button", name="Take the seat").click()
    expect(eve.page.locator(".hand button")).to_have_count(2)
    for visitor in (ann, bob):
        expect(visitor.page.locator(".proposal")).to_have_count(0)


def test_two_players_give_an_absent_ones_seat_to_somebody_new_and_the_player_returns(fickle: Visitors) -> None:
    ann, bob, cid, eve = (fickle.come(name=name) for name in ("Ann", "Bob", "Cid", "Eve"))
    game = ann.game(bob, cid).play(2)
    game.open(ann, cid, eve)
    for visitor in (cid, eve):
        visitor.page.wait_for_selector(".sheet")
    offer_seat(ann)
    expect(ann.page.locator(".proposal")).to_contain_text("Waiting for the others to agree.")
    expect(eve.page.locator(".proposal")).to_contain_text("take over Bob’s seat")
    take = eve.page.get_by_role("button", name="Take the seat")
    expect(take).to_have_count(0)
    expect(cid.page.locator(".proposal")).to_contain_text("Ann would like someone new to take the empty seat.")
    cid.page.get_by_role("button", name="Agree").click()
    expect(ann.page.locator(".proposal")).to_contain_text("Anyone with the link can now take the empty seat.")
    take.click()
    expect(eve.page.locator(".hand button")).to_have_count(2)
    expect(ann.page.locator(".proposal")).to_have_count(0)

    game.open(bob)
    expect(bob.page.locator(".proposal")).to_contain_text("Guest is playing in your seat.")
    bob.page.get_by_role("button", name="Return to your seat").click()
    expect(bob.page.locator(".hand button")).to_have_count(2)
    expect(bob.page.locator(".proposal")).to_have_count(0)
    expect(eve.page.locator(".hand button")).to_have_count(0)
    expect(eve.page.locator(".proposal")).to_have_count(0)
    expect(ann.page.locator(".people")).to_contain_text("Bob")


def test_one_player_alone_gives_an_absent_ones_seat_only_to_a_bot(fickle: Visitors) -> None:
    ann, bob = fickle.come(PHONE), fickle.come(PHONE, name="Bob")
    game = ann.game(bob).play(2)
    game.open(ann)
    stand_in = ann.page.get_by_role("button", name="Bob is away: let a bot take over")
    expect(stand_in).to_be_visible()
    ann.page.get_by_role("button", name="Menu").click()
    expect(ann.page.get_by_role("button", name="Ask to undo the last move")).to_be_visible()
    expect(ann.page.get_by_role("button", name=OFFER)).to_have_count(0)
    ann.page.keyboard.press("Escape")
    stand_in.click()
    expect(ann.page.locator(".people")).to_contain_text("Brook")

    game.open(bob)
    expect(bob.page.locator(".proposal")).to_contain_text("Brook is playing in your seat.")
    back = bob.page.get_by_role("button", name="Return to your seat")
    expect(back).to_be_in_viewport(ratio=1)
    back.click()
    expect(bob.page.locator(".hand button")).to_have_count(2)
