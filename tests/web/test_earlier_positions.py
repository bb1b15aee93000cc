"""Earlier positions: a move in the list shows its board, and the current game stays as it is."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from riverstones.rules import Move, Tile

from .games import flipping
from .scenes import PEBBLE, my_turn
from .visitors import DESK, PHONE, Visitor, Visitors

SIZES = {
    "phone": PHONE,
    "phone in landscape": {"width": 844, "height": 390},
    "laptop": {"width": 1366, "height": 768},
    "desk": DESK,
}


def look_back(visitor: Visitor, turn: int) -> None:
    """Press a move in the list, by its number from 1."""
    visitor.page.locator(".sheet li", has=visitor.page.locator(f".number:text-is('{turn}')")).locator("button").click()


def live(visitor: Visitor) -> Any:
    return visitor.page.locator("[aria-live]").first


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_an_earlier_move_shows_its_board_and_keeps_the_tentative_tile(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size, has_touch=size is PHONE)
    told = my_turn(visitor, 6, choose=flipping).after_each_move()
    assert visitor.board() == told[-1].board
    move = visitor.plays()[0].move
    visitor.lay(move)
    for number, then in enumerate(told, start=1):
        look_back(visitor, number)
        expect(visitor.page.locator(".past-bar")).to_contain_text(f"Looking back: move {number} of {len(told)}")
        assert visitor.board() == then.board
        assert visitor.scores() == list(then.scores), "the list of players is of the same moment as the board"
        expect(visitor.page.locator(".board.past")).to_be_in_viewport(ratio=0.9)
        expect(visitor.page.locator(".tentative, .legal")).to_have_count(0)
        visitor.square("e5").click()  # moves are not possible on an earlier board
        assert visitor.board() == then.board
    visitor.page.get_by_role("button", name="Back to now").click()
    expect(visitor.page.locator(".past-bar, .board.past")).to_have_count(0)
    assert visitor.scores() == list(told[-1].scores)
    expect(visitor.page.locator(".tentative")).to_have_attribute("data-name", str(move.square))
    expect(visitor.page.locator(".flipped")).to_have_count(len(move.flips))
    visitor.confirm()


def test_after_the_game_the_scores_are_those_at_the_move(visitors: Visitors) -> None:
    visitor = visitors.come()
    game = visitor.game(PEBBLE).play(10, flipping).resign()
    told = game.after_each_move()
    game.open(visitor)
    visitor.page.wait_for_selector(".end thead")
    look_back(visitor, 3)
    assert visitor.board() == told[2].board
    visitor.page.get_by_role("button", name="Next move").click()
    assert visitor.board() == told[3].board
    visitor.square("a1").focus()
    visitor.page.keyboard.press("s")
    ann, pebble = told[3].scores
    expect(live(visitor)).to_contain_text(f"Looking back: move 4 of 10: Ann {ann}, Pebble {pebble}")
    assert visitor.scores() == [ann, pebble]
    visitor.page.keyboard.press("Escape")
    assert visitor.board() == told[-1].board
    assert visitor.scores() == list(told[-1].scores)


def test_screen_readers_announce_earlier_positions_by_keyboard(visitors: Visitors) -> None:
    visitor = visitors.come()
    told = my_turn(visitor, 6, choose=flipping).boards()
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
    # The button back disappears, so the focus moves to the board.
    row.press("Enter")
    visitor.page.get_by_role("button", name="Back to now").press("Enter")
    assert visitor.page.evaluate("document.activeElement.closest('[role=grid]') !== null")


def test_an_earlier_position_stays_while_the_game_continues(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(PHONE, name="Bo")
    game = ann.game(bo).play(2)
    first = game.boards()[0]
    game.open(ann, bo)
    bo.wait_for_move(1)
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


def test_a_flip_undone_by_an_objection_is_undone_in_earlier_positions(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(name="Bo")
    game = ann.game(bo, scoring="claims")
    game.move(f"e4+{game.rules.hand[0]}~c5", claim=0)
    flipped = game.rules.board
    game.open(ann, bo)
    bo.wait_for_my_turn()
    assert bo.board() == flipped
    bo.page.get_by_role("button", name="Object", exact=True).click()
    expect(bo.page.locator(".claim")).to_contain_text("Bo is right")
    turned_back = bo.board()
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


def test_taking_a_move_back_leaves_its_position(visitors: Visitors) -> None:
    visitor = visitors.come()
    my_turn(visitor, 4)
    look_back(visitor, 4)
    visitor.page.locator("header button.menu").click()
    visitor.page.get_by_role("button", name="Undo the last move").click()
    expect(visitor.page.locator(".sheet li button")).to_have_count(2)
    expect(visitor.page.locator(".past-bar, .board.past")).to_have_count(0)
    visitor.wait_for_my_turn()
    visitor.lay(visitor.plays()[0].move)
    visitor.confirm()
    expect(visitor.page.locator(".past-bar, .board.past")).to_have_count(0)


PLACES = """() => ['.ground', '.people', '.notice', '.hand', '.actions', '.end', 'main > .mine', 'main > .panel']
  .flatMap((each) => [...document.querySelectorAll(each)]).map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.className, x, y + scrollY, width, height];
  })"""


@pytest.mark.parametrize("over", [False, True], ids=["playing", "over"])
def test_an_earlier_position_shifts_no_layout(visitors: Visitors, over: bool) -> None:
    visitor = visitors.come()
    game = visitor.game(PEBBLE).play(6)
    (game.resign() if over else game).open(visitor)
    visitor.page.wait_for_selector(".end thead, main:has(h1.mine):has(.sheet)")
    for size, language in product(SIZES, ("en", "fr")):
        visitor.page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]  # the sizes are plain dictionaries
        visitor.speak(language)
        before = visitor.page.evaluate(PLACES)
        look_back(visitor, 2)
        bar = visitor.page.locator(".past-bar")
        expect(bar).to_be_visible()
        assert visitor.page.evaluate(PLACES) == before, (size, language)
        assert bar.evaluate("each => each.scrollHeight <= each.clientHeight && each.scrollWidth <= each.clientWidth")
        expect(bar.locator(".now")).to_be_in_viewport(ratio=1)
        visitor.page.keyboard.press("Escape")
        expect(bar).to_have_count(0)
        assert visitor.page.evaluate(PLACES) == before, (size, language)
