"""How the engine's hot functions are compiled: one decorator, and a cache that notices every change.

Without Numba, in a browser, the functions are those of a WebAssembly module instead: see `wasm`.

Numba keeps compiled code on disk next to the source file and discards it when that file changes. It does not notice
changes in *other* files that were compiled into this one. The search is built on the kernel, so after an update of the
kernel alone it would keep using the old one. Therefore compiled code is keyed by a fingerprint of its own file and of
every file of its folder, the engine and `envs` that this one imports, directly or indirectly.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from . import wasm
from .targets import NATIVE

Function = TypeVar("Function", bound=Callable[..., Any])


_ENGINE = Path(__file__).parent
_IMPORT = re.compile(r"^from (\.|riverstones\.engine\.|riverstones\.envs\.)(\w+) import ", re.MULTILINE)


@cache
def _fingerprint(path: Path) -> str:
    digest = hashlib.sha256()
    waiting, seen = [path], {path}
    while waiting:
        file = waiting.pop()
        source = file.read_text(encoding="utf-8")
        digest.update(source.encode())
        folders = {".": file.parent, "riverstones.engine.": _ENGINE, "riverstones.envs.": _ENGINE.parent / "envs"}
        for package, name in _IMPORT.findall(source):
            imported = folders[package] / f"{name}.py"
            if imported not in seen and imported.exists():
                seen.add(imported)
                waiting.append(imported)
    return digest.hexdigest()


def jit(*signatures: str) -> Callable[[Function], Function]:
    """Compile for exactly these signatures on import, or load the code compiled before.

    Without a signature the function is compiled into its callers. That is for helpers, which then cost nothing when a
    new process starts; Python itself cannot call them.
    """

    def decorate(function: Function) -> Function:
        if not NATIVE:
            return cast(Function, wasm.Call(function, *signatures)) if signatures else function
        import numba

        # Wrappers for Python and C take time to compile; C never calls these functions, and Python calls no helpers.
        options: dict[str, Any] = {"no_cfunc_wrapper": True, "no_cpython_wrapper": not signatures}
        dispatcher: Any = numba.njit(nogil=True, **options)(function)
        if signatures:
            _keep(dispatcher, Path(function.__code__.co_filename))
            for signature in signatures:
                dispatcher.compile(signature)
            dispatcher.disable_compile()
        else:
            _forget_constants(dispatcher)
        return cast(Function, dispatcher)

    return decorate


def _keep(dispatcher: Any, path: Path) -> None:
    """Cache compiled code on disk. If no directory is writable, each process compiles for itself."""
    try:
        dispatcher.enable_caching()
    except RuntimeError:
        return
    cache_file = dispatcher._cache._cache_file
    cache_file._source_stamp = (cache_file._source_stamp, _fingerprint(path))


def _forget_constants(dispatcher: Any) -> None:
    """Compile a helper once per argument type, not again for each constant it is called with."""
    from numba.core import types

    find = dispatcher.get_call_template
    forget: Callable[[Any], Any] = types.unliteral

    def find_without(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return find(tuple(map(forget, args)), {name: forget(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = find_without
