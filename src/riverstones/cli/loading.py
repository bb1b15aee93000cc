"""Loading the compiled engine, and saying so where it takes its time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable

from riverstones.engine import bots

PATIENCE_S = 2.0
"""Loading takes less than this, unless the engine has to be compiled first."""


def load(names: Iterable[str]) -> None:
    """Make the bots of these names ready to answer. Compiling happens once for an installation, and is announced."""
    notice = threading.Timer(PATIENCE_S, print, ["Compiling the engine; this happens once."], {"file": sys.stderr})
    notice.daemon = True
    notice.start()
    try:
        bots.load(names)
    finally:
        notice.cancel()
