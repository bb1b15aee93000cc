"""The WebAssembly kernel is built from the source, calls nothing outside it, and equals the native one bit for bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.programs import program
from tools import build_kernel

pytest.importorskip("numba", reason="Numba is not installed")

from .node import ROOT, run
from .recording import Recorder, record_games

PYTHON = (3, 11)
"""The version of Python that the module is built with: Numba compiles its bytecode."""


def replayed_in_node(steps: list[list[Any]], folder: Path) -> Any:
    """What `replay` finds in Node."""
    recording = folder / "recording.json"
    recording.write_text(json.dumps(steps), encoding="utf-8")
    return run("replay_in_node.mjs", build_kernel.OUTPUT, recording)


@pytest.mark.slow
def test_thousands_of_positions_give_the_same_bits_as_natively(tmp_path: Path) -> None:
    recorder = Recorder()
    record_games(recorder, seed=1, positions=3000)
    assert {*recorder.calls, "memory", "__heap_base"} == set(build_kernel.exports(build_kernel.OUTPUT.read_bytes()))
    assert min(recorder.calls.values()) > 40
    found = replayed_in_node(recorder.steps, tmp_path)
    assert found["differences"] == []
    assert found["compared"] == recorder.calls.total()


def test_a_difference_of_one_bit_is_found(tmp_path: Path) -> None:
    recorder = Recorder()
    record_games(recorder, seed=2, positions=1)
    assert replayed_in_node(recorder.steps, tmp_path)["differences"] == []
    calls = [step for step in recorder.steps if step[0] == "call" and step[1] == "lookahead.expected_value"]
    calls[0][4][-1] ^= 1
    calls[1][3] += 1e-12
    found = replayed_in_node(recorder.steps, tmp_path)["differences"]
    assert [each["name"] for each in found] == ["lookahead.expected_value"] * 2


def test_the_module_imports_nothing() -> None:
    module = build_kernel.OUTPUT.read_bytes()
    assert build_kernel.section(module, build_kernel.IMPORTS) == b""
    build_kernel.check(module)
    # The same with a section of imports: one function, `a` of module `m`.
    imports = b"\x01\x01m\x01a\x00\x00"
    with pytest.raises(SystemExit):
        build_kernel.check(module[:8] + bytes([build_kernel.IMPORTS, len(imports)]) + imports + module[8:])


@pytest.mark.long
@pytest.mark.slow
def test_the_module_is_what_the_source_gives(tmp_path: Path) -> None:
    program("wasm-ld")
    if sys.version_info[:2] != PYTHON and "CI" not in os.environ:
        pytest.skip(f"the module is built with Python {'.'.join(map(str, PYTHON))}")
    built = tmp_path / "kernel.wasm"
    subprocess.run([sys.executable, "-m", "tools.build_kernel", "--output", built], cwd=ROOT, check=True)
    assert built.read_bytes() == build_kernel.OUTPUT.read_bytes(), "run `make wasm`"
