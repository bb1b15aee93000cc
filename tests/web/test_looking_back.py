"""A look back: an old move shows the board as it was then, and the game of now waits unharmed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from riverstones.rules import Board, Move, Tile

from .scenes import BOT, ME
from .test_together import sit_down
from .visitors import DESK, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

SIZES = {
    "phone": PHONE,
    "phone in landscape": {"width": 844, "height": 390},
    "laptop": {"width": 1366, "height": 768},
    "desk": DESK,
}


def play(visitor: Visitor, turns: int) -> None:
    """Make some moves, with a flip where there is one, and wait until it is this visitor's turn again."""
    for _ in range(turns):
        visitor.wait_for_my_turn()
        found = visitor.plays()
        visitor.lay(next((each.move for each in found if each.move.flips), found[0].move))
        visitor.confirm()
    visitor.wait_for_my_turn()


def positions(visitor: Visitor) -> list[list[str]]:
    """The fields of the position after each move, as the server told it; an objection may have changed the last."""
    found: list[list[str]] = []
    for frame in visitor.frames:
        if frame["type"] != "event" or frame["event"]["type"] not in ("moved", "objected"):
            continue
        if frame["event"]["type"] == "objected":
            found.pop()
        found.append(frame["now"]["position"].split())
    return found


def boards(visitor: Visitor) -> list[Board]:
    return [Board.parse(board) for board, *_ in positions(visitor)]


def scores(visitor: Visitor) -> list[list[int]]:
    return [[int(score) for score in told.split(",")] for _, _, _, told, *_ in positions(visitor)]


def look_back(visitor: Visitor, turn: int) -> None:
    """Press a move in the list, by its number from 1."""
    visitor.page.locator(".sheet li", has=visitor.page.locator(f".number:text-is('{turn}')")).locator("button").click()


def live(visitor: Visitor) -> Any:
    return visitor.page.locator("[aria-live]").first


def resign(visitor: Visitor) -> None:
    visitor.page.locator("header button.menu").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.wait_for_selector(".end thead")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_an_old_move_shows_the_board_as_it_was_and_the_laid_tile_stays(
    visitors: Visitors, size: dict[str, int]
) -> None:
    visitor = visitors.come(size, has_touch=size is PHONE)
    visitor.make_table(ME, BOT)
    play(visitor, 5)
    told, now, move = boards(visitor), visitor.board(), visitor.plays()[0].move
    assert told[-1] == now
    visitor.lay(move)
    for number, (board, then) in enumerate(zip(told, scores(visitor), strict=True), start=1):
        look_back(visitor, number)
        expect(visitor.page.locator(".past-bar")).to_contain_text(f"Looking back: move {number} of {len(told)}")
        assert visitor.board() == board
        assert visitor.scores() == then, "the list of players is of the same moment as the board"
        expect(visitor.page.locator(".board.past")).to_be_in_viewport(ratio=0.9)
        expect(visitor.page.locator(".tentative, .legal")).to_have_count(0)
        visitor.square("e5").click()  # nothing is played on an earlier board
        assert visitor.board() == board
    visitor.page.get_by_role("button", name="Back to now").click()
    expect(visitor.page.locator(".past-bar, .board.past")).to_have_count(0)
    assert visitor.scores() == scores(visitor)[-1]
    expect(visitor.page.locator(".tentative")).to_have_attribute("data-name", str(move.square))
    expect(visitor.page.locator(".flipped")).to_have_count(len(move.flips))
    visitor.confirm()


