"""What an environment says if the project whose interface it has is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Import other projects in this block; if one is missing, the error names the extra in one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        # A missing module of our own means a broken installation, which no extra repairs.
        if (error.name or "riverstones").partition(".")[0] == "riverstones":
            raise
        sentence = f'{what} needs the extra “{extra}”: pip install "riverstones[{extra}]".'
        raise ModuleNotFoundError(sentence, name=error.name) from None
