"""The two targets of compiled functions: this machine, by Numba, or a WebAssembly module in a browser."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

NATIVE: Final = find_spec("numba") is not None and find_spec("numpy") is not None
"""Whether Numba compiles here; it is not loaded to find out. Otherwise `wasm` has the functions, if connected."""
