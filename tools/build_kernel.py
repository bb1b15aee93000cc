"""Compile the engine's functions to one WebAssembly module, for bots that play in a browser.

    python -m tools.build_kernel [--output FILE]

Numba lowers each function to LLVM's intermediate representation for this machine, without optimizing it. Here that
representation is given the target wasm32, optimized for it, and linked by `wasm-ld` (Debian: lld). The functions and
their signatures are those that Numba compiles natively: the native kernel and the module come from the same source.

The module is committed, so that nobody needs a linker to play. A test builds it again and demands the same bytes, so
the output must depend on nothing but the source and the pinned versions of Numba and llvmlite.

What is exported
----------------
Every function with a signature in `MODULES`, under its name and its module's: `kernel.generate`. The exports take and
return what JavaScript has: numbers (as float64; integers stay below 2**53) and, for an array, the address of its first
number. The lengths of its dimensions are in front of that: see `riverstones.engine.wasm`. A function that would raise
an exception ends in a trap.

What is not in it
-----------------
The module imports nothing, so it can call neither Python nor Numba's runtime: an undefined symbol is an error of the
linker, and `check` demands an empty list of imports. Compiled functions count the references to an array whose memory
Numba's runtime owns. Here it owns none, so the functions that count do nothing and are removed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from riverstones.engine.wasm import HEADER, export_name

OUTPUT: Final = Path(__file__).parents[1] / "web" / "src" / "play" / "local" / "kernel.wasm"

MODULES: Final = (
    "kernel",
    "lookahead",
    "softmax",
    "win_probability",
    "simulation",
    "endgame.two_seats",
    "endgame.last_round",
)
"""The modules of the engine whose functions `ocean` calls."""

SETTINGS: Final = {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""Numba's: no optimization, and nothing that only this machine's processor has."""

TRIPLE: Final = "wasm32-unknown-unknown"
LAYOUT: Final = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
FEATURES: Final = "+simd128,+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""What every browser has that Pyodide runs in."""
STACK_SIZE: Final = 1 << 16

COUNTERS: Final = ("NRT_incref", "NRT_decref")
"""The functions of Numba's runtime that count references."""

INTEGERS: Final = {"int64": "i64", "bool": "i8"}
"""How Numba passes integers and truth values."""


def main() -> None:
    """Build the module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    if not SETTINGS.items() <= os.environ.items():
        # Numba reads its settings when it is imported, and it keeps compiled code: it must not find that of others, nor
        # leave any.
        with tempfile.TemporaryDirectory() as cache:
            env = os.environ | SETTINGS | {"NUMBA_CACHE_DIR": cache}
            command = [sys.executable, "-m", "tools.build_kernel", *sys.argv[1:]]
            sys.exit(subprocess.run(command, env=env, check=False).returncode)
    module = build()
    check(module)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(module)
    print(f"{options.output.name}: {len(module):,} bytes, {len(list(exports(module)))} exports")


def build() -> bytes:
    """The linked module."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, reloc="static", codemodel="default", features=FEATURES
    )
    whole = llvm.parse_assembly(retargeted(""))
    names = []
    for name, compiled in functions():
        callee = compiled.fndesc.llvm_func_name
        source = llvm.parse_assembly(retargeted(without_counters(compiled.library.get_llvm_str())))
        caller = llvm.parse_assembly(retargeted(entry(name, compiled)))
        # A call with other types would be undefined behaviour, which LLVM does not report.
        types = {str(module.get_function(callee).global_value_type) for module in (source, caller)}
        if len(types) != 1:
            sys.exit(f"{name} is called with other types than it has: {' and '.join(sorted(types))}")
        whole.link_in(source)
        whole.link_in(caller)
        names.append(name)
    whole.link_in(llvm.parse_assembly(retargeted(idle_counters())))
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = "internal"
    whole.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_interleaving = tuning.loop_unrolling = True
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(whole, passes)
    return link(machine.emit_object(whole), names)


def functions() -> Iterator[tuple[str, Any]]:
    """The exported functions, each with what Numba made of it, in the order of the source."""
    from numba.core.dispatcher import Dispatcher
    from numba.core.errors import NumbaWarning

    # Code that is not optimized cannot be cached, and need not be.
    warnings.filterwarnings("ignore", "Cannot cache compiled function", NumbaWarning)
    for module in MODULES:
        for value in vars(import_module(f"riverstones.engine.{module}")).values():
            # Helpers are compiled into their callers, and Python cannot call them.
            if isinstance(value, Dispatcher) and not value.targetoptions["no_cpython_wrapper"]:
                name = export_name(value.py_func)
                if name.startswith(f"{module}."):
                    (compiled,) = value.overloads.values()
                    yield name, compiled


def retargeted(source: str) -> str:
    """The source of a module, for wasm32."""
    source = re.sub(r"^(target (triple|datalayout) = .*|source_filename = .*)\n", "", source, flags=re.MULTILINE)
    # The processor that Numba compiles for is an attribute of every function.
    source = re.sub(r' "(target-cpu|target-features|tune-cpu)"="[^"]*"', "", source)
    # WebAssembly has no symbols of this kind.
    source = source.replace("= common ", "= internal ")
    return f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n{source}'


def without_counters(source: str) -> str:
    """The source of a module that only declares the functions that count references."""
    for name in COUNTERS:
        definition = re.compile(rf"^define [^\n]*@{name}\(.*?^}}\n", re.MULTILINE | re.DOTALL)
        source = definition.sub(f"declare void @{name}(ptr)\n", source)
    return source


