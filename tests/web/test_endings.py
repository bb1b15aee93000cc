"""The end of a game: how it came about, and what is told of its moves."""

import pytest
from playwright.sync_api import Route, expect

from .scenes import PEBBLE, my_turn
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
    my_turn(visitor)
    expect(visitor.page.locator(".sheet")).to_have_text("No moves yet.")
    with visitor.page.expect_response("**/review"):
        resign(visitor)
    expect(visitor.page.locator(".end")).to_contain_text("Pebble wins By resignation")
    expect(visitor.page.locator(".sheet")).to_have_text("No tile was placed.")
    expect(visitor.page.locator(".end tbody tr")).to_have_count(2)
    visitor.page.wait_for_selector(".end.settled")
    expect(visitor.page.locator(".end figure, .end thead, .end td")).to_have_count(0)
    # Name and score are on one line.
    for lines in visitor.page.locator(".end tbody th").evaluate_all(LINES):
        assert len(lines) == 1, lines


def test_a_game_that_was_played_to_its_end_is_not_won_by_resignation(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.game(PEBBLE, PEBBLE, PEBBLE).play().open(visitor)
    expect(visitor.page.locator(".end h2")).to_be_visible()
    expect(visitor.page.locator(".end")).not_to_contain_text("resignation")


def kakuro(*addends: int) -> dict[str, object]:
    total = sum(addends)
    return {"squares": [], "total": total % 10, "addends": addends, "sum": total, "points": total}


def miss_three_kakuros(route: Route) -> None:
    """The review of the server, in which the first move might have made three Kakuros."""
    answer = route.fetch()
    review = answer.json()
    sums = [kakuro(9, 1, 3), kakuro(9, 8, 7, 6, 5), kakuro(4, 7)]
    review["seats"][0]["missed"] = 0
    review["turns"][0]["best"] = {"move": "h3+7~e3", "points": 59, "kakuros": sums}
    route.fulfill(response=answer, json=review)


def test_the_sums_of_a_move_are_whole_and_break_before_a_sign(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.page.route("**/review", miss_three_kakuros)
    visitor.game(PEBBLE).play(2).resign().open(visitor)
    told = visitor.page.locator(".end .sums", has_text="35")
    expect(told).to_be_visible()
    # Its total stands before each sum. Among all widths are those that a sum just fills.
    for width in range(60, 260, 2):
        told.evaluate("(each, width) => (each.style.width = `${width}px`)", width)
        (lines,) = told.evaluate_all(LINES)
        assert "".join(lines) == "3|9+1+3=13,5|9+8+7+6+5=35,1|4+7=11"
        for line in lines:
            assert not line.startswith((",", "|")), lines
            assert not line.endswith(("+", "=", "|")), lines
