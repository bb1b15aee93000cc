"""The rules page and the lessons: contents in sight, figures that play themselves, and what comes next."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from riverstones.words import LANGUAGES

from .visitors import DESK, PHONE, Visitors

pytestmark = pytest.mark.slow


def test_the_contents_stay_in_sight_at_a_desk_and_come_first_on_a_phone(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    visitor.go("/rules")
    visitor.page.get_by_role("link", name="Thinking time").click()
    expect(visitor.page.locator("#time")).to_be_in_viewport()
    expect(visitor.page.get_by_role("link", name="Board and tiles")).to_be_in_viewport(ratio=1)
    visitor.page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # the sizes are plain dictionaries
    visitor.page.evaluate("scrollTo(0, 0)")
    order = "['main nav', '#components'].map((each) => document.querySelector(each).getBoundingClientRect().top)"
    contents, first = visitor.page.evaluate(order)
    assert contents < first


def test_a_figure_plays_its_moves_once_when_it_comes_into_view(visitors: Visitors) -> None:
    visitor = visitors.come(reduced_motion="no-preference")
    visitor.go("/rules")
    figure = visitor.page.locator("figure").first
    expect(figure.locator(".tentative")).to_have_count(0)
    height = figure.evaluate("each => each.offsetHeight")
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".tentative")).to_have_count(1)
    expect(figure.get_by_role("button", pressed=True)).to_contain_text("8 points")
    assert figure.evaluate("each => each.offsetHeight") == height, "nothing moves for it"


def test_with_reduced_motion_a_figure_shows_its_last_move_until_another_choice(visitors: Visitors) -> None:
    visitor = visitors.come(reduced_motion="reduce")
    visitor.go("/rules")
    figure = visitor.page.locator("figure").first
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".tentative")).to_have_count(1)
    move = figure.get_by_role("button", pressed=True)
    expect(move).to_contain_text("addend 5 on c1")
    expect(move).to_contain_text("8 | 3 + 5 = 8")
    move.click()
    expect(figure.locator(".tentative")).to_have_count(0)
    figure.locator(".moves button").click()
    expect(figure.locator(".tentative")).to_have_count(1)


LOWEST_TEXT = """all => all.map((figure) => {
  const texts = [...figure.querySelectorAll('p, .moves button > span')].filter((each) => each.textContent.trim());
  return figure.getBoundingClientRect().bottom - Math.max(...texts.map((each) => each.getBoundingClientRect().bottom));
})"""
"""The distance of the lowest text of each figure from its lower edge."""


def test_no_figure_on_a_phone_ends_in_empty_room(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    visitor.go("/rules")
    for language in LANGUAGES:
        visitor.page.evaluate("(language) => localStorage.setItem('riverstones.language', language)", language)
        visitor.page.reload()
        visitor.page.wait_for_selector(f"html[lang={language}] figure")
        distances = visitor.page.eval_on_selector_all("figure", LOWEST_TEXT)
        assert len(distances) == 11
        assert max(distances) < 32, language


def test_boards_far_below_the_screen_are_rendered_later_in_the_same_room(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE, reduced_motion="no-preference")
    visitor.page.clock.install()
    visitor.go("/rules")
    page = visitor.page
    last = page.locator("figure").last
    last.wait_for()
    expect(last.locator("[data-square]")).to_have_count(0)
    height = last.evaluate("each => each.offsetHeight")
    page.clock.run_for(10_000)
    expect(last.locator("[data-square]")).to_have_count(45)
    assert last.evaluate("each => each.offsetHeight") == height, "nothing moves for it"


def test_the_rules_use_no_notation_until_it_is_asked_for(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.go("/rules")
    visitor.page.wait_for_selector("figure")
    written = re.compile(r"[a-i][1-9][+=][1-9]")
    assert not written.search(visitor.page.locator("main").inner_text())
    visitor.page.get_by_role("button", name="How moves are written").click()
    expect(visitor.page.locator("main")).to_contain_text("h3+7~e3")
    expect(visitor.page.locator("figure .moves").first).to_have_text(written)
    visitor.page.reload()
    expect(visitor.page.locator("figure .moves").first).to_have_text(written)


def test_learn_says_what_is_done_and_what_comes_next(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    visitor.go("/learn")
    expect(visitor.page.locator(".progress")).to_have_text("Lessons completed: 0 of 10")
    expect(visitor.page.get_by_role("link", name="Next: Your first Kakuro")).to_be_visible()
    keep = "(lessons) => localStorage.setItem('riverstones.lessons', lessons)"
    visitor.page.evaluate(keep, json.dumps([1, 2, 4]))
    visitor.page.reload()
    expect(visitor.page.locator(".progress")).to_have_text("Lessons completed: 3 of 10")
    visitor.page.get_by_role("link", name="Next: Only the last digit counts").click()
    expect(visitor.page.locator("h1")).to_have_text("Only the last digit counts")
    visitor.page.evaluate(keep, json.dumps(list(range(1, 11))))
    visitor.go("/learn")
    expect(visitor.page.locator(".way")).to_contain_text("You have completed every lesson.")
