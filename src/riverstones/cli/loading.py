"""Tell the user when the engine has to be compiled, which takes a while and happens once."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

from riverstones.engine import loading
from riverstones.engine.levels import has_kernel


def load(names: Iterable[str]) -> None:
    """Prepare these bots to answer at once."""
    loading.load(names, _announce)


def announced() -> AbstractContextManager[None]:
    """Announce on standard error if anything is compiled in this block."""
    return loading.noticing(_announce) if has_kernel() else nullcontext()


def _announce() -> None:
    print("Compiling the engine; this happens once.", file=sys.stderr, flush=True)
