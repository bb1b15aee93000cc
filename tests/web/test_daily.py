"""The daily in the browser: two taps to the first tile, the sprint, the streak, the calendar, and without a network."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from playwright.sync_api import Page, expect

from riverstones.rules import Move, Square
from riverstones.study.puzzles.daily import daily as daily_of
from riverstones.study.puzzles.file import shipped
from riverstones.study.puzzles.puzzle import Kind, Sprint, hand_after

from .conftest import ADDRESSES
from .scenes import answer, daily, first_of, open_puzzle, sprint_over
from .test_profile import WITHOUT_SHARING
from .test_shifts import SIZES, WATCH_SHIFTS, shifts
from .visitors import DESK, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow
MONDAY = date(2026, 11, 16)


def at_noon(visitor: Visitor, day: date) -> None:
    """Set the browser's date; timers go on."""
    visitor.page.clock.set_fixed_time(datetime(day.year, day.month, day.day, 12))


def place_all(visitor: Visitor, sprint: Sprint) -> None:
    """Play the best line of a sprint, checking the tiles that are shown to come next."""
    hand = sprint.hand
    for number, move in enumerate(sprint.line):
        assert sorted(visitor.hand()) == list(hand)
        coming = visitor.page.locator(".progress .tiles b").evaluate_all("all => all.map((each) => each.dataset.digit)")
        assert [int(digit) for digit in coming] == list(sprint.tiles[number:])
        answer(visitor, move)
        hand = hand_after(hand, move, sprint.tiles[number : number + 1])


def test_two_taps_lead_from_the_home_page_to_the_first_tile(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE, has_touch=True)
    visitor.go("/")
    visitor.page.locator("a[href='/daily/sprint']").tap()
    visitor.page.locator(".hand button").first.tap()
    expect(visitor.page.locator(".hand button").first).to_have_attribute("aria-pressed", "true")
    expect(visitor.page.locator("[data-square].legal").first).to_be_visible()


def test_the_best_line_wins_a_gem_and_begins_a_streak(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE, permissions=["clipboard-read", "clipboard-write"])
    visitor.context.add_init_script(WITHOUT_SHARING)
    at_noon(visitor, MONDAY)
    sprint = daily_of(shipped(), MONDAY).sprint
    visitor.go("/daily/sprint")
    visitor.page.wait_for_selector(".hand button")
    place_all(visitor, sprint)
    expect(visitor.page.locator("h1")).to_contain_text(f"{sprint.optimum} of {sprint.optimum} points")
    expect(visitor.page.get_by_role("img", name="a gem")).to_be_visible()
    said = f"Riverstones, Monday 16 November: Sprint {sprint.optimum} of {sprint.optimum} points, a gem."
    expect(visitor.page.locator(".share p")).to_have_text(said)
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Share").click()
    assert download.value.suggested_filename == "riverstones-2026-11-16.png"
    expect(visitor.page.get_by_role("button", name="Saved and copied")).to_be_visible()
    # The link is the address for other devices.
    link = f"{ADDRESSES[0]}/daily/2026-11-16"
    assert visitor.page.evaluate("navigator.clipboard.readText()") == f"{said}\n{link}"
    visitor.go("/")
    panel = visitor.page.get_by_role("region", name="The daily puzzle and sprint")
    expect(panel.get_by_role("img", name="a gem")).to_be_visible()
    expect(panel).to_contain_text("1 day in a row")
    # The next day it is to be done again; two days later the missed day is forgiven, and after that it is over.
    for day, streak in ((17, "1 day in a row"), (18, "1 day in a row"), (19, "New every day")):
        at_noon(visitor, date(2026, 11, day))
        visitor.go("/")
        expect(panel).to_contain_text(streak)
        expect(panel.get_by_role("img", name="a gem")).to_have_count(0)


