"""Saying so when the engine has to be compiled, which takes its time and happens once."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

from riverstones.engine import loading
from riverstones.engine.levels import has_kernel


def load(names: Iterable[str]) -> None:
    """Make the bots of these names ready to answer."""
    loading.load(names, _announce)


def announced() -> AbstractContextManager[None]:
    """What is done in this block may compile something."""
    return loading.noticing(_announce) if has_kernel() else nullcontext()


def _announce() -> None:
    print("Compiling the engine; this happens once.", file=sys.stderr, flush=True)
