"""Where things lie on the page: nothing over another, nothing out of reach, at a desk, on a tablet and on a phone."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from riverstones.rules import Move

from .scenes import BOT, ME, SCENES, end
from .visitors import DESK, PHONE, Visitor, Visitors

LAPTOP = {"width": 1366, "height": 768}
TABLET = {"width": 768, "height": 1024}
SMALL_PHONE = {"width": 360, "height": 640}
LYING_PHONE = {"width": 844, "height": 390}

Box = dict[str, float]


def boxes(visitor: Visitor, selector: str) -> list[Box]:
    """Where everything that a selector names lies, in the order of the page."""
    found: list[Box] = visitor.page.eval_on_selector_all(
        selector, "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert found, selector
    return found


def box(visitor: Visitor, selector: str) -> Box:
    return boxes(visitor, selector)[0]


@pytest.mark.parametrize("size", [DESK, LAPTOP], ids=["desk", "laptop"])
def test_the_end_of_a_game_of_four_lies_over_nobody(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size)
    end(visitor, bots=3)
    below_each_other = [*boxes(visitor, ".person"), box(visitor, ".mine"), box(visitor, "main > .panel")]
    assert len(below_each_other) == 6
    for above, below in pairwise(below_each_other):
        assert above["height"] >= 40
        assert above["bottom"] <= below["y"] + 0.5
    assert box(visitor, "main > .panel")["bottom"] <= size["height"]
    assert visitor.page.evaluate("document.documentElement.scrollHeight") == size["height"], "the page does not scroll"
    # What to do next is in sight, however little room there is.
    assert box(visitor, ".end .actions")["bottom"] <= box(visitor, ".mine")["bottom"]


def test_the_end_of_a_game_of_four_is_seen_at_once_at_a_desk(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    visitor.make_table(ME, BOT, BOT, BOT)
    while visitor.wait_for_my_turn():
        # Not always the best, so that there is something to tell of everybody.
        visitor.lay(visitor.plays()[:2][-1].move)
        visitor.confirm()
    for words, language in (("Language", "it"), ("Lingua", "fr"), ("Langue", "es"), ("Idioma", "nl"), ("Taal", "en")):
        visitor.page.locator("header button.menu").click()
        visitor.page.get_by_label(words, exact=True).select_option(language)
        visitor.page.keyboard.press("Escape")
        expect(visitor.page.locator("html")).to_have_attribute("lang", language)
        expect(visitor.page.locator(".end tbody a").nth(4)).to_be_visible()
        hidden = visitor.page.eval_on_selector(".mine > section", "each => each.scrollHeight - each.clientHeight")
        assert hidden <= 0, language
        assert box(visitor, ".end tbody")["bottom"] <= box(visitor, ".end .actions")["y"], language


@pytest.mark.parametrize("size", [DESK, LAPTOP], ids=["desk", "laptop"])
def test_those_who_wait_are_listed_once_and_nothing_lies_over_them(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size)
    SCENES["waiting"](visitor)
    assert [person["height"] for person in boxes(visitor, ".person")] == [0, 0, 0]
    assert box(visitor, ".mine")["y"] >= box(visitor, "header")["bottom"]
    assert box(visitor, "main > .panel")["y"] >= box(visitor, ".mine")["bottom"]
    assert box(visitor, "main > .panel")["bottom"] <= size["height"]


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE, TABLET, LYING_PHONE], ids=["phone", "small", "tablet", "lying"])
def test_board_hand_and_play_are_on_one_screen(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size, has_touch=True)
    SCENES["table"](visitor)
    for part in (".ground", ".hand", "button.play"):
        found = box(visitor, part)
        assert found["x"] >= 0
        assert found["y"] >= 0
        assert found["right"] <= size["width"]
        assert found["bottom"] <= size["height"], part
    for pawn in boxes(visitor, ".pawn"):
        assert pawn["x"] >= -0.5
        assert pawn["right"] <= size["width"] + 0.5


@pytest.mark.parametrize("language", ["en", "it", "fr", "es", "nl"])
def test_the_buttons_under_the_hand_stay_in_their_column(visitors: Visitors, language: str) -> None:
    visitor = visitors.come(PHONE, language=language)
    visitor.make_table(ME, BOT)
    while visitor.wait_for_my_turn():
        best = visitor.plays()[0]
        visitor.lay(best.move)
        if best.points >= 10:
            break
        visitor.confirm()
    expect(visitor.page.locator("button.play .numbers")).to_be_visible()
    for width in (390, 375, 360, 320):
        visitor.page.set_viewport_size({"width": width, "height": 844})
        column = box(visitor, ".actions")
        assert column["right"] <= width
        assert all(button["right"] <= column["right"] + 0.5 for button in boxes(visitor, ".actions button")), width


@pytest.mark.parametrize("language", ["en", "it", "fr", "es", "nl"])
def test_a_refusal_stays_on_the_screen_and_points_at_its_tile(visitors: Visitors, language: str) -> None:
    visitor = visitors.come(PHONE, language=language)
    visitor.make_table(ME, BOT)
    visitor.wait_for_my_turn()
    for laid, flipped in (("c4", "g5"), ("g6", "c5")):
        visitor.lay(Move.parse(f"{laid}+{visitor.hand()[0]}"))
        visitor.square(flipped).click()
        visitor.page.wait_for_selector(".lights .note")
        note, tile = box(visitor, ".lights .note"), box(visitor, f'[data-name="{flipped}"]')
        assert note["x"] >= 0
        assert note["right"] <= PHONE["width"]
        assert note["x"] < (tile["x"] + tile["right"]) / 2 < note["right"]
        assert min(abs(note["y"] - tile["bottom"]), abs(tile["y"] - note["bottom"])) < 8
        visitor.page.keyboard.press("Escape")


@pytest.mark.parametrize("language", ["en", "it", "fr", "es", "nl"])
def test_a_lesson_and_its_buttons_are_on_one_screen_of_a_phone(visitors: Visitors, language: str) -> None:
    visitor = visitors.come(PHONE, language=language)
    for lesson in range(1, 11):
        visitor.go(f"/learn/{lesson}")
        visitor.page.wait_for_selector(".hand button")
        assert box(visitor, "button.play")["bottom"] <= PHONE["height"], lesson


def test_names_of_rows_and_columns_lie_on_no_tile_of_a_phone(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    visitor.go("/rules")
    visitor.page.wait_for_selector("figure")
    shown = visitor.page.evaluate(
        """() => [...document.querySelectorAll('figure')].flatMap((figure) => {
          const tiles = [...figure.querySelectorAll('.lying')].map((tile) => tile.getBoundingClientRect());
          return [...figure.querySelectorAll('.names > span')].map((name) => name.getBoundingClientRect())
            .filter((name) => name.width && tiles.some((tile) => name.left < tile.right && tile.left < name.right
              && name.top < tile.bottom && tile.top < name.bottom)).map((name) => name.toJSON());
        })"""
    )
    assert shown == []
