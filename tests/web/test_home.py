"""The first page for somebody who has played before, and settings for games against bots."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .scenes import PEBBLE, bot_options, first_page
from .test_shifts import SIZES, WATCH_SHIFTS, shifts
from .visitors import DESK, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow
REMOVE = "Remove from this list"


def returned(visitor: Visitor) -> Locator:
    """Somebody's games at the top of the first page, from the second visit on."""
    first_page(visitor)
    visitor.page.wait_for_selector(".lists .line")
    first_page(visitor)
    visitor.page.wait_for_selector(".mine .line")
    return visitor.page.locator(".mine .line")


def test_games_come_first_and_the_most_urgent_is_on_top(visitors: Visitors) -> None:
    ann, bob = visitors.come(name="Ann"), visitors.come(name="Bob")
    over = ann.game(PEBBLE).resign().open()
    waits = ann.game("open").open()
    theirs = ann.game(bob, variant="expert", clock="gentle", seconds=60).play(1).open()
    mine = ann.game("brook", scoring="claims").play(2).open()
    lines = returned(ann)
    paths = lines.evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    assert paths == [mine, theirs, waits, over.replace("/t/", "/replay/")]
    expect(lines.nth(0)).to_contain_text(re.compile(r"Brook\s+Your turn\s+now.*Claimed points", re.DOTALL))
    expect(lines.nth(1)).to_contain_text(re.compile(r"Bob\s+Bob to move.*Expert\s*60.s per turn", re.DOTALL))
    expect(lines.nth(2)).to_contain_text(re.compile(r"Waiting for players\s+1 seat free"))
    expect(lines.nth(3)).to_contain_text(re.compile(r"Pebble\s+finished"))
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Your games")
    lines.nth(0).click()
    ann.page.wait_for_url(f"**{mine}")


def test_a_newcomer_sees_what_the_game_is_and_plays_after_two_clicks(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    first_page(ann)
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Riverstones")
    tiles = ann.page.eval_on_selector_all(".glance .tile b", "all => all.map((each) => each.dataset.digit)")
    expect(ann.page.locator(".glance .sum")).to_have_text(f"{tiles[1]} + {tiles[2]} = {tiles[0]}")
    ann.page.locator("form.now button.main").click()
    assert ann.wait_for_my_turn()
    ann.page.locator(".hand button").first.click()
    first_page(ann)
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Your games")
    expect(ann.page.locator(".mine .line")).to_have_count(1)


def test_replay_leads_to_ones_finished_games_with_the_form_for_files_below(visitors: Visitors) -> None:
    ann = visitors.come()
    going = ann.game(PEBBLE).open()
    finished = [ann.game(PEBBLE).play(4).resign().open().replace("/t/", "/replay/") for _ in range(2)]
    ann.go("/")
    ann.page.get_by_role("navigation").get_by_role("link", name="Replay").click()
    lines = ann.page.locator("main .line")
    expect(lines).to_have_count(2)
    assert lines.evaluate_all("all => all.map((each) => each.getAttribute('href'))") == finished[::-1]
    expect(ann.page.locator(f"a[href='{going}']")).to_have_count(0)
    places = [lines.last.bounding_box(), ann.page.get_by_label("Paste a game here").bounding_box()]
    assert places[0] is not None
    assert places[1] is not None
    assert places[0]["y"] < places[1]["y"]
    lines.first.click()
    expect(ann.page.locator(".steps")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_finished_game_is_removed_and_stays_removed(visitors: Visitors, size: dict[str, int]) -> None:
    ann, bob = visitors.come(size), visitors.come(name="Bob")
    over = ann.game(bob).resign().open().replace("/t/", "/replay/")
    going = ann.game(bob).open()
    lines = returned(ann)
    expect(ann.page.get_by_role("button", name=REMOVE)).to_have_text("Remove")
    ann.page.get_by_role("button", name=REMOVE).click()
    expect(lines).to_have_count(1)
    first_page(ann)
    expect(lines).to_have_count(1)
    expect(lines).to_have_attribute("href", going)
    ann.go(over)
    expect(ann.page.locator("[data-square]").first).to_be_visible()
    first_page(bob)
    expect(bob.page.locator(f"a[href='{over}']")).to_have_count(1)


def test_games_at_the_top_come_without_a_shift_however_many_the_server_knows(visitors: Visitors) -> None:
    people = {name: visitors.come(size) for name, size in SIZES.items()}
    pages: dict[str, Any] = {name: visitor.page for name, visitor in people.items()}
    for visitor in people.values():
        visitor.game(PEBBLE).open()
        returned(visitor)
        visitor.game(PEBBLE).open()
        visitor.game(PEBBLE, variant="expert").open()
        visitor.context.add_init_script(WATCH_SHIFTS)
        first_page(visitor)
        expect(visitor.page.locator(".mine .line")).to_have_count(3)
    assert shifts(pages, ".mine .line") == {}


def test_open_tables_tell_their_settings_and_public_games_can_be_watched(visitors: Visitors) -> None:
    ann, bob, eve = visitors.come(), visitors.come(name="Bob"), visitors.come(name="Eve")
    table = ann.game("open", "open", listed=True, variant="expert", clock="strict", seconds=45).open()
    public = ann.game(bob, listed=True).play(3).open()
    private = ann.game(bob).play(3).open()
    first_page(eve)
    line = eve.page.locator(f".line[href='{table}']")
    expect(line).to_contain_text(re.compile(r"3 seats\s*Expert\s*Automatic scoring\s*45.s per turn"))
    expect(eve.page.locator(f"a[href='{private}']")).to_have_count(0)
    eve.page.locator(f".line[href='{public}']").click()
    eve.page.wait_for_selector(".sheet")
    expect(eve.page.locator(".hand")).to_have_count(0)


def test_a_game_against_bots_has_settings_too_and_they_are_remembered(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    bot_options(ann)
    options = ann.page.locator("form.now .terms")
    for choice in ("Expert", "Strict"):
        options.locator("label", has_text=choice).click()
    ann.page.locator("form.now button.main").click()
    assert ann.wait_for_my_turn()
    table = ann.page.url.rpartition("/")[2]
    told = ann.page.request.get(f"{ann.url}/api/v1/tables/{table}").json()["options"]
    assert (told["variant"], told["clock"], told["hints"], told["listed"]) == ("expert", "strict", True, False)
    first_page(ann)
    expect(ann.page.locator("form.now summary")).to_contain_text("Expert · 30")
    ann.page.locator("form.now button.main").click()
    ann.page.wait_for_url(re.compile(f"/t/(?!{table})"))
    again = ann.page.url.rpartition("/")[2]
    assert ann.page.request.get(f"{ann.url}/api/v1/tables/{again}").json()["options"]["variant"] == "expert"
