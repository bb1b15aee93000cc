"""A table of a server and a table of this device tell the page the same: the same bytes for the same deal and moves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, WebSocket, expect

from riverstones.rules import Variant
from riverstones.server.http.static_files import FOLDER

from .static_site import served
from .test_local import LOAD_MS, change_worker
from .visitors import Visitor, Visitors, hands_in

COMPARED = ("snapshot", "event", "hint", "refused")
"""The messages about the game. Presence and pongs are about the connection, and acknowledgements have only an id."""

RECORD_WORKERS = """
window.told = [];
window.Worker = class extends Worker {
  constructor(...values) {
    super(...values);
    this.addEventListener('message', ({ data }) => data.type === 'told' && told.push(JSON.stringify(data.message)));
  }
};
"""
"""Keeps what the workers of a page tell it about tables."""

SAME_SEEDS = """
const seeds = %s;
const channel = new BroadcastChannel('test');
channel.onmessage = () => seeds.shift();
crypto.getRandomValues = (bytes) => (bytes.set(seeds[0].slice(0, bytes.length)), bytes);
"""
"""The worker deals from these seeds, from the next with each message."""


@pytest.fixture
def ann(visitors: Visitors) -> Visitor:
    """A visitor of the server."""
    return visitors.come()


@pytest.fixture
def bob(browser: Browser) -> Iterator[Visitor]:
    """A visitor of files without a server, whose device keeps the tables."""
    with served(FOLDER) as site:
        bob = Visitors(browser, site).come()
        bob.context.add_init_script("localStorage.setItem('riverstones.offline', 'yes')")
        bob.context.add_init_script(RECORD_WORKERS)
        yield bob
        bob.context.close()


def pass_and_play(visitor: Visitor) -> None:
    """Two people pass a device; one has a hint, and asks for something that is refused."""
    page = visitor.page
    visitor.go("/")
    page.get_by_role("button", name=re.compile("Pass and play")).click()
    dialog = page.get_by_role("dialog")
    for number, name in enumerate(("Zoë", "李")):
        dialog.locator("input.field").nth(number).fill(name)
    dialog.locator("summary").click()
    for value in ("expert", "gentle", "random"):
        dialog.locator(f"input[type=radio][value={value}]").check(force=True)
    dialog.get_by_label("Allow hints").check()
    dialog.locator("button.main").click()
    for turn in range(4):
        page.wait_for_selector(".pass", timeout=LOAD_MS)
        assert visitor.hand() == [], "no hand is in the page before the device is taken"
        page.locator(".pass .reveal").click()
        page.wait_for_selector(".hand button")
        if turn < 3:
            visitor.lay(visitor.plays(Variant.EXPERT)[turn].move)
            visitor.confirm()
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Tell me more").wait_for()
    page.locator("header button.menu").click()
    page.get_by_role("button", name="Undo the last move").click()
    expect(page.locator(".status")).to_contain_text("can no longer be undone")
    resign(visitor)


def play_against_a_bot(visitor: Visitor) -> None:
    """Two turns, the second of which is taken back, without leaving the page between two games."""
    page = visitor.page
    page.locator("header a[href='/']").first.click()
    page.get_by_role("radio", name=re.compile("Brook")).check(force=True)
    page.get_by_role("button", name="Play", exact=True).click()
    for _ in range(2):
        assert visitor.wait_for_my_turn()
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
    assert visitor.wait_for_my_turn()
    page.locator("header button.menu").click()
    page.get_by_role("button", name="Undo the last move").click()
    expect(page.locator(".sheet ol > li > button")).to_have_count(2)
    resign(visitor)


def resign(visitor: Visitor) -> None:
    visitor.page.locator("header button.menu").click()
    for _ in range(2):
        visitor.page.locator("dialog .danger").click()
    visitor.page.wait_for_selector(".end")


def about_the_game(messages: list[str]) -> list[str]:
    """The compared messages, without what differs between two tables of one server as well.

    That is the id of the table, of the person and of each request, which are random, and the time of day.
    """
    found = []
    for text in messages:
        message = json.loads(text)
        if message["type"] == "welcome":
            table, person = message["table"], message["person"]
        if message["type"] in COMPARED:
            named = text.replace(f'"{table}"', '"TABLE"').replace(f':"{person}"', ':"PERSON"')
            asked = re.sub(r'^({"type":"\w+","id":)"[^"]+"', r'\1"REQUEST"', named)
            found.append(re.sub(r"\b1\d{12}\b", "0", asked))
    return found


def test_the_same_deal_and_moves_give_the_same_bytes_with_and_without_a_server(ann: Visitor, bob: Visitor) -> None:
    online: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: online.append(str(frame)))

    ann.page.on("websocket", listen)
    pass_and_play(ann)
    play_against_a_bot(ann)
    # The seed of each deal is published at the end of its game.
    published = dict.fromkeys(re.findall('"seed":"([0-9a-f]{64})"', " ".join(online)))
    change_worker(bob, SAME_SEEDS % [list(bytes.fromhex(seed)) for seed in published])
    pass_and_play(bob)
    bob.page.evaluate("new BroadcastChannel('test').postMessage('next')")
    play_against_a_bot(bob)
    local: list[str] = bob.page.evaluate("told")
    assert about_the_game(local) == about_the_game(online)
    told = [json.loads(text) for text in local]
    events = [message["event"]["type"] for message in told if message["type"] == "event"]
    assert {*events} >= {"revealed", "moved", "taken_back", "resigned", "ended"}
    assert max(len(list(hands_in(message))) for message in told) == 1, "a message has one hand at most"