def test_the_home_page_invites_a_newcomer_and_knows_a_puzzle_that_was_tried(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    days = (date(2026, 11, day) for day in range(1, 30))
    day, wrong = next((day, puzzle.next_best) for day in days if (puzzle := daily_of(shipped(), day).puzzle).next_best)
    assert wrong is not None
    at_noon(visitor, day)
    visitor.go("/")
    panel = visitor.page.get_by_role("region", name="The daily puzzle and sprint")
    expect(panel).to_contain_text("New every day")
    entry = panel.get_by_role("link", name="Puzzle")
    expect(entry).to_contain_text("Play")
    entry.click()
    answer(visitor, wrong.move)
    expect(visitor.page.locator(".after")).to_contain_text("only the first answer counts")
    visitor.go("/")
    expect(entry).to_contain_text("Not solved yet")


def test_the_first_sprint_counts_and_the_best_line_can_be_stepped_through(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    sprint_over(visitor)
    sprint = daily_of(shipped(), date.today()).sprint
    first = visitor.page.locator("h1").inner_text().split()[0]
    board = sprint.board
    visitor.page.locator("label", has_text="Best line").click()
    for move in sprint.line:
        board = move.on(board)
    assert visitor.board() == board
    for _ in sprint.line:
        visitor.page.get_by_role("button", name="Previous move").click()
    assert visitor.board() == sprint.board
    visitor.page.reload()
    expect(visitor.page.locator("h1")).to_contain_text(f"{first} of {sprint.optimum} points")
    visitor.page.get_by_role("button", name="Try again").click()
    place_all(visitor, sprint)
    expect(visitor.page.locator("h1")).to_contain_text(f"{sprint.optimum} of")
    if int(first) < sprint.optimum:
        expect(visitor.page.locator(".words")).to_contain_text(f"Your first sprint counts: {first} points.")
    expect(visitor.page.locator(".share p")).to_contain_text(f"Sprint {first} of {sprint.optimum} points")


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_board_of_a_sprint_stays_where_it_is(visitors: Visitors, language: str) -> None:
    visitor = visitors.come(PHONE, language=language)
    sprint = daily_of(shipped(), date.today()).sprint
    visitor.go("/daily/sprint")
    ground = visitor.page.locator(".ground")
    visitor.page.wait_for_selector(".hand button")
    place = ground.bounding_box()
    for move in sprint.line[:-1]:
        answer(visitor, move)
        expect(visitor.page.locator(".tentative")).to_have_count(0)
        assert ground.bounding_box() == place


def test_an_unfinished_sprint_waits_where_it_was_left(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    sprint = daily_of(shipped(), date.today()).sprint
    visitor.go("/daily/sprint")
    answer(visitor, sprint.line[0])
    expect(visitor.page.locator(".progress")).to_contain_text("Tile 2 of 4")
    visitor.page.reload()
    expect(visitor.page.locator(".progress")).to_contain_text("Tile 2 of 4")
    assert visitor.board() == sprint.line[0].on(sprint.board)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Pacific/Kiritimati", date(2027, 1, 1)),
        ("Pacific/Pago_Pago", date(2026, 12, 30)),
    ],
)
def test_on_both_sides_of_the_date_line_it_is_the_day_of_the_calendar(visitors: Visitors, zone: str, day: date) -> None:
    visitor = visitors.come(PHONE, timezone_id=zone)
    visitor.page.clock.set_fixed_time("2026-12-31T10:30:00Z")
    daily(visitor)
    expect(visitor.page.locator("header h1")).to_have_text(f"{day:%A} {day.day} {day:%B}")
    visitor.page.locator("a[href='/daily/sprint']").click()
    visitor.page.wait_for_selector(".hand button")
    assert visitor.board() == daily_of(shipped(), day).sprint.board


def test_the_calendar_leads_to_every_earlier_day(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    at_noon(visitor, MONDAY)
    daily(visitor)
    for _ in range(2):
        visitor.page.get_by_role("button", name="Previous month").click()
    visitor.page.get_by_role("link", name="Wednesday 30 September: not played").click()
    expect(visitor.page.locator("header h1")).to_have_text("Wednesday, 30 September 2026")
    puzzle = daily_of(shipped(), date(2026, 9, 30)).puzzle
    visitor.page.locator("a[href='/daily/2026-09-30/puzzle']").click()
    visitor.page.wait_for_selector(".hand button, .verdicts button")
    if puzzle.claim is None:
        assert visitor.board() == puzzle.board
    for path in ("2026-11-17", "2026-02-30", "2025-12-31"):
        visitor.go(f"/daily/{path}")
        expect(visitor.page.locator("h1")).to_have_text("There is no puzzle for this date.")
    visitor.page.get_by_role("link", name="To today").click()
    expect(visitor.page.locator("header h1")).to_have_text("Monday 16 November")


def walk_to(page: Page, square: Square) -> None:
    """Move the focus to a square by keys, from anywhere on the board or before it."""
    for _ in range(30):
        if page.evaluate("document.activeElement.dataset.square !== undefined"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Control+Home")
    for key, times in (("ArrowRight", square.column), ("ArrowDown", square.row)):
        for _ in range(times):
            page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.name") == str(square)


def answer_by_keys(visitor: Visitor, move: Move) -> None:
    page = visitor.page
    walk_to(page, move.square)
    page.keyboard.press(str(visitor.hand().index(move.tile.digit) + 1))
    if move.tile.is_total:
        page.keyboard.press("f")
    page.keyboard.press("Enter")
    for flip in move.flips:
        walk_to(page, flip)
        page.keyboard.press("f")
    walk_to(page, move.square)
    page.keyboard.press("Enter")


def test_a_puzzle_and_a_sprint_can_be_played_by_keys_alone(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    puzzle = first_of(Kind.FLIP)
    open_puzzle(visitor, puzzle)
    answer_by_keys(visitor, puzzle.answer)
    expect(visitor.page.locator(".told .headline")).to_have_text("Right!")
    sprint = daily_of(shipped(), date.today()).sprint
    visitor.go("/daily/sprint")
    visitor.page.wait_for_selector(".hand button")
    for move in sprint.line:
        answer_by_keys(visitor, move)
    expect(visitor.page.get_by_role("img", name="a gem")).to_be_visible()


def test_after_the_first_visit_the_daily_and_puzzles_work_without_a_network(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE, service_workers="allow")
    visitor.go("/")
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    visitor.context.set_offline(True)
    visitor.go("/daily/sprint")
    visitor.page.wait_for_selector(".hand button")
    place_all(visitor, daily_of(shipped(), date.today()).sprint)
    expect(visitor.page.get_by_role("img", name="a gem")).to_be_visible()
    open_puzzle(visitor, first_of(Kind.MOST_POINTS))
    answer(visitor, first_of(Kind.MOST_POINTS).answer)
    expect(visitor.page.locator(".told .headline")).to_have_text("Right!")
    visitor.context.set_offline(False)
    visitor.errors.clear()  # the browser logs every request that fails


def test_the_pages_load_without_a_shift(visitors: Visitors) -> None:
    all_sizes = {name: visitors.come(size) for name, size in SIZES.items()}
    pages = {name: visitor.page for name, visitor in all_sizes.items()}
    for visitor in all_sizes.values():
        visitor.context.add_init_script(WATCH_SHIFTS)
    for path, last_part in (("/daily", ".calendar"), ("/puzzles", ".trainer"), ("/daily/sprint", ".hand button")):
        for visitor in all_sizes.values():
            visitor.go(path)
        assert shifts(pages, last_part) == {}, path
