"""What moves, and what must stay where it is: moves are seen to be made, and nothing jumps about for it."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from riverstones.rules import Move, Play, Tile

from .games import best
from .scenes import PEBBLE, SCENES, my_turn
from .visitors import DESK, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

WATCH_MOTION = """
window.moved = new Set();
const look = () => {
  for (const animation of document.getAnimations()) {
    const { target } = animation.effect;
    if (animation.playState !== 'running' || !target.closest('.board')) continue;
    const part = ['.lying', '.tile', 'rect', '.sum', '.flight', '.pawn'].find((each) => target.matches(each));
    if (part) moved.add(part);
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""

WATCH_FLIGHTS = """
window.flights = { arrived: 0, cut: 0 };
const met = new WeakSet();
const watch = () => {
  for (const flight of document.querySelectorAll('.flight')) {
    if (met.has(flight)) continue;
    met.add(flight);
    const [animation] = flight.getAnimations();
    animation.finished.then(() => (flights.arrived += 1), () => (flights.cut += 1));
  }
  requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
"""

WATCH_SHIFTS = """
window.shifts = [];
const grows = (node) => (node?.closest ? node : node?.parentElement)?.closest('.sheet ol, .score .count');
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const nodes = entry.sources.map(({ node }) => node);
    const meant = entry.hadRecentInput || (nodes.length > 0 && nodes.every(grows));
    if (!meant) shifts.push([entry.value, ...nodes.map((node) => node?.className)]);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""
"""The list of moves may move down to make room for the newest, and a score with one more digit begins further left."""

LEAST_SHIFT = 0.001
"""What a browser reports may be the breadth of a hair, from rounding; nobody sees it."""


def seen_to_move(visitor: Visitor) -> set[str]:
    return set(visitor.page.evaluate("[...moved]"))


def make_move_with_flip(visitor: Visitor) -> None:
    """Make a move that scores with the flip of a tile, against a person, so that nobody answers at once."""
    visitor.context.add_init_script(WATCH_MOTION)
    other = visitor.game((visitor, "Bo")).play_until(lambda game: game.to_move == 0 and flips(best(game)))
    move = best(other.rules).move
    other.open(visitor)
    visitor.page.locator(".pass .reveal").click()
    visitor.page.wait_for_selector(".hand button")
    visitor.lay(move)
    visitor.confirm()


def flips(play: Play) -> bool:
    return bool(play.move.flips) and play.points > 0


def test_a_move_is_seen_to_be_made(visitors: Visitors) -> None:
    visitor = visitors.come(reduced_motion="no-preference")
    # The tile is put down, a tile turns, the Kakuro is lit with its sum, the points fly, the pawn walks.
    wanted = {".lying", ".tile", "rect", ".sum", ".flight", ".pawn"}
    make_move_with_flip(visitor)
    visitor.page.wait_for_function("(count) => moved.size === count", arg=len(wanted))
    assert seen_to_move(visitor) == wanted


def test_points_arrive_however_quickly_the_next_move_is_made(visitors: Visitors) -> None:
    visitor = visitors.come(reduced_motion="no-preference")
    visitor.context.add_init_script(WATCH_FLIGHTS)
    game = visitor.game(PEBBLE, PEBBLE).play(15)
    game.open(visitor)
    already = sum(bool(turn.points) for turn in game.rules.turns)
    for _ in range(3):
        visitor.wait_for_my_turn()
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
    visitor.wait_for_my_turn()
    scored = visitor.page.locator(".sheet .points", has_text="+").count() - already
    assert scored > 1
    visitor.page.wait_for_function("(scored) => flights.arrived + flights.cut >= scored", arg=scored)
    assert visitor.page.evaluate("flights") == {"arrived": scored, "cut": 0}
    expect(visitor.page.locator(".flight")).to_have_count(0)


def test_with_reduced_motion_nothing_on_the_board_moves(visitors: Visitors) -> None:
    visitor = visitors.come(reduced_motion="reduce")
    make_move_with_flip(visitor)
    visitor.page.wait_for_timeout(1_000)  # as long as all of it takes where it is wanted
    assert seen_to_move(visitor) == set()
    assert any(visitor.scores()), "the points have arrived all the same"


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_shifts_while_a_page_comes_or_a_move_is_made(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size, reduced_motion="no-preference")
    visitor.context.add_init_script(WATCH_SHIFTS)
    for scene in ("first_page", "table", "claiming"):
        SCENES[scene](visitor)
        visitor.page.wait_for_timeout(300)
        shifts = visitor.page.evaluate("shifts")
        assert sum(value for value, *_ in shifts) < LEAST_SHIFT, (scene, shifts)


def test_a_claim_pushes_nothing_aside_on_a_phone(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    my_turn(visitor, scoring="claims")

    def places() -> Any:
        return visitor.page.evaluate("['.hand', '.actions'].map((each) => document.querySelector(each).offsetTop)")

    before = places()
    visitor.lay(Move(visitor.board().frontier()[0], Tile.parse(f"+{visitor.hand()[0]}")))
    pad = visitor.page.locator(".pad .play").bounding_box()
    assert pad is not None
    assert pad["y"] + pad["height"] < PHONE["height"], "the pad is in sight without scrolling"
    visitor.page.locator(".pad .play").click()
    expect(visitor.page.locator(".claim .object")).to_be_visible()
    assert places() == before
    visitor.page.locator(".claim .object").click()
    # The bot may have miscounted: then Ann is right, else the claim is.
    expect(visitor.page.locator(".claim")).to_contain_text(re.compile("(the claim|Ann) is right"))
    assert places() == before


def test_a_pointer_over_the_list_of_moves_changes_nothing_on_the_board(visitors: Visitors) -> None:
    visitor = visitors.come()
    my_turn(visitor, 2)
    newest, _ = visitor.page.locator(".sheet .move").all_text_contents()
    visitor.page.locator(".sheet li button").last.hover()
    expect(visitor.page.locator(".board .last")).to_have_attribute("data-name", newest[:2])
    expect(visitor.page.locator(".lights .sum")).to_have_count(0)


PLAIN_TILES = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.board .tile :is(.addend, .total) { background: var(--addend) !important; }');
  document.adoptedStyleSheets.push(sheet);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_lit_keeps_its_colours(visitors: Visitors, scheme: str) -> None:
    visitor = visitors.come(color_scheme=scheme)
    SCENES["lesson"](visitor)
    expect(visitor.page.locator(".lights .sum")).to_have_count(3)
    # The browser dithers a gradient, and not alike in every layer: plain tiles can be compared exactly.
    visitor.page.evaluate(PLAIN_TILES)
    for name in ("e3", "f3", "h3"):
        tile = visitor.square(name).locator(".tile").bounding_box()
        assert tile is not None
        rim = tile["width"] * 0.12  # the corners of an addend are round
        inner = {"x": tile["x"] + rim, "y": tile["y"] + rim}
        clip = {**inner, "width": tile["width"] - 2 * rim, "height": tile["height"] - 2 * rim}
        lit = visitor.page.screenshot(clip=clip)  # type: ignore[arg-type]  # the box is a plain dictionary
        lights = visitor.page.locator(".lights, .glow")
        lights.evaluate_all("all => all.forEach((each) => (each.style.visibility = 'hidden'))")
        unlit = visitor.page.screenshot(clip=clip)  # type: ignore[arg-type]  # the box is a plain dictionary
        lights.evaluate_all("all => all.forEach((each) => (each.style.visibility = ''))")
        assert lit == unlit, name


def test_a_tentative_tile_is_on_the_board_within_one_frame(visitors: Visitors) -> None:
    visitor = visitors.come()
    my_turn(visitor)
    visitor.page.locator(".hand button").first.click()
    there = visitor.page.evaluate(
        """() => new Promise((answer) => requestAnimationFrame(() => {
          document.querySelector('.legal').click();
          requestAnimationFrame(() => answer(document.querySelectorAll('.tentative .tile').length));
        }))"""
    )
    assert there == 1


def test_a_change_of_language_keeps_the_tile_that_is_laid_out(visitors: Visitors) -> None:
    visitor = visitors.come()
    my_turn(visitor)
    move = visitor.plays()[0].move
    visitor.lay(move)
    visitor.page.locator("header button.menu").click()
    visitor.page.get_by_label("Language").select_option("it")
    expect(visitor.page.get_by_label("Lingua")).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator("h1.mine")).to_have_text("Tocca a te")
    expect(visitor.page.locator(".tentative")).to_have_attribute("data-name", str(move.square))
    expect(visitor.page.locator(".flipped")).to_have_count(len(move.flips))
    visitor.confirm()
