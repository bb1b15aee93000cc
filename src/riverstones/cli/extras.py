"""Commands that need an extra of the installation, and what they say without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .complaint import Complaint


@contextmanager
def needs_server(command: str) -> Iterator[None]:
    """Import the server in this block; if a package of the extra is missing, refuse the command in one sentence."""
    with _needs("needs_extra", command=command, extra="server"):
        yield


@contextmanager
def browser_needs_server() -> Iterator[None]:
    """Import the server for a game in the browser; the refusal names the game in the terminal, which needs no extra."""
    with _needs("browser_needs_extra", extra="server"):
        yield


@contextmanager
def _needs(code: str, **params: str) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        # A missing module of our own is a broken installation, which no extra repairs.
        if (error.name or "riverstones").partition(".")[0] == "riverstones":
            raise
        # Only now: the words take longer to load than all that the help needs.
        from .words import words_for

        raise Complaint(words_for(None)(code, **params)) from None
