"""Browsers of three engines behind one small interface: Chromium, Firefox and WebKit.

Playwright drives Debian's Chromium but needs its own builds of the others. Debian's Firefox speaks WebDriver BiDi and
Debian's WebKitGTK classic WebDriver. Both take the same input actions, so that all three get real mouse, touch and key
events.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser
from websockets.sync.client import ClientConnection, connect

TIMEOUT_S = 60.0
KEYS = {
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Tab": "\ue004",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
"""The WebDriver code of each named key."""

MIDDLE = """(selector, nth) => {
  const element = document.querySelectorAll(selector)[nth];
  if (!element || element.disabled) return null;
  element.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = element.getBoundingClientRect();
  return width ? [Math.round(left + width / 2), Math.round(top + height / 2)] : null;
}"""
"""The middle of an element in the window, once it can be pressed."""

KEEP_ERRORS = """() => {
  if (window.errors) return;
  window.errors = [];
  addEventListener("error", (event) => window.errors.push(event.message));
  addEventListener("unhandledrejection", (event) => window.errors.push(String(event.reason)));
  addEventListener("securitypolicyviolation", (event) => window.errors.push(`policy: ${event.blockedURI}`));
}"""

WEBKIT_COMPILERS = {"JSC_useOMGJIT": "0"}
"""Without the last compiler for WebAssembly: on Python's interpreter it spends more than a short game gains."""

Point = tuple[int, int]


class Page(ABC):
    """One page of a browser."""

    @abstractmethod
    def go(self, url: str) -> None:
        """Load a URL."""

    @abstractmethod
    def run(self, function: str, *values: Any) -> Any:
        """The JSON result of a JavaScript function."""

    @abstractmethod
    def click(self, at: Point) -> None:
        """Click with the mouse."""

    @abstractmethod
    def tap(self, at: Point) -> None:
        """Tap with a finger."""

    @abstractmethod
    def key(self, *names: str) -> None:
        """Press keys, one after the other."""

    @abstractmethod
    def picture(self) -> bytes:
        """A screenshot as PNG."""

    def keep_errors(self) -> None:
        """Collect the errors of this document: from its start in Chromium and Firefox, in WebKit from now on."""
        self.run(KEEP_ERRORS)

    def errors(self) -> list[str]:
        """The errors of this document since `keep_errors`."""
        return list(self.run("() => window.errors ?? ['errors are not kept in this document']"))

    def wait(self, function: str, *values: Any) -> Any:
        """Wait until a JavaScript function returns a true value, and return it."""
        end = time.monotonic() + TIMEOUT_S
        while not (found := self.run(function, *values)):
            assert time.monotonic() < end, f"still not true: {function} {values}"
            time.sleep(0.05)
        return found

    def see(self, selector: str) -> None:
        """Wait until there is an element."""
        self.wait("(selector) => document.querySelector(selector) !== null", selector)

    def press(self, selector: str, nth: int = 0, *, finger: bool = False) -> None:
        """Click or tap an element as soon as it can be and has stopped moving."""
        middle = None
        while middle != (middle := self.wait(MIDDLE, selector, nth)):  # ended by pytest's timeout
            time.sleep(0.1)
        x, y = middle
        (self.tap if finger else self.click)((x, y))


class ChromiumPage(Page):
    """A page of Chromium, by Playwright."""

    def __init__(self, browser: Browser, width: int, height: int) -> None:
        self._context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        self._context.add_init_script(f"({KEEP_ERRORS})()")
        self._page = self._context.new_page()

    def go(self, url: str) -> None:
        self._page.goto(url)

    def run(self, function: str, *values: Any) -> Any:
        return self._page.evaluate(f"(values) => ({function})(...values)", list(values))

    def click(self, at: Point) -> None:
        self._page.mouse.click(*at)

    def tap(self, at: Point) -> None:
        self._page.touchscreen.tap(*at)

    def key(self, *names: str) -> None:
        for name in names:
            self._page.keyboard.press(name)

    def picture(self) -> bytes:
        return self._page.screenshot()

    def close(self) -> None:
        self._context.close()


def _pointer(kind: str, at: Point) -> list[dict[str, Any]]:
    """The input actions that press and release a pointer."""
    x, y = at
    steps = [
        {"type": "pointerMove", "x": x, "y": y},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps}]


