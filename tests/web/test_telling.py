"""What people are told of moves: on one device for all, when time runs out, and in the title of the page."""

import re

import pytest
from playwright.sync_api import expect

from .scenes import my_turn
from .test_together import sit_down
from .visitors import PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow


def take_turn(visitor: Visitor) -> None:
    """Take the device over and make the first play there is."""
    visitor.page.locator(".pass .reveal").click()
    visitor.page.wait_for_selector(".hand button")
    visitor.lay(visitor.plays()[0].move)
    visitor.page.locator("button.play").click()


def test_a_move_is_seen_before_the_device_is_handed_on(visitors: Visitors) -> None:
    ann = visitors.come(PHONE, reduced_motion="no-preference")
    ann.game((ann, "Bo"), "stream").open(ann)
    take_turn(ann)
    ann.wait_for_move(0)
    assert ann.page.locator(".pass").count() == 0, "the move is looked at"
    assert ann.page.locator(".hand").count() == 0, "and no hand is in the page meanwhile"
    expect(ann.page.locator(".pass h2")).to_have_text("Pass the device to Bo")
    assert ann.page.title() == "Pass the device to Bo · Riverstones"
    take_turn(ann)
    # Ann reads what Bo and the bot have done since she moved.
    expect(ann.page.locator(".pass h2")).to_have_text("Pass the device to Ann")
    news = ann.page.locator(".pass .news p")
    expect(news).to_have_count(2)
    expect(news.first).to_have_text(re.compile(r"^Bo: (addend|total) \d on [a-i]\d.*, \d+ points?$"))
    expect(news.last).to_have_text(re.compile(r"^Stream: (addend|total) \d on [a-i]\d.*, \d+ points?$"))


def test_who_looks_elsewhere_reads_in_the_title_whose_turn_it_is(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(name="Bo")
    ann.game(bo).open(ann, bo)
    expect(ann.page).to_have_title("● Your turn · Riverstones")
    expect(bo.page).to_have_title("Ann to move · Riverstones")


def test_whose_time_runs_out_is_told_what_was_placed(visitors: Visitors) -> None:
    ann, bo = visitors.come(PHONE), visitors.come(name="Bo")
    link = ann.make_table({"who": "me"}, {"who": "open"}, clock="strict", seconds=5)
    sit_down(bo, link, "Bo")
    expect(ann.page.locator(".status")).to_have_text(
        re.compile(r"^Time ran out: your [1-9] was placed on [a-i][1-9]\.$")
    )
    expect(bo.page.locator(".status")).to_have_text(
        re.compile(r"^Time ran out for Ann: [1-9] was placed on [a-i][1-9]\.$")
    )
    expect(bo.page.locator("[aria-live]").first).to_contain_text("Time ran out for Ann")


def test_words_that_are_refused_come_back_to_where_they_were_written(visitors: Visitors) -> None:
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
