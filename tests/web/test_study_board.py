"""The study board: set up by mouse, touch, keys and text; plays ranked, tried out and passed on as a link."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from riverstones.notation import format_position, parse_position
from riverstones.rules import Position

from .scenes import MIDDLE_POSITION, my_turn, study_board, study_setup
from .visitors import DESK, PHONE, Visitor, Visitors

LONGEST_LINK = 200


def text_of(visitor: Visitor) -> str:
    """The position that is shown in the text field."""
    return str(visitor.page.locator("form.text textarea").input_value())


def set_up(visitor: Visitor, text: str) -> None:
    """Set up a position from text, and explore it."""
    study_setup(visitor)
    field = visitor.page.locator("form.text textarea")
    field.fill(text)
    visitor.page.locator("form.text button").click()
    expect(field).to_have_value(text)
    visitor.page.locator(".side > fieldset label").last.click()


def palette(visitor: Visitor, digit: int) -> None:
    visitor.page.locator(".palette button").nth(digit - 1).click()


def test_seats_have_the_colours_of_a_game_against_bots(visitors: Visitors) -> None:
    visitor = visitors.come()
    colours = "all => all.map((each) => [...each.classList].find((name) => name.startsWith('seat-')))"
    my_turn(visitor)
    played = visitor.page.eval_on_selector_all(".pawn", colours)
    study_setup(visitor)
    assert visitor.page.eval_on_selector_all(".pawn", colours) == played


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_position_is_set_up_by_taps_and_keys(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size, has_touch=size is PHONE)
    study_setup(visitor)
    page = visitor.page
    page.get_by_role("button", name="Clear the board").click()
    palette(visitor, 8)
    visitor.square("a1").click()
    visitor.square("a1").click()
    visitor.square("b1").focus()
    page.keyboard.press("3")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("5")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("5")
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Seat 1, tile 1").click()
    palette(visitor, 5)
    palette(visitor, 9)
    slot = page.get_by_role("button", name="Seat 2, tile 1")
    slot.focus()
    page.keyboard.press("4")
    score = page.get_by_label("Points of seat 2")
    score.fill("12")
    score.press("Tab")
    page.get_by_label("Seat 2 to move").check(force=True)
    assert text_of(visitor) == (
        "H35....../........./........./........./........./........./........./........./......... "
        "1 59,4? 0,12 65 standard"
    )
    # Three of the eight fives are gone: five more fit, and no ninth.
    for column in "defghi":
        visitor.square(f"{column}9").focus()
        page.keyboard.press("5")
    for column in "ab":
        visitor.square(f"{column}9").focus()
        page.keyboard.press("5")
    expect(page.locator(".setup .status")).to_have_text("All eight tiles with a 5 are already in use.")
    assert parse_position(text_of(visitor)).board.count(5) == 7


def test_a_tile_is_dragged_onto_the_board_over_it_and_off_it(visitors: Visitors) -> None:
    visitor = visitors.come()
    study_setup(visitor)
    visitor.page.get_by_role("button", name="Clear the board").click()
    palette(visitor, 1)
    visitor.square("c3").click()

    def drag(source: object, target: object) -> None:
        start, end = source.bounding_box(), target.bounding_box()  # type: ignore[attr-defined]
        mouse = visitor.page.mouse
        mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        mouse.down()
        mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
        mouse.up()

    drag(visitor.page.locator(".palette button").nth(6), visitor.square("e5"))
    drag(visitor.square("e5"), visitor.square("e6"))
    assert str(parse_position(text_of(visitor)).board).replace("/", "").replace(".", "") == "17"
    drag(visitor.square("c3"), visitor.page.locator("h1"))
    assert text_of(visitor).startswith("........./........./........./........./........./....7....")
    visitor.page.keyboard.press("Control+z")
    assert text_of(visitor).startswith("........./........./..1....../")


def test_a_text_or_a_link_that_is_wrong_is_told_in_a_sentence(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    study_setup(visitor)
    before = text_of(visitor)
    for text, told in (
        ("nonsense", "A position has six fields"),
        (MIDDLE_POSITION.replace("7331D1", "733DD7777"), "A row has nine squares; row 2 is 12 long."),
        (
            MIDDLE_POSITION.replace("3351A4753", "333333333"),
            "This position is impossible: the digit 3 is there 11 times",
        ),
    ):
        visitor.page.locator("form.text textarea").fill(text)
        visitor.page.locator("form.text button").click()
        expect(visitor.page.locator("form.text [role=alert]")).to_contain_text(told)
    visitor.go("/study#1nonsense%E0")
    visitor.page.reload()
    expect(visitor.page.locator(".bad")).to_have_text("This link does not lead to a position. Here is a new start.")
    assert visitor.page.url.split("#")[1] != "1nonsense%E0"
    assert before


def test_every_play_is_ranked_and_focus_shows_it_on_the_board(visitors: Visitors) -> None:
    visitor = visitors.come()
    set_up(visitor, MIDDLE_POSITION)
    position = parse_position(MIDDLE_POSITION)
    expected = {str(play.move) for play in position.plays()}
    rows = visitor.page.locator("ol .play")
    rows.first.focus()
    tentative = visitor.page.locator(".squares .tentative")
    expect(tentative).to_have_count(1)
    first = tentative.get_attribute("data-name")
    visitor.page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    expect(tentative).not_to_have_attribute("data-name", str(first))
    expect(visitor.page.locator(".plays h2")).to_have_text(f"{len(expected)} plays, best first")
    visitor.page.get_by_role("button", name="Show ").click()
    expect(rows).to_have_count(min(80, len(expected)))
    # The worth never grows down the list.
    worth = [float(text) for text in visitor.page.locator("ol .worth").all_text_contents()]
    assert worth == sorted(worth, reverse=True)


def test_one_plays_on_takes_back_and_branches_and_a_link_reproduces_it(visitors: Visitors) -> None:
    visitor = visitors.come()
    set_up(visitor, MIDDLE_POSITION)
    rows, chips = visitor.page.locator("ol .play"), visitor.page.locator(".line .chip")
    rows.nth(2).click()
    visitor.page.locator("button.play.main").click()
    expect(chips).to_have_count(2)
    visitor.page.get_by_role("button", name="Draw at random").click()
    rows.first.click()
    rows.first.click()
    expect(chips).to_have_count(3)
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.keyboard.press("ArrowLeft")
    rows.nth(5).click()
    visitor.page.locator("button.play.main").click()
    expect(visitor.page.locator(".branches .chip")).to_have_count(1)
    visitor.page.locator(".branches .chip").click()
    expect(chips).to_have_count(3)

    link = visitor.page.url
    assert len(link) <= LONGEST_LINK
    other = visitors.come(PHONE, language="nl")
    other.page.goto(link)
    other.page.wait_for_selector(".whose")
    assert other.board() == visitor.board()
    study_setup(other, stay=True)
    study_setup(visitor, stay=True)
    assert text_of(other) == text_of(visitor)


def test_a_position_of_a_game_that_one_plays_is_refused(visitors: Visitors) -> None:
    visitor = visitors.come()
    game = visitor.game("pebble").play(8)
    game.open()
    mine = format_position(Position.of(game.rules).seen_by(game.rules.to_move))
    set_up(visitor, mine)
    expect(visitor.page.locator(".refusal")).to_contain_text("This is a position of a game that you are playing.")
    expect(visitor.page.locator("ol .play")).to_have_count(0)
    visitor.errors.clear()  # the browser has logged the refusal
    other = visitors.come()
    set_up(other, mine)
    expect(other.page.locator("ol .play").first).to_be_visible()


def test_a_long_list_of_plays_scrolls_and_the_page_does_not(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    study_board(visitor)
    assert visitor.page.eval_on_selector("ol:has(.play)", "each => each.scrollHeight - each.clientHeight") > 0
    assert visitor.page.evaluate("document.documentElement.scrollHeight") == DESK["height"]


def test_a_move_laid_by_hand_is_told_its_rank(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE, has_touch=True)
    study_board(visitor)
    visitor.lay(visitor.plays()[-1].move)
    expect(visitor.page.locator(".hold .status")).to_contain_text("less than the best.")


def test_the_whole_board_is_on_the_first_screen_of_a_phone_in_landscape(visitors: Visitors) -> None:
    visitor = visitors.come({"width": 844, "height": 390})
    visitor.go("/study")
    square = visitor.page.locator("[data-square]")
    expect(square).to_have_count(81)
    expect(square.first).to_be_in_viewport(ratio=1)
    expect(square.last).to_be_in_viewport(ratio=1)
