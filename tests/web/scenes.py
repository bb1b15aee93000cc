"""Every page and state of the app: one function per scene."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

from riverstones.rules import Move, Tile
from riverstones.study.puzzles.daily import daily as daily_of
from riverstones.study.puzzles.file import shipped
from riverstones.study.puzzles.puzzle import SPRINT_MOVES, Kind, Puzzle, Sprint

from .games import Choose, Game, best, worst
from .visitors import Visitor

PEBBLE = "pebble"
BOT = {"who": "bot", "level": PEBBLE}
ME = {"who": "me"}


MIDDLE_POSITION = (
    "3351A4753/7331D1.../....6..../....H..../.E726IG25/....D..../....H..../....6..../....2.... "
    "0 79,?? 88,46 39 standard"
)
"""A position in the middle of a game, as the seat to move knows it."""

SHOW_ALL_MOVES = """() => {
  for (const figure of document.querySelectorAll('figure')) {
    figure.querySelector('.moves button[aria-pressed=false]')?.click();
  }
}"""
"""Shows a move of every figure at once; pressing them one by one takes as long as several other scenes."""


def first_page(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.wait_for_selector(".lists")


def unreached(visitor: Visitor) -> None:
    """The home page while the server is down, with a game from an earlier visit."""
    visitor.game(PEBBLE).open()
    first_page(visitor)
    visitor.page.wait_for_selector(".lists a.line")
    visitor.page.route(re.compile("/api/v1/"), lambda route: route.abort("connectionrefused"))
    first_page(visitor)
    visitor.page.wait_for_selector(".unreached")


def returning(visitor: Visitor) -> None:
    """The first page of somebody who has games, the most urgent on top."""
    visitor.game(PEBBLE).open()
    visitor.game("open", variant="expert", clock="gentle").open()
    visitor.game(PEBBLE).resign().open()
    first_page(visitor)
    visitor.page.wait_for_selector(".lists .entry")
    first_page(visitor)
    visitor.page.wait_for_selector(".mine .entry .button")


def bot_options(visitor: Visitor) -> None:
    first_page(visitor)
    visitor.page.locator("form.now summary").click()
    visitor.page.wait_for_selector("form.now .terms")


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
    """The host of a waiting table is asked to confirm closing it."""
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
    """A few moves in, with a tentative tile."""
    visitor.game(PEBBLE, PEBBLE, PEBBLE, clock="gentle", hints=True).play(8).open(visitor)
    visitor.wait_for_my_turn()
    visitor.lay(visitor.plays()[0].move)
    visitor.page.wait_for_selector(".lights .sum, .status:not(:empty)")


def refused_flip(visitor: Visitor) -> None:
    my_turn(visitor)
    visitor.lay(Move.parse(f"c4+{visitor.hand()[0]}"))
    visitor.square("g5").click()
    visitor.page.wait_for_selector(".lights .note")


def near_miss(visitor: Visitor) -> None:
    """A laid tile that scores nothing, and why."""
    my_turn(visitor)
    visitor.lay(Move.parse(f"f5+{visitor.hand()[0]}"))
    visitor.page.wait_for_selector(".lights .sentence")


def rules_over_table(visitor: Visitor) -> None:
    my_turn(visitor)
    visitor.page.locator("button.help").click()
    visitor.page.wait_for_selector("dialog figure")


def lesson_over_table(visitor: Visitor) -> None:
    my_turn(visitor)
    visitor.page.locator("button.help").click()
    visitor.page.locator("dialog .pages button").last.click()
    visitor.page.locator("dialog ol a").first.click()
    visitor.page.wait_for_selector("dialog .hand button")


def guided(visitor: Visitor) -> None:
    """The first comment of a guided game."""
    visitor.game(PEBBLE, guided=True, hints=True).open(visitor)
    visitor.page.wait_for_selector(".guide")


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


def moment(visitor: Visitor) -> None:
    """A move of the game on its own board, with what was possible."""
    visitor.game(PEBBLE).play(20, worst).resign().open(visitor)
    visitor.page.locator(".end td button").nth(1).click()
    visitor.page.wait_for_selector("dialog .tentative")


def replay(visitor: Visitor) -> None:
    end(visitor)
    visitor.page.locator(".end a.button[href^='/replay']").click()
    visitor.page.locator(".side > fieldset label").first.click()
    visitor.page.locator(".steps button").nth(1).click()


def review(visitor: Visitor) -> None:
    """The review of a short game."""
    visitor.game(PEBBLE).play(26, worst).resign().open(visitor)
    visitor.page.locator(".end a.button[href^='/replay']").click()
    visitor.page.wait_for_selector(".accuracy", timeout=120_000)


def review_try(visitor: Visitor) -> None:
    """A turn of a reviewed game that is tried again."""
    review(visitor)
    visitor.page.locator(".mattered button").first.click()
    visitor.page.wait_for_selector(".try .hand button")


def open_record(visitor: Visitor) -> None:
    visitor.go("/replay")
    visitor.page.wait_for_selector("textarea")


def rules(visitor: Visitor) -> None:
    visitor.go("/rules")
    visitor.page.wait_for_selector("figure")
    visitor.page.evaluate(SHOW_ALL_MOVES)


def account(visitor: Visitor) -> None:
    assert visitor.actor.person
    visitor.go("/account")
    visitor.page.wait_for_selector(".sections details")


def lessons(visitor: Visitor) -> None:
    visitor.go("/learn")
    visitor.page.wait_for_selector("main ol")


def lesson(visitor: Visitor) -> None:
    visitor.go("/learn/9")
    visitor.page.wait_for_selector(".hand button")
    visitor.lay(Move.parse("h3+7~e3"))


@cache
def first_of(kind: Kind) -> Puzzle:
    """The first puzzle of a kind in the shipped file."""
    return shipped().of_kind(kind)[0]


def open_puzzle(visitor: Visitor, puzzle: Puzzle) -> None:
    visitor.go(f"/puzzles/{puzzle.id}")
    visitor.page.wait_for_selector(".hand button, .verdicts button")


def answer(visitor: Visitor, move: Move) -> None:
    visitor.page.wait_for_selector(".hand button")
    visitor.lay(move)
    visitor.page.locator("button.play").click()


def daily(visitor: Visitor) -> None:
    visitor.go("/daily")
    visitor.page.wait_for_selector(".calendar")


def sprint(visitor: Visitor) -> Sprint:
    """Today's sprint with a tentative tile."""
    today = daily_of(shipped(), date.today()).sprint
    visitor.go("/daily/sprint")
    visitor.page.wait_for_selector(".hand button")
    visitor.lay(visitor.plays(today.variant)[0].move)
    return today


