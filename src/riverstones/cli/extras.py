"""Commands that need an optional extra, and their error message without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .complaint import Complaint


@contextmanager
def needs_server(command: str) -> Iterator[None]:
    """Import the server in this block; if a package of the extra is missing, raise a one-sentence error."""
    with _needs("needs_extra", command=command, extra="server"):
        yield


@contextmanager
def needs_cluster(command: str) -> Iterator[None]:
    """The same for workers on other machines."""
    with _needs("needs_extra", command=command, extra="cluster"):
        yield


@contextmanager
def browser_needs_server() -> Iterator[None]:
    """The same for a game in the browser; the error also mentions the terminal game, which needs no extra."""
    with _needs("browser_needs_extra", extra="server"):
        yield


@contextmanager
def _needs(code: str, **params: str) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        # A missing module of our own means a broken installation, which no extra repairs.
        if (error.name or "riverstones").partition(".")[0] == "riverstones":
            raise
        # Imported late: the catalogues take longer to load than everything that `--help` needs.
        from .words import words_for

        raise Complaint(words_for(None)(code, **params)) from None
