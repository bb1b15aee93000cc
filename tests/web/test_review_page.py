"""The review of a game in the page: its progress, its figures, its curves, and turns that are tried again."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Route, expect

from .games import worst
from .scenes import PEBBLE, open_record, review
from .visitors import PHONE, Visitor, Visitors

RECORD = (Path(__file__).parents[1] / "playthroughs" / "resigned.river").read_text(encoding="utf-8")


def report_of(visitor: Visitor) -> dict[str, Any]:
    """The report that the page shows, as the server gives it."""
    table = visitor.page.url.split("/replay/")[1].partition("?")[0]
    key = visitor.post(f"/tables/{table}/review", {})["review"]
    told = visitor.page.request.get(f"{visitor.url}/api/v1/study/reviews/{key}").json()
    found: dict[str, Any] = told["report"]
    return found


def test_figures_are_those_of_the_report_and_can_be_recomputed(visitors: Visitors) -> None:
    visitor = visitors.come()
    review(visitor)
    report = report_of(visitor)
    shown = [int(text) for text in visitor.page.locator(".accuracy dd b").all_text_contents()]
    assert shown == [round(seat["accuracy"]) for seat in report["seats"]]
    visitor.page.locator("details summary").click()
    losses = [move["loss"] for move in report["moves"] if move["seat"] == 0 and move["counted"]]
    rows = visitor.page.locator("details tbody tr")
    expect(rows).to_have_count(len(losses))
    printed = [float(text) for text in visitor.page.locator("details td:nth-child(2)").all_text_contents()]
    assert printed == [round(loss, 2) for loss in losses]
    mean = 100 * sum(1 if loss < 0.05 else math.exp(-loss / 8) for loss in losses) / len(losses)
    assert math.isclose(mean, report["seats"][0]["accuracy"])
    expect(visitor.page.locator("details")).to_contain_text(f"÷ {len(losses)} = {mean:.2f}")
    # Luck and skill apart: the parts add up to the result, but for rounding.
    text = visitor.page.locator("section:has(> dl .track) dl").inner_text()
    start, *parts, result = [int(found) for found in re.findall(r"-?\+?\d+", text.replace("\N{MINUS SIGN}", "-"))]
    assert abs(start + sum(parts) - result) <= 3
    assert "luck decided" not in visitor.page.locator("main").inner_text().lower()


def test_a_turn_that_mattered_is_tried_again_until_the_move_is_found(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE, has_touch=True)
    review(visitor)
    report = report_of(visitor)
    mattered = report["seats"][0]["mattered"]
    assert 1 <= len(mattered) <= 3
    cards = visitor.page.locator(".mattered button")
    expect(cards).to_have_count(len(mattered))
    cards.first.click()
    move = report["moves"][mattered[0] - 1]
    expect(visitor.page.locator(".try h2")).to_contain_text(f"move {move['number']}")
    # The whole board is in view, and so are the tiles to place on it.
    expect(visitor.page.locator(".board .ground")).to_be_in_viewport(ratio=1)
    expect(visitor.page.locator(".try .play")).to_be_in_viewport(ratio=1)
    assert visitor.hand() == move["hand"]
    visitor.lay(visitor.plays()[-1].move)
    visitor.page.locator(".try button.play").click()
    verdict = visitor.page.locator(".verdict")
    expect(verdict).to_contain_text("try again")
    visitor.page.get_by_role("button", name="Show the best move").click()
    visitor.page.locator(".try button.play").click()
    expect(verdict).to_contain_text("Found: the best move.")
    visitor.page.get_by_role("link", name="Open on the study board").click()
    expect(visitor.page.locator("ol .play").first).to_be_visible()
    assert len(visitor.page.url) <= 200


def test_curves_are_clicked_and_stepped_and_the_better_move_is_shown(visitors: Visitors) -> None:
    visitor = visitors.come()
    review(visitor)
    report = report_of(visitor)
    page = visitor.page
    curve = page.locator(".pick")
    expect(page.locator("figcaption b").first).to_have_text(str(report["scores"][0]))
    expect(page.locator("figcaption")).to_be_in_viewport(ratio=1)
    page.locator("fieldset label", has_text="Chances").click()
    curve.scroll_into_view_if_needed()
    box = curve.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)
    at = int(curve.get_attribute("aria-valuenow") or 0)
    assert 0 < at < len(report["moves"])
    chances = report["moves"][at - 1]["chances"]
    expect(page.locator("figcaption b").first).to_have_text(f"{round(100 * chances[0])}%")
    curve.focus()
    page.keyboard.press("ArrowLeft")
    expect(curve).to_have_attribute("aria-valuenow", str(at - 1))
    # A turn that cost something shows the better move on the board, beside the one that was played.
    number = report["seats"][0]["mattered"][0]
    best = report["moves"][number - 1]["best"]
    page.get_by_role("slider").first.focus()
    page.keyboard.press("Home")
    for _ in range(number):
        page.keyboard.press("ArrowRight")
    page.locator("fieldset label", has_text="Better").click()
    expect(visitor.square(best["move"][:2])).to_have_class(re.compile("tentative"))
    page.locator("fieldset label", has_text="Played").click()
    expect(visitor.square(report["moves"][number - 1]["move"][:2])).to_have_class(re.compile(r"\blast\b"))


def test_progress_is_shown_and_a_review_can_be_stopped_and_started_again(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    stored = visitor.game(PEBBLE).play(12, worst).resign()
    stored.open()
    held: list[dict[str, Any]] = []

    def hold(route: Route) -> None:
        """Report the progress of a review as it is, but hold its result back."""
        told = json.loads(route.fetch().text())
        held.append(told)
        route.fulfill(json={**told, "report": None, "done": min(told["done"], 5), "total": 12})

    visitor.page.route(re.compile("/study/reviews/[0-9a-f]+$"), lambda route: hold(route))
    visitor.go(f"/replay/{stored.table.id}?review")
    expect(visitor.page.locator("progress")).to_have_attribute("max", "12")
    expect(visitor.page.locator(".accuracy")).to_have_count(0)
    visitor.page.unroute_all(behavior="ignoreErrors")
    visitor.page.get_by_role("button", name="Stop").click()
    expect(visitor.page.locator(".waiting")).to_contain_text("The review was stopped.")
    visitor.page.get_by_role("button", name="Review this game").click()
    expect(visitor.page.locator(".accuracy")).to_be_visible(timeout=60_000)
    # Six counted moves are too few for a number.
    expect(visitor.page.locator(".accuracy dd b").first).to_have_text("–")
    expect(visitor.page.locator(".accuracy")).to_contain_text("Fewer than ten moves count here")


def test_a_pasted_game_is_reviewed_too(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE, language="it")
    open_record(visitor)
    visitor.page.locator("textarea").fill(RECORD)
    visitor.page.locator("form button.main").click()
    visitor.page.locator(".side > fieldset label").last.click()
    expect(visitor.page.locator(".accuracy h2")).to_have_text("Precisione", timeout=90_000)
