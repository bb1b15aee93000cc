"""The compiled functions in a browser: calls into a WebAssembly module that was built from the same source.

Pyodide has neither Numba nor NumPy. There `tools/build_kernel.py` has compiled the functions beforehand, and the page
connects the module (`connect`) before the first search. Arrays lie in the module's memory, which Python cannot address:
`read` and `write` copy.

An array is a block of that memory: a header with the lengths of its dimensions, then its numbers. Compiled functions
take the address of the numbers, and numbers as floats: JavaScript has no other type that all targets share.
"""

from __future__ import annotations

from array import array as packed
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, Final, Protocol

HEADER: Final = 16
"""The size of an array's header in bytes: up to four lengths of 32 bits."""
PAGE: Final = 1 << 16
"""The unit in which the memory grows, in bytes."""

_CODES: Final = {"uint8": "B", "int32": "i", "int64": "q", "float64": "d"}
"""The type codes that the standard library has for the types of numbers."""


class View(Protocol):
    """A range of the module's memory: Pyodide's face of a JavaScript `Uint8Array`."""

    def to_bytes(self) -> bytes: ...

    def assign(self, data: Any) -> None: ...

    def fill(self, value: int) -> object: ...


class Module(Protocol):
    """The module as its host provides it: see web/src/play/local/kernel.ts."""

    heap: int
    """The address of the first free byte."""

    def function(self, name: str) -> Callable[..., float]:
        """A compiled function."""
        ...

    def size(self) -> int:
        """The size of the memory in bytes."""
        ...

    def grow(self, pages: int) -> None:
        """Add this many pages to the memory."""
        ...

    def view(self, address: int, size: int) -> View:
        """A range of the memory. It is not valid after the memory has grown."""
        ...


class _Heap:
    """Allocates blocks of the module's memory. Sizes are powers of two, so that freed blocks are used again."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._end = -(-module.heap // HEADER) * HEADER
        self._free: defaultdict[int, list[int]] = defaultdict(list)

    def allocate(self, size: int) -> int:
        size = self._rounded(size)
        if self._free[size]:
            return self._free[size].pop()
        address = self._end
        missing = address + size - self.module.size()
        if missing > 0:
            self.module.grow(-(-missing // PAGE))
        self._end += size
        return address

    def free(self, address: int, size: int) -> None:
        self._free[self._rounded(size)].append(address)

    @staticmethod
    def _rounded(size: int) -> int:
        return max(HEADER, 1 << (size - 1).bit_length())


_heap: _Heap | None = None


def connect(module: Module) -> None:
    """Use this module for all searches from now on."""
    global _heap
    _heap = _Heap(module)


def connected() -> bool:
    """Whether there is a module to call."""
    return _heap is not None


def _connected() -> _Heap:
    if _heap is None:
        raise RuntimeError("the compiled kernel is not connected")
    return _heap


class Array:
    """An array in the module's memory, which is freed with this object."""

    __slots__ = ("_code", "_heap", "_size", "address")

    def __init__(self, shape: tuple[int, ...], kind: str) -> None:
        self._heap = _connected()
        self._code = _CODES[kind]
        self._size = prod(shape) * packed(self._code).itemsize
        self.address = self._heap.allocate(HEADER + self._size) + HEADER
        """Where the numbers begin."""
        lengths = packed("I", [*shape, *(0,) * (HEADER // 4 - len(shape))])
        self._heap.module.view(self.address - HEADER, HEADER).assign(lengths.tobytes())

    def __del__(self) -> None:
        if hasattr(self, "address"):
            self._heap.free(self.address - HEADER, HEADER + self._size)

    def clear(self) -> None:
        self._heap.module.view(self.address, self._size).fill(0)

    def read(self, start: int, count: int) -> list[Any]:
        width = packed(self._code).itemsize
        data = self._heap.module.view(self.address + start * width, count * width).to_bytes()
        return packed(self._code, data).tolist()

    def write(self, start: int, values: Iterable[float]) -> None:
        data = packed(self._code, values)
        self.write_bytes(start * data.itemsize, data.tobytes())

    def write_bytes(self, offset: int, data: bytes) -> None:
        self._heap.module.view(self.address + offset, len(data)).assign(data)


# The interface of `arrays` and `jit` -------------------------------------------------------------------------------


def zeros(shape: int | tuple[int, ...], kind: str) -> Array:
    """`arrays.zeros` on this target."""
    found = Array((shape,) if isinstance(shape, int) else shape, kind)
    found.clear()
    return found


def array(values: Sequence[float], kind: str) -> Array:
    """`arrays.array` on this target."""
    found = Array((len(values),), kind)
    found.write(0, values)
    return found


def from_bytes(data: bytes, kind: str) -> Array:
    """`arrays.from_bytes` on this target."""
    found = Array((len(data) // packed(_CODES[kind]).itemsize,), kind)
    found.write_bytes(0, data)
    return found


def read(array: Array, start: int, count: int) -> list[Any]:
    """`arrays.read` on this target."""
    return array.read(start, count)


def write(array: Array, start: int, values: Iterable[float]) -> None:
    """`arrays.write` on this target."""
    array.write(start, values)


def export_name(function: Callable[..., Any]) -> str:
    """The name of a compiled function in the module: `kernel.generate`."""
    return f"{function.__module__.removeprefix('riverstones.engine.')}.{function.__name__}"


class Call:
    """Calls the module's version of a function with this signature."""

    __slots__ = ("_compiled", "_heap", "_name", "_returns")

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        self._name, self._returns = export_name(function), signature.partition("(")[0]
        self._heap: _Heap | None = None
        self._compiled: Callable[..., float] | None = None

    def __call__(self, *arguments: Any) -> Any:
        if self._compiled is None or self._heap is not _heap:
            self._heap = _connected()
            self._compiled = self._heap.module.function(self._name)
        result = self._compiled(*[each.address if isinstance(each, Array) else each for each in arguments])
        # Pyodide makes an integer of every number that happens to be whole.
        return None if self._returns == "void" else int(result) if self._returns == "int64" else float(result)
