"""What a laid-out tile would score is computed in the page; the server judges the move when it is played."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from riverstones.rules import SQUARES, Move

from .scenes import PEBBLE, my_turn
from .visitors import Visitors

pytestmark = pytest.mark.slow


def test_sums_and_refusals_are_shown_while_the_server_is_out_of_reach(visitors: Visitors) -> None:
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
    expect(ann.page.locator(".status")).to_contain_text(lonely)  # connected again, and the refusal is said here too
    ann.troubles.clear()  # the browser has complained about the network


def test_nothing_is_counted_where_points_are_claimed(visitors: Visitors) -> None:
    ann = visitors.come()
    my_turn(ann, scoring="claims")
    ann.lay(ann.plays()[0].move)
    expect(ann.page.locator("[data-square].tentative")).to_have_count(1)
    expect(ann.page.locator(".lights .sum")).to_have_count(0)
    expect(ann.page.locator(".status")).to_have_text("How many points is it worth?")
