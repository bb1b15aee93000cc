"""The end of a game: how it came about, and what is told of its moves."""

import pytest
from playwright.sync_api import expect

from .scenes import BOT, ME
from .visitors import DESK, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

LINES = """all => all.map((each) => {
  const lines = [];
  const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let bottom = -Infinity;
  while (walker.nextNode()) {
    [...walker.currentNode.data].forEach((char, at) => {
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const box = range.getBoundingClientRect();
      if (!box.width || !char.trim()) return;
      if (box.top >= bottom - 2) {
        lines.push('');
        bottom = box.bottom;
      }
      lines[lines.length - 1] += char;
    });
  }
  return lines;
})"""
"""The text of each element as it is broken into lines, without its spaces."""


def resign(visitor: Visitor) -> None:
    visitor.page.locator("header button.menu").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.wait_for_selector(".end")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_game_that_ends_before_the_first_move_is_told_as_one(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size)
    visitor.make_table(ME, BOT)
    visitor.wait_for_my_turn()
    expect(visitor.page.locator(".sheet")).to_have_text("No moves yet.")
    with visitor.page.expect_response("**/review"):
        resign(visitor)
    expect(visitor.page.locator(".end")).to_contain_text("Pebble wins By resignation")
    expect(visitor.page.locator(".sheet")).to_have_text("No tile was placed.")
    expect(visitor.page.locator(".end tbody tr")).to_have_count(2)
    visitor.page.wait_for_timeout(300)
    expect(visitor.page.locator(".end figure, .end thead, .end td")).to_have_count(0)
    # Name and score are on one line.
    for lines in visitor.page.locator(".end tbody th").evaluate_all(LINES):
        assert len(lines) == 1, lines


def test_a_game_that_was_played_to_its_end_is_not_won_by_resignation(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.make_table(ME, BOT, BOT, BOT)
    while visitor.wait_for_my_turn():
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
    expect(visitor.page.locator(".end h2")).to_be_visible()
    expect(visitor.page.locator(".end")).not_to_contain_text("resignation")


def test_the_sums_of_the_best_moves_are_whole_and_break_before_a_sign(visitors: Visitors) -> None:
    visitor = visitors.come({"width": 320, "height": 700})
    visitor.make_table(ME, {"who": "bot", "level": "stream"})
    several = False
    for _ in range(25):
        visitor.wait_for_my_turn()
        best = max(visitor.plays(), key=lambda play: play.points)
        several = several or len(best.kakuros) > 1
        visitor.lay(best.move)
        visitor.confirm()
        if several and best.points >= 20:
            break
    visitor.wait_for_my_turn()
    resign(visitor)
    visitor.page.wait_for_selector(".end thead")
    told = visitor.page.locator(".end .sums")
    assert told.count() >= 2
    for width in (320, 390, 844):
        visitor.page.set_viewport_size({"width": width, "height": 700})
        for lines in told.evaluate_all(LINES):
            whole = "".join(lines)
            # Its total stands before each sum: 3|9+4=13.
            assert all("|" in sum and "=" in sum for sum in whole.split(",")), lines
            for line in lines:
                assert not line.startswith((",", "|")), lines
                assert not line.endswith(("+", "=", "|")), lines


def test_a_hint_goes_with_the_position_that_it_was_made_for(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.make_table(ME, BOT, hints=True)
    visitor.wait_for_my_turn()
    visitor.lay(visitor.plays()[-1].move)
    visitor.confirm()
    visitor.wait_for_my_turn()

    def ask_for_hint() -> None:
        visitor.page.get_by_role("button", name="Hint").click()
        # On a busy machine the search gives up only after half a minute.
        expect(visitor.page.locator(".status")).to_contain_text("Look at", timeout=60_000)
        expect(visitor.page.locator(".board .hinted")).not_to_have_count(0)

    ask_for_hint()
    # It is still the same position when a tile was picked up and put back.
    visitor.page.locator(".hand button").first.click()
    visitor.page.get_by_role("button", name="Take back").click()
    expect(visitor.page.locator(".board .hinted")).not_to_have_count(0)
    visitor.page.locator("header button.menu").click()
    visitor.page.get_by_role("button", name="Ask to undo the last move").click()
    expect(visitor.page.locator(".sheet li button")).to_have_count(0)
    expect(visitor.page.locator(".status")).to_have_text("Pick one of your tiles.")
    expect(visitor.page.locator(".hinted")).to_have_count(0)
    ask_for_hint()
    resign(visitor)
    expect(visitor.page.locator(".hinted")).to_have_count(0)
