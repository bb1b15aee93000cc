"""Environments for machine learning: the same rules behind the interfaces of other projects.

Importing this package loads none of them. docs/environments.md describes the action space, the observation and each
environment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .vector import VectorEnv as VectorEnv


def __getattr__(name: str) -> Any:
    if name == "VectorEnv":
        from .vector import VectorEnv

        return VectorEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
