"""Validators and schemas for the messages that `riverstones.table.wire` defines.

Pydantic accepts the standard library's `TypedDict` only from Python 3.12 on, and does not interpret the markers that
the pure layers put on their fields. So it gets a copy of each class in its own types, made from its fields.
"""

from __future__ import annotations

import ast
import inspect
import sys
from dataclasses import is_dataclass
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import typing_extensions
from pydantic import ConfigDict, Field, TypeAdapter

from riverstones.table.exact import Exact
from riverstones.table.wire import Bounds, Plain


def adapter(kind: Any) -> TypeAdapter[Any]:
    """A validator for a type from `wire`."""
    return TypeAdapter(model(kind))


def model(kind: Any) -> Any:
    """A type from `wire`, converted to types that Pydantic and FastAPI accept."""
    if is_typeddict(kind):
        return _typed_dict(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(*arguments)
    if origin is NotRequired:
        return NotRequired[model(arguments[0])]
    if origin in (Union, UnionType):
        return _union(arguments)
    if origin in (list, dict):
        return origin[tuple(map(model, arguments))]
    return Annotated[kind, Exact()] if kind in (int, bool) else kind


def field(bounds: Bounds) -> Any:
    """The bounds as a Pydantic field, for use in a Pydantic model."""
    return Field(ge=bounds.at_least, le=bounds.at_most, max_length=bounds.longest, pattern=bounds.pattern)


@cache
def _typed_dict(kind: Any) -> Any:
    notes = _field_notes(kind)
    fields = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        fields[name] = _noted(model(hint), notes[name]) if name in notes else model(hint)
    make: Any = typing_extensions.TypedDict
    copy = make(kind.__name__, fields)
    copy.__doc__, copy.__module__ = kind.__doc__, kind.__module__
    copy.__pydantic_config__ = ConfigDict(extra="forbid")
    return copy


def _noted(kind: Any, note: str) -> Any:
    if get_origin(kind) is NotRequired:
        return NotRequired[_noted(get_args(kind)[0], note)]
    return Annotated[kind, Field(description=note)]


def _annotated(kind: Any, *markers: Any) -> Any:
    for marker in markers:
        if isinstance(marker, Plain):
            return Literal[marker.of] if isinstance(marker.of, tuple) else marker.of
        if isinstance(marker, Bounds):
            return Annotated[model(kind), field(marker)]
    return model(kind)


def _union(members: tuple[Any, ...]) -> Any:
    either = reduce(or_, map(model, members))
    return Annotated[either, Field(discriminator="type")] if all(map(_is_tagged, members)) else either


def _is_tagged(kind: Any) -> bool:
    """Whether a message has a field `type` that tells it from others."""
    return (is_typeddict(kind) or is_dataclass(kind)) and "type" in get_type_hints(kind)


def _field_notes(kind: Any) -> dict[str, str]:
    """The docstrings below a class's fields, by field name."""
    return _notes_of_module(kind.__module__)[kind.__qualname__]


@cache
def _notes_of_module(module: str) -> dict[str, dict[str, str]]:
    """The docstrings below the fields of each class of a module."""
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    classes = (each for each in body if isinstance(each, ast.ClassDef))
    return {definition.name: _notes(definition) for definition in classes}


def _notes(definition: ast.ClassDef) -> dict[str, str]:
    notes = {}
    for field, note in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(note, ast.Expr):
            notes[field.target.id] = inspect.cleandoc(str(ast.literal_eval(note.value)))
    return notes
