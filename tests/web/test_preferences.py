"""The visitor's own settings: reached from everywhere, applied at once, kept on the device and with the account."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .scenes import my_turn
from .visitors import PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow


def choose(visitor: Visitor, label: str, option: str) -> None:
    group = visitor.page.get_by_role("group", name=label)
    group.get_by_role("radio", name=option, exact=True).check()


def test_settings_apply_at_once_and_are_kept_on_the_device(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE, reduced_motion="no-preference")
    visitor.go("/")
    visitor.page.get_by_role("link", name="Settings").click()
    html = visitor.page.locator("html")
    expect(html).to_have_attribute("data-motion", "on")
    choose(visitor, "Theme", "Dark")
    choose(visitor, "Animation", "Reduced")
    choose(visitor, "Coordinates on the board", "Off")
    expect(html).to_have_css("color-scheme", "dark")
    visitor.page.locator("main").get_by_label("Language").select_option("it")
    expect(visitor.page.locator("h1")).to_have_text("Impostazioni")
    visitor.page.reload()
    expect(visitor.page.locator("h1")).to_have_text("Impostazioni")
    expect(html).to_have_css("color-scheme", "dark")
    expect(html).to_have_attribute("data-motion", "reduced")
    my_turn(visitor)
    expect(visitor.page.locator(".board .names")).to_be_hidden()


def test_the_settings_open_over_a_table_which_stays_as_it_is(visitors: Visitors) -> None:
    visitor = visitors.come()
    my_turn(visitor)
    move = visitor.plays()[0].move
    visitor.lay(move)
    visitor.page.get_by_role("button", name="Menu").click()
    visitor.page.get_by_role("button", name="Settings").click()
    expect(visitor.page.locator("dialog")).to_contain_text("Bot speed")
    choose(visitor, "Coordinates on the board", "Off")
    expect(visitor.page.locator(".board .names")).to_be_hidden()
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator("dialog")).to_have_count(0)
    expect(visitor.page.locator(".tentative")).to_have_attribute("data-name", str(move.square))
    visitor.confirm()


def test_without_confirmation_a_second_tap_on_the_tile_plays_it(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    visitor.go("/settings")
    choose(visitor, "Confirm moves", "Off")
    my_turn(visitor)
    move = visitor.plays()[0].move
    visitor.lay(move)
    before = visitor.turn()
    visitor.page.wait_for_timeout(450)  # longer than a double tap
    visitor.square(move.square).click()
    visitor.wait_for_move(before)


def test_settings_follow_the_account_to_another_device(visitors: Visitors) -> None:
    ann, phone = visitors.come(), visitors.come(PHONE)
    ann.post("/me", {"name": "Ann"})
    # The code signs the phone in, and with it Ann has an account.
    phone.post("/account/links/redeem", {"code": ann.post("/account/links", {})["code"]})
    ann.go("/settings")
    expect(ann.page.locator(".kept")).to_contain_text("in your account")
    with ann.page.expect_response(lambda response: response.request.method == "PUT"):
        choose(ann, "Bot speed", "Slow")
    phone.go("/settings")
    expect(phone.page.get_by_role("radio", name="Slow")).to_be_checked()
    with phone.page.expect_response(lambda response: response.request.method == "PUT"):
        choose(phone, "Bot speed", "Quick")
    ann.page.reload()
    expect(ann.page.get_by_role("radio", name="Quick")).to_be_checked()


def test_a_guest_is_told_that_settings_stay_on_the_device(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.go("/settings")
    expect(visitor.page.locator(".kept")).to_have_text("Saved on this device.")


def test_beginners_see_no_notation_and_others_find_it_in_the_settings(visitors: Visitors) -> None:
    visitor = visitors.come()
    my_turn(visitor, 8)
    written = re.compile(r"[a-i][1-9][+=][1-9]")
    moves = visitor.page.locator(".sheet .move")
    expect(moves).to_have_count(8)
    assert not any(written.search(text) for text in visitor.page.locator("body").all_inner_texts())
    expect(moves.first.locator(".tile")).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Type a move")).to_have_count(0)
    visitor.page.get_by_role("button", name="Menu").click()
    visitor.page.get_by_role("button", name="Settings").click()
    choose(visitor, "Notation", "On")
    visitor.page.keyboard.press("Escape")
    expect(moves.first).to_have_text(written)
    visitor.page.get_by_role("button", name="Type a move").click()
    move = visitor.plays()[0].move
    visitor.page.get_by_label("Move in notation").fill(str(move))
    visitor.page.get_by_role("button", name="Place it").click()
    expect(visitor.page.locator(".tentative")).to_have_attribute("data-name", str(move.square))
