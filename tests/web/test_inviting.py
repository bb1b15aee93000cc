"""Invitations: the link for other devices, and the lists of tables."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.server.running import running, settings_for

from .conftest import ADDRESSES
from .scenes import ME, waiting
from .visitors import PHONE, Visitors


def test_the_link_works_on_other_devices(visitors: Visitors) -> None:
    ann = visitors.come(PHONE, permissions=["clipboard-read", "clipboard-write"])
    waiting(ann)
    path = ann.page.url.removeprefix(ann.url)
    expect(ann.page.locator(".address")).to_have_text(ADDRESSES[0] + path)
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Copy the link").click()
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    assert ann.page.evaluate("navigator.clipboard.readText()") == ADDRESSES[0] + path


def test_a_server_for_one_computer_explains_how_to_invite_instead_of_a_link(browser: Browser, tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as alone:
        visitors = Visitors(browser, alone.url)
        ann = visitors.come(PHONE)
        ann.make_table(ME, {"who": "open"})
        room = ann.page.locator("section.waiting")
        expect(room).to_contain_text("only this computer can reach this table")
        expect(room.locator("code").first).to_be_hidden()
        room.get_by_text("Invite others on your network").click()
        expect(room.locator("code").first).to_have_text("make host")
        expect(room.locator("code").first).to_be_visible()
        expect(ann.page.get_by_role("img", name="QR code for the link")).to_have_count(0)
        with ann.page.expect_response("**/api/v1/addresses"):
            ann.page.get_by_role("button", name="Menu").click()
        expect(ann.page.get_by_role("dialog").get_by_role("link", name="Leave the table")).to_be_visible()
        expect(ann.page.get_by_role("button", name="Copy the link")).to_have_count(0)
        visitors.leave()


def test_a_guest_who_sits_down_is_there_for_everybody(visitors: Visitors) -> None:
    ann, ben = visitors.come(), visitors.come(name="Ben")
    path = ann.make_table(ME, {"who": "open"})
    ben.post("/me", {"name": ben.name})  # sitting down does not reconnect then
    ben.go(path)
    expect(ben.page.locator("section.waiting")).to_contain_text("whose sum ends in that digit")
    expect(ben.page.get_by_role("link", name="See how it is played")).to_have_attribute("href", "/learn")
    expect(ann.page.locator(".watchers")).to_have_text("1")  # the presence has been sent, and none is due after that
    ben.page.get_by_role("button", name="Sit here").click()
    for visitor in (ann, ben):
        expect(visitor.page.locator(".person")).to_have_count(2)
        expect(visitor.page.locator(".person.away")).to_have_count(0)
        expect(visitor.page.locator(".watchers")).to_have_count(0)
