"""Environments for machine learning: the same rules behind the interfaces of other projects.

Importing this package registers the environment for Gymnasium, if that is installed; the other environments are in
modules of their own. docs/environments.md describes the action space, the observation and each environment.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .vector import VectorEnv

__all__ = ["GYMNASIUM_ID", "VectorEnv"]

GYMNASIUM_ID: Final = "riverstones/Riverstones-v0"
"""The environment of `one_seat` in Gymnasium's registry."""

if find_spec("gymnasium") is not None:
    import gymnasium

    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(GYMNASIUM_ID, entry_point="riverstones.envs.one_seat:OneSeatEnv")


def __getattr__(name: str) -> Any:
    if name == "VectorEnv":
        from .vector import VectorEnv

        return VectorEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
