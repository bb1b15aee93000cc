"""Every page and state of the app, to be looked at: one function per scene."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from riverstones.rules import Move, Tile

from .games import Choose, Game, best
from .visitors import Visitor

PEBBLE = "pebble"
BOT = {"who": "bot", "level": PEBBLE}
ME = {"who": "me"}


def first_page(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.wait_for_selector(".lists")


def unreached(visitor: Visitor) -> None:
    """The first page while the server is down, with a game that was known before."""
    visitor.game(PEBBLE).open()
    first_page(visitor)
    visitor.page.wait_for_selector(".lists a.line")
    visitor.page.route(re.compile("/api/v1/"), lambda route: route.abort("connectionrefused"))
    first_page(visitor)
    visitor.page.wait_for_selector(".unreached")


def friends_dialog(visitor: Visitor) -> None:
    first_page(visitor)
    visitor.page.locator("button.way").first.click()
    visitor.page.locator("dialog summary").click()


def device_dialog(visitor: Visitor) -> None:
    first_page(visitor)
    visitor.page.locator("button.way").nth(1).click()


def waiting(visitor: Visitor) -> None:
    visitor.game("open", "open").open(visitor)
    visitor.page.wait_for_selector(".waiting svg[role=img]")


def closing(visitor: Visitor) -> None:
    """The host of a table that waits is about to close it."""
    visitor.game("open").open()
    first_page(visitor)
    visitor.page.locator(".entry button").click()
    visitor.page.wait_for_selector("dialog .danger")


def my_turn(visitor: Visitor, turns: int = 0, choose: Choose = best, **options: Any) -> Game:
    """A game against one bot in which some turns have been played and it is the visitor's turn."""
    game = visitor.game(PEBBLE, **options).play(turns, choose)
    game.open(visitor)
    assert visitor.wait_for_my_turn()
    return game


def table(visitor: Visitor) -> None:
    """A few moves in, with a tile laid down."""
    visitor.game(PEBBLE, PEBBLE, PEBBLE, clock="gentle", hints=True).play(8).open(visitor)
    visitor.wait_for_my_turn()
    visitor.lay(visitor.plays()[0].move)
    visitor.page.wait_for_selector(".lights .sum, .status:not(:empty)")


def refused_flip(visitor: Visitor) -> None:
    my_turn(visitor)
    visitor.lay(Move.parse(f"c4+{visitor.hand()[0]}"))
    visitor.square("g5").click()
    visitor.page.wait_for_selector(".lights .note")


def claiming(visitor: Visitor) -> None:
    my_turn(visitor, scoring="claims")
    visitor.lay(Move(visitor.board().frontier()[0], Tile.parse(f"+{visitor.hand()[0]}")))
    visitor.page.wait_for_selector(".pad")


def passing(visitor: Visitor) -> None:
    visitor.game((visitor, "Bartholomew"), clock="strict").open(visitor)
    visitor.page.wait_for_selector(".pass")


def menu(visitor: Visitor) -> None:
    my_turn(visitor)
    visitor.page.locator("header button.menu").click()


def bag(visitor: Visitor) -> None:
    my_turn(visitor)
    visitor.page.locator("button.bag").click()


def chat(visitor: Visitor) -> None:
    my_turn(visitor)
    visitor.page.locator("#tab-chat").click()


def end(visitor: Visitor, bots: int = 1) -> None:
    """Everybody has made a move, and the visitor has resigned."""
    visitor.game(*[PEBBLE] * bots).play(1 + bots).resign().open(visitor)
    visitor.page.wait_for_selector(".end thead")


def replay(visitor: Visitor) -> None:
    end(visitor)
    visitor.page.locator(".end a.button[href^='/replay']").click()
    visitor.page.locator(".steps button").nth(3).click()


def open_record(visitor: Visitor) -> None:
    visitor.go("/replay")
    visitor.page.wait_for_selector("textarea")


def rules(visitor: Visitor) -> None:
    visitor.go("/rules")
    visitor.page.wait_for_selector("figure")
    for figure in visitor.page.locator("figure").all():
        figure.locator(".moves button").last.click()


def lessons(visitor: Visitor) -> None:
    visitor.go("/learn")
    visitor.page.wait_for_selector("main ol")


def lesson(visitor: Visitor) -> None:
    visitor.go("/learn/9")
    visitor.page.wait_for_selector(".hand button")
    visitor.lay(Move.parse("h3+7~e3"))


def no_table(visitor: Visitor) -> None:
    visitor.go("/t/nosuchtable")
    visitor.page.wait_for_selector(".lost")


def nowhere(visitor: Visitor) -> None:
    visitor.go("/nowhere")
    visitor.page.wait_for_selector("main h1")


SCENES: dict[str, Callable[[Visitor], None]] = {
    scene.__name__: scene
    for scene in (
        first_page,
        unreached,
        friends_dialog,
        device_dialog,
        waiting,
        closing,
        table,
        refused_flip,
        claiming,
        passing,
        menu,
        bag,
        chat,
        end,
        replay,
        open_record,
        rules,
        lessons,
        lesson,
        no_table,
        nowhere,
    )
}
