"""Pieces of a text that know their position, and a collector for the problems found in them."""

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
    """A piece of a text line with its position."""

    text: str
    line: int
    column: int

    def cut(self, start: int, end: int) -> Piece:
        """A slice of this piece, stripped of blanks."""
        text = self.text[start:end]
        lead = len(text) - len(text.lstrip(" \t"))
        return Piece(text.strip(" \t"), self.line, self.column + start + lead)

    def group(self, match: re.Match[str], number: int) -> Piece:
        """The part of this piece that a group of a match captured."""
        return self.cut(*match.span(number))

    def split(self, separator: str) -> list[Piece]:
        """The parts between separators."""
        starts = [0, *(match.end() for match in re.finditer(re.escape(separator), self.text))]
        ends = [start - len(separator) for start in starts[1:]]
        return [self.cut(start, end) for start, end in zip(starts, [*ends, len(self.text)], strict=True)]

    def error(self, code: str, **params: object) -> NotationError:
        """An error with this code at this piece."""
        return NotationError([Problem.of(code, text=self.text, **params).at(self.column, self.line)])


class Findings:
    """Collects problems: `with findings:` catches a parse error, keeps its problems and continues."""

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
        """Raise everything that was found, if anything."""
        if self.problems:
            raise NotationError(self.problems)


def placed(make: Callable[[], T], piece: Piece) -> T:
    """Call `make`; any error it raises points to this piece."""
    try:
        return make()
    except (Malformed, NotationError) as error:
        raise NotationError(problem.at(piece.column, piece.line) for problem in problems_of(error)) from None
