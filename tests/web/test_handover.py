"""One device for several people: the clock waits for who takes it, and nobody is shown the tile of another."""

import re

import pytest
from playwright.sync_api import expect

from .scenes import my_turn
from .visitors import PHONE, Visitor, Visitors, hands_in

pytestmark = pytest.mark.slow

BOTH = ({"who": "me", "name": "Ann"}, {"who": "me", "name": "Bo"})
WAITS = "The clock starts when you show your tiles."


def told_clock(visitor: Visitor) -> tuple[bool, int | None]:
    """Whether the clock waits for a reveal, and when the turn is up, as the server told last."""
    told = [frame.get("snapshot", frame)["now"] for frame in visitor.frames if frame["type"] in ("snapshot", "event")]
    return told[-1]["awaiting_reveal"], told[-1]["deadline_ms"]


def test_the_clock_waits_until_the_tiles_are_shown(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.make_table(*BOTH, clock="strict", seconds=5)
    passing = ann.page.locator(".pass")
    expect(passing).to_contain_text(WAITS)
    expect(passing.locator("h2")).to_have_text("Pass the device to Ann")
    assert told_clock(ann) == (True, None), "no turn is lost behind the screen"
    passing.locator(".reveal").click()
    ann.page.wait_for_selector(".hand button")

    # Now it runs: after five seconds a tile is placed, and the next one has all the time to take the device.
    expect(passing.locator("h2")).to_have_text("Pass the device to Bo")
    expect(passing).to_contain_text("time ran out")
    expect(passing).to_contain_text(WAITS)
    assert ann.turn() == 1
    assert told_clock(ann) == (True, None)
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
    ann, cleo = visitors.come(), visitors.come(name="Cleo")
    game = ann.game((ann, "Bo"), cleo, clock="strict", seconds=5)
    ann.page.clock.install()
    game.open(ann)
    expect(ann.page.locator(".pass")).to_contain_text("and on its own in 1")
    ann.page.locator(".pass .reveal").click()
    ann.page.wait_for_selector(".hand button")
    ann.lay(ann.plays()[0].move)
    ann.confirm()
    cleo.go(game.path)
    expect(cleo.page.locator("header h1")).to_have_text("Bo to move")
    # Bo does not take the device: after 20 seconds his five begin. The table's own tests wait for their end.
    waiting, deadline_ms = told_clock(ann)
    assert waiting
    assert deadline_ms is not None
    ann.page.clock.fast_forward(20_000)
    expect(ann.page.locator(".pass")).to_contain_text("The clock is running.")
    assert [hand for frame in ann.frames for hand in hands_in(frame)], "Ann was shown her hand"


def test_a_laid_tile_comes_back_after_a_reload(visitors: Visitors) -> None:
    ann = visitors.come()
    my_turn(ann, 6)
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


def test_a_laid_tile_is_shown_to_nobody_else_at_the_device(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.game((ann, "Bo")).open(ann)
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
