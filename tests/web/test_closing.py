"""Closing a waiting table: only by its host, from the table or the home page, and never by accident."""

import pytest
from playwright.sync_api import expect

from .scenes import PEBBLE, first_page, my_turn
from .test_together import sit_down
from .visitors import DESK, PHONE, Visitor, Visitors

CLOSE = "Close this table"


def join(visitor: Visitor, link: str) -> None:
    """Take a seat at a table that still has open seats."""
    visitor.go(link)
    visitor.page.get_by_label("Your name").fill("Bo")
    visitor.page.get_by_role("button", name="Sit here").first.click()
    visitor.page.get_by_role("heading", name="Waiting for your friends").wait_for()


def open_menu(visitor: Visitor) -> None:
    visitor.page.locator("header button.menu").click()
    expect(visitor.page.locator("dialog")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_host_closes_a_table_from_its_menu_and_the_others_see_it(visitors: Visitors, size: dict[str, int]) -> None:
    ann, bo = visitors.come(size), visitors.come(size)
    link = ann.game("open", "open").open(ann)
    join(bo, link)
    open_menu(bo)
    expect(bo.page.get_by_role("button", name=CLOSE)).to_have_count(0)
    bo.page.keyboard.press("Escape")

    open_menu(ann)
    ann.page.get_by_role("button", name=CLOSE).click()
    ann.page.get_by_role("button", name="Keep it open").click()
    expect(ann.page.locator("dialog")).to_have_count(0)
    expect(ann.page.locator(".waiting")).to_be_visible()

    open_menu(ann)
    ann.page.get_by_role("button", name=CLOSE).click()
    ann.page.get_by_role("dialog").get_by_role("button", name=CLOSE).click()
    ann.page.wait_for_url(ann.url + "/")
    expect(ann.page.locator(".lists section").first).to_have_text("Your games Your games will appear here.")

    expect(bo.page.locator("h1")).to_have_text("The table is closed")
    expect(bo.page.locator(".mine")).to_contain_text("It was closed before the game began.")
    expect(bo.page.locator(".mine a", has_text="Back to home")).to_be_in_viewport(ratio=1)
    bo.page.reload()
    expect(bo.page.locator(".mine")).to_contain_text("It was closed before the game began.")


def test_a_game_that_has_begun_is_not_closed(visitors: Visitors) -> None:
    ann = visitors.come()
    my_turn(ann)
    open_menu(ann)
    expect(ann.page.get_by_role("button", name="Resign")).to_be_visible()
    expect(ann.page.get_by_role("button", name=CLOSE)).to_have_count(0)
    first_page(ann)
    expect(ann.page.locator(".lists section").first.locator(".line")).to_have_count(1)
    expect(ann.page.get_by_role("button", name=CLOSE)).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_waiting_table_is_closed_in_the_list_of_games(visitors: Visitors, size: dict[str, int]) -> None:
    ann, bo = visitors.come(size), visitors.come(size)
    kept, closed = (ann.game("open", "open", listed=True).open() for _ in range(2))
    join(bo, closed)
    first_page(bo)
    expect(bo.page.locator(f".entry a[href='{closed}']")).to_be_visible()
    expect(bo.page.get_by_role("button", name=CLOSE)).to_have_count(0)

    first_page(ann)
    mine = ann.page.locator(".lists section").first
    entry = mine.locator(".entry", has=ann.page.locator(f"a[href='{closed}']"))
    entry.get_by_role("button", name=CLOSE).click()
    expect(ann.page.get_by_role("dialog")).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(ann.page.get_by_role("dialog")).to_have_count(0)
    expect(mine.locator(".line")).to_have_count(2)
    entry.get_by_role("button", name=CLOSE).click()
    ann.page.get_by_role("dialog").get_by_role("button", name=CLOSE).click()
    expect(mine.locator(".line")).to_have_count(1)
    expect(mine.locator(".line")).to_have_attribute("href", kept)
    expect(ann.page.locator(f"a[href='{closed}']")).to_have_count(0)


def test_a_table_that_has_started_meanwhile_is_not_closed(visitors: Visitors) -> None:
    """The host gets a message and finds the game in the list."""
    ann, bo = visitors.come(), visitors.come()
    link = ann.game("open").open()
    first_page(ann)
    ann.page.get_by_role("button", name=CLOSE).click()
    sit_down(bo, link, "Bo")
    ann.page.get_by_role("dialog").get_by_role("button", name=CLOSE).click()
    expect(ann.page.get_by_role("alert")).to_have_text("The game has already begun.")
    expect(ann.page.locator(f"a[href='{link}']")).to_be_visible()
    ann.errors.clear()  # the browser logs every error response


def test_running_games_are_listed_before_finished_ones(visitors: Visitors) -> None:
    ann = visitors.come()
    waits = ann.game("open").open()
    ann.game(PEBBLE).resign().open()
    first_page(ann)
    lines = ann.page.locator(".lists section").first.locator(".line")
    expect(lines).to_have_count(2)
    expect(lines.first).to_have_attribute("href", waits)
