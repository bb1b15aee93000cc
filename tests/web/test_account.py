"""The account page: passkeys in a real browser, other devices, export and deletion; rated tables and newcomers."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.server.running import Running

from .games import Archive
from .scenes import first_page
from .test_pages import AXE, RUN_AXE
from .visitors import DESK, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow


@pytest.fixture
def visitors(browser: Browser, server: Running, archive: Archive) -> Iterator[Visitors]:
    """Visitors at an address with a name: browsers have no passkeys for IP addresses."""
    found = Visitors(browser, server.url.replace("127.0.0.1", "localhost"), archive)
    yield found
    found.leave()


def add_authenticator(visitor: Visitor, credentials: list[dict[str, object]] | None = None) -> tuple[object, str]:
    """A device that unlocks passkeys by itself."""
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    for credential in credentials or []:
        session.send("WebAuthn.addCredential", {"authenticatorId": made, "credential": credential})
    return session, made


def open_account(visitor: Visitor) -> None:
    visitor.go("/account")
    visitor.page.wait_for_selector(".sections")


def test_a_passkey_makes_an_account_that_another_browser_signs_in_to(visitors: Visitors) -> None:
    ann, elsewhere = visitors.come(), visitors.come(PHONE, name="Visitor")
    played = ann.game("pebble").resign().open().replace("/t/", "/replay/")
    session, authenticator = add_authenticator(ann)
    open_account(ann)
    ann.page.get_by_role("button", name="Switch to the dark theme").first.click()
    expect(ann.page.locator("main")).to_contain_text("You are playing as a guest")
    ann.page.get_by_role("button", name="Create a passkey").click()
    expect(ann.page.locator("main")).to_contain_text("You have 1 passkey.")
    expect(ann.page.locator("main")).to_contain_text("Your games are kept in this account.")
    # The other browser holds the same passkey, as synchronised passkeys are.
    keys = session.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})["credentials"]  # type: ignore[attr-defined]
    carried = elsewhere.game("pebble").resign().open().replace("/t/", "/replay/")
    add_authenticator(elsewhere, keys)
    open_account(elsewhere)
    elsewhere.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(elsewhere.page.locator("main")).to_contain_text("Your games are kept in this account.")
    expect(elsewhere.page.get_by_label("Your name", exact=True)).to_have_value("Ann")
    expect(elsewhere.page.locator("html")).to_have_css("color-scheme", "dark")
    first_page(elsewhere)
    for path in (played, carried):
        expect(elsewhere.page.locator(f".mine a[href='{path}']")).to_have_count(1)


def test_a_loopback_address_leads_to_the_one_with_a_name(browser: Browser, server: Running) -> None:
    visitors = Visitors(browser, server.url)
    visitor = visitors.come()
    visitor.go("/account")
    address = server.url.replace("127.0.0.1", "localhost") + "/account"
    expect(visitor.page.get_by_role("link", name=address)).to_have_attribute("href", address)
    visitors.leave()


def test_a_passkey_that_is_declined_changes_nothing(visitors: Visitors) -> None:
    ann = visitors.come()
    session, authenticator = add_authenticator(ann)
    session.send("WebAuthn.setUserVerified", {"authenticatorId": authenticator, "isUserVerified": False})  # type: ignore[attr-defined]
    ann.page.add_init_script(
        "navigator.credentials.get = () => Promise.reject(new DOMException('declined', 'NotAllowedError'))"
    )
    open_account(ann)
    ann.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(ann.page.get_by_role("alert")).to_have_text("No passkey was used.")


def test_a_link_signs_another_device_in_and_sessions_are_ended(visitors: Visitors) -> None:
    ann, phone = visitors.come(DESK), visitors.come(PHONE)
    assert ann.actor.name == "Ann"
    open_account(ann)
    ann.page.get_by_role("button", name="Create a link").click()
    expect(ann.page.get_by_role("img", name="QR code for the link")).to_be_visible()
    link = ann.page.locator(".address").inner_text()
    phone.go(link[link.index("/account") :])
    phone.page.get_by_role("button", name="Sign in", exact=True).click()
    expect(phone.page.get_by_label("Your name", exact=True)).to_have_value("Ann")
    assert "#" not in phone.page.url
    open_account(ann)
    devices = ann.page.locator("li", has_text="Chrome")
    expect(devices).to_have_count(2)
    expect(devices.filter(has_text="This device")).to_have_count(1)
    devices.filter(has_not_text="This device").get_by_role("button", name="Sign out").click()
    expect(devices).to_have_count(1)
    open_account(phone)
    expect(phone.page.locator("main")).to_contain_text("You are playing as a guest")


def test_all_other_devices_are_signed_out_at_once(visitors: Visitors) -> None:
    ann, phone, tablet = visitors.come(DESK), visitors.come(PHONE), visitors.come(PHONE)
    assert ann.actor.name == "Ann"
    others = ann.page.get_by_role("button", name="Sign out all other devices")
    for number, device in enumerate((phone, tablet), start=2):
        device.post("/account/links/redeem", {"code": ann.post("/account/links", {})["code"]})
        open_account(ann)
        expect(ann.page.locator("li", has_text="Chrome")).to_have_count(number)
        expect(others).to_have_count(number - 2)
    expect(ann.page.locator("li", has_text="last used on")).to_have_count(2)
    others.click()
    expect(ann.page.locator("li", has_text="Chrome")).to_have_count(1)
    expect(ann.page.locator("li", has_text="This device")).to_have_count(1)
    expect(others).to_have_count(0)
    for device in (phone, tablet):
        assert device.page.request.get(f"{device.url}/api/v1/me").json() is None


def test_everything_is_exported_and_deleted_after_typing_ones_name(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    game = ann.game("pebble").resign()
    game.open()
    open_account(ann)
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="Download everything").click()
    told = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert [each["summary"]["table"] for each in told["games"]] == [game.table.id]
    ann.page.get_by_text("Delete everything about me").click()
    delete = ann.page.get_by_role("button", name="Delete for good")
    expect(delete).to_be_disabled()
    ann.page.get_by_label("To confirm, type your name: Ann").fill("Ann")
    delete.click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Riverstones")
    assert ann.page.request.get(f"{ann.url}/api/v1/me").json() is None


@pytest.mark.parametrize("language", ["en", "fr"])
def test_axe_finds_nothing_on_the_account_page(visitors: Visitors, language: str) -> None:
    ann = visitors.come(PHONE, language)
    assert ann.actor.name == "Ann"
    open_account(ann)
    ann.page.evaluate(AXE.read_text(encoding="utf-8"))
    assert ann.page.evaluate(RUN_AXE) == []
    ann.page.emulate_media(color_scheme="dark")
    assert ann.page.evaluate(RUN_AXE) == []


def test_only_people_with_an_account_make_rated_tables(visitors: Visitors) -> None:
    guest, ann = visitors.come(), visitors.come()
    for visitor in (guest, ann):
        assert visitor.actor.name == "Ann"
    ann.post("/account/links/redeem", {"code": ann.post("/account/links", {})["code"]})
    for visitor, offered in ((guest, 0), (ann, 1)):
        first_page(visitor)
        visitor.page.locator("button.way").first.click()
        visitor.page.locator("dialog summary").click()
        visitor.page.wait_for_load_state("networkidle")
        expect(visitor.page.get_by_role("checkbox", name=re.compile("Rated"))).to_have_count(offered)
    ann.page.get_by_role("checkbox", name=re.compile("Rated")).check()
    expect(ann.page.get_by_label("Allow hints")).to_be_disabled()
    ann.page.locator("dialog button.main").click()
    ann.page.wait_for_selector(".waiting .settings")
    expect(ann.page.locator(".waiting .settings")).to_contain_text("Rated game")
    open_account(ann)
    expect(ann.page.locator("main")).to_contain_text("No rated games yet.")


def test_a_rating_is_shown_with_its_uncertainty(visitors: Visitors) -> None:
    ann, bob = visitors.come(), visitors.come(name="Bob")
    for visitor in (ann, bob):
        assert visitor.actor.person
        visitor.post("/account/links/redeem", {"code": visitor.post("/account/links", {})["code"]})
    seats = [{"who": "me"}, {"who": "open"}]
    table = ann.post("/tables", {"options": {"seats": 2, "rated": True}, "seats": seats})["table"]
    for visitor, command in ((bob, {"type": "sit"}), (bob, {"type": "resign", "seat": 1})):
        visitor.post(f"/tables/{table}/do", {"id": command["type"], "command": command})
    # Games are rated shortly after their end.
    while (rating := ann.page.request.get(f"{ann.url}/api/v1/me").json()["rating"]) is None:
        ann.page.wait_for_timeout(50)  # ended by pytest's timeout
    open_account(ann)
    expect(ann.page.locator(".rating")).to_have_text(f"{rating['value']:,} ± {rating['spread']:,}")


def test_levels_that_were_beaten_have_a_check_mark(visitors: Visitors) -> None:
    ann = visitors.come()
    game = ann.game("drop")
    while game.table.to_move is not None:
        plays = game.rules.plays()
        game.move((plays[0] if game.table.to_move == 0 else plays[-1]).move)
    game.open()
    open_account(ann)
    expect(ann.page.locator("ol .done")).to_have_text(re.compile("beaten.*Drop", re.DOTALL))
    first_page(ann)
    expect(ann.page.locator("form.now label", has_text="Drop")).to_contain_text("✓")
    expect(ann.page.locator("form.now .done")).to_have_count(1)
