"""The table explains itself: why a move scores nothing, why a tap does nothing, what a flip would do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from riverstones.rules import SQUARES, Move, Tile, explain
from riverstones.rules import Game as Rules

from .scenes import PEBBLE, my_turn
from .visitors import DESK, LINGER, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

COVERED = """() => {
  const box = (element) => element.getBoundingClientRect();
  const labels = [...document.querySelectorAll('.lights > span')];
  const tiles = [...document.querySelectorAll('[data-square].tentative .lying b')];
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const board = box(document.querySelector('.ground'));
  return {
    labels: labels.some((one, n) => labels.slice(n + 1).some((other) => meet(box(one), box(other)))),
    tile: labels.some((label) => tiles.some((tile) => meet(box(label), box(tile)))),
    outside: labels.some((label) => box(label).left < board.left - 1 || box(label).right > board.right + 1),
  };
}"""
"""Whether labels cover each other or the laid tile, or stand out over the board."""


def misses(game: Rules, least: int) -> list[Move]:
    """The placements that score nothing and have at least so many near misses."""
    return [
        move
        for square in game.board.frontier()
        for digit in game.hand
        for side in "+="
        if not (told := explain(game.board, move := Move(square, Tile.parse(f"{side}{digit}")))).kakuros
        if len(told.near_misses) >= least
    ]


def my_miss(visitor: Visitor, least: int, **options: Any) -> Move:
    """Open a game in which it is the visitor's turn and lay a tile that scores nothing."""
    game = visitor.game(PEBBLE, **options)
    game.play_until(lambda game: game.to_move == 0 and bool(misses(game, least))).open(visitor)
    visitor.wait_for_my_turn()
    move = misses(game.rules, least)[0]
    visitor.lay(move)
    return move


def announced(visitor: Visitor) -> Locator:
    """The live region."""
    return visitor.page.locator(".unseen[role=status]")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_move_that_scores_nothing_says_why_on_the_board(visitors: Visitors, size: dict[str, int]) -> None:
    ann = visitors.come(size)
    ann.listen()
    move = my_miss(ann, 2)
    told = explain(ann.board(), move)
    lights = ann.page.locator(".lights")
    expect(lights.locator("rect.miss")).to_have_count(len(told.near_misses))
    sentence = lights.locator(".sentence").inner_text()
    expect(ann.page.locator(".status")).to_contain_text("0 points")
    ann.hear(re.escape(sentence))
    assert ann.page.evaluate(COVERED) == {"labels": False, "tile": False, "outside": False}


def test_a_tile_without_a_series_says_what_is_missing(visitors: Visitors) -> None:
    ann = visitors.come()
    game = my_turn(ann)
    ann.lay(next(move for move in misses(game.rules, 0) if not explain(game.rules.board, move).near_misses))
    expect(ann.page.locator(".lights .note.calm")).to_contain_text("red total")
    expect(ann.page.locator(".lights rect")).to_have_count(0)


def test_a_move_that_scores_shows_only_its_kakuros(visitors: Visitors) -> None:
    ann = visitors.come()
    game = ann.game(PEBBLE).play_until(lambda game: game.to_move == 0 and bool(game.plays()[0].points))
    game.open(ann)
    ann.wait_for_my_turn()
    ann.lay(game.rules.plays()[0].move)
    expect(ann.page.locator(".lights rect.made")).not_to_have_count(0)
    expect(ann.page.locator(".lights rect.miss, .lights .sentence")).to_have_count(0)


def test_nothing_is_explained_when_points_are_claimed(visitors: Visitors) -> None:
    ann = visitors.come()
    my_miss(ann, 1, scoring="claims")
    expect(ann.page.locator("[data-square].tentative")).to_have_count(1)
    expect(ann.page.locator(".lights rect, .lights span")).to_have_count(0)


def test_taps_are_never_silent(visitors: Visitors) -> None:
    ann = visitors.come(PHONE, has_touch=True)
    ann.context.add_init_script(LINGER)
    my_turn(ann, 2)
    note = ann.page.locator(".lights .note.calm")
    taken = next(square for square, cell in zip(SQUARES, ann.board().cells, strict=True) if cell != ".")
    free = ann.board().frontier()[0]
    ann.square(free).tap()
    expect(note).to_have_text("Pick one of your tiles first.")
    ann.square(taken).tap()
    expect(note).to_contain_text("Place a tile first; then you may flip this")
    expect(announced(ann)).to_contain_text("Place a tile first; then you may flip this")
    ann.page.locator(".hand button").first.tap()
    expect(note).to_have_count(0)
    ann.square(taken).tap()
    expect(note).to_contain_text("This square is taken.")
    ann.page.locator(".sheet ol > li > button").first.tap()
    ann.square(free).tap()
    expect(note).to_contain_text("This is an earlier position.")
    ann.page.keyboard.press("Escape")
    expect(note).to_have_count(0)


def test_a_tap_on_somebody_elses_turn_names_who_is_to_move(visitors: Visitors) -> None:
    ann, ben, guest = visitors.come(), visitors.come(name="Ben"), visitors.come(name="Cleo")
    ann.game(ben).play(1).open(ann, guest)
    for visitor, sentence in ((ann, "Ben to move."), (guest, "You are watching.")):
        visitor.page.wait_for_selector(".sheet")
        visitor.square("a1").click()
        expect(visitor.page.locator(".lights .note.calm")).to_contain_text(sentence)


def missed_flips(game: Rules) -> list[tuple[Move, Move]]:
    """Placements that score nothing, each with the same placement and a flip that scores."""
    scores = {str(play.move): play.points for play in game.plays()}
    with_flip = [play.move for play in game.plays() if play.move.flips]
    pairs = [(Move(move.square, move.tile), move) for move in with_flip]
    return [(plain, move) for plain, move in pairs if scores[str(plain)] == 0]


