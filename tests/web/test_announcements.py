"""Messages about moves: on a shared device, after a timeout, and in the page title."""

import re

from playwright.sync_api import expect

from .scenes import my_turn
from .test_together import sit_down
from .visitors import PHONE, Visitor, Visitors

WATCH_MOVE = """() => new MutationObserver(() => {
  if (!document.querySelector('.sheet ol > li > button') || document.querySelector('.hand')) return;
  window.handedOn ??= document.querySelector('.pass') !== null;
}).observe(document.body, { subtree: true, childList: true })"""
"""Records whether the device is passed on as soon as the first move is in the list and no hand is in the page."""


def take_turn(visitor: Visitor) -> None:
    """Take the device and make the first legal play."""
    visitor.page.locator(".pass .reveal").click()
    visitor.page.wait_for_selector(".hand button")
    visitor.lay(visitor.plays()[0].move)
    visitor.page.locator("button.play").click()


def test_a_move_is_shown_before_the_handover(visitors: Visitors) -> None:
    ann = visitors.come(PHONE, reduced_motion="no-preference")
    ann.game((ann, "Bo"), "stream").open(ann)
    ann.page.evaluate(WATCH_MOVE)
    take_turn(ann)
    ann.page.wait_for_function("() => window.handedOn !== undefined")
    assert not ann.page.evaluate("handedOn"), "the move is looked at, and no hand is in the page meanwhile"
    expect(ann.page.locator(".pass h2")).to_have_text("Pass the device to Bo")
    assert ann.page.title() == "Pass the device to Bo · Riverstones"
    take_turn(ann)
    # Ann sees the moves of Bo and the bot since her own.
    expect(ann.page.locator(".pass h2")).to_have_text("Pass the device to Ann")
    news = ann.page.locator(".pass .news p")
    expect(news).to_have_count(2)
    expect(news.first).to_have_text(re.compile(r"^Bo: (addend|total) \d on [a-i]\d.*, \d+ points?$"))
    expect(news.last).to_have_text(re.compile(r"^Stream: (addend|total) \d on [a-i]\d.*, \d+ points?$"))


def test_the_page_title_says_whose_turn_it_is(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(name="Bo")
    ann.game(bo).open(ann, bo)
    expect(ann.page).to_have_title("● Your turn · Riverstones")
    expect(bo.page).to_have_title("Ann to move · Riverstones")


def test_after_a_timeout_the_player_sees_the_placed_tile(visitors: Visitors) -> None:
    ann, bo = visitors.come(PHONE), visitors.come(name="Bo")
    ann.listen()
    bo.listen()
    link = ann.make_table({"who": "me"}, {"who": "open"}, clock="strict", seconds=5)
    sit_down(bo, link, "Bo")
    # These messages are soon replaced: now Bo's time is running.
    ann.hear(r"^Time ran out: your [1-9] was placed on [a-i][1-9]\.$")
    bo.hear(r"^Time ran out for Ann: [1-9] was placed on [a-i][1-9]\.$")
    bo.hear(r"Time ran out for Ann.*Your turn")


def test_a_refused_chat_message_returns_to_its_input(visitors: Visitors) -> None:
    ann = visitors.come()
    my_turn(ann)
    ann.page.locator("#tab-chat").click()
    field = ann.page.locator(".chat input")
    nothing_to_see = "\u200b"
    for words, left in (("Hello", ""), (nothing_to_see, nothing_to_see)):
        field.fill(words)
        field.press("Enter")
        expect(field).to_have_value(left)
    expect(ann.page.locator(".status.bad")).not_to_be_empty()
