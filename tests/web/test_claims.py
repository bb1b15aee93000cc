"""Claims: people have time to object, and the verdict stays readable."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from riverstones.rules import Move, Tile
from tests.server.running import running, settings_for

from .games import CLAIM_WAIT_MS, Archive, worst
from .scenes import PEBBLE
from .visitors import PHONE, Visitor, Visitors

READABLE_MS = 3_000
TIME_VERDICT = """() => {
  window.verdict = {};
  new MutationObserver(() => {
    const there = document.querySelector('.claim.verdict') !== null;
    if (there) verdict.shown ??= performance.now();
    if (there) verdict.text = document.querySelector('.claim.verdict').textContent;
    else if (verdict.shown) verdict.gone ??= performance.now();
  }).observe(document.body, { childList: true, subtree: true, attributes: true });
}"""
"""Records what the verdict says, and when it appears and disappears."""


def claim(visitor: Visitor, points: str) -> None:
    """Place any tile tentatively and claim points for it."""
    visitor.wait_for_my_turn()
    visitor.lay(Move(visitor.board().frontier()[0], Tile.parse(f"+{visitor.hand()[0]}")))
    visitor.page.locator(".pad input").focus()
    visitor.page.keyboard.type(points)
    visitor.page.locator(".pad .play").click()


def test_a_bot_waits_for_objections_and_the_verdict_stays_readable(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(PHONE, name="Bo")
    game = ann.game(PEBBLE, bo, scoring="claims")
    game.move(game.rules.plays()[0].move, claim=99).open(bo)
    banner = bo.page.locator(".claim")
    expect(banner).to_contain_text("Ann claims 99.")
    expect(banner.get_by_role("timer")).to_be_visible()
    assert bo.turn() == 1, "the bot has waited since before the page came"
    bo.page.evaluate(TIME_VERDICT)
    banner.get_by_role("button", name="Object", exact=True).click()
    # However soon the bot moves and claims, the verdict stays long enough to be read.
    expect(banner).to_contain_text("Pebble claims")
    bo.page.wait_for_function("() => verdict.gone")
    assert "Bo is right" in bo.page.evaluate("verdict.text")
    assert bo.page.evaluate("verdict.gone - verdict.shown") >= READABLE_MS


def test_the_bot_moves_once_everybody_has_answered(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(name="Bo")
    ann.game(PEBBLE, bo, scoring="claims").play(1, worst).open(bo)
    bo.page.get_by_role("button", name="Accept").click()
    expect(bo.page.locator(".sheet ol > li > button")).to_have_count(2, timeout=12_000)
    # While Bo enters a claim, the question is still about the bot's claim, to which Bo may object.
    bo.wait_for_my_turn()
    bo.lay(Move(bo.board().frontier()[0], Tile.parse(f"+{bo.hand()[0]}")))
    expect(bo.page.locator(".claim p").first).to_have_text("How many points is it worth?")
    expect(bo.page.locator(".claim .object")).to_be_visible()


def test_an_objection_applies_to_the_claim_it_was_made_for(visitors: Visitors) -> None:
    ann, bo, cleo = visitors.come(), visitors.come(name="Bo"), visitors.come(PHONE, name="Cleo")
    ann.game(bo, cleo, scoring="claims").open(ann, bo, cleo)
    claim(ann, "9")
    button = cleo.page.locator(".claim .object")
    expect(cleo.page.locator(".claim")).to_contain_text("Ann claims 9.")
    box = button.bounding_box()
    assert box is not None
    cleo.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    cleo.page.mouse.down()
    claim(bo, "8")
    expect(cleo.page.locator(".claim")).to_contain_text("Bo claims 8.")
    cleo.page.mouse.up()
    expect(cleo.page.locator(".status")).to_have_text("The game has moved on in the meantime.")
    assert bo.scores() == [9, 8, 0]


def test_the_claim_of_somebody_who_has_left_can_be_objected_to(browser: Browser, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, absent_ms=500, claim_wait_ms=CLAIM_WAIT_MS)
    with running(settings) as server, Archive.of(settings.database) as archive:
        visitors = Visitors(browser, server.url, archive)
        ann, bo = visitors.come(), visitors.come(PHONE, name="Bo")
        game = ann.game(bo, scoring="claims")
        game.move(game.rules.plays()[0].move, claim=99).open(bo)
        expect(bo.page.locator(".person.away")).to_have_count(1)
        bo.page.locator(".claim .object").click()
        expect(bo.page.locator(".claim.verdict")).to_contain_text("Bo is right")
        visitors.leave()
