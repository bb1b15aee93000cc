"""Visitors: they read the page and act by mouse, touch or keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from riverstones.rules import Board, Move, Play, Variant, explain, plays
from riverstones.rules.squares import SQUARES
from riverstones.server.http.static_files import FOLDER
from riverstones.table import Actor

if TYPE_CHECKING:
    from .games import Archive, Game, Seat

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}

READ_BOARD = """() => [...document.querySelectorAll('[data-square]')].map((square) => {
  const tile = square.querySelector('.lying .tile');
  if (!tile || square.classList.contains('tentative')) return '.';
  const red = Boolean(tile.querySelector('.total')) !== square.classList.contains('flipped');
  const digit = Number(tile.querySelector('b').dataset.digit);
  return (red ? 'ABCDEFGHI' : '123456789')[digit - 1];
}).join('')"""

PACE = "riverstones.pace"
"""The storage key for the pace of the bots."""

AT_REST = """() => !document.querySelector('main.showing') &&
  !document.getAnimations().some(({ effect }) => effect.target.classList.contains('tile'))"""
"""Whether all moves are shown and no flip is running: during a flip a tile still shows its old side."""

LISTEN = """
window.heard = [];
const listen = () => {
  for (const element of document.querySelectorAll('[role=status][aria-live], .status, .lights .note, .claim')) {
    const text = element.textContent.replace(/\\s+/g, ' ').trim();
    if (text && !heard.includes(text)) heard.push(text);
  }
};
new MutationObserver(listen).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Keeps every message of the page: some are replaced by the next before a slow machine has looked at them."""

LINGER = """
((later) => {
  window.setTimeout = (action, ms, ...values) => later(action, ms >= 4000 && ms <= 12000 ? 60000 : ms, ...values);
})(window.setTimeout);
"""
"""Messages that disappear after some seconds stay for a minute."""

SPEAK = """async ([base, language]) => {
  const settings = Object.values(await import(base)).find((each) => typeof each?.speak === 'function');
  settings.speak(language);
  await new Promise(requestAnimationFrame);
}"""
"""Switches the language as the settings do, without leaving the page."""

MOVE_MADE = """(before) =>
  document.querySelectorAll('.sheet ol > li > button').length > before || document.querySelector('.end')"""


@dataclass
class Visitor:
    """A person with their own browser."""

    context: BrowserContext
    page: Page
    url: str
    archive: Archive | None = None
    """The database that games are written to."""
    name: str = "Ann"
    frames: list[dict[str, Any]] = field(default_factory=list)
    """Every message that the server sent over a socket."""
    errors: list[str] = field(default_factory=list)
    """Errors in the page, and requests to other sites."""

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.errors.append(f"error: {error}"))
        self.page.on("console", self._hear)
        self.page.on("request", self._ask)
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._receive))

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.errors.append(said.text)

    def _ask(self, sent: Request) -> None:
        if not sent.url.startswith((self.url, "blob:", "data:")):
            self.errors.append(f"asked {sent.url}")

    def _receive(self, frame: str | bytes) -> None:
        self.frames.append(json.loads(frame))

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def post(self, path: str, body: Any) -> Any:
        # The server closes idle connections after some seconds, perhaps just when this is sent.
        answer = self.page.request.post(
            f"{self.url}/api/v1{path}", data=body, headers={"origin": self.url}, max_retries=2
        )
        assert answer.ok, answer.text()
        return answer.json()

    @cached_property
    def actor(self) -> Actor:
        """This visitor as an actor; the first use signs them in as a guest."""
        told = self.post("/me", {"name": self.name})
        return Actor(told["person"], told["name"], told["colour"])

    def game(self, *others: Seat, **options: Any) -> Game:
        """A table with this visitor on the first seat, to be played in process before it is opened."""
        assert self.archive is not None
        return self.archive.make(self, *others, **options)

    def make_table(self, *seats: dict[str, str], **options: Any) -> str:
        """Create a table over HTTP, open it, and return its URL."""
        self.post("/me", {"name": self.name})
        path = self.post("/tables", {"options": {"seats": len(seats), **options}, "seats": list(seats)})["path"]
        self.go(path)
        return str(path)

    # Reading the page.

    def board(self) -> Board:
        self.page.wait_for_function(AT_REST)
        # The page draws a board row by row.
        self.page.wait_for_function(f"() => ({READ_BOARD})().length >= {len(SQUARES)}")
        return Board(self.page.evaluate(READ_BOARD))

    def hand(self) -> list[int]:
        digits = self.page.eval_on_selector_all(".hand .tile b", "all => all.map((each) => Number(each.dataset.digit))")
        return [int(digit) for digit in digits]

    def scores(self) -> list[int]:
        shown = self.page.locator(".person .score > span:last-child").all_text_contents()
        return [int("".join(char for char in text if char.isdigit())) for text in shown]

    def turn(self) -> int:
        """The number of moves in the list."""
        return self.page.locator(".sheet ol > li > button").count()

    def plays(self, variant: Variant = Variant.STANDARD) -> list[Play]:
        return plays(self.board(), self.hand(), variant)

    def wait_for_my_turn(self) -> bool:
        """Wait until it is this visitor's turn; false if the game has ended."""
        self.page.wait_for_selector("main:has(h1.mine):has(.sheet), .end", timeout=60_000)
        return self.page.locator(".end").count() == 0

    def listen(self) -> None:
        """From the next page on, keep every message for `hear`."""
        self.context.add_init_script(LISTEN)

    def hear(self, pattern: str) -> None:
        """Wait until a message has matched the pattern, whether or not it is still there."""
        self.page.wait_for_function("(pattern) => heard.some((text) => new RegExp(pattern).test(text))", arg=pattern)

    def slow_motion(self) -> None:
        """Animations take ten times as long, so that a slow machine draws some of their frames."""
        session = self.context.new_cdp_session(self.page)
        session.send("Animation.enable")
        session.send("Animation.setPlaybackRate", {"playbackRate": 0.1})

    # Acting on the page.

    def speak(self, language: str) -> None:
        """Switch the language of the page; what was said before stays in the old one."""
        base = next(FOLDER.glob("assets/base-*.js"))
        self.page.evaluate(SPEAK, [f"/assets/{base.name}", language])

    def square(self, name: object) -> Any:
        return self.page.locator(f'[data-name="{name}"]')

    def lay(self, move: Move) -> None:
        """Place a tile by tapping: the tile, again to flip it, the square, then tiles on the board to flip."""
        tile = self.page.locator(".hand button").nth(self.hand().index(move.tile.digit))
        tile.click()
        if move.tile.is_total:
            tile.click()
        self.square(move.square).click()
        for flip in move.flips:
            self.square(flip).click()

    def drag(self, move: Move) -> None:
        """Place a tile by dragging it to its square."""
        tile = self.page.locator(".hand button").nth(self.hand().index(move.tile.digit))
        start, end = tile.bounding_box(), self.square(move.square).bounding_box()
        assert start is not None
        assert end is not None
        mouse = self.page.mouse
        mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        mouse.down()
        mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
        mouse.up()
        if move.tile.is_total:
            self.square(move.square).click()
        for flip in move.flips:
            self.square(flip).click()

    def confirm(self) -> None:
        """Press Play and wait for the move in the list."""
        before = self.turn()
        self.page.locator("button.play").click()
        self.wait_for_move(before)

    def wait_for_move(self, before: int) -> None:
        """Wait until there are more moves in the list, or the game has ended."""
        self.page.wait_for_function(MOVE_MADE, arg=before)

    def check_preview(self, move: Move, variant: Variant = Variant.STANDARD) -> None:
        """The arithmetic on the board is that of the rules."""
        board = self.board()
        told = explain(board, move, variant)
        assert told.legal
        sums = [f"{' + '.join(map(str, kakuro.addends))} = {kakuro.sum}" for kakuro in told.kakuros]
        if sums:
            expect(self.page.locator(".lights .sum")).to_have_count(len(sums))
            assert sorted(self.page.locator(".lights .sum").all_text_contents()) == sorted(sums)
        else:
            expect(self.page.locator(".status")).to_contain_text("0 points")


