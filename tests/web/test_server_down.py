"""The home page while the server is down: it says so, keeps its last lists, and recovers by itself."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Route, expect

from tests.server.running import free_port, running, settings_for

from .scenes import PEBBLE
from .visitors import PHONE, Visitor, Visitors

UNREACHED = "The server cannot be reached just now."
API = re.compile("/api/v1/")


def fail(route: Route) -> None:
    route.abort("connectionrefused")


def clear_network_errors(visitor: Visitor) -> None:
    """Clear the log of failed requests, including those for the service worker; nothing else may be in it."""
    known = ("ERR_CONNECTION_REFUSED", "when fetching the script")
    assert all(any(each in trouble for each in known) for trouble in visitor.errors), visitor.errors
    visitor.errors.clear()


def expect_nothing_made_up(visitor: Visitor) -> None:
    lists = visitor.page.locator(".lists")
    expect(lists).not_to_contain_text("Your games will appear here")
    expect(lists).not_to_contain_text("No open tables right now")


def test_a_first_visit_without_a_server_shows_no_invented_data(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.page.route(API, fail)
    ann.go("/")
    expect(ann.page.locator(".unreached")).to_contain_text(UNREACHED)
    expect_nothing_made_up(ann)
    expect(ann.page.locator(".lists")).to_contain_text("Not available while the server cannot be reached.")

    # It recovers by itself.
    ann.page.unroute(API)
    expect(ann.page.locator(".unreached")).to_have_count(0)
    expect(ann.page.locator(".lists")).to_contain_text("Your games will appear here")
    clear_network_errors(ann)


def test_the_last_lists_are_kept_and_can_be_reloaded(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(name="Bo")
    own = ann.game(PEBBLE).open()
    listed = bo.game("open", listed=True).open()
    ann.go("/")
    lines = ann.page.locator(f"a.line:is([href='{own}'], [href='{listed}'])")
    expect(lines).to_have_count(2)
    ann.page.route(API, fail)
    ann.page.reload()
    expect(ann.page.locator(".unreached")).to_contain_text(UNREACHED)
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("Pebble")
    # Other tests may have left public games at the same server, so there can be a third list.
    expect(ann.page.get_by_text("As last known").nth(1)).to_be_visible()
    expect_nothing_made_up(ann)

    # Starting a game shows the message, too.
    ann.page.get_by_role("button", name="Play", exact=True).click()
    expect(ann.page.locator(".trouble")).to_have_text(UNREACHED)
    ann.page.unroute(API)
    ann.page.get_by_role("button", name="Try again").click()
    expect(ann.page.locator(".unreached")).to_have_count(0)
    expect(ann.page.locator(".trouble")).to_be_empty()
    expect(ann.page.get_by_text("As last known")).to_have_count(0)
    expect(lines).to_have_count(2)
    clear_network_errors(ann)


def test_a_server_that_stops_and_starts_again_needs_no_reload(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with running(settings_for(tmp_path, port=port)) as server:
        visitors = Visitors(browser, server.url)
        ann = visitors.come()
        ann.make_table({"who": "me"}, {"who": "bot", "level": "pebble"})
        ann.go("/")
        expect(ann.page.locator("a.line")).to_have_count(1)
    ann.page.get_by_role("button", name="Play", exact=True).click()
    expect(ann.page.locator(".unreached")).to_contain_text("Still trying to reconnect…")
    expect(ann.page.locator(".trouble")).to_have_text(UNREACHED)
    expect(ann.page.locator("a.line")).to_have_count(1)
    with running(settings_for(tmp_path, port=port)):
        expect(ann.page.locator(".unreached")).to_have_count(0)
        ann.page.get_by_role("button", name="Play", exact=True).click()
        ann.wait_for_my_turn()
        clear_network_errors(ann)
        visitors.leave()
