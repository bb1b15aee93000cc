"""Take the screenshots of the README and the docs with a real server, browser and game: `make screenshots`.

The deal is always the same, so the pictures change only when the game's looks do.
"""

from __future__ import annotations

import io
import itertools
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from riverstones.rules import Move, Play
from tests.server.running import running, settings_for
from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.visitors import DESK, PHONE, Visitor, Visitors

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
FILM_WIDTH = 1100
FRAME_MS = 60
SLOWLY = 0.2
"""The speed of the browser's animations for the film, so that there is time to capture each frame."""


def keep(name: str, shot: bytes, width: int) -> None:
    """Save a picture at a size for a page, in full colour: a palette would cause banding in the mist."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    image.save(PICTURES / f"{name}.webp", quality=90, method=6)
    print(f"{name}.webp")


def played(visitor: Visitor, turns: int) -> None:
    """Play some turns, always the best play."""
    for _ in range(turns):
        visitor.wait_for_my_turn()
        visitor.lay(central(visitor.plays()))
        visitor.confirm()
    visitor.wait_for_my_turn()


def central(plays: list[Play]) -> Move:
    """The best play; of several with the same points, the one nearest to the centre."""
    return min(
        plays, key=lambda play: (-play.points, abs(play.move.square.row - 4) + abs(play.move.square.column - 4))
    ).move


def telling(plays: list[Play]) -> Move:
    """A play that shows a lot: several Kakuros, a flip, many points."""
    return max(plays, key=lambda play: (len(play.kakuros), len(play.move.flips), play.points)).move


def first_page(visitors: Visitors) -> None:
    """The first page in the light theme."""
    visitor = visitors.come(DESK, color_scheme="light")
    visitor.go("/")
    visitor.page.evaluate("document.fonts.ready")
    visitor.page.reload()  # a font that arrives late is used from the next visit on
    visitor.page.wait_for_timeout(600)
    keep("first-page", visitor.page.screenshot(), 1200)


def phone(visitors: Visitors) -> None:
    """A phone in the dark theme."""
    visitor = visitors.come(PHONE, color_scheme="dark", device_scale_factor=2)
    visitor.make_table({"who": "me"}, {"who": "bot", "level": "stream"})
    played(visitor, 8)
    while not visitor.plays()[0].points:
        played(visitor, 1)
    visitor.lay(telling(visitor.plays()))
    visitor.page.wait_for_timeout(900)
    keep("phone", visitor.page.screenshot(), 390)


def end(visitors: Visitors) -> None:
    """The end of a game."""
    visitor = visitors.come(DESK, color_scheme="light")
    visitor.make_table({"who": "me"}, {"who": "bot", "level": "stream"})
    while visitor.wait_for_my_turn():
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
    visitor.page.wait_for_selector(".end thead")
    visitor.page.wait_for_timeout(2_500)
    keep("end", visitor.page.screenshot(), 1200)


def film(visitors: Visitors) -> None:
    """Two moves and the reply between them: a tile is placed, its sum flies to the pawn; then one with a flip."""
    visitor = visitors.come(DESK, color_scheme="light", reduced_motion="no-preference")
    visitor.make_table({"who": "me"}, {"who": "bot", "level": "stream"})
    played(visitor, 9)
    while not visitor.plays()[0].points:
        played(visitor, 1)
    visitor.page.mouse.move(0, 0)
    visitor.page.wait_for_timeout(2_500)
    visitor.context.new_cdp_session(visitor.page).send("Animation.setPlaybackRate", {"playbackRate": SLOWLY})
    frames: list[Image.Image] = []
    durations: list[int] = []

    def shoot(count: int, hold_ms: int = FRAME_MS) -> None:
        durations.extend([FRAME_MS] * (count - 1) + [hold_ms])
        for _ in range(count):
            image = Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB")
            height = round(image.height * FILM_WIDTH / image.width)
            frames.append(image.resize((FILM_WIDTH, height), Image.Resampling.LANCZOS))

    def perform(move: Move) -> None:
        tile = visitor.page.locator(".hand button").nth(visitor.hand().index(move.tile.digit))
        tile.click()
        shoot(6, 400)
        if move.tile.is_total:
            tile.click()
            shoot(8, 400)
        visitor.square(move.square).click()
        shoot(9, 900)
        for flip in move.flips:
            visitor.square(flip).click()
            shoot(14, 1_200)
        visitor.page.locator("button.play").click()
        shoot(44, 600)

    shoot(2, 900)
    perform(visitor.plays()[0].move)
    while not visitor.page.locator("h1.mine").count():
        shoot(1)
    shoot(24, 900)
    perform(max(visitor.plays(), key=lambda play: (bool(play.move.flips), play.points)).move)
    frames[0].save(
        PICTURES / "play.webp",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        quality=84,
        method=4,
        minimize_size=True,
    )
    print(f"play.webp, {len(frames)} frames")


def take(browser: Browser, *pictures: Callable[[Visitors], None], bot_pace_ms: int) -> None:
    """Start a server and open a new browser context for each picture."""
    numbers = itertools.count()
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_for(
            Path(folder),
            entropy=lambda: sha256(str(next(numbers)).encode()).digest(),
            bot_pace_ms=bot_pace_ms,
        )
        with running(settings) as server:
            visitors = Visitors(browser, server.url)
            for picture in pictures:
                picture(visitors)
            visitors.leave()


def main() -> None:
    """Take every picture. In the film the bot moves slowly, so that the whole of a move can be seen."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        take(browser, first_page, phone, end, bot_pace_ms=50)
        take(browser, film, bot_pace_ms=4_000)
        browser.close()


if __name__ == "__main__":
    main()
