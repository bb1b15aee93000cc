"""A tile on the page: only the side that is up exists, so that no browser can show the other."""

from playwright.sync_api import expect

from riverstones.server.http.static_files import FOLDER

from .scenes import my_turn
from .visitors import Visitor, Visitors

WATCH_FACES = """
window.seen = [];
const look = () => {
  const tile = document.querySelector('.hand .tile');
  if (tile) {
    const faces = [...tile.querySelectorAll('.face')]
      .map((face) => face.className.replace(/face|svelte-\\S+/g, '').trim());
    const at = new DOMMatrix(getComputedStyle(tile).transform);
    seen.push([faces.join(' and '), tile.getAnimations().length > 0, at.m11]);
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Per frame: the faces of the first tile in hand, whether it moves, and its width, negative if mirrored."""


def lift_first_tile(visitor: Visitor) -> None:
    my_turn(visitor)
    visitor.page.locator(".hand button").first.click()


def test_only_the_side_that_is_up_exists(visitors: Visitors) -> None:
    visitor = visitors.come()
    lift_first_tile(visitor)
    tile = visitor.page.locator(".hand .tile").first
    for side in ("total", "addend"):
        visitor.page.locator(".hand button").first.click()
        expect(tile.locator(".face")).to_have_count(1)
        expect(tile.locator(f".{side}")).to_have_count(1)
    faces = visitor.page.evaluate(
        "[...document.querySelectorAll('.tile')].map((tile) => tile.querySelectorAll('.face').length)"
    )
    assert len(faces) > 2
    assert set(faces) == {1}
    assert visitor.page.eval_on_selector_all(
        ".tile, .face", "all => all.every((each) => getComputedStyle(each).transform === 'none')"
    )


def test_a_flip_changes_the_side_when_the_tile_is_edge_on(visitors: Visitors) -> None:
    visitor = visitors.come(reduced_motion="no-preference")
    visitor.context.add_init_script(WATCH_FACES)
    lift_first_tile(visitor)
    visitor.slow_motion()
    visitor.page.evaluate("seen.length = 0")
    visitor.page.locator(".hand button").first.click()
    expect(visitor.page.locator(".hand .total")).to_have_count(1)
    visitor.page.wait_for_function("() => !document.querySelector('.hand .tile').getAnimations().length")
    seen = visitor.page.evaluate("seen")
    assert {face for face, _, _ in seen} == {"addend", "total"}
    assert any(moving for _, moving, _ in seen)
    assert all(breadth >= -0.001 for _, _, breadth in seen), seen
    assert [face for face, _, _ in seen] == sorted(face for face, _, _ in seen), "the side changes once"


def test_with_reduced_motion_a_tile_is_flipped_at_once(visitors: Visitors) -> None:
    visitor = visitors.come(reduced_motion="reduce")
    visitor.context.add_init_script(WATCH_FACES)
    lift_first_tile(visitor)
    visitor.page.evaluate("seen.length = 0")
    visitor.page.locator(".hand button").first.click()
    expect(visitor.page.locator(".hand .total")).to_have_count(1)
    assert not any(moving for _, moving, _ in visitor.page.evaluate("seen"))


def test_no_style_depends_on_the_back_of_a_face() -> None:
    styles = [path.read_text(encoding="utf-8") for path in (FOLDER / "assets").glob("*.css")]
    assert any(".tile" in style for style in styles)
    assert not any("backface-visibility" in style for style in styles)
