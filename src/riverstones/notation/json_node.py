"""Read untrusted JSON: each value knows its path and names it in error messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from riverstones.rules import Malformed

from .errors import NotationError, Problem, problems_of

E = TypeVar("E", bound=Enum)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a JSON document."""

    value: object
    path: str = "$"
    """The path from the root, which is `$`: for example `$.turns[3].move`."""

    def _wrong(self, code: str) -> NotationError:
        return NotationError([Problem.of(code, path=self.path)])

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self._wrong("json_text")
        return self.value

    def number(self) -> int:
        if type(self.value) is not int:
            raise self._wrong("json_number")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self._wrong("json_flag")
        return self.value

    def choice(self, choices: type[E]) -> E:
        """A member of an enum, by its value."""
        text = self.text()
        for choice in choices:
            if choice.value == text:
                return choice
        names = ", ".join(choice.value for choice in choices)
        raise NotationError([Problem.of("choice", text=text, choices=names, path=self.path)])

    def items(self) -> list[Node]:
        """The items of a list, as nodes."""
        if not isinstance(self.value, list):
            raise self._wrong("json_list")
        return [Node(item, f"{self.path}[{number}]") for number, item in enumerate(self.value)]

    def numbers(self) -> tuple[int, ...]:
        """A list of numbers."""
        return tuple(item.number() for item in self.items())

    def fields(self, *names: str) -> list[Node]:
        """The values of these fields of an object. An unknown field is an error; a missing one reads as null."""
        if not isinstance(self.value, dict):
            raise self._wrong("json_object")
        if strange := [name for name in self.value if name not in names]:
            raise NotationError(Problem.of("json_extra", path=f"{self.path}.{name}") for name in strange)
        return [Node(self.value.get(name), f"{self.path}.{name}") for name in names]

    def maybe(self, read: Callable[[Node], T]) -> T | None:
        """The result of `read`, or None if the value is null."""
        return None if self.value is None else read(self)

    def read(self, parse: Callable[[str], T]) -> T:
        """Parse a string in a notation of its own, such as a move."""
        return self.make(lambda: parse(self.text()))

    def make(self, build: Callable[[], T]) -> T:
        """Build something from this value; any problem with it names the path."""
        try:
            return build()
        except (Malformed, NotationError) as error:
            raise NotationError(map(self._at_path, problems_of(error))) from None

    def _at_path(self, problem: Problem) -> Problem:
        """The problem with this path, unless it has a path already."""
        if "path" in dict(problem.params):
            return problem
        return replace(problem, params=(*problem.params, ("path", self.path)))
