"""The terminal itself: pages that replace each other, and lines typed under them.

On a terminal a page is drawn on the alternate screen, which has no scrollback: once a page is replaced, the hand that
was on it cannot be seen again. In a pipe the pages simply follow each other.
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
        """Replace the screen's contents by this page."""
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
        """Read one line; raises `EOFError` at the end of the input."""
        try:
            return input(prompt + " ").strip()
        finally:
            if not sys.stdin.isatty():
                print()  # without Enter the cursor is still behind the prompt

    def forget(self) -> None:
        """Clear the input history, which the arrow keys would show to the next player."""
        if self.console.is_terminal and sys.stdin.isatty():
            with contextlib.suppress(ImportError):  # on Windows, where `input` has its own line editing
                import readline

                readline.clear_history()

    def read(self, lines: list[Text], prompt: str) -> None:
        """Show a longer text, one screen at a time."""
        room = max(self.console.height - 2, 5)
        while lines:
            page, lines = lines[:room], lines[room:]
            self.show(*page)
            self.ask(prompt)

    def wrap(self, text: Text, width: int) -> list[Text]:
        """The text wrapped to this width."""
        return list(text.wrap(self.console, width))
