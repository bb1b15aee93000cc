"""Load the compiled parts of the engine, and report when they have to be compiled first.

Compilation happens once per installation: Numba caches the compiled code on disk for the next process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from riverstones.rules import COPIES, DIGITS, Deal, Game, Setup, view

from . import bots
from .levels import SEARCHING, has_kernel
from .targets import NATIVE


def load(names: Iterable[str], compiling: Callable[[], None] = lambda: None) -> None:
    """Prepare these bots to answer at once. `compiling` is called once if anything has to be compiled."""
    searching = [name for name in names if name in SEARCHING and SEARCHING[name].stages]
    if searching and has_kernel():
        opening = view(Game.begin(Setup(), Deal(tuple(DIGITS) * COPIES)), 0)
        with noticing(compiling):
            bots.make(searching[0], nodes=1)(opening)


@contextmanager
def noticing(compiling: Callable[[], None]) -> Iterator[None]:
    """Call `compiling` once if anything is compiled in the block. This loads Numba, if it is what compiles here."""
    if not NATIVE:
        yield
        return
    from numba.core import event

    class Notice(event.Listener):
        """Notified of every function that is compiled; reports the first."""

        told = False

        def on_start(self, event: event.Event) -> None:
            if not self.told:
                self.told = True
                compiling()

        def on_end(self, event: event.Event) -> None:
            pass

    with event.install_listener("numba:compile", Notice()):
        yield
