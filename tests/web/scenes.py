"""Every page and state of the app, to be looked at: one function a scene."""

from __future__ import annotations

import re
from collections.abc import Callable

from riverstones.rules import Move, Tile

from .visitors import Visitor

BOT = {"who": "bot", "level": "pebble"}
ME = {"who": "me"}


def first_page(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.wait_for_selector(".lists")


def unreached(visitor: Visitor) -> None:
    """The first page while the server is down, with a game that was known before."""
    visitor.make_table(ME, BOT)
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
    visitor.make_table(ME, {"who": "open"}, {"who": "open"})
    visitor.page.wait_for_selector(".waiting svg[role=img]")


def closing(visitor: Visitor) -> None:
    """The host of a table that waits is about to close it."""
    visitor.make_table(ME, {"who": "open"})
    first_page(visitor)
    visitor.page.locator(".entry button").click()
    visitor.page.wait_for_selector("dialog .danger")


def table(visitor: Visitor) -> None:
    """A few moves in, with a tile laid down."""
    visitor.make_table(ME, BOT, BOT, BOT, clock="gentle", hints=True)
    for _ in range(2):
        visitor.wait_for_my_turn()
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
    visitor.wait_for_my_turn()
    visitor.lay(visitor.plays()[0].move)
    visitor.page.wait_for_selector(".lights .sum, .status:not(:empty)")


def refused_flip(visitor: Visitor) -> None:
    visitor.make_table(ME, BOT)
    visitor.wait_for_my_turn()
    visitor.lay(Move.parse(f"c4+{visitor.hand()[0]}"))
    visitor.square("g5").click()
    visitor.page.wait_for_selector(".lights .note")


def claiming(visitor: Visitor) -> None:
    visitor.make_table(ME, BOT, scoring="claims")
    visitor.wait_for_my_turn()
    visitor.lay(Move(visitor.board().frontier()[0], Tile.parse(f"+{visitor.hand()[0]}")))
    visitor.page.wait_for_selector(".pad")


def passing(visitor: Visitor) -> None:
    visitor.make_table({"who": "me", "name": "Ann"}, {"who": "me", "name": "Bartholomew"}, clock="strict")
    visitor.page.wait_for_selector(".pass")


def menu(visitor: Visitor) -> None:
    visitor.make_table(ME, BOT)
    visitor.wait_for_my_turn()
    visitor.page.locator("header button.menu").click()


def bag(visitor: Visitor) -> None:
    visitor.make_table(ME, BOT)
    visitor.wait_for_my_turn()
    visitor.page.locator("button.bag").click()


def chat(visitor: Visitor) -> None:
    visitor.make_table(ME, BOT)
    visitor.wait_for_my_turn()
    visitor.page.locator("#tab-chat").click()


def end(visitor: Visitor, bots: int = 1) -> None:
    visitor.make_table(ME, *[BOT] * bots)
    visitor.wait_for_my_turn()
    visitor.lay(visitor.plays()[0].move)
    visitor.confirm()
    visitor.wait_for_my_turn()
    visitor.page.locator("header button.menu").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.locator("dialog .danger").click()
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
