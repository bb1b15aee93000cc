"""Whole games in a real browser: by mouse, by keyboard, and on a shared device."""

import re

import pytest
from playwright.sync_api import expect

from riverstones.rules import Square

from .games import worst
from .scenes import PEBBLE, my_turn
from .visitors import PHONE, Visitor, Visitors, hands_in


@pytest.mark.long
def test_a_game_against_a_bot_by_mouse_from_the_first_page_to_the_replay(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.go("/")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.locator("form.now button.main").click()
    moves = 0
    expect(ann.page).to_have_title("● Your turn · Riverstones")
    while ann.wait_for_my_turn():
        best = ann.plays()[0]
        (ann.drag if moves % 3 == 1 else ann.lay)(best.move)
        if moves % 4 == 0:
            ann.check_preview(best.move)
        ann.confirm()
        moves += 1
    assert moves in (33, 34)
    expect(ann.page.locator(".end h2")).to_contain_text(re.compile("win"))
    assert ann.page.locator(".end figure path.curve").count() == 2
    scores = ann.scores()
    assert [int(text) for text in ann.page.locator(".end tbody th b").all_text_contents()] == scores
    expect(ann.page.locator(".end tbody button").first).to_contain_text("points")

    with ann.page.expect_download() as download:
        ann.page.get_by_role("button", name="Download").click()
    record = download.value.path().read_text(encoding="utf-8")

    ann.page.locator(".end a.button", has_text="Review").click()
    expect(ann.page.locator(".slider")).to_contain_text("Move 67 of 67")
    assert [int(text) for text in ann.page.locator("figcaption b").all_text_contents()] == scores
    ann.page.get_by_role("button", name="Previous move").click()
    assert ann.page.url.endswith("?turn=66&review")

    ann.go("/replay")
    ann.page.get_by_label("Paste a game here").fill(record)
    ann.page.get_by_role("button", name="Show the game").click()
    ann.page.get_by_role("button", name="Next move").click()
    expect(ann.page.locator(".slider")).to_contain_text("Move 1 of 67")
    ann.go("/")
    expect(ann.page.locator("a.line").first).to_contain_text("finished")


def walk(visitor: Visitor, start: Square, end: Square) -> None:
    """Move the focus from one square to another by arrow keys."""
    down, right = end.row - start.row, end.column - start.column
    for key, steps in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
        for _ in range(steps):
            visitor.page.keyboard.press(key)


def test_a_game_by_keyboard_alone(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.go("/")
    press = ann.page.keyboard.press
    ann.page.wait_for_selector("form.now")
    for _ in range(30):
        press("Tab")
        if ann.page.evaluate("document.activeElement.closest('form.now') && document.activeElement.type === 'submit'"):
            break
    press("Enter")
    for _ in range(3):
        assert ann.wait_for_my_turn()
        move_by_keys(ann)
    ann.game(PEBBLE).play(58).open(ann)
    while ann.wait_for_my_turn():
        move_by_keys(ann)
    expect(ann.page.locator(".end h2")).to_be_visible()


def move_by_keys(visitor: Visitor) -> None:
    """Make the best move by keyboard."""
    press = visitor.page.keyboard.press
    move = visitor.plays()[0].move
    press(str(visitor.hand().index(move.tile.digit) + 1))
    if move.tile.is_total:
        press("f")
    here = focused_square(visitor)
    walk(visitor, here, move.square)
    press("Enter")
    here = move.square
    for flip in move.flips:
        walk(visitor, here, flip)
        press("f")
        here = flip
    before = visitor.turn()
    expect(visitor.page.locator("button.play")).to_be_enabled()
    press("Enter")
    visitor.wait_for_move(before)


def focused_square(visitor: Visitor) -> Square:
    return Square.parse(visitor.page.evaluate("document.activeElement.dataset.name"))


def test_keys_announce_lines_and_scores_and_undo(visitors: Visitors) -> None:
    ann = visitors.come()
    my_turn(ann)
    press = ann.page.keyboard.press
    heard = ann.page.locator("[role=status].unseen")
    press("1")
    walk(ann, focused_square(ann), Square.parse("e5"))
    press("r")
    expect(heard).to_contain_text(re.compile(r"Row 5: \d, sum \d+; total \d; \d, sum \d"))
    press("c")
    expect(heard).to_contain_text("Column e")
    press("s")
    expect(heard).to_contain_text("Ann 0")
    press("ArrowUp")
    press("Enter")
    expect(ann.page.locator(".tentative")).to_have_attribute("aria-label", re.compile("e4, addend ., not yet played"))
    press("Escape")
    expect(ann.page.locator(".tentative")).to_have_count(0)
    press("Control+Home")
    assert str(focused_square(ann)) == "a1"
    press("End")
    assert str(focused_square(ann)) == "i1"
    press("PageDown")
    assert str(focused_square(ann)) == "i9"


def test_a_move_can_be_typed(visitors: Visitors) -> None:
    ann = visitors.come()
    my_turn(ann)
    ann.page.evaluate("localStorage.setItem('riverstones.notation', 'on')")
    ann.page.reload()
    ann.wait_for_my_turn()
    ann.page.get_by_role("button", name="Type a move").click()
    field = ann.page.get_by_label("Move in notation")
    field.fill("z9+1")
    field.press("Enter")
    expect(ann.page.locator(".wrong")).to_contain_text("h3+7")
    play = ann.plays()[0]
    field.fill(str(play.move))
    field.press("Enter")
    ann.check_preview(play.move)
    ann.confirm()


FOUR = ("Ann", "Bo", "Cleo", "Dan")
HANDED_ON = ".mine > section > button.main, .pass, .end"


def test_a_game_of_four_on_one_device(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.go("/")
    ann.page.get_by_role("button", name="Pass and play").click()
    ann.page.locator("dialog label", has_text="4").first.click()
    for number, name in enumerate(FOUR, 1):
        ann.page.get_by_label(f"Player {number}", exact=True).fill(name)
    ann.page.locator("dialog button.main").click()
    for name in (*FOUR, FOUR[0]):
        take_turn_on_one_device(ann, name)


def test_the_end_of_a_game_of_four_on_one_device(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    # They start with bad moves, so that the first score passes 100 only near the end.
    game = ann.game(*((ann, name) for name in FOUR[1:]), entropy=1).play(26, worst)
    game.play_until(lambda game: max(game.scores) >= 90)
    assert max(game.rules.scores) < 100
    game.open(ann)
    tops = set()
    for number in range(game.table.turn, 67):
        tops.add(take_turn_on_one_device(ann, FOUR[number % 4]))
    expect(ann.page.locator(".end")).to_be_visible()
    assert len(ann.scores()) == 4
    assert max(ann.scores()) >= 100
    assert len(tops) == 1, "the board stays where it is, also when somebody passes a hundred"


def take_turn_on_one_device(visitor: Visitor, name: str) -> int:
    """Take the device, make the best move and hand it on; returns the board's position on the page."""
    page = visitor.page
    expect(page.locator(".pass h2")).to_have_text(f"Pass the device to {name}")
    assert page.locator(".hand").count() == 0, "no hand is in the page while the device changes hands"
    page.locator(".pass .reveal").click()
    page.wait_for_selector(".hand button")
    top = page.eval_on_selector(".ground", "each => each.offsetTop")
    seen = len(visitor.frames)
    visitor.lay(visitor.plays()[0].move)
    page.locator("button.play").click()
    page.wait_for_selector(HANDED_ON)
    assert page.locator(".hand").count() == 0, "the hand is gone while the move is looked at"
    # The move is shown before the handover; this test does not wait for it.
    page.evaluate("document.querySelector('.mine button.main:not(.end *)')?.click()")
    page.wait_for_selector(".pass, .end")
    after = [frame for frame in visitor.frames[seen:] if frame["type"] == "snapshot"]
    assert not [hand for frame in after for hand in hands_in(frame)], "the table tells no hand after the move"
    return int(top)
