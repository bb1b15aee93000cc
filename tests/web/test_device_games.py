"""Games that were played on this device without a server, added to the account."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from riverstones.local import Happening, LocalTable, Row
from riverstones.local.bridge import PERSON
from riverstones.table import Actor, Chair, Options, fold, summary
from tests.server.running import Running

from .test_account import add_authenticator, open_account
from .visitors import Visitor, Visitors

NOW_MS = 1_790_000_000_000

KEEP = """async ([rows, listed]) => {
  const opening = indexedDB.open('riverstones', 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('events', { keyPath: ['table', 'seq'] });
    opening.result.createObjectStore('tables', { keyPath: 'table' });
  };
  await new Promise((done) => (opening.onsuccess = done));
  const change = opening.result.transaction(['events', 'tables'], 'readwrite');
  for (const row of rows) change.objectStore('events').put(row);
  for (const each of listed) change.objectStore('tables').put(each);
  await new Promise((done) => (change.oncomplete = done));
  opening.result.close();
  localStorage.setItem('riverstones.local', 'yes');
}"""
"""Stores tables as web/src/play/local/store.ts does."""


@pytest.fixture
def ann(browser: Browser, server: Running) -> Iterator[Visitor]:
    """A visitor at an address with a name: browsers have no passkeys for IP addresses."""
    found = Visitors(browser, server.url.replace("127.0.0.1", "localhost"))
    yield found.come()
    found.leave()


def played(name: str, turns: int, *, resigned: bool) -> tuple[list[Row], dict[str, Any]]:
    """A table of the device: its events, and its entry in the list."""
    now = Happening(NOW_MS, hashlib.sha256(name.encode()).digest())
    actor = Actor(PERSON, "Ann")
    chairs = (Chair(person=PERSON, name="Ann", colour="teal"), Chair(bot="drop", name="drop", colour="indigo"))
    rows = list(LocalTable.create(name, Options(), chairs, actor, now))
    local = LocalTable(rows, actor)

    def do(command: dict[str, Any]) -> None:
        step = local.receive({"type": "do", "id": str(len(rows)), "command": command}, now)
        rows.extend(step.rows)
        local.advance(step.rows)

    for _ in range(turns):
        assert local.table.game is not None
        turn = {"type": "play", "seat": 0, "turn": local.table.turn, "move": str(local.table.game.plays()[0].move)}
        do(turn)
        step = local.submit(local.command(local.work()[0]), now)  # type: ignore[arg-type]  # the bot has a move
        rows.extend(step.rows)
        local.advance(step.rows)
    if resigned:
        do({"type": "ask", "seat": 0, "proposal": "take_back"})
        do({"type": "resign", "seat": 0})
    told = summary(fold([row.entry for row in rows]))
    return rows, {"table": name, "summary": told, "beaten": None, "dismissed": False, "seenMs": NOW_MS}


def changed(game: tuple[list[Row], dict[str, Any]]) -> tuple[list[Row], dict[str, Any]]:
    """The same game, but for a first move far from all tiles."""
    rows, listed = game
    first = next(number for number, row in enumerate(rows) if row.type == "moved")
    rows[first] = replace(rows[first], data={**rows[first].data, "move": "a1+1"})
    return rows, listed


def test_finished_games_of_the_device_move_to_the_account(ann: Visitor) -> None:
    """One that the rules do not allow stays, and does not hold up the others."""
    games = [
        changed(played("local-false", 3, resigned=True)),
        played("local-one", 3, resigned=True),
        played("local-two", 1, resigned=True),
        played("local-open", 1, resigned=False),
    ]
    page = ann.page
    add_authenticator(ann)
    ann.go("/icon.svg")
    rows = [{**asdict(row), "table": listed["table"]} for stored, listed in games for row in stored]
    page.evaluate(KEEP, [json.loads(json.dumps(rows)), [listed for _, listed in games]])
    open_account(ann)
    section = page.locator("section", has=page.get_by_role("heading", name="Games on this device"))
    expect(section).to_contain_text("3 finished games are kept only on this device.")
    expect(section.get_by_role("button")).to_have_count(0)
    page.get_by_role("button", name="Create a passkey").click()
    section.get_by_role("button", name="Add to my account").click()
    expect(section).to_contain_text("2 games are now in your account.")
    expect(section).to_contain_text("1 finished game is kept only on this device.")
    expect(section.get_by_role("alert")).not_to_be_empty()
    ann.errors.clear()  # the browser has logged the error response

    ann.go("/replay")
    expect(page.locator(".line")).to_have_count(3)
    expect(page.locator(".line", has_text="On this device")).to_have_count(1)
    page.locator(".line").filter(has_not_text="On this device").first.click()
    expect(page.locator("h1")).to_contain_text("Played without a server; not rated.")