def idle_counters() -> str:
    """The source of functions that should count references, and do nothing."""
    return "".join(f"define void @{name}(ptr %array) alwaysinline {{\n  ret void\n}}\n" for name in COUNTERS)


def entry(name: str, compiled: Any) -> str:
    """The source of an exported function, which calls the compiled one."""
    from numba.core import types

    parameters: list[str] = []
    body: list[str] = ["  %result = alloca i64", "  %exception = alloca ptr"]
    arguments = ["ptr %result", "ptr %exception"]
    for number, kind in enumerate(compiled.signature.args):
        given = f"%arg{number}"
        if isinstance(kind, types.Array):
            parameters.append(f"ptr {given}")
            arguments += array_arguments(given, kind, body)
        elif kind == types.float64:
            parameters.append(f"double {given}")
            arguments.append(f"double {given}")
        else:
            parameters.append(f"double {given}")
            body.append(f"  {given}.integer = fptosi double {given} to {INTEGERS[kind.name]}")
            arguments.append(f"{INTEGERS[kind.name]} {given}.integer")
    callee = compiled.fndesc.llvm_func_name
    body.append(f'  %status = call i32 @"{callee}"({", ".join(arguments)})')
    body.append("  %failed = icmp ne i32 %status, 0\n  br i1 %failed, label %trap, label %done")
    body.append("trap:\n  call void @llvm.trap()\n  unreachable\ndone:")
    returned = {types.none: "void", types.int64: "i64", types.float64: "double"}[compiled.signature.return_type]
    if returned == "void":
        body.append("  ret void")
    else:
        body.append(f"  %value = load {returned}, ptr %result")
        if returned == "i64":
            body.append("  %number = sitofp i64 %value to double\n  ret double %number")
        else:
            body.append("  ret double %value")
    declared = ", ".join(argument.rpartition(" ")[0] for argument in arguments)
    return (
        f'declare i32 @"{callee}"({declared})\ndeclare void @llvm.trap()\n'
        f'define {"void" if returned == "void" else "double"} @"{name}"({", ".join(parameters)}) {{\n'
        + "\n".join(body)
        + "\n}\n"
    )


def array_arguments(address: str, kind: Any, body: list[str]) -> list[str]:
    """How Numba passes an array in C order: owner, parent, number of items, size of one, address, lengths, strides."""
    size = kind.dtype.bitwidth // 8
    lengths: list[str] = []
    for dimension in range(kind.ndim):
        length = f"{address}.length{dimension}"
        body.append(f"  {length}.at = getelementptr i8, ptr {address}, i32 {4 * dimension - HEADER}")
        body.append(f"  {length}.short = load i32, ptr {length}.at")
        body.append(f"  {length} = zext i32 {length}.short to i64")
        lengths.append(length)
    strides = [str(size)]
    for dimension in range(kind.ndim - 1, -1, -1):
        stride = f"{address}.stride{dimension}"
        body.append(f"  {stride} = mul i64 {strides[0]}, {lengths[dimension]}")
        strides.insert(0, stride)
    body.append(f"  {address}.items = udiv i64 {strides[0]}, {size}")
    return [
        "ptr null",
        "ptr null",
        f"i64 {address}.items",
        f"i64 {size}",
        f"ptr {address}",
        *(f"i64 {length}" for length in lengths),
        *(f"i64 {stride}" for stride in strides[1:]),
    ]


def link(code: bytes, names: list[str]) -> bytes:
    """The module of this object code. An undefined symbol is an error."""
    linker = shutil.which("wasm-ld") or sys.exit("wasm-ld is not installed (Debian: apt-get install lld).")
    with tempfile.TemporaryDirectory() as folder:
        object_file, module = Path(folder, "kernel.o"), Path(folder, "kernel.wasm")
        object_file.write_bytes(code)
        command: list[str | Path] = [
            linker, "--no-entry", "--strip-all", "--gc-sections", "--stack-first", "-z", f"stack-size={STACK_SIZE}",
            "--export=__heap_base", *(f"--export={name}" for name in names), "-o", module, object_file,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"The module cannot be linked:\n{done.stderr}")
        return module.read_bytes()


# What a module contains --------------------------------------------------------------------------------------------

IMPORTS: Final = 2
EXPORTS: Final = 7


def check(module: bytes) -> None:
    """Exit if the module could call anything outside it."""
    if section(module, IMPORTS):
        sys.exit("The module has imports: it may call nothing but itself.")


def section(module: bytes, number: int) -> bytes:
    """The contents of a section of a module; empty if it has none."""
    place = 8
    while place < len(module):
        found, (size, place) = module[place], leb128(module, place + 1)
        if found == number:
            return module[place : place + size]
        place += size
    return b""


def exports(module: bytes) -> Iterator[str]:
    """The names of a module's exports."""
    data = section(module, EXPORTS)
    count, place = leb128(data, 0)
    for _ in range(count):
        length, place = leb128(data, place)
        yield data[place : place + length].decode()
        _, place = leb128(data, place + length + 1)


def leb128(data: bytes, place: int) -> tuple[int, int]:
    """An unsigned number in the encoding of WebAssembly, and the place after it."""
    value = shift = 0
    while True:
        value |= (data[place] & 127) << shift
        shift += 7
        place += 1
        if data[place - 1] < 128:
            return value, place


if __name__ == "__main__":
    main()
