"""Take the README's pictures with a real server, browser and game: `make screenshots`.

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
FILM_SIZE = {"width": 390, "height": 730}
FRAME_MS = 60
SLOWLY = 0.2
"""The speed of the browser's animations for the film, so that there is time to capture each frame."""


def keep(name: str, shot: bytes, width: int) -> None:
    """Save a picture at a size for the README, in full colour: a palette would cause banding in the mist."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    image.save(PICTURES / f"{name}.webp", quality=90, method=6)
    print(f"{name}.webp")


def played(visitor: Visitor, turns: int) -> None:
    """Play some turns, always the best play."""
    for _ in range(turns):
        visitor.wait_for_my_turn()
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
    visitor.wait_for_my_turn()


def telling(plays: list[Play]) -> Move:
    """A play that shows a lot: several Kakuros, a flip, many points."""
    return max(plays, key=lambda play: (len(play.kakuros), len(play.move.flips), play.points)).move


def first_page(visitors: Visitors) -> None:
    """The first page in the light theme."""
    visitor = visitors.come(DESK, color_scheme="light")
    visitor.go("/")
    visitor.page.wait_for_timeout(600)
    keep("first-page", visitor.page.screenshot(), 1200)


def table(visitors: Visitors) -> None:
    """A table of four, with a move being previewed."""
    visitor = visitors.come(DESK, color_scheme="light")
    visitor.make_table({"who": "me"}, *[{"who": "bot", "level": level} for level in ("brook", "stream", "river")])
    played(visitor, 6)
    visitor.lay(telling(visitor.plays()))
    visitor.page.wait_for_timeout(900)
    keep("table", visitor.page.screenshot(), 1200)


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
    """One move, from the hand to the pawn."""
    visitor = visitors.come(FILM_SIZE, color_scheme="light", reduced_motion="no-preference")
    visitor.make_table({"who": "me"}, {"who": "bot", "level": "stream"})
    played(visitor, 4)
    while not any(play.move.flips for play in visitor.plays()):
        played(visitor, 1)
    visitor.page.wait_for_timeout(2_500)
    move = next(play.move for play in visitor.plays() if play.move.flips)
    visitor.context.new_cdp_session(visitor.page).send("Animation.setPlaybackRate", {"playbackRate": SLOWLY})
    frames: list[Image.Image] = []

    def shoot(count: int) -> None:
        for _ in range(count):
            frames.append(Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB"))

    shoot(4)
    tile = visitor.page.locator(".hand button").nth(visitor.hand().index(move.tile.digit))
    tile.click()
    shoot(6)
    if move.tile.is_total:
        tile.click()
        shoot(8)
    visitor.square(move.square).click()
    shoot(9)
    for flip in move.flips:
        visitor.square(flip).click()
        shoot(14)
    visitor.page.locator("button.play").click()
    shoot(52)
    palette = frames[-46].quantize(96)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    small[0].save(
        PICTURES / "move.gif", save_all=True, append_images=small[1:], duration=FRAME_MS, loop=0, optimize=True
    )
    print("move.gif")


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
        take(browser, first_page, table, phone, end, bot_pace_ms=50)
        take(browser, film, bot_pace_ms=4_000)
        browser.close()


if __name__ == "__main__":
    main()
