"""A shared device: the clock waits for the handover, and tentative tiles are not shown to others."""

import re

import pytest
from playwright.sync_api import expect

from .scenes import my_turn
from .visitors import PHONE, Visitor, Visitors, hands_in

BOTH = ({"who": "me", "name": "Ann"}, {"who": "me", "name": "Bo"})
WAITS = "The clock starts when you show your tiles."


def sent_clock(visitor: Visitor) -> tuple[bool, int | None]:
    """Whether the clock waits for a reveal, and the deadline of the turn, from the server's last message."""
    told = [frame.get("snapshot", frame)["now"] for frame in visitor.frames if frame["type"] in ("snapshot", "event")]
    return told[-1]["awaiting_reveal"], told[-1]["deadline_ms"]


def test_the_clock_waits_until_the_tiles_are_shown(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.make_table(*BOTH, clock="strict", seconds=5)
    passing = ann.page.locator(".pass")
    expect(passing).to_contain_text(WAITS)
    expect(passing.locator("h2")).to_have_text("Pass the device to Ann")
    assert sent_clock(ann) == (True, None), "no turn is lost behind the screen"
    passing.locator(".reveal").click()
    ann.page.wait_for_selector(".hand button")

    # The clock runs: after five seconds a tile is placed, and the clock waits for the next handover.
    expect(passing.locator("h2")).to_have_text("Pass the device to Bo")
    expect(passing).to_contain_text("time ran out")
    expect(passing).to_contain_text(WAITS)
    assert ann.turn() == 1
    assert sent_clock(ann) == (True, None)
    told = [frame["event"]["type"] for frame in ann.frames if frame["type"] == "event"]
    assert told == ["revealed", "moved"]


def test_a_reload_does_not_stop_the_clock(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.make_table(*BOTH, clock="strict", seconds=60)
    ann.page.locator(".pass .reveal").click()
    ann.page.wait_for_selector(".hand button")
    expect(ann.page.locator("header [role=timer]")).to_have_accessible_name(re.compile("^[345][0-9] seconds left"))
    ann.page.reload()
    expect(ann.page.locator(".pass")).to_contain_text("The clock is running.")
    expect(ann.page.locator(".pass [role=timer]")).to_be_visible()


@pytest.mark.long
def test_with_other_devices_at_the_table_the_clock_waits_only_so_long(visitors: Visitors) -> None:
    ann, cleo = visitors.come(), visitors.come(name="Cleo")
    game = ann.game((ann, "Bo"), cleo, clock="strict", seconds=60)
    ann.page.clock.install()
    game.open(ann)
    expect(ann.page.locator(".pass")).to_contain_text("and on its own in 1")
    ann.page.locator(".pass .reveal").click()
    ann.page.wait_for_selector(".hand button")
    ann.lay(ann.plays()[0].move)
    ann.confirm()
    cleo.go(game.path)
    expect(cleo.page.locator("header h1")).to_have_text("Bo to move")
    # Bo does not take the device: after 20 s his minute starts. The tests of `table` wait for their end.
    waiting, deadline_ms = sent_clock(ann)
    assert waiting
    assert deadline_ms is not None
    ann.page.clock.fast_forward(20_000)
    # A pong that arrives now sets the page's clock right again; then the 20 s are real.
    expect(ann.page.locator(".pass")).to_contain_text("The clock is running.", timeout=60_000)
    assert [hand for frame in ann.frames for hand in hands_in(frame)], "Ann was shown her hand"


def test_a_tentative_tile_is_restored_after_a_reload(visitors: Visitors) -> None:
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

    # A tile that was taken back stays in the hand.
    ann.lay(ann.plays()[0].move)
    ann.page.get_by_role("button", name="Take back", exact=True).click()
    ann.page.reload()
    ann.wait_for_my_turn()
    ann.page.wait_for_selector(".hand button")
    expect(ann.page.locator(".tentative")).to_have_count(0)


def test_a_tentative_tile_is_not_shown_to_others_at_the_device(visitors: Visitors) -> None:
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
