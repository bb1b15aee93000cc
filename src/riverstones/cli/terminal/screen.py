"""The terminal itself: pages that replace each other, and lines typed under them.

On a terminal a page is drawn on the alternate screen, which keeps no history to scroll back to: once a page is gone,
the hand that was on it is gone too. In a pipe the pages simply follow each other.
"""

from __future__ import annotations

import contextlib
import sys
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.text import Text

from .drawing import Glyphs


class Screen:
    """Shows pages and reads lines."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.glyphs = Glyphs.of(console.encoding)
        self.forget()

    def __enter__(self) -> Self:
        self.console.set_alt_screen(True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self.console.set_alt_screen(False):
            self._draw_rule()

    def show(self, *parts: RenderableType) -> None:
        """Replace what is on the screen by this page."""
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.console.height)
        elif self.console.is_terminal:
            self.console.clear()
        else:
            self._draw_rule()
        for part in parts:
            self.console.print(part)

    def _draw_rule(self) -> None:
        self.console.rule(characters=self.glyphs.across)

    def ask(self, prompt: str) -> str:
        """Read one line; raises `EOFError` when there is no more."""
        try:
            return input(prompt + " ").strip()
        finally:
            if not sys.stdin.isatty():
                print()  # nobody pressed Enter, so the cursor still stands behind the prompt

    def forget(self) -> None:
        """Drop the lines typed so far, which the arrow keys would bring back for the next person to read."""
        if self.console.is_terminal and sys.stdin.isatty():
            with contextlib.suppress(ImportError):  # on Windows, where `input` edits lines by itself
                import readline

                readline.clear_history()

    def read(self, lines: list[Text], prompt: str) -> None:
        """Show a longer text, a screenful at a time."""
        room = max(self.console.height - 2, 5)
        while lines:
            page, lines = lines[:room], lines[room:]
            self.show(*page)
            self.ask(prompt)

    def wrap(self, text: Text, width: int) -> list[Text]:
        """A text in lines of this width."""
        return list(text.wrap(self.console, width))