def test_a_beginner_discovers_the_flip(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.listen()
    game = ann.game(PEBBLE).play_until(lambda game: game.to_move == 0 and bool(missed_flips(game)))
    game.open(ann)
    ann.wait_for_my_turn()
    plain, flipping = missed_flips(game.rules)[0]
    ann.lay(plain)
    expect(ann.page.locator(".status")).to_contain_text("You may also flip one tile on the board")
    ann.confirm()
    ann.hear("you may also flip one on the board: tap it. Flipping this . would have scored")

    again = ann.game(PEBBLE).play_until(lambda game: game.to_move == 0 and bool(missed_flips(game)))
    again.open(ann)
    ann.wait_for_my_turn()
    ann.lay(flipping)
    expect(ann.page.locator("button.play")).to_contain_text("+")
    ann.confirm()
    third = ann.game(PEBBLE).play_until(lambda game: game.to_move == 0 and bool(missed_flips(game)))
    third.open(ann)
    ann.wait_for_my_turn()
    ann.lay(plain)
    expect(ann.page.locator(".status")).to_contain_text("You may still play it")


def test_a_flip_that_completes_nothing_shows_the_series_and_the_reason(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.go("/learn/7")
    ann.page.wait_for_selector(".hand button")
    ann.lay(Move.parse("d5+9~a5"))
    expect(ann.page.locator(".lights .note")).to_contain_text("2 | 6 + 4 + 9 makes 19")
    expect(ann.page.locator(".lights rect.miss")).to_have_count(1)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_rules_and_lessons_open_over_the_table(visitors: Visitors, size: dict[str, int]) -> None:
    ann = visitors.come(size)
    game = my_turn(ann)
    page = ann.page
    expect(page.locator(".goal")).to_have_text("Yellow tiles after a red one: make their sum end in its digit.")
    move = misses(game.rules, 0)[0]
    ann.lay(move)
    page.get_by_role("button", name="Rules and lessons").click()
    panel = page.locator("dialog[open]")
    expect(panel.get_by_role("heading", level=1)).to_be_visible()
    panel.get_by_role("button", name="Learn").click()
    panel.locator("ol a").first.click()
    panel.locator(".hand button").first.click()
    panel.locator('[data-name="f5"]').click()
    panel.locator("button.play").click()
    panel.locator(".done").wait_for()
    assert page.url.endswith(game.path)
    panel.get_by_role("button", name="Back to the game").click()
    expect(panel).to_have_count(0)
    expect(page.locator(f'.tentative[data-name="{move.square}"]')).to_have_count(1)
    expect(page).to_have_title("● Your turn · Riverstones")
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("html")).to_have_css("overflow-y", "hidden")
    page.mouse.wheel(0, 400)
    page.locator("dialog").get_by_role("button", name="Rules").click()
    panel.locator("nav a").last.click()
    assert page.url.endswith(game.path)
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    assert page.evaluate("scrollY") == 0, "the page behind a dialog does not scroll"
    expect(page.locator("html")).not_to_have_css("overflow-y", "hidden")


def newcomer_before_the_flip(visitors: Visitors) -> Visitor:
    """A newcomer in a guided game, led through the first turn and told of the flip.

    The deal allows a flip on the second turn for a good and a bad answer of the bot. After a rare one in between no
    flip scores, and the guide waits for another turn: then another newcomer comes.
    """
    for _ in range(5):
        ann = visitors.come(PHONE, has_touch=True)
        page = ann.page
        ann.go("/")
        page.get_by_role("button", name="New here?").tap()
        guide = page.locator(".guide")
        expect(guide).to_contain_text("is a total")
        expect(announced(ann)).to_contain_text("is a total")
        page.locator(".hand .hinted").tap()
        expect(guide).to_contain_text("Tap the marked square")
        page.locator("[data-square].hinted").tap()
        expect(guide).to_contain_text("is called a Kakuro")
        page.locator("button.play").tap()
        # Each lesson stays until it is done.
        expect(guide).to_contain_text(
            re.compile("You may also flip one tile|totals too|most points wins"), timeout=60_000
        )
        if "You may also flip one tile" in guide.inner_text():
            return ann
    raise AssertionError("no deal allowed a flip on the second turn")


def test_a_newcomer_plays_a_guided_first_game(visitors: Visitors) -> None:
    ann = newcomer_before_the_flip(visitors)
    page, guide = ann.page, ann.page.locator(".guide")
    understood = guide.get_by_role("button", name="Got it")
    before = ann.scores()[0]
    assert before > 0
    expect(understood).to_have_count(0)  # a task is to be done, not to be read
    page.locator(".hand .hinted").tap()
    expect(guide).to_contain_text("You may also flip one tile")
    page.locator("[data-square].hinted").tap()
    expect(guide).to_contain_text("Now tap the marked")
    page.locator("[data-square].hinted").tap()
    expect(guide).to_contain_text("is called a Kakuro")
    page.locator("button.play").tap()
    expect(guide).to_contain_text(re.compile("totals too|most points wins"), timeout=60_000)
    assert ann.scores()[0] > before
    if "totals too" in guide.inner_text():
        expect(understood).to_have_count(0)
    else:
        understood.tap()
        expect(guide).to_contain_text("must all differ")
    guide.get_by_role("button", name="Play without the guide").focus()
    page.keyboard.press("Enter")
    expect(guide).to_have_count(0)
    page.reload()
    ann.wait_for_my_turn()
    expect(page.locator(".goal")).to_be_visible()
    expect(guide).to_have_count(0)
    ann.go("/")
    page.wait_for_selector(".lists")
    expect(page.get_by_role("button", name="New here?")).to_have_count(0)