def sprint_over(visitor: Visitor) -> None:
    """The result of a sprint in which the play with the most points was always made."""
    today = sprint(visitor)
    visitor.page.locator("button.play").click()
    for _ in range(SPRINT_MOVES - 1):
        answer(visitor, visitor.plays(today.variant)[0].move)
    visitor.page.wait_for_selector(".share .button")


def puzzles(visitor: Visitor) -> None:
    visitor.go("/puzzles")
    visitor.page.wait_for_selector(".trainer")


def puzzle_missed(visitor: Visitor) -> None:
    puzzle = first_of(Kind.MOST_POINTS)
    assert puzzle.next_best is not None
    open_puzzle(visitor, puzzle)
    answer(visitor, puzzle.next_best.move)
    visitor.page.wait_for_selector(".status.wrong")


def puzzle_solved(visitor: Visitor) -> None:
    puzzle = first_of(Kind.TWO_KAKUROS)
    open_puzzle(visitor, puzzle)
    answer(visitor, puzzle.answer)
    visitor.page.wait_for_selector(".told .headline")


def puzzle_of_claims(visitor: Visitor) -> None:
    open_puzzle(visitor, first_of(Kind.SPOT_THE_ERROR))


def puzzle_to_win(visitor: Visitor) -> None:
    open_puzzle(visitor, first_of(Kind.WIN))


def rush(visitor: Visitor) -> None:
    visitor.go("/puzzles/rush")
    visitor.page.locator("button.main").click()
    visitor.page.wait_for_selector(".clock")


def settings(visitor: Visitor) -> None:
    visitor.go("/settings")
    visitor.page.wait_for_selector("fieldset")


def table_settings(visitor: Visitor) -> None:
    menu(visitor)
    visitor.page.get_by_role("dialog").locator("button", has_text="Settings").click()
    visitor.page.wait_for_selector("dialog fieldset")


def study_setup(visitor: Visitor, *, stay: bool = False) -> None:
    """The study board while a position is set up, with its text; or that of the position which is open."""
    if not stay:
        visitor.go("/study")
    visitor.page.locator(".side > fieldset label").first.click()
    visitor.page.locator(".setup summary").last.click()
    visitor.page.wait_for_selector("form.text")


def study_board(visitor: Visitor) -> None:
    """The plays of a position, ranked."""
    study_setup(visitor)
    visitor.page.locator("form.text textarea").fill(MIDDLE_POSITION)
    visitor.page.locator("form.text button").click()
    visitor.page.locator(".side > fieldset label").last.click()
    visitor.page.wait_for_selector("ol .play")


def new_profile(visitor: Visitor) -> None:
    """The profile of somebody who has not played yet."""
    visitor.go("/profile")
    visitor.page.wait_for_selector(".welcome")


def profile(visitor: Visitor) -> None:
    """The profile of somebody who has played."""
    visitor.game(PEBBLE).play(26).resign().open()
    visitor.go("/profile")
    visitor.page.wait_for_selector(".figures")


def no_table(visitor: Visitor) -> None:
    visitor.go("/t/nosuchtable")
    visitor.page.wait_for_selector(".lost")


def nowhere(visitor: Visitor) -> None:
    visitor.go("/nowhere")
    visitor.page.wait_for_selector("main h1")


SCENES: dict[str, Callable[[Visitor], object]] = {
    scene.__name__: scene
    for scene in (
        first_page,
        returning,
        bot_options,
        unreached,
        friends_dialog,
        device_dialog,
        waiting,
        closing,
        table,
        refused_flip,
        near_miss,
        rules_over_table,
        lesson_over_table,
        guided,
        claiming,
        passing,
        menu,
        bag,
        chat,
        end,
        moment,
        replay,
        review,
        review_try,
        open_record,
        rules,
        account,
        lessons,
        lesson,
        daily,
        sprint,
        sprint_over,
        puzzles,
        puzzle_missed,
        puzzle_solved,
        puzzle_of_claims,
        puzzle_to_win,
        rush,
        settings,
        table_settings,
        study_setup,
        study_board,
        new_profile,
        profile,
        no_table,
        nowhere,
    )
}
