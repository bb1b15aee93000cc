"""The end of a game: how it ended, and the review of its moves."""

import re
import struct

import pytest
from playwright.sync_api import Route, expect

from .conftest import ADDRESSES
from .scenes import PEBBLE, my_turn
from .test_layout import LAPTOP, second_best
from .visitors import DESK, PHONE, Visitor, Visitors

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
"""The lines of each element's text, without spaces."""


def resign(visitor: Visitor) -> None:
    visitor.page.locator("header button.menu").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.wait_for_selector(".end")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_resignation_before_the_first_move_is_shown_as_one(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size)
    my_turn(visitor)
    expect(visitor.page.locator(".sheet")).to_have_text("No moves yet.")
    with visitor.page.expect_response("**/review"):
        resign(visitor)
    expect(visitor.page.locator(".end")).to_contain_text("Pebble wins You resigned")
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


def finished_game(visitor: Visitor) -> None:
    """A whole game in which everybody missed something."""
    visitor.game(PEBBLE).play(choose=second_best).open(visitor)
    visitor.page.wait_for_selector(".end thead")


def test_the_end_names_the_winner_and_tells_the_story_of_the_scores(visitors: Visitors) -> None:
    visitor = visitors.come(LAPTOP)
    finished_game(visitor)
    expect(visitor.page.locator(".end h2")).to_have_text("Pebble wins")
    expect(visitor.page.locator(".end .pawn")).to_have_text("P")
    expect(visitor.page.locator(".end .story p")).to_have_text(
        re.compile(
            r"^The biggest swing: \d+ points for (Ann|Pebble) on move \d+\. "
            r"Pebble took the lead for good on move \d+\.$"
        )
    )
    hidden = visitor.page.eval_on_selector(".mine > section", "each => each.scrollHeight - each.clientHeight")
    assert hidden <= 0, "all of it is seen at once"


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_best_move_is_shown_on_its_own_board(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size)
    finished_game(visitor)
    best = visitor.page.locator(".end td button").first
    points = best.locator("b").inner_text()
    best.click()
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog.locator("h2")).to_have_text(re.compile(r"^Ann, move \d+$"))
    expect(dialog.locator(".points")).to_have_text(f"{points.lstrip('+')} points")
    expect(dialog.locator(".lights .sum").first).to_be_visible()
    assert dialog.locator(".lying").count() < visitor.page.locator("main .lying").count(), "an earlier board"
    visitor.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_missed_move_can_be_tried_out(visitors: Visitors) -> None:
    visitor = visitors.come(LAPTOP)
    finished_game(visitor)
    missed = visitor.page.locator(".end td button").nth(1)
    points = missed.locator("b").inner_text()
    missed.click()
    dialog = visitor.page.get_by_role("dialog")
    told = dialog.locator(".points")
    expect(told).to_have_text(f"{points.lstrip('+')} points")
    expect(dialog.locator(".tentative")).to_have_count(1)
    # Something else is laid out, and its arithmetic seen; then the best move again.
    dialog.get_by_role("button", name="Take back").click()
    expect(told).to_have_text("Pick one of your tiles.")
    dialog.locator(".hand button").first.click()
    dialog.locator(".legal").last.click()
    expect(told).to_have_text(re.compile(r"\d+ points?$"))
    dialog.get_by_role("button", name="Show the best move").click()
    expect(told).to_have_text(f"{points.lstrip('+')} points")
    # The move that was played and the replay are one tap away.
    dialog.get_by_role("radio", name=re.compile("Played")).check()
    expect(dialog.locator(".tentative")).to_have_count(0)
    dialog.get_by_role("link", name="Replay from here").click()
    expect(visitor.page.locator(".steps")).to_be_visible()


SHARED = """(canShare) => {
  navigator.canShare = () => canShare;
  navigator.share = async ({ text, files }) => { window.shared = [text, files[0].name, files[0].type, files[0].size]; };
}"""


def test_the_result_is_shared_as_a_picture_with_a_sentence(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    finished_game(visitor)
    visitor.page.evaluate(SHARED, True)
    visitor.page.get_by_role("button", name="Share").click()
    visitor.page.wait_for_function("() => window.shared")
    text, name, kind, size = visitor.page.evaluate("shared")
    # The link is the address for other devices, not the one that only this computer knows.
    link = re.escape(ADDRESSES[0])
    assert re.match(rf"^Pebble beat Ann \d+ to \d+ in a game of Riverstones\. {link}/replay/\w+$", text)
    assert (name.endswith(".png"), kind) == (True, "image/png")
    assert size > 20_000


def test_without_sharing_the_picture_is_saved_and_the_sentence_copied(visitors: Visitors) -> None:
    visitor = visitors.come(permissions=["clipboard-read", "clipboard-write"])
    finished_game(visitor)
    visitor.page.evaluate(SHARED, False)
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Share").click()
    picture = download.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1080, 1440)
    expect(visitor.page.get_by_role("button", name="Saved and copied")).to_be_visible()
    assert "in a game of Riverstones." in visitor.page.evaluate("navigator.clipboard.readText()")


def kakuro(*addends: int) -> dict[str, object]:
    total = sum(addends)
    return {"squares": [], "total": total % 10, "addends": addends, "sum": total, "points": total}


def miss_three_kakuros(route: Route) -> None:
    """Answer with the server's review, changed so that the first move missed three Kakuros."""
    answer = route.fetch()
    review = answer.json()
    sums = [kakuro(9, 1, 3), kakuro(9, 8, 7, 6, 5), kakuro(4, 7)]
    review["seats"][0]["missed"] = 0
    review["turns"][0]["best"] = {"move": "h3+7~e3", "points": 59, "kakuros": sums}
    route.fulfill(response=answer, json=review)


def test_sums_are_complete_and_wrap_before_a_sign(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.page.route("**/review", miss_three_kakuros)
    visitor.game(PEBBLE).play(2).resign().open(visitor)
    told = visitor.page.locator(".end .sums", has_text="35")
    expect(told).to_be_visible()
    # Each sum begins with its total. Some of the widths fit a sum exactly.
    for width in range(60, 260, 2):
        told.evaluate("(each, width) => (each.style.width = `${width}px`)", width)
        (lines,) = told.evaluate_all(LINES)
        assert "".join(lines) == "3|9+1+3=13,5|9+8+7+6+5=35,1|4+7=11"
        for line in lines:
            assert not line.startswith((",", "|")), lines
            assert not line.endswith(("+", "=", "|")), lines
