"""Layout on desk, tablet and phone: nothing overlaps, and everything is reachable."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from playwright.sync_api import expect

from riverstones.rules import Game, Move, Play, Tile
from riverstones.table.commands import Say
from riverstones.words import LANGUAGES

from .games import best, worst
from .scenes import PEBBLE, SCENES, end, my_turn
from .visitors import DESK, PHONE, Visitor, Visitors

LAPTOP = {"width": 1366, "height": 768}
TABLET = {"width": 768, "height": 1024}
SMALL_PHONE = {"width": 360, "height": 640}
LANDSCAPE_PHONE = {"width": 844, "height": 390}
SMALL_LANDSCAPE_PHONE = {"width": 667, "height": 375}
LONG_NAME = "W" * 24

AFTER_TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""By then the page has been told that something was scrolled, or the window resized."""

Box = dict[str, float]


def boxes(visitor: Visitor, selector: str) -> list[Box]:
    """The boxes of all elements that match a selector, in document order."""
    found: list[Box] = visitor.page.eval_on_selector_all(
        selector, "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert found, selector
    return found


def box(visitor: Visitor, selector: str) -> Box:
    return boxes(visitor, selector)[0]


def resize(visitor: Visitor, size: dict[str, int]) -> None:
    visitor.page.set_viewport_size(size)  # type: ignore[arg-type]  # the sizes are plain dictionaries


def second_best(game: Game) -> Play:
    return game.plays()[:2][-1]


def best_for_bots(game: Game) -> Play:
    """The person on the first seat plays badly."""
    return (worst if game.to_move == 0 else best)(game)


def test_the_end_of_a_game_of_four_covers_no_player(visitors: Visitors) -> None:
    visitor = visitors.come()
    end(visitor, bots=3)
    for size in (DESK, LAPTOP):
        resize(visitor, size)
        in_order = [*boxes(visitor, ".person"), box(visitor, ".mine"), box(visitor, "main > .panel")]
        assert len(in_order) == 6
        for one, other in combinations(in_order, 2):
            assert one["height"] >= 36, size
            beside = one["right"] <= other["x"] + 0.5 or other["right"] <= one["x"] + 0.5
            assert beside or one["bottom"] <= other["y"] + 0.5, size
        assert box(visitor, "main > .panel")["bottom"] <= size["height"]
        scrolled = visitor.page.evaluate("document.documentElement.scrollHeight")
        assert scrolled == size["height"], "the page does not scroll"
        # The next action is visible in any size.
        assert box(visitor, ".end .actions")["bottom"] <= box(visitor, ".mine")["bottom"], size


def test_the_end_of_a_game_of_four_fits_a_desk_and_a_laptop_screen(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    # Not the best play, so that the review mentions every seat; in this deal with long sums.
    visitor.game(*[PEBBLE] * 3, entropy=1).play(choose=second_best).open(visitor)
    visitor.page.wait_for_selector(".end thead")
    expect(visitor.page.locator(".end tbody button").nth(4)).to_be_visible()
    for language in LANGUAGES:
        visitor.speak(language)
        for size in (LAPTOP, DESK):
            resize(visitor, size)
            visitor.page.evaluate(AFTER_TWO_FRAMES)  # the height of the curve follows that of the window
            hidden = visitor.page.eval_on_selector(".mine > section", "each => each.scrollHeight - each.clientHeight")
            assert hidden <= 0, (language, size)
            assert box(visitor, ".end tbody")["bottom"] <= box(visitor, ".mine")["bottom"], (language, size)
            assert box(visitor, ".story svg")["height"] >= 90, "the curve is high enough to read it"


def test_the_end_of_a_game_of_three_fits_a_laptop_screen(visitors: Visitors) -> None:
    visitor = visitors.come(LAPTOP)
    # Two names in the title take the most room: two bots with the same score share the win.
    game = visitor.game(PEBBLE, PEBBLE, entropy=11).play(24, best_for_bots)
    person, *bots = game.rules.scores
    assert bots[0] == bots[1] > person
    game.resign().open(visitor)
    expect(visitor.page.locator(".end h2")).to_have_text("Pebble and Pebble 2 share the win")
    expect(visitor.page.locator(".end thead")).to_be_visible()
    assert visitor.page.eval_on_selector(".mine > section", "each => each.scrollHeight - each.clientHeight") <= 0
    assert box(visitor, ".end tbody")["bottom"] <= box(visitor, ".mine")["bottom"]


def test_an_invitation_with_all_settings_fits_a_laptop_screen(visitors: Visitors) -> None:
    host, guest = visitors.come(name="Bartholomew"), visitors.come(LAPTOP)
    guest.go(host.game("open", PEBBLE, "open", variant="expert", scoring="claims", clock="strict", seconds=45).open())
    guest.page.wait_for_selector(".seats .main")
    for language in LANGUAGES:
        guest.speak(language)
        hidden = guest.page.eval_on_selector(".mine > section", "each => each.scrollHeight - each.clientHeight")
        assert hidden <= 0, language


def test_waiting_players_are_listed_once_and_nothing_covers_them(visitors: Visitors) -> None:
    visitor = visitors.come()
    SCENES["waiting"](visitor)
    for size in (DESK, LAPTOP):
        resize(visitor, size)
        assert [person["height"] for person in boxes(visitor, ".person")] == [0, 0, 0]
        assert box(visitor, ".mine")["y"] >= box(visitor, "header")["bottom"]
        assert box(visitor, "main > .panel")["y"] >= box(visitor, ".mine")["bottom"]
        assert box(visitor, "main > .panel")["bottom"] <= size["height"], size


@pytest.mark.parametrize("scene", ["table", "guided"])
def test_board_hand_and_play_are_on_one_screen(visitors: Visitors, scene: str) -> None:
    visitor = visitors.come(PHONE, has_touch=True)
    SCENES[scene](visitor)
    for size in (PHONE, SMALL_PHONE, TABLET, LANDSCAPE_PHONE):
        resize(visitor, size)
        for part in (".ground", ".hand", "button.play"):
            found = box(visitor, part)
            assert found["x"] >= 0
            assert found["y"] >= 0
            assert found["right"] <= size["width"]
            assert found["bottom"] <= size["height"], (part, size)
        for pawn in boxes(visitor, ".pawn"):
            assert pawn["x"] >= -0.5
            assert pawn["right"] <= size["width"] + 0.5


def test_in_a_guided_game_moves_and_chat_are_on_the_first_screen_of_a_phone(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    SCENES["guided"](visitor)
    for language in LANGUAGES:
        visitor.speak(language)
        assert box(visitor, "#tab-chat")["bottom"] <= PHONE["height"], language


def test_on_a_phone_a_claim_is_entered_without_scrolling(visitors: Visitors) -> None:
    ann, bo = visitors.come(LANDSCAPE_PHONE), visitors.come(name="Bo")
    game = bo.game(ann, scoring="claims")
    game.move(game.rules.plays()[0].move, claim=99).open(ann)
    # Both are asked for at once: what the new tile is worth, and whether Bo's claim is right.
    expect(ann.page.locator(".claim .object")).to_be_visible()
    for language in LANGUAGES:
        ann.speak(language)
        hand = box(ann, ".hand")
        ann.lay(Move(ann.board().frontier()[0], Tile.parse(f"+{ann.hand()[0]}")))
        expect(ann.page.locator(".pad .play")).to_be_visible()
        assert box(ann, ".pad")["bottom"] <= LANDSCAPE_PHONE["height"], language
        assert box(ann, ".hand")["y"] == hand["y"], language
        ann.page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # the sizes are plain dictionaries
        assert box(ann, ".pad")["bottom"] <= PHONE["height"], language
        ann.page.set_viewport_size(LANDSCAPE_PHONE)  # type: ignore[arg-type]  # the sizes are plain dictionaries
        ann.page.keyboard.press("Escape")
        expect(ann.page.locator(".pad")).to_have_count(0)


def test_on_a_phone_a_seat_and_the_link_come_before_the_empty_board(visitors: Visitors) -> None:
    host, guest = visitors.come(PHONE), visitors.come(SMALL_PHONE)
    link = host.game("open", "open", "open").open(host)
    share = ".invite .button"
    host.page.wait_for_selector(".waiting svg[role=img]")
    assert box(host, share)["bottom"] <= PHONE["height"]
    guest.go(link)
    guest.page.wait_for_selector(".seats .main")
    assert box(guest, ".waiting input")["bottom"] <= box(guest, ".seats")["y"], "a name is given before a seat is taken"
    assert boxes(guest, ".seats .main")[-1]["bottom"] <= SMALL_PHONE["height"]
    whole = guest.page.eval_on_selector("header h1", "each => each.scrollWidth <= each.clientWidth")
    assert whole, "the title is not cut off"
    dutch = visitors.come(SMALL_PHONE, language="nl")
    dutch.game("open").open(dutch)
    dutch.page.wait_for_selector(".waiting svg[role=img]")
    assert all(name["height"] < 60 for name in boxes(dutch, ".seats .name")), "no name is broken into letters"
    for size in (SMALL_LANDSCAPE_PHONE, LANDSCAPE_PHONE):
        resize(host, size)
        assert box(host, share)["right"] <= box(host, ".waiting")["right"]


def test_on_a_phone_a_long_chat_scrolls_in_its_box(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    game = visitor.game(PEBBLE)
    for number in range(4):
        game.do(Say(f"{number} " + "words " * 45), by=visitor)
    link = game.open(visitor)
    visitor.wait_for_my_turn()
    visitor.page.locator("#tab-chat").click()
    expect(visitor.page.locator(".words p")).to_have_count(4)
    assert box(visitor, ".sheet")["height"] <= 0.7 * PHONE["height"] + 1
    assert box(visitor, ".chat form")["bottom"] <= box(visitor, ".sheet")["bottom"]
    # The newest messages are visible; a reader who has scrolled up stays there.
    assert visitor.page.eval_on_selector(".words", "each => each.scrollTop") > 0
    visitor.page.eval_on_selector(".words", "each => each.scrollTo(0, 0)")
    visitor.page.evaluate(AFTER_TWO_FRAMES)
    said = {"type": "say", "text": "the last"}
    visitor.post(f"/tables/{link.removeprefix('/t/')}/do", {"id": "last", "command": said})
    expect(visitor.page.locator(".words p")).to_have_count(5)
    assert visitor.page.eval_on_selector(".words", "each => each.scrollTop") == 0


def test_three_digit_scores_fit_beside_the_screens_of_four(visitors: Visitors) -> None:
    visitor = visitors.come(SMALL_PHONE, name=LONG_NAME)
    game = visitor.game(*[(visitor, LONG_NAME)] * 3, scoring="claims")
    game.move(f"e4+{game.rules.hand[0]}", claim=188).open(visitor)
    visitor.page.wait_for_selector(".person .hundreds")
    for size in (SMALL_PHONE, SMALL_LANDSCAPE_PHONE):
        resize(visitor, size)
        assert box(visitor, ".person .screen")["right"] <= box(visitor, ".person .count")["x"]
        assert box(visitor, ".person .screen")["right"] <= box(visitor, ".person .hundreds")["x"]


def test_a_score_with_a_tile_of_100_points_explains_itself(visitors: Visitors) -> None:
    visitor, other = visitors.come(PHONE), visitors.come(name="Bo")
    game = visitor.game(other, scoring="claims")
    game.move(f"e4+{game.rules.hand[0]}", claim=248).open(visitor)
    score = visitor.page.locator(".person button.score")
    for size in (PHONE, LAPTOP):
        resize(visitor, size)
        score.click()
        told = visitor.page.locator(".person .told")
        expect(told).to_have_text("Once round the board is 100 points: 200 + 48 = 248.")
        expect(told).to_be_in_viewport(ratio=1)
        visitor.speak("it")
        expect(told).to_have_text("Ogni giro del tabellone vale 100 punti: 200 + 48 = 248.")
        visitor.speak("en")
        score.click()
        expect(told).to_have_count(0)


def test_the_menu_is_on_one_screen(visitors: Visitors) -> None:
    visitor = visitors.come(LANDSCAPE_PHONE)
    SCENES["menu"](visitor)
    for language in LANGUAGES:
        visitor.speak(language)
        for size in (PHONE, LANDSCAPE_PHONE, LAPTOP, DESK):
            resize(visitor, size)
            hidden = visitor.page.eval_on_selector("dialog", "each => each.scrollHeight - each.clientHeight")
            assert hidden <= 0, (language, size)


def test_on_a_phone_a_game_is_stepped_through_right_below_the_board(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    path = visitor.game(PEBBLE).play(12).resign().open().replace("/t/", "/replay/")
    for view in ("?turn=7", "?turn=7&review"):
        visitor.go(path + view)
        visitor.page.wait_for_selector(".told strong")
        board, steps, told = (box(visitor, part) for part in (".board .ground", ".steps", ".told"))
        assert board["y"] >= 0
        assert board["bottom"] <= steps["y"] <= steps["bottom"] <= told["y"]
        assert told["bottom"] <= PHONE["height"], view


def test_long_names_without_spaces_do_not_widen_a_replay(visitors: Visitors) -> None:
    visitor = visitors.come(SMALL_PHONE, name=LONG_NAME)
    visitor.game(PEBBLE).play(2).resign().open(visitor)
    visitor.page.locator(".end a.button[href^='/replay']").click()
    visitor.page.wait_for_selector(".steps button")
    for part in (".steps button", ".side *"):
        assert all(each["right"] <= SMALL_PHONE["width"] for each in boxes(visitor, part)), part


def test_the_buttons_under_the_hand_stay_in_their_column(visitors: Visitors) -> None:
    """With the page's fonts, and with the fallbacks that a slow connection gets."""
    visitor = visitors.come(PHONE)
    game = visitor.game(PEBBLE).play_until(lambda game: game.to_move == 0 and game.plays()[0].points >= 10)
    for fonts in ("own", "fallback"):
        if fonts == "fallback":
            visitor.page.route("**/*.woff2", lambda route: route.fulfill(body=""))
        game.open(visitor)
        visitor.wait_for_my_turn()
        if not visitor.page.locator(".tentative").count():
            visitor.lay(best(game.rules).move)
        expect(visitor.page.locator("button.play .numbers")).to_be_visible()
        for language, width in product(LANGUAGES, (390, 375, 360, 320)):
            visitor.speak(language)
            resize(visitor, {"width": width, "height": 844})
            column = box(visitor, ".actions")
            assert column["right"] <= width, (fonts, language)
            outside = [each for each in boxes(visitor, ".actions button") if each["right"] > column["right"] + 0.5]
            assert outside == [], (fonts, language, width)


def test_a_refusal_stays_on_the_screen_and_points_at_its_tile(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    my_turn(visitor)
    for language, (laid, flipped) in product(LANGUAGES, (("c4", "g5"), ("g6", "c5"))):
        visitor.speak(language)
        visitor.lay(Move.parse(f"{laid}+{visitor.hand()[0]}"))
        visitor.square(flipped).click()
        visitor.page.wait_for_selector(".lights .note")
        note, tile = box(visitor, ".lights .note"), box(visitor, f'[data-name="{flipped}"]')
        assert note["x"] >= 0
        assert note["right"] <= PHONE["width"]
        assert note["x"] < (tile["x"] + tile["right"]) / 2 < note["right"]
        assert min(abs(note["y"] - tile["bottom"]), abs(tile["y"] - note["bottom"])) < 8
        visitor.page.keyboard.press("Escape")


def test_a_lesson_and_its_buttons_are_on_one_screen_of_a_phone(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    for lesson in range(1, 11):
        visitor.go(f"/learn/{lesson}")
        visitor.page.wait_for_selector(".hand button")
        for language in LANGUAGES:
            visitor.speak(language)
            assert box(visitor, "button.play")["bottom"] <= PHONE["height"], (lesson, language)


@pytest.mark.parametrize("scene", ["lesson", "replay"])
def test_board_and_buttons_are_visible_on_a_phone_in_landscape(visitors: Visitors, scene: str) -> None:
    visitor = visitors.come(SMALL_LANDSCAPE_PHONE)
    SCENES[scene](visitor)
    visitor.page.locator(
        {"lesson": "button.play", "replay": ".steps button >> nth=0"}[scene]
    ).scroll_into_view_if_needed()
    board = box(visitor, ".board .ground")
    assert board["y"] >= 0
    assert board["bottom"] <= SMALL_LANDSCAPE_PHONE["height"]


def test_row_and_column_labels_cover_no_tile_on_a_phone(visitors: Visitors) -> None:
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_of_a_guest_is_not_cut_off_on_a_phone(visitors: Visitors, language: str) -> None:
    visitor = visitors.come(PHONE, language=language)
    visitor.go("/")
    visitor.page.locator("form.now button.main").click()
    visitor.wait_for_my_turn()
    for width in (390, 384, 412):
        visitor.page.set_viewport_size({"width": width, "height": 844})
        cut = visitor.page.eval_on_selector_all(
            ".person .name, .person .name *",
            """all => all.filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth)
              .map((each) => each.outerHTML)""",
        )
        assert cut == [], width
        # The word for "you" is complete, or hidden.
        name, you = box(visitor, ".person .name"), box(visitor, ".person .you")
        assert you["right"] <= name["right"] + 0.5
        assert you["bottom"] <= name["bottom"] + 0.5 or you["y"] >= name["bottom"] - 0.5
        if width >= PHONE["width"]:
            assert you["bottom"] <= name["bottom"] + 0.5, "there is room for it"


def test_the_board_is_on_the_left_of_every_page(visitors: Visitors) -> None:
    visitor = visitors.come()
    for scene, beside in (("waiting", ".mine"), ("table", ".mine"), ("replay", ".side"), ("lesson", ".words")):
        SCENES[scene](visitor)
        for size in (DESK, LAPTOP, LANDSCAPE_PHONE):
            resize(visitor, size)
            board = box(visitor, ".board .ground")
            assert board["right"] <= box(visitor, beside)["x"], (scene, size)
