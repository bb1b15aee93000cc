"""The static build (`make static`): files in some folder of a web space, without a server."""

from collections.abc import Iterator
from html import unescape
from re import compile, search

import pytest
from playwright.sync_api import Browser, Page, expect

from riverstones.server.http.middleware import POLICY

from .static_site import SITE
from .test_claims import claim
from .test_local import LOAD_MS, play, resign
from .test_pages import AXE, RUN_AXE
from .test_review_page import RECORD
from .visitors import PHONE, Visitor, Visitors

PLACES = (
    "/",
    "/learn",
    "/learn/3",
    "/puzzles",
    "/puzzles/rush",
    "/daily",
    "/daily/puzzle",
    "/daily/sprint",
    "/rules",
    "/replay",
    "/study",
    "/profile",
    "/settings",
)
ELSEWHERE = "/icon.svg"
"""A file beside the page: whoever comes from there loads the page anew, instead of changing its fragment."""
NEEDS_A_SERVER = "[href*=account], [href*='/api/'], [href^='/'], .unreached"

KEEP_PROGRESS = """(bar) => {
  window.shares = [];
  const look = () => document.querySelectorAll(bar).forEach(({ value }) => shares.push(value));
  new MutationObserver(look).observe(document.body,
    { subtree: true, childList: true, attributes: true, characterData: true });
}"""


@pytest.fixture
def visitors(browser: Browser, static_address: str) -> Iterator[Visitors]:
    """Visitors of the static build; no request may leave its folder or fail, and no page may have an error."""
    found = Visitors(browser, static_address)
    yield found
    found.leave()


def test_every_page_opens_by_a_link_and_again_by_a_reload(visitors: Visitors) -> None:
    visitor = visitors.come(service_workers="block")
    page = visitor.page
    answers: dict[str, int] = {}
    page.on("response", lambda answer: answers.update({answer.url: answer.status}))
    for place in PLACES:
        visitor.go(ELSEWHERE)
        visitor.go(f"/#{place}")
        heading = page.locator("h1").first
        expect(heading).to_be_visible()
        title = heading.inner_text()
        page.reload()
        expect(page.locator("h1").first).to_have_text(title)
        assert page.url.startswith(f"{visitor.url}/#{place}")
        assert page.locator(NEEDS_A_SERVER).count() == 0, place
    assert answers
    assert {url: status for url, status in answers.items() if status >= 400} == {}


def test_links_lead_from_page_to_page_and_back(visitors: Visitors) -> None:
    page = visitors.come(service_workers="block").page
    page.goto(f"{visitors.url}/index.html")
    for place in ("learn", "puzzles", "rules", "replay", "study", "profile"):
        page.locator(f"header nav a[href='#/{place}']").click()
        expect(page.locator("header nav [aria-current=page]")).to_have_attribute("href", f"#/{place}")
        expect(page.locator("main h1").first).to_be_visible()
    page.go_back()
    expect(page.locator("header nav [aria-current=page]")).to_have_attribute("href", "#/study")
    page.locator("header a.brand").click()
    expect(page.locator("form.now")).to_be_visible()
    assert page.url == f"{visitors.url}/index.html#/"


def test_a_finished_lesson_is_remembered(visitors: Visitors) -> None:
    page = visitors.come(service_workers="block").page
    page.goto(f"{visitors.url}/#/learn")
    page.locator("main ol a").first.click()
    page.locator(".hand button").first.click()
    page.locator('[data-name="f5"]').click()
    page.locator("button.play").click()
    expect(page.locator(".done")).to_be_visible()
    page.goto(f"{visitors.url}/#/learn")
    expect(page.locator(".progress progress")).to_have_attribute("value", "1")


def test_a_section_of_the_rules_has_a_link(visitors: Visitors) -> None:
    page = visitors.come(service_workers="block").page
    page.goto(f"{visitors.url}/#/rules")
    link = page.locator("main a[href^='#/rules?at=']").last
    href = link.get_attribute("href") or ""
    section = page.locator(f"#{href.partition('=')[2]}")
    expect(section).not_to_be_in_viewport()
    link.press("Enter")
    expect(section).to_be_in_viewport()
    expect(section).to_be_focused()
    page.reload()
    expect(section).to_be_in_viewport()
    assert page.url == f"{visitors.url}/{href}"


def test_a_position_is_in_the_link_to_the_study_board(visitors: Visitors) -> None:
    page = visitors.come(service_workers="block").page
    page.goto(f"{visitors.url}/#/study")
    page.locator(".side > fieldset label").first.click()
    page.get_by_role("button", name="Clear the board").click()
    empty = page.evaluate("location.hash")
    page.locator(".palette button").first.click()
    page.locator("[data-square]").nth(40).click()
    page.wait_for_function("(empty) => location.hash.startsWith('#/study?at=1') && location.hash !== empty", arg=empty)
    link = page.url
    page.evaluate("localStorage.clear()")
    page.goto(f"{visitors.url}{ELSEWHERE}")
    page.goto(link)
    expect(page.locator("[data-square] .tile")).to_have_count(1)
    assert page.url == link


def test_a_table_that_this_device_does_not_have_is_not_looked_for_elsewhere(visitors: Visitors) -> None:
    page = visitors.come(service_workers="block").page
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(f"{visitors.url}/#/t/elsewhere")
    expect(page.locator("a[href='#/'].button")).to_be_visible(timeout=LOAD_MS)
    assert sockets == []


