"""Play without a server, measured in Chromium: downloads, the time to the first tile, and how long `ocean` thinks.

The files of the built app are served as they are, with no server behind them. For each number of seats one person
plays a whole game against `ocean`, always the move with the most points. The phone profile slows the page's main thread
four times; Chromium cannot slow workers, so the thinking times of that profile are those of the desk times four.
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from riverstones.engine.benchmark import machine
from riverstones.server.http.static_files import FOLDER
from tests.web.conftest import FLAGS, HEADLESS_CHROMIUM
from tests.web.static_site import served
from tests.web.visitors import Visitor, Visitors

SLOWDOWN = 4
"""How much slower a phone is than a desk."""
READY_MS = 300_000
LONG_TASKS = """
window.longest = 0; // Tasks of at most 50 ms are not told.
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
}).observe({ type: 'longtask' });
"""
THOUGHT = "performance.getEntriesByName('thought').map(({ duration }) => duration)"


def come(browser: Browser, site: str, slowdown: int) -> Visitor:
    visitor = Visitors(browser, site).come()
    visitor.context.add_init_script("localStorage.setItem('riverstones.offline', 'yes')")
    visitor.context.add_init_script(LONG_TASKS)
    visitor.context.new_cdp_session(visitor.page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    return visitor


def start(visitor: Visitor, opponents: int) -> float:
    """Begin a game; returns the seconds from the click to the first tile."""
    visitor.go("/")
    visitor.page.get_by_role("radio", name=re.compile("Ocean")).check(force=True)
    visitor.page.get_by_role("radio", name=str(opponents), exact=True).check(force=True)
    began = time.perf_counter()
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.page.wait_for_selector("main:has(h1.mine):has(.sheet), .end", timeout=READY_MS)
    return time.perf_counter() - began


def memory_mb(visitor: Visitor) -> float:
    """The resident memory of the largest renderer."""
    browser: Any = visitor.context.browser
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = (Path(f"/proc/{each['id']}/statm") for each in processes if each["type"] == "renderer")
    return max(int(size.read_text().split()[1]) for size in sizes) * resource.getpagesize() / 1e6


def play(visitor: Visitor, most: int) -> list[float]:
    """Play a game to its end, or for so many moves; returns the milliseconds that each move of a bot took."""
    moves = 0
    while visitor.wait_for_my_turn() and moves < most:
        visitor.lay(visitor.plays()[0].move)
        visitor.confirm()
        moves += 1
    return [ms for worker in visitor.page.workers for ms in worker.evaluate(THOUGHT)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--moves", type=int, default=100, help="stop each game after so many moves of the person")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 3, 4], help="play games with so many seats")
    parser.add_argument("--starts", type=int, default=4, help="how often a game is begun on each profile")
    options = parser.parse_args()
    print(machine())
    for path in sorted(FOLDER.glob("assets/python-*/*")):
        if path.suffix != ".br":
            small = path.with_name(f"{path.name}.br")
            sent = small.stat().st_size if small.is_file() else path.stat().st_size
            print(f"{path.name:20} {path.stat().st_size / 1e6:6.2f} MB, compressed {sent / 1e6:5.2f} MB")
    with sync_playwright() as playwright, served(FOLDER) as site:
        browser = playwright.chromium.launch(executable_path=HEADLESS_CHROMIUM, args=FLAGS)
        for name, slowdown in (("desk", 1), ("phone", SLOWDOWN)) if options.starts else ():
            visitor = come(browser, site, slowdown)
            times, longest = [], []
            for _ in range(options.starts):
                times.append(start(visitor, 1))
                longest.append(visitor.page.evaluate("longest"))
            print(
                f"{name}: first tile after {times[0]:.1f} s cold, {statistics.median(times[1:] or times):.1f} s warm; "
                f"longest task of the main thread from the home page on {statistics.median(longest):.0f} ms, at most "
                f"{max(longest):.0f}; {memory_mb(visitor):.0f} MB"
            )
            visitor.context.close()
        for seats in options.seats:
            visitor = come(browser, site, 1)
            start(visitor, seats - 1)
            thought = sorted(play(visitor, options.moves))
            print(
                f"{seats} seats: {len(thought)} moves of ocean, median {statistics.median(thought):.0f} ms, "
                f"longest {thought[-1]:.0f} ms (phone: {SLOWDOWN * statistics.median(thought):.0f} and "
                f"{SLOWDOWN * thought[-1]:.0f}); longest task {visitor.page.evaluate('longest'):.0f} ms; "
                f"{memory_mb(visitor):.0f} MB"
            )
            visitor.context.close()
        browser.close()


if __name__ == "__main__":
    main()
