"""The page computes the points of a tentative move; the server judges it when it is played."""

from __future__ import annotations

from playwright.sync_api import expect

from riverstones.rules import SQUARES, Move

from .scenes import PEBBLE, my_turn
from .visitors import Visitors


def test_sums_and_refusals_are_shown_while_the_server_is_unreachable(visitors: Visitors) -> None:
    ann = visitors.come()
    game = ann.game(PEBBLE).play_until(lambda game: game.to_move == 0 and game.plays()[0].points > 0)
    game.open(ann)
    ann.wait_for_my_turn()
    best, board = game.rules.plays()[0], game.rules.board
    ann.context.set_offline(True)
    ann.lay(best.move)
    ann.check_preview(best.move)
    expect(ann.page.locator("button.play")).to_contain_text(f"+{best.points}")
    ann.page.locator(".actions button", has_text="Take back").click()
    lonely = next(str(s) for s in SQUARES if board.cells[s] == "." and not board.touches(s))
    ann.lay(Move.parse(f"{lonely}+{ann.hand()[0]}"))
    expect(ann.page.locator(".lights .note")).to_contain_text(lonely)
    expect(ann.page.locator("button.play")).to_be_disabled()
    ann.context.set_offline(False)
    expect(ann.page.locator(".status")).to_contain_text(lonely)  # reconnected, and the status shows the refusal too
    ann.errors.clear()  # the browser has logged the network errors


def test_no_points_are_shown_in_a_game_by_claims(visitors: Visitors) -> None:
    ann = visitors.come()
    my_turn(ann, scoring="claims")
    ann.lay(ann.plays()[0].move)
    expect(ann.page.locator("[data-square].tentative")).to_have_count(1)
    expect(ann.page.locator(".lights .sum")).to_have_count(0)
    expect(ann.page.locator(".status")).to_have_text("How many points is it worth?")