def begin(visitor: Visitor, *choices: str, seconds: int) -> None:
    """Begin a game against the strongest bot with these settings, from the home page."""
    form = visitor.page.locator("form.now")
    form.get_by_role("radio", name=compile("Ocean")).check(force=True)
    if not form.locator(".terms").is_visible():
        form.locator("summary").click()
    for value in choices:
        form.locator(f"input[type=radio][value={value}]").check(force=True)
    form.locator(".seconds input").fill(str(seconds))
    form.get_by_role("button", name="Play", exact=True).click()
    visitor.page.wait_for_selector("main:has(h1.mine):has(.sheet)", timeout=LOAD_MS)


def check_progress(page: Page) -> None:
    """Check that the bar, watched with `KEEP_PROGRESS`, went on step by step and never back."""
    shares = page.evaluate("shares")
    assert len(set(shares)) > 2
    assert shares == sorted(shares)


def test_games_with_claims_and_clocks_against_the_strongest_bot(visitors: Visitors) -> None:
    ann = visitors.come()
    page = ann.page
    ann.go("/")
    page.evaluate(KEEP_PROGRESS, "progress#loading")
    begin(ann, "claims", "gentle", seconds=600)
    check_progress(page)
    expect(page.get_by_role("timer").first).to_be_visible()
    claim(ann, "0")
    assert ann.wait_for_my_turn()
    expect(page.locator(".sheet ol > li > button")).to_have_count(2)
    expect(page.locator(".claim")).to_contain_text("Ocean claims")

    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Leave the table").click()
    begin(ann, "automatic", "strict", seconds=5)
    # The clock makes a move, and the bot answers it.
    expect(page.locator(".sheet ol > li > button").nth(1)).to_be_visible()
    assert ann.wait_for_my_turn()
    play(ann)
    resign(ann)
    page.locator("a[href^='#/replay/local-']").first.click()
    expect(page.locator(".accuracy").first).to_be_visible(timeout=LOAD_MS)
    page.locator("header nav a[href='#/profile']").click()
    # The profile counts the review.
    expect(page.locator("main dl .bar").first).to_be_attached()

    page.locator("header nav a[href='#/replay']").click()
    page.locator("textarea").fill(RECORD)
    page.locator("form button.main").click()
    page.locator(".side > fieldset label").last.click()
    expect(page.locator(".accuracy").first).to_be_visible(timeout=LOAD_MS)


def test_puzzles_are_rated_on_the_device(visitors: Visitors) -> None:
    page = visitors.come().page
    page.goto(f"{visitors.url}/#/puzzles")
    expect(page.locator("form.trainer")).to_be_visible()
    assert page.locator(".rating").count() == 0
    page.evaluate("localStorage.setItem('riverstones.study.skill', JSON.stringify({ mu: 26, sigma: 2 }))")
    page.reload()
    expect(page.locator(".rating")).to_contain_text("1560")
    page.goto(f"{visitors.url}/#/profile")
    expect(page.locator(".rating")).to_contain_text("1560")


def test_the_policy_of_the_server_is_in_the_page() -> None:
    html = (SITE / "index.html").read_text(encoding="utf-8")
    found = search(r'<meta http-equiv="content-security-policy" content="([^"]+)"', html)
    assert found is not None
    # A page cannot say who may frame it.
    assert unescape(found[1]) == POLICY.removesuffix("; frame-ancestors 'none'")
    assert html.index("content-security-policy") < html.index("<script")


def test_nothing_for_a_server_is_in_the_build() -> None:
    names = {path.name for path in SITE.rglob("*")}
    assert "index.html" in names
    assert "table.html" not in names
    assert not [name for name in names if name.endswith(".br") or name.startswith(("Account-", "FriendsDialog-"))]
    absolute = search(r'(?:href|src)="/', (SITE / "index.html").read_text(encoding="utf-8"))
    assert absolute is None


def test_the_home_page_is_accessible_and_offers_only_what_there_is(visitors: Visitors) -> None:
    page = visitors.come(PHONE, service_workers="block").page
    page.goto(f"{visitors.url}/")
    expect(page.locator("form.now button.main")).to_be_enabled()
    expect(page.locator(".today a").first).to_be_visible()
    assert page.locator(".lists").count() == 0
    assert page.locator(".ways > li").count() == 2
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN_AXE) == []


def test_the_pages_open_without_a_network_after_a_visit(visitors: Visitors) -> None:
    visitor = visitors.come(service_workers="allow")
    page = visitor.page
    visitor.go("/")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    scope = page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)")
    assert scope == f"{visitors.url}/"
    page.context.set_offline(True)
    visitor.go(ELSEWHERE)
    visitor.go("/#/rules")
    expect(page.locator("main h1")).to_be_visible()
    page.reload()
    expect(page.locator("main h1")).to_be_visible()


def test_the_download_tells_its_size_and_progress_and_can_be_undone(visitors: Visitors) -> None:
    visitor = visitors.come(service_workers="allow")
    page = visitor.page
    visitor.go("/#/settings")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    kept = f"riverstones-python {page.evaluate('location.pathname')}"
    section = page.locator("section.offline")
    expect(section).to_contain_text(compile(r"Takes \d+ MB on this device"))
    assert kept not in page.evaluate("caches.keys()"), "nothing is downloaded before it is asked for"
    page.evaluate(KEEP_PROGRESS, ".offline progress")
    section.get_by_role("button", name="Keep available offline").click()
    expect(section).to_contain_text("Available offline on this device.", timeout=LOAD_MS)
    assert kept in page.evaluate("caches.keys()")
    check_progress(page)
    section.get_by_role("button", name="Remove the download").click()
    expect(section.get_by_role("button", name="Keep available offline")).to_be_visible()
    assert kept not in page.evaluate("caches.keys()")