def _keys(names: Sequence[str]) -> list[dict[str, Any]]:
    """The input actions that press keys, one after the other."""
    codes = [KEYS.get(name, name) for name in names]
    steps = [{"type": kind, "value": code} for code in codes for kind in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keyboard", "actions": steps}]


class WebDriverPage(Page):
    """A page that takes WebDriver's input actions."""

    @abstractmethod
    def perform(self, actions: list[dict[str, Any]]) -> None:
        """Perform input actions."""

    def click(self, at: Point) -> None:
        self.perform(_pointer("mouse", at))

    def tap(self, at: Point) -> None:
        self.perform(_pointer("touch", at))

    def key(self, *names: str) -> None:
        self.perform(_keys(names))


class FirefoxPage(WebDriverPage):
    """A page of Firefox, by WebDriver BiDi."""

    def __init__(self, socket: ClientConnection, width: int, height: int) -> None:
        self._socket = socket
        self._number = 0
        self._call("session.new", capabilities={})
        self._call("script.addPreloadScript", functionDeclaration=KEEP_ERRORS)
        self._page = self._call("browsingContext.create", type="tab")["context"]
        self._call("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def _call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while (answer := json.loads(self._socket.recv(TIMEOUT_S))).get("id") != self._number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def go(self, url: str) -> None:
        self._call("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def run(self, function: str, *values: Any) -> Any:
        answer = self._call(
            "script.evaluate",
            target={"context": self._page},
            awaitPromise=True,
            expression=f"(async () => JSON.stringify((await ({function})(...{json.dumps(values)})) ?? null))()",
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self._call("input.performActions", context=self._page, actions=actions)

    def picture(self) -> bytes:
        return b64decode(self._call("browsingContext.captureScreenshot", context=self._page)["data"])


class WebKitPage(WebDriverPage):
    """A page of WebKitGTK's MiniBrowser, by classic WebDriver."""

    def __init__(self, driver: httpx.Client, browser: str, width: int, height: int) -> None:
        self._driver = driver
        options = {"webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}
        session = self._post("/session", capabilities={"alwaysMatch": options})
        self._session = f"/session/{session['sessionId']}"
        self._post(f"{self._session}/timeouts", script=int(TIMEOUT_S * 1000), pageLoad=int(TIMEOUT_S * 1000))
        self._post(f"{self._session}/window/rect", width=width, height=height)

    def _post(self, path: str, **body: Any) -> Any:
        return _value(self._driver.post(path, json=body))

    def go(self, url: str) -> None:
        self._post(f"{self._session}/url", url=url)

    def run(self, function: str, *values: Any) -> Any:
        call = f"(async () => JSON.stringify((await ({function})(...{json.dumps(values)})) ?? null))()"
        script = f"const done = arguments[0]; {call}.then(done)"
        return json.loads(self._post(f"{self._session}/execute/async", script=script, args=[]))

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self._post(f"{self._session}/actions", actions=actions)

    def picture(self) -> bytes:
        return b64decode(_value(self._driver.get(f"{self._session}/screenshot")))

    def close(self) -> None:
        self._driver.delete(self._session)


def _value(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()["value"]


@contextmanager
def _process(command: list[str], log: Path, **environment: str) -> Iterator[None]:
    """A process that writes to a log file and is stopped at the end."""
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=output, stderr=output)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _logged(log: Path, pattern: str) -> str:
    """Wait until a pattern is found in a log file, and return its first group."""
    end = time.monotonic() + TIMEOUT_S
    while (match := re.search(pattern, log.read_text(encoding="utf-8", errors="replace"))) is None:
        assert time.monotonic() < end, log.read_text(encoding="utf-8", errors="replace")
        time.sleep(0.05)
    return match[1]


@contextmanager
def firefox(width: int, height: int) -> Iterator[Page]:
    """A page of a new Firefox with an empty profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "log"
        command = [installed("firefox-esr"), "--headless", "--no-remote", "--profile", folder]
        with _process([*command, "--remote-debugging-port=0"], log, HOME=folder):
            address = _logged(log, r"BiDi listening on (\S+)\n")
            with connect(f"{address}/session", max_size=None) as connection:
                yield FirefoxPage(connection, width, height)


@contextmanager
def webkit(width: int, height: int, *, compositing: bool) -> Iterator[Page]:
    """A page of a new MiniBrowser on a virtual screen, with accelerated compositing or without."""
    browser = str(next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser")))
    port = _free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, _screen() as screen:
        environment = {"DISPLAY": screen, "HOME": folder, "LIBGL_ALWAYS_SOFTWARE": "1", **WEBKIT_COMPILERS}
        if not compositing:
            environment["WEBKIT_DISABLE_COMPOSITING_MODE"] = "1"
        command = [installed("WebKitWebDriver"), f"--port={port}"]
        transport = httpx.HTTPTransport(retries=6)
        with (
            _process(command, Path(folder) / "log", **environment),
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT_S + 5, transport=transport) as driver,
        ):
            page = WebKitPage(driver, browser, width, height)
            try:
                yield page
            finally:
                with suppress(httpx.TimeoutException):
                    page.close()


@contextmanager
def _screen() -> Iterator[str]:
    """A virtual screen; the result is its name for DISPLAY."""
    read, write = os.pipe()
    command = [installed("Xvfb"), "-displayfd", str(write), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            yield f":{numbers.readline().strip()}"
    finally:
        process.terminate()
        process.wait(20)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def installed(command: str) -> str:
    """The path of a browser's command."""
    path = shutil.which(command)
    assert path is not None, f"{command} is not installed"
    return path
