"""Pieces of a text that know their place, and how everything that is wrong with them is gathered."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from riverstones.rules import Malformed

from .errors import NotationError, Problem, problems_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a line that knows its place."""

    text: str
    line: int
    column: int

    def cut(self, start: int, end: int) -> Piece:
        """A part of this piece, by its place in it, without the blanks around it."""
        text = self.text[start:end]
        lead = len(text) - len(text.lstrip(" \t"))
        return Piece(text.strip(" \t"), self.line, self.column + start + lead)

    def group(self, match: re.Match[str], number: int) -> Piece:
        """The part that a group of a match found in this piece."""
        return self.cut(*match.span(number))

    def split(self, separator: str) -> list[Piece]:
        """The parts between separators."""
        starts = [0, *(match.end() for match in re.finditer(re.escape(separator), self.text))]
        ends = [start - len(separator) for start in starts[1:]]
        return [self.cut(start, end) for start, end in zip(starts, [*ends, len(self.text)], strict=True)]

    def error(self, code: str, **params: object) -> NotationError:
        """The error that this piece is not what it should be."""
        return NotationError([Problem.of(code, text=self.text, **params).at(self.column, self.line)])


class Findings:
    """Gathers problems: `with findings:` lets a reader fail, keeps why, and goes on."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, NotationError):
            self.problems.extend(error.problems)
            return True
        return False

    def done(self) -> None:
        """Raise what was found, if anything was."""
        if self.problems:
            raise NotationError(self.problems)


def placed(make: Callable[[], T], piece: Piece) -> T:
    """Make something, and let whatever is wrong with it point to this piece."""
    try:
        return make()
    except (Malformed, NotationError) as error:
        raise NotationError(problem.at(piece.column, piece.line) for problem in problems_of(error)) from None
