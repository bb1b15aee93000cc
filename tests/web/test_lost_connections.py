"""Lost connections: they are reported soon, the move is kept, and nothing is carried out twice."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.server.running import running, settings_for

from .scenes import PEBBLE
from .visitors import Visitor, Visitors

KEPT = "Reconnecting… your move is safe."


def lay_a_tile(visitor: Visitor) -> None:
    visitor.game((visitor, "Bo"), PEBBLE).open(visitor)
    visitor.page.locator(".pass .reveal").click()
    visitor.page.wait_for_selector(".hand button")
    visitor.lay(visitor.plays()[0].move)
    expect(visitor.page.locator("button.play")).to_be_enabled()


def test_without_a_network_the_move_is_kept_and_made_when_it_is_back(visitors: Visitors) -> None:
    ann = visitors.come()
    lay_a_tile(ann)
    ann.context.set_offline(True)
    ann.page.locator("button.play").click()
    expect(ann.page.locator(".status")).to_have_text(KEPT)
    expect(ann.page.get_by_role("button", name="Flip")).to_be_disabled()
    ann.context.set_offline(False)
    expect(ann.page.locator(".sheet ol > li > button")).to_have_count(1)
    ann.page.route("**/assets/Chat-*", lambda route: route.abort())
    ann.page.get_by_role("tab", name="Chat").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("This part of the page could not be loaded.")
    ann.errors.clear()  # the browser has logged the network errors


def test_a_table_whose_server_is_down_says_so(browser: Browser, tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as server:
        visitors = Visitors(browser, server.url)
        ann = visitors.come()
        ann.page.route_web_socket(re.compile("/socket$"), lambda route: route.close())
        ann.make_table({"who": "me"}, {"who": "bot", "level": "pebble"})
        expect(ann.page.get_by_text("The server cannot be reached just now.")).to_be_visible()
        expect(ann.page.get_by_role("link", name="Back to home")).to_be_visible()
        visitors.leave()
