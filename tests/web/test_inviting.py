"""Inviting: the link that others can follow, and the lists in which tables are found."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.server.running import running, settings_for

from .conftest import ADDRESSES
from .scenes import ME, PEBBLE, first_page, waiting
from .visitors import PHONE, Visitors

pytestmark = pytest.mark.slow


def test_the_link_is_one_that_other_devices_can_follow(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    waiting(ann)
    path = ann.page.url.removeprefix(ann.url)
    expect(ann.page.locator(".address")).to_have_text(ADDRESSES[0] + path)


def test_a_server_for_one_computer_shows_no_link_but_how_to_invite(browser: Browser, tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as alone:
        visitors = Visitors(browser, alone.url)
        ann = visitors.come(PHONE)
        ann.make_table(ME, {"who": "open"})
        expect(ann.page.locator("section.waiting")).to_contain_text("make host")
        expect(ann.page.get_by_role("img", name="QR code for the link")).to_have_count(0)
        visitors.leave()


def test_the_lists_say_whose_turn_it_is_and_how_old_a_table_is(visitors: Visitors) -> None:
    ann = visitors.come(name="Zoe")  # the server's other visitors have other names
    ann.game(PEBBLE).open()
    ann.game("open", listed=True).open()
    first_page(ann)
    lines = ann.page.locator(".lists section").first.locator(".line")
    expect(lines).to_have_count(2)
    expect(lines.filter(has_text="Zoe, Pebble")).to_have_text(re.compile(r"0 : 0\s+Your turn\s+now"))
    ben = visitors.come()
    first_page(ben)
    table = ben.page.locator(".lists section").last.locator(".line", has_text="Zoe")
    expect(table).to_have_text(re.compile(r"^\W*Z\s+Zoe\s+1 seat free\s+now\W*$"))
