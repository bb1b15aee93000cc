"""Bots answer at once; their moves are shown one after the other, each long enough to read its sum."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from riverstones.rules import Game

from .games import best
from .scenes import PEBBLE
from .visitors import PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

WATCH_MOVES = """
window.shown = [];
new MutationObserver(() => {
  const last = document.querySelector('.board .last')?.dataset.name;
  if (last && last !== shown.at(-1)?.square) shown.push({ square: last, at: performance.now() });
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
"""


def play_against_three(visitor: Visitor) -> int:
    """Make a move against three bots, which answer at once; how many moves there are then."""
    visitor.context.add_init_script(WATCH_MOVES)
    game = visitor.game(PEBBLE, PEBBLE, PEBBLE).play_until(scoring_soon)
    game.open(visitor)
    visitor.wait_for_my_turn()
    before = visitor.turn()
    visitor.lay(best(game.rules).move)
    visitor.page.evaluate("shown.splice(0, shown.length - 1)")  # the last move before
    visitor.page.locator("button.play").click()
    return before + 4


def scoring_soon(game: Game) -> bool:
    """Ann is to move and can score, and the board is full enough for bots to score."""
    return game.to_move == 0 and len(game.turns) >= 16 and best(game).points > 0


def moments(visitor: Visitor) -> list[float]:
    visitor.page.wait_for_function("() => shown.length >= 5")
    return [each["at"] for each in visitor.page.evaluate("shown")]


# A busy machine shows a move late, and so for a shorter time. These bounds still tell the paces apart.
@pytest.mark.parametrize(("pace", "own_ms", "least_ms"), [("normal", 1_200, 500), ("slow", 2_200, 900)])
def test_three_bots_in_a_row_are_shown_one_after_the_other(
    visitors: Visitors, pace: str, own_ms: int, least_ms: int
) -> None:
    visitor = visitors.come(pace=pace)
    everything = play_against_three(visitor)
    _, own, *bots = moments(visitor)
    assert bots[0] - own >= own_ms, (own, bots)
    assert all(later - earlier >= least_ms for earlier, later in pairwise(bots)), (own, bots)
    expect(visitor.page.locator(".sheet ol > li > button")).to_have_count(everything)
    # The last move of each bot is marked, the latest most clearly.
    expect(visitor.page.locator(".board .last")).to_have_count(1)
    expect(visitor.page.locator(".board .recent")).to_have_count(2)
    # Three bots of one level differ by their numbers, which a phone shows too.
    visitor.page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # the sizes are plain dictionaries
    names = visitor.page.locator(".person .called")
    assert names.all_inner_texts()[1:] == ["Pebble", "Pebble\N{NO-BREAK SPACE}2", "Pebble\N{NO-BREAK SPACE}3"]
    assert names.evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)")


def test_picking_a_tile_shows_everything_at_once(visitors: Visitors) -> None:
    visitor = visitors.come(pace="slow")
    everything = play_against_three(visitor)
    expect(visitor.page.locator("main.showing h1")).to_have_text("Pebble to move")  # as the board shows
    visitor.page.locator(".hand button").first.click()
    expect(visitor.page.locator("main.showing")).to_have_count(0)
    expect(visitor.page.locator(".sheet ol > li > button")).to_have_count(everything)
    visitor.page.keyboard.press("Escape")
    visitor.lay(visitor.plays()[0].move)
    visitor.confirm()


def test_a_screen_reader_hears_every_move(visitors: Visitors) -> None:
    visitor = visitors.come(pace="normal")
    visitor.listen()
    play_against_three(visitor)
    moments(visitor)
    for bot in ("Pebble", "Pebble 2", "Pebble 3"):
        visitor.hear(f"\\b{bot}: (addend|total) [1-9] on [a-i][1-9]")
    visitor.hear("Your turn")