@dataclass
class Visitors:
    """The visitors of a test."""

    browser: Browser
    url: str
    archive: Archive | None = None
    all: list[Visitor] = field(default_factory=list)

    def come(self, size: dict[str, int] = DESK, language: str = "en", name: str = "Ann", **options: Any) -> Visitor:
        pace = options.pop("pace", "quick")
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]  # the sizes are plain dictionaries
            locale=language,
            reduced_motion=options.pop("reduced_motion", "reduce"),
            # Some seconds after loading, it would fetch the whole app for each visitor.
            service_workers=options.pop("service_workers", "block"),
            **options,
        )
        # Tests of anything but the pace do not wait for the bots' moves to be shown.
        context.add_init_script(f"localStorage.getItem('{PACE}') ?? localStorage.setItem('{PACE}', '{pace}')")
        context.set_default_timeout(30_000)
        visitor = Visitor(context, context.new_page(), self.url, self.archive, name)
        self.all.append(visitor)
        return visitor

    def leave(self) -> None:
        errors = [error for visitor in self.all for error in visitor.errors]
        for visitor in self.all:
            visitor.context.close()
        assert not errors, errors


def hands_in(message: Any) -> Iterator[list[int]]:
    """Every hand anywhere in a message."""
    if isinstance(message, dict):
        for name, value in message.items():
            if name in ("hand", "hands") and value is not None:
                yield value
            else:
                yield from hands_in(value)
    elif isinstance(message, list):
        for value in message:
            yield from hands_in(value)
