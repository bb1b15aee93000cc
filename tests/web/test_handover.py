"""One device for several people: the clock waits for who takes it, and nobody is shown the tile of another."""

import json
import re

import pytest
from playwright.sync_api import expect

from .test_together import sit_down
from .visitors import PHONE, Visitors, hands_in

pytestmark = pytest.mark.slow

BOTH = ({"who": "me", "name": "Ann"}, {"who": "me", "name": "Bo"})
WAITS = "The clock starts when you show your tiles."


def test_the_clock_waits_until_the_tiles_are_shown(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.make_table(*BOTH, clock="strict", seconds=5)
    passing = ann.page.locator(".pass")
    expect(passing).to_contain_text(WAITS)
    ann.page.wait_for_timeout(6_000)
    expect(passing.locator("h2")).to_have_text("Pass the device to Ann")
    assert ann.turn() == 0, "no turn is lost behind the screen"
    passing.locator(".reveal").click()
    ann.page.wait_for_selector(".hand button")

    # Now it runs: after five seconds a tile is placed, and the next one has all the time to take the device.
    expect(passing.locator("h2")).to_have_text("Pass the device to Bo")
    expect(passing).to_contain_text("time ran out")
    expect(passing).to_contain_text(WAITS)
    ann.page.wait_for_timeout(6_000)
    assert ann.turn() == 1
    told = [frame["event"]["type"] for frame in ann.frames if frame["type"] == "event"]
    assert told == ["revealed", "moved"]


def test_a_reload_does_not_stop_the_clock_that_runs(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.make_table(*BOTH, clock="strict", seconds=60)
    ann.page.locator(".pass .reveal").click()
    ann.page.wait_for_selector(".hand button")
    expect(ann.page.locator("header [role=timer]")).to_have_accessible_name(re.compile("^[345][0-9] seconds left"))
    ann.page.reload()
    expect(ann.page.locator(".pass")).to_contain_text("The clock is running.")
    expect(ann.page.locator(".pass [role=timer]")).to_be_visible()


def test_with_people_at_other_devices_the_clock_does_not_wait_for_ever(visitors: Visitors) -> None:
    ann, cleo = visitors.come(), visitors.come()
    link = ann.make_table(*BOTH, {"who": "open"}, clock="strict", seconds=5)
    sit_down(cleo, link, "Cleo")
    expect(ann.page.locator(".pass")).to_contain_text("and on its own in 1")
    ann.page.locator(".pass .reveal").click()
    ann.page.wait_for_selector(".hand button")
    ann.lay(ann.plays()[0].move)
    ann.confirm()
    expect(cleo.page.locator("header h1")).to_have_text("Bo to move")
    # Bo never takes the device: after 20 seconds his five begin, and then it is Cleo's turn.
    expect(ann.page.locator(".pass")).to_contain_text("The clock is running.", timeout=30_000)
    cleo.page.wait_for_selector("h1.mine", timeout=20_000)
    assert [hand for frame in ann.frames for hand in hands_in(frame)], "Ann was shown her hand"


def test_a_laid_tile_comes_back_after_a_reload(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.make_table({"who": "me"}, {"who": "bot", "level": "pebble"})
    ann.wait_for_my_turn()
    move = next((play.move for play in ann.plays() if play.move.flips), ann.plays()[0].move)
    ann.lay(move)
    expect(ann.page.locator("button.play")).to_be_enabled()
    ann.page.reload()
    expect(ann.page.locator(f'.tentative[data-name="{move.square}"]')).to_have_count(1)
    expect(ann.page.locator("button.play")).to_be_enabled()
    assert ann.page.locator(".flipped").count() == len(move.flips)
    ann.confirm()
    ann.wait_for_my_turn()

    # One that was taken back stays in the hand.
    ann.lay(ann.plays()[0].move)
    ann.page.get_by_role("button", name="Take back", exact=True).click()
    ann.page.reload()
    ann.wait_for_my_turn()
    ann.page.wait_for_selector(".hand button")
    expect(ann.page.locator(".tentative")).to_have_count(0)


def test_a_laid_tile_is_dropped_when_the_position_has_changed(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come()
    link = ann.make_table({"who": "me"}, {"who": "open"})
    sit_down(bo, link, "Bo")
    ann.wait_for_my_turn()
    # Bo lays a tile out ahead of his turn and leaves the page; Ann moves meanwhile.
    bo.lay(bo.plays()[0].move)
    bo.go("/rules")
    ann.lay(ann.plays()[-1].move)
    ann.confirm()
    bo.go(link)
    bo.wait_for_my_turn()
    bo.page.wait_for_selector(".hand button")
    expect(bo.page.locator(".tentative")).to_have_count(0)
    assert not json.loads(bo.page.evaluate("JSON.stringify(Object.keys(sessionStorage))"))


def test_a_laid_tile_is_shown_to_nobody_else_at_the_device(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.make_table(*BOTH)
    ann.page.locator(".pass .reveal").click()
    ann.page.wait_for_selector(".hand button")
    move = ann.plays()[0].move
    ann.lay(move)
    expect(ann.page.locator(".tentative")).to_have_count(1)
    ann.page.reload()
    ann.page.wait_for_selector(".pass .reveal")
    expect(ann.page.locator(".tentative")).to_have_count(0)
    ann.page.get_by_role("button", name="Look at the board first").click()
    expect(ann.page.locator(".tentative")).to_have_count(0)
    ann.page.get_by_role("button", name="Pass the device to Ann").click()
    ann.page.locator(".pass .reveal").click()
    expect(ann.page.locator(f'.tentative[data-name="{move.square}"]')).to_have_count(1)
    ann.confirm()
    ann.page.locator(".pass .reveal").click()
    ann.page.wait_for_selector(".hand button")
    expect(ann.page.locator(".tentative")).to_have_count(0)
