"""Arrays of numbers for compiled functions: NumPy's where Numba compiles, else in the memory of the WebAssembly module.

Compiled code uses arrays as NumPy has them. The Python around it uses only these functions, so that it runs on both
targets; they address the numbers of an array in C order, whatever its shape.

Types of numbers are called `uint8`, `int32`, `int64` and `float64`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .targets import NATIVE

__all__ = ["Bytes", "Floats", "Int32s", "Integers", "array", "constant", "from_bytes", "read", "write", "zeros"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Int32s = NDArray[np.int32]
    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]
else:
    Bytes = Int32s = Integers = Floats = Any

if TYPE_CHECKING or NATIVE:
    import numpy as np

    def zeros(shape: int | tuple[int, ...], kind: str) -> Any:
        """An array of this shape, filled with 0."""
        return np.zeros(shape, kind)

    def array(values: Sequence[float], kind: str) -> Any:
        """A one-dimensional array of these values."""
        return np.array(values, kind)

    def from_bytes(data: bytes, kind: str) -> Any:
        """A one-dimensional array of the numbers that these bytes are, least significant byte first."""
        return np.frombuffer(data, kind).copy()

    def constant(values: Sequence[float], kind: str) -> Any:
        """An array that compiled code contains."""
        return np.array(values, kind)

    def read(array: Any, start: int, count: int) -> list[Any]:
        """Numbers of an array, as Python's."""
        found: list[Any] = array.reshape(-1)[start : start + count].tolist()
        return found

    def write(array: Any, start: int, values: Sequence[float]) -> None:
        """Replace numbers of an array."""
        array.reshape(-1)[start : start + len(values)] = values

else:
    from .wasm import array, from_bytes, read, write, zeros

    def constant(values: Sequence[float], kind: str) -> Any:
        """Nothing: the WebAssembly module has the array already."""
