"""How the engine's hot functions are compiled: one decorator, one cache that notices every change.

Numba keeps compiled code on disk next to the source file and throws it away when that file changes. It does
not notice when a function changes that lives in *another* file and was compiled into this one. The search
is built on the kernel, so after an update of the kernel alone it would go on playing with the old one.
Therefore every compiled function here carries the fingerprint of all the engine's compiled sources: a
change makes all of them stale together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def _fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        source = path.read_bytes()
        if b"@jit" in source:
            digest.update(path.name.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()


def jit(*signatures: str, inline: bool = False) -> Callable[[Function], Function]:
    """Compile for exactly these signatures when the module is imported, or load what was compiled before.

    Without a signature the function is compiled together with those that call it; that is for helpers, which
    then cost nothing when a new process starts. ``inline`` copies the helper into its callers before type
    inference, for the few whose call is a good part of their cost.
    """

    def decorate(function: Function) -> Function:
        options: dict[str, Any] = {"nogil": True, "inline": "always" if inline else "never"}
        dispatcher = numba.njit(**options)(function)
        if signatures:
            dispatcher.enable_caching()
            cache_file = dispatcher._cache._cache_file
            cache_file._source_stamp = (cache_file._source_stamp, _fingerprint())
            for signature in signatures:
                dispatcher.compile(signature)
            dispatcher.disable_compile()
        return cast(Function, dispatcher)

    return decorate
