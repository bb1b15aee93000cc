"""Replays: a game move by move, from a table or from an uploaded record."""

import re
from itertools import product
from pathlib import Path

from playwright.sync_api import expect

from .conftest import ADDRESSES
from .scenes import PEBBLE, open_record
from .visitors import PHONE, Visitor, Visitors

RECORD = (Path(__file__).parents[1] / "playthroughs" / "claims-and-objections.river").read_text(encoding="utf-8")


def upload(visitor: Visitor, text: str) -> None:
    visitor.page.locator("textarea").fill(text)
    visitor.page.get_by_role("button", name="Show the game").click()


def shown_scores(visitor: Visitor) -> list[int]:
    return [int(text) for text in visitor.page.locator("figcaption b").all_text_contents()]


def test_text_and_scores_are_those_of_the_move(visitors: Visitors) -> None:
    visitor = visitors.come()
    open_record(visitor)
    upload(visitor, RECORD)
    visitor.page.wait_for_selector(".steps")
    assert shown_scores(visitor) == [0, 0, 0]
    visitor.page.locator(".slider input").fill("6")
    assert shown_scores(visitor) == [12, 0, 0]
    told = visitor.page.locator(".told")
    expect(told).not_to_contain_text("is right")
    visitor.page.locator(".slider input").fill("5")
    expect(told).to_contain_text("Nour claims 10. Léa is right: no points for that move.")
    visitor.page.locator(".slider input").fill("9")
    expect(told).to_contain_text("addend 5 on a2")
    expect(told).to_contain_text("time ran out")
    visitor.page.get_by_role("button", name="To the end").click()
    found = re.search(r"^Finished: scores ([\d, ]+);", RECORD, re.MULTILINE)
    assert found
    assert shown_scores(visitor) == [int(score) for score in found[1].split(",")]


def test_the_link_to_a_position_works_on_other_devices(visitors: Visitors) -> None:
    visitor = visitors.come(permissions=["clipboard-read", "clipboard-write"])
    path = visitor.game(PEBBLE).play(4).resign().open().replace("/t/", "/replay/")
    visitor.go(f"{path}?turn=3")
    visitor.page.get_by_role("button", name="Copy the link to this position").click()
    expect(visitor.page.get_by_role("button", name="Copied")).to_be_visible()
    assert visitor.page.evaluate("navigator.clipboard.readText()") == f"{ADDRESSES[0]}{path}?turn=3"


def test_an_uploaded_record_survives_a_reload(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    open_record(visitor)
    upload(visitor, RECORD)
    visitor.page.get_by_role("button", name="Next move").click()
    visitor.page.get_by_role("button", name="Next move").click()
    visitor.page.reload()
    expect(visitor.page.locator(".slider")).to_contain_text("Move 2 of 67")
    visitor.page.get_by_role("link", name="Open another game").click()
    expect(visitor.page.locator("textarea")).to_be_visible()
    visitor.page.go_back()
    expect(visitor.page.locator(".slider")).to_contain_text("Move 2 of 67")


NO_RECORD = {
    "en": "This does not look like a Riverstones game: ",
    "it": "Questo non sembra il testo di una partita: ",
    "fr": "Cela ne ressemble pas à une partie\u00a0: ",
    "es": "Esto no parece una partida: ",
    "nl": "Dit lijkt geen partij: ",
}


NO_RECORDS = ("Dear Ann,\nsee you on Sunday.", '[Event "A game of chess"]\n\n1. e4 e5', "1. Buy milk", "{}")


def test_a_text_that_is_not_a_record_is_refused_in_one_sentence(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    open_record(visitor)
    alert = visitor.page.get_by_role("alert")
    for language, text in product(NO_RECORD, NO_RECORDS):
        visitor.speak(language)
        visitor.page.locator("textarea").fill(text)
        visitor.page.locator("form button.main").click()
        expect(alert).to_have_text(re.compile(rf"^{NO_RECORD[language]}[^.]+\. *$"))
        visitor.page.locator("textarea").fill('[Riverstones "1"]')
        visitor.page.locator("form button.main").click()
        expect(alert.locator("li")).to_have_count(6)
    visitor.errors.clear()  # the browser has logged the refusals


def test_errors_in_a_record_are_a_short_list_of_lines(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    open_record(visitor)
    upload(visitor, 'nonsense\n[Riverstones "1"]\nmore of it')
    expect(visitor.page.get_by_role("alert")).to_contain_text("This game cannot be read.")
    lines = visitor.page.get_by_role("alert").locator("li")
    expect(lines).to_have_count(6)
    expect(lines.first).to_contain_text("Line 1: “nonsense” is not a line of a game file")
    expect(lines.last).to_contain_text(re.compile(r"^and \d+ more$"))
    upload(visitor, RECORD.replace("\n 3. ", "\n 5. "))
    number = RECORD[: RECORD.index("\n 3. ")].count("\n") + 2
    expect(lines.first).to_have_text(f"Line {number}: This should be turn 3.")
    visitor.errors.clear()  # the browser has logged the refusals
