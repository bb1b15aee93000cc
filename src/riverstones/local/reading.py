"""Read JSON values into dataclasses, as strictly as the server reads messages, with the standard library alone."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


class Unreadable(ValueError):
    """A value does not have the form of its type; the message is the path to it."""


def read(kind: type[T], value: Any, where: str = "message") -> T:
    """A value of this dataclass from a JSON object. Unknown fields and values of another type are errors."""
    if not isinstance(value, dict):
        raise Unreadable(where)
    hints, known = _hints(kind), {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    for name in value:
        if name not in known:
            raise Unreadable(f"{where}.{name}")
    given = {}
    for name, each in known.items():
        if name in value:
            given[name] = _read_as(hints[name], value[name], f"{where}.{name}")
        elif name == "type" or (each.default is MISSING and each.default_factory is MISSING):
            raise Unreadable(f"{where}.{name}")
    return kind(**given)


def read_one_of(kinds: Sequence[type[T]], value: Any, where: str = "message") -> T:
    """A value of the dataclass whose `type` it has."""
    wanted = value.get("type") if isinstance(value, dict) else None
    for kind in kinds:
        if get_args(_hints(kind)["type"]) == (wanted,):  # type: ignore[arg-type]  # a class is hashable
            return read(kind, value, where)
    raise Unreadable(f"{where}.type")


def check_text(text: str, longest: int, where: str) -> str:
    """The text; raises `Unreadable` if it is too long, or has a lone surrogate, which UTF-8 cannot encode."""
    if len(text) > longest or any("\ud800" <= char <= "\udfff" for char in text):
        raise Unreadable(where)
    return text


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _read_as(kind: Any, value: Any, where: str) -> Any:
    """The value as this type; booleans are not numbers."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _read_as(get_args(kind)[0], value, where)
    if origin in (Union, types.UnionType):
        for each in get_args(kind):
            try:
                return _read_as(each, value, where)
            except Unreadable:
                continue
        raise Unreadable(where)
    if origin is Literal:
        if type(value) is str and value in get_args(kind):
            return value
    elif isinstance(kind, type) and issubclass(kind, Enum):
        if any(type(value) is type(each.value) and value == each.value for each in kind):
            return kind(value)
    elif is_dataclass(kind):
        return read(kind, value, where)  # type: ignore[arg-type]
    elif type(value) is kind:
        return value
    raise Unreadable(where)