def test_after_the_game_the_scores_are_those_at_the_move(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.make_table(ME, BOT)
    play(visitor, 5)
    told = boards(visitor)
    visitor.lay(visitor.plays()[0].move)
    resign(visitor)
    expect(visitor.page.locator(".tentative")).to_have_count(0)
    look_back(visitor, 3)
    assert visitor.board() == told[2]
    visitor.page.get_by_role("button", name="Next move").click()
    assert visitor.board() == told[3]
    visitor.square("a1").focus()
    visitor.page.keyboard.press("s")
    ann, pebble = then = scores(visitor)[3]
    expect(live(visitor)).to_contain_text(f"Looking back: move 4 of 10: Ann {ann}, Pebble {pebble}")
    assert visitor.scores() == then
    visitor.page.keyboard.press("Escape")
    assert visitor.board() == told[-1]
    assert visitor.scores() == scores(visitor)[-1]


def test_the_way_there_and_back_by_keys_is_told_to_those_who_listen(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.make_table(ME, BOT)
    play(visitor, 3)
    told = boards(visitor)
    row = visitor.page.locator(".sheet li button").nth(2)
    row.focus()
    assert visitor.board() == told[-1], "focus alone shows nothing"
    row.press("Enter")
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(live(visitor)).to_have_text(
        re.compile(r"^Looking back: move 4 of 6\. Pebble: .* points?\. Escape takes you back to now\.$")
    )
    expect(visitor.page.get_by_role("grid")).to_have_attribute("aria-label", "Board · Looking back: move 4 of 6")
    visitor.page.keyboard.press("ArrowLeft")
    expect(live(visitor)).to_have_text(re.compile(r"^Looking back: move 3 of 6\. Ann: .* points?\.$"))
    assert visitor.board() == told[2]
    for key in ("1", "f"):
        visitor.page.keyboard.press(key)
    visitor.page.keyboard.press("Escape")
    expect(live(visitor)).to_have_text("Back at the current position. Your turn")
    assert visitor.board() == told[-1]
    assert visitor.page.locator(".hand [aria-pressed=true]").count() == 0, "no tile was picked up meanwhile"
    # Back by the button, which goes: the focus is on the board.
    row.press("Enter")
    visitor.page.get_by_role("button", name="Back to now").press("Enter")
    assert visitor.page.evaluate("document.activeElement.closest('[role=grid]') !== null")


def test_who_looks_back_stays_there_while_the_game_goes_on(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(PHONE)
    link = ann.make_table(ME, {"who": "open"})
    sit_down(bo, link, "Bo")
    for visitor in (ann, bo):
        visitor.wait_for_my_turn()
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
    bo.wait_for_move(1)
    first = boards(bo)[0]
    look_back(bo, 1)
    assert bo.board() == first
    expect(bo.page.locator(".past-bar .mine")).to_have_count(0)
    ann.wait_for_my_turn()
    ann.lay(ann.plays()[0].move)
    ann.confirm()
    expect(bo.page.locator(".past-bar")).to_contain_text("Looking back: move 1 of 3")
    expect(bo.page.locator(".past-bar .mine")).to_have_text("Your turn")
    expect(live(bo)).to_contain_text("Your turn")
    assert bo.board() == first
    bo.page.get_by_role("button", name="Back to now").click()
    assert bo.board() == ann.board()
    expect(bo.page.locator(".hand button").first).to_be_visible()


def test_a_flip_that_an_objection_turned_back_is_back_in_the_past_too(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come()
    link = ann.make_table(ME, {"who": "open"}, scoring="claims")
    sit_down(bo, link, "Bo")
    ann.wait_for_my_turn()
    ann.lay(Move.parse(f"e4+{ann.hand()[0]}~c5"))
    ann.page.locator(".pad .play").click()
    bo.wait_for_my_turn()
    flipped = boards(bo)[0]
    bo.page.get_by_role("button", name="Object", exact=True).click()
    expect(bo.page.locator(".claim")).to_contain_text("Bo is right")
    turned_back = boards(bo)[0]
    assert turned_back != flipped
    bo.lay(Move(bo.board().frontier()[0], Tile.parse(f"+{bo.hand()[0]}")))
    bo.page.locator(".pad .play").click()
    ann.wait_for_move(1)
    for visitor in (ann, bo):
        look_back(visitor, 1)
        assert visitor.board() == turned_back
        expect(visitor.page.locator(".last-flip")).to_have_count(0)
        visitor.page.get_by_role("button", name="Previous move").click()
        expect(visitor.page.locator(".past-bar")).to_contain_text("before the first move")
        assert [str(square) for square, _ in visitor.board()] == ["e3", "c5", "e5", "g5", "e7"]


def test_a_move_that_is_taken_back_is_no_longer_looked_at(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.make_table(ME, BOT)
    play(visitor, 2)
    look_back(visitor, 4)
    visitor.page.locator("header button.menu").click()
    visitor.page.get_by_role("button", name="Ask to undo the last move").click()
    expect(visitor.page.locator(".sheet li button")).to_have_count(2)
    expect(visitor.page.locator(".past-bar, .board.past")).to_have_count(0)
    play(visitor, 1)
    expect(visitor.page.locator(".past-bar, .board.past")).to_have_count(0)


PLACES = """() => ['.ground', '.people', '.notice', '.hand', '.actions', '.end', 'main > .mine', 'main > .panel']
  .flatMap((each) => [...document.querySelectorAll(each)]).map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.className, x, y + scrollY, width, height];
  })"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_look_back_moves_nothing(visitors: Visitors, size: str, language: str) -> None:
    visitor = visitors.come(SIZES[size], language=language)
    visitor.make_table(ME, BOT)
    play(visitor, 3)
    for over in (False, True):
        if over:
            resign(visitor)
        before = visitor.page.evaluate(PLACES)
        look_back(visitor, 2)
        bar = visitor.page.locator(".past-bar")
        expect(bar).to_be_visible()
        assert visitor.page.evaluate(PLACES) == before
        assert bar.evaluate("each => each.scrollHeight <= each.clientHeight && each.scrollWidth <= each.clientWidth")
        expect(bar.locator(".now")).to_be_in_viewport(ratio=1)
        visitor.page.keyboard.press("Escape")
        assert visitor.page.evaluate(PLACES) == before
