"""Arrays in the memory of a WebAssembly module, and the engine on a Python without NumPy and Numba."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from riverstones.engine import wasm
from riverstones.engine.levels import has_kernel


class View:
    """A range of memory, with the methods that Pyodide gives a `Uint8Array`."""

    def __init__(self, memory: memoryview) -> None:
        self._memory = memory

    def to_bytes(self) -> bytes:
        return bytes(self._memory)

    def assign(self, data: bytes) -> None:
        self._memory[:] = data

    def fill(self, value: int) -> None:
        self._memory[:] = bytes([value]) * len(self._memory)


class Module:
    """A module of one page with a function that adds up the numbers of an array."""

    heap = 1001

    def __init__(self) -> None:
        self.memory = bytearray(b"\xff" * wasm.PAGE)

    def function(self, name: str) -> Callable[..., float]:
        assert name == f"{__name__}.total"
        return self.total

    def total(self, address: int, factor: float) -> float:
        length = int.from_bytes(self.memory[address - wasm.HEADER :][:4], "little")
        return factor * sum(memoryview(self.memory)[address : address + 4 * length].cast("i"))

    def size(self) -> int:
        return len(self.memory)

    def grow(self, pages: int) -> None:
        self.memory = self.memory + b"\xff" * pages * wasm.PAGE

    def view(self, address: int, size: int) -> View:
        assert 0 <= address <= address + size <= len(self.memory)
        return View(memoryview(self.memory)[address : address + size])


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Module:
    monkeypatch.setattr(wasm, "_heap", None)
    module = Module()
    wasm.connect(module)
    return module


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("uint8", [0, 255, 7]),
        ("int32", [-(1 << 31), 5, (1 << 31) - 1]),
        ("int64", [-(1 << 40), 5, 1 << 40]),
        ("float64", [0.1, -1e300, 0.0]),
    ],
)
def test_numbers_are_read_as_they_were_written(module: Module, kind: str, values: list[float]) -> None:
    array = wasm.array(values, kind)
    assert wasm.read(array, 0, 3) == values
    wasm.write(array, 1, values[:1])
    assert wasm.read(array, 0, 3) == [values[0], values[0], values[2]]
    assert wasm.read(wasm.zeros((2, 3), kind), 0, 6) == [0] * 6


def test_arrays_lie_apart_with_their_lengths_before_them(module: Module) -> None:
    arrays = [wasm.zeros((length, 3), "int32") for length in range(5)]
    for length, array in enumerate(arrays):
        header = memoryview(module.memory)[array.address - wasm.HEADER : array.address].cast("I")
        assert header.tolist() == [length, 3, 0, 0]
        assert array.address % wasm.HEADER == 0
        wasm.write(array, 0, [length + 1] * 3 * length)
    assert [set(wasm.read(array, 0, 3 * length)) for length, array in enumerate(arrays)] == [
        {length + 1} if length else set() for length in range(5)
    ]
    assert arrays[0].address >= Module.heap + wasm.HEADER


def test_memory_grows_and_is_used_again(module: Module) -> None:
    kept = wasm.array([1.5], "float64")
    for _ in range(10):
        large = wasm.zeros(3 * wasm.PAGE, "uint8")
        assert wasm.read(large, 0, 5) == [0] * 5
        wasm.write(large, 0, [9] * 5)
        del large
    assert module.size() <= 5 * wasm.PAGE
    assert wasm.read(kept, 0, 1) == [1.5]


def test_memory_is_used_again_for_other_lengths(module: Module) -> None:
    for length in range(3000):
        wasm.zeros(length, "float64")
    assert module.size() <= 2 * wasm.PAGE


@pytest.mark.parametrize(("signature", "expected"), [("int64", 18), ("float64", 18.0), ("void", None)])
def test_a_call_passes_addresses_and_returns_what_its_signature_says(
    module: Module, signature: str, expected: float | None
) -> None:
    def total(values: object, factor: float) -> None: ...

    total.__module__ = __name__
    found = wasm.Call(total, f"{signature}(int32[::1], float64)")(wasm.array([1, 3, 5], "int32"), 2.0)
    assert found == expected
    assert type(found) is type(expected)


def test_without_a_module_there_is_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm, "_heap", None)
    monkeypatch.setattr("riverstones.engine.levels.NATIVE", False)
    assert not has_kernel()
    with pytest.raises(RuntimeError, match="not connected"):
        wasm.zeros(1, "int32")
    wasm.connect(Module())
    assert has_kernel()


WITHOUT_NUMPY = """
import sys
for name in ("numpy", "numba", "llvmlite"):
    sys.modules[name] = None
from riverstones.engine import choose, inference, iterative, simulation
from riverstones.engine.endgame import driver
from riverstones.engine import bots
from riverstones.rules import COPIES, DIGITS, Deal, Game, Setup, view
game = Game.begin(Setup(), Deal(tuple(DIGITS) * COPIES))
for name in bots.offered():
    game = game.play(bots.make(name)(view(game, game.to_move)))
print(*bots.offered())
"""


def test_the_engine_runs_without_numpy() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("drop pebble spring brook stream river\n", "")
