"""Animations of moves, and no layout shifts."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from riverstones.rules import Move, Play, Tile

from .games import best
from .scenes import PEBBLE, SCENES, my_turn
from .visitors import DESK, PHONE, Visitor, Visitors

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
new MutationObserver(() => {
  for (const flight of document.querySelectorAll('.flight')) {
    if (met.has(flight)) continue;
    met.add(flight);
    const [animation] = flight.getAnimations();
    animation.finished.then(() => (flights.arrived += 1), () => (flights.cut += 1));
  }
}).observe(document, { subtree: true, childList: true });
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
"""Allowed: the list of moves moves down for the newest, and a score with one more digit starts further left."""

LEAST_SHIFT = 0.001
"""Smaller shifts are rounding errors."""


def seen_to_move(visitor: Visitor) -> set[str]:
    return set(visitor.page.evaluate("[...moved]"))


def make_move_with_flip(visitor: Visitor) -> None:
    """Make a scoring move with a flip, against a person, so that no bot answers at once."""
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


def test_a_move_is_animated(visitors: Visitors) -> None:
    visitor = visitors.come(reduced_motion="no-preference")
    # The tile is placed, a tile flips, the Kakuro glows with its sum, the points fly, the pawn advances.
    wanted = {".lying", ".tile", "rect", ".sum", ".flight", ".pawn"}
    visitor.slow_motion()
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
    visitor.page.wait_for_timeout(1_000)  # the duration of the whole animation without reduced motion
    assert seen_to_move(visitor) == set()
    assert any(visitor.scores()), "the points have arrived all the same"


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_shifts_while_a_page_loads_or_a_move_is_made(visitors: Visitors, size: dict[str, int]) -> None:
    visitor = visitors.come(size, reduced_motion="no-preference")
    visitor.context.add_init_script(WATCH_SHIFTS)
    for scene in ("first_page", "table", "claiming"):
        SCENES[scene](visitor)
        visitor.page.wait_for_timeout(300)
        shifts = visitor.page.evaluate("shifts")
        assert sum(value for value, *_ in shifts) < LEAST_SHIFT, (scene, shifts)


def test_a_claim_shifts_nothing_on_a_phone(visitors: Visitors) -> None:
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
    # The bot may have miscounted: then the objection is upheld.
    expect(visitor.page.locator(".claim")).to_contain_text(re.compile("(the claim|Ann) is right"))
    assert places() == before


def test_a_pointer_over_the_list_of_moves_changes_nothing_on_the_board(visitors: Visitors) -> None:
    visitor = visitors.come()
    my_turn(visitor, 2)
    newest, _ = visitor.page.locator(".sheet .move").all_text_contents()
    visitor.page.locator(".sheet li button").last.hover()
    expect(visitor.page.locator(".board .last")).to_have_attribute("data-name", newest.split()[0])
    expect(visitor.page.locator(".lights .sum")).to_have_count(0)


PLAIN_TILES = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.board .tile :is(.addend, .total) { background: var(--addend) !important; }');
  document.adoptedStyleSheets.push(sheet);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_glowing_tiles_keep_their_colours(visitors: Visitors, scheme: str) -> None:
    visitor = visitors.come(color_scheme=scheme)
    SCENES["lesson"](visitor)
    expect(visitor.page.locator(".lights .sum")).to_have_count(3)
    # Browsers dither gradients differently per layer; plain tiles can be compared exactly.
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


def test_a_change_of_language_keeps_the_tentative_tile(visitors: Visitors) -> None:
    visitor = visitors.come()
    my_turn(visitor)
    move = visitor.plays()[0].move
    visitor.lay(move)
    visitor.page.locator("header button.menu").click()
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.get_by_label("Language").select_option("it")
    expect(visitor.page.get_by_label("Lingua")).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator("h1.mine")).to_have_text("Tocca a te")
    expect(visitor.page.locator(".tentative")).to_have_attribute("data-name", str(move.square))
    expect(visitor.page.locator(".flipped")).to_have_count(len(move.flips))
    visitor.confirm()
